//! Liveness: the registers that will be read again.

use ir::{BasicBlock, Function, Operand, Reg, Terminator};

use super::order::Order;

/// A set of registers with constant-time changes and a walk over its members.
pub struct LiveSet {
    members: Vec<u32>,
    /// The place of a register in `members`, if it has one.
    place: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;

impl LiveSet {
    /// No registers, of so many.
    pub fn new(registers: u32) -> LiveSet {
        LiveSet { members: Vec::new(), place: vec![ABSENT; registers as usize] }
    }

    /// Adds a register.
    pub fn insert(&mut self, reg: Reg) {
        if !self.contains(reg) {
            self.place[reg.0 as usize] = self.members.len() as u32;
            self.members.push(reg.0);
        }
    }

    /// Removes a register.
    pub fn remove(&mut self, reg: Reg) {
        let place = self.place[reg.0 as usize];
        if place == ABSENT {
            return;
        }
        self.members.swap_remove(place as usize);
        if let Some(&moved) = self.members.get(place as usize) {
            self.place[moved as usize] = place;
        }
        self.place[reg.0 as usize] = ABSENT;
    }

    /// True if the register is in the set.
    pub fn contains(&self, reg: Reg) -> bool {
        self.place[reg.0 as usize] != ABSENT
    }

    /// Removes all registers.
    pub fn clear(&mut self) {
        for &member in &self.members {
            self.place[member as usize] = ABSENT;
        }
        self.members.clear();
    }

    /// The registers in order.
    pub fn iter(&self) -> impl Iterator<Item = Reg> + '_ {
        self.members.iter().map(|&reg| Reg(reg))
    }

    fn insert_all(&mut self, regs: &[Reg]) {
        regs.iter().for_each(|&reg| self.insert(reg));
    }

    fn sorted(&self) -> Vec<Reg> {
        let mut regs: Vec<Reg> = self.iter().collect();
        regs.sort_unstable();
        regs
    }
}

/// The registers that are alive after an operation.
pub struct Behind<'a> {
    /// The number of the operation in its block.
    pub at: usize,
    /// Includes what only the handler reads if the operation raises, so that the operation leaves it alone.
    pub live: &'a LiveSet,
    /// Of these, the registers that are not read any more once the operation has gone through.
    pub ending: &'a [Reg],
}

/// The registers alive when a block is entered, for every block; sorted.
pub struct Liveness {
    /// The live registers at the entry of each block.
    pub entry: Vec<Vec<Reg>>,
}

impl Liveness {
    /// Computes the live registers of all blocks.
    pub fn of(function: &Function, order: &Order) -> Result<Liveness, String> {
        check_registers(function)?;
        let mut liveness = Liveness { entry: vec![Vec::new(); function.blocks.len()] };
        let mut live = LiveSet::new(function.registers);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in order.blocks.iter().rev() {
                liveness.scan_back(function, block, &mut live, &mut |_| {});
                let entry = live.sorted();
                if liveness.entry[block as usize] != entry {
                    // A graph without loops settles in one round.
                    changed = order.has_loop;
                    liveness.entry[block as usize] = entry;
                }
            }
        }
        Ok(liveness)
    }

    /// Fills `live` with what is alive behind the terminator of a block.
    pub fn at_end(&self, function: &Function, block: u32, live: &mut LiveSet) {
        live.clear();
        let body = &function.blocks[block as usize];
        if body.end.can_raise() {
            live.insert_all(self.for_handler(body));
        }
        for next in body.end.successors() {
            live.insert_all(&self.entry[next.0 as usize]);
        }
        if let Terminator::Branch { no, .. } = &body.end {
            // A register that only the branch itself writes is not alive before it, unless the other side reads it too.
            body.end.outs().filter(|out| !self.alive(no.0, *out)).for_each(|out| live.remove(out));
        }
    }

    /// The registers that the handler of a block reads, the exception's own registers left out.
    fn for_handler(&self, block: &BasicBlock) -> &[Reg] {
        block.handler.map_or(&[], |handler| &self.entry[handler.0 as usize])
    }

    /// Walks a block backwards, from what is alive at its end to what is alive before it is entered, and calls `see`
    /// about each operation.
    pub fn scan_back(&self, function: &Function, block: u32, live: &mut LiveSet, see: &mut dyn FnMut(&Behind)) {
        self.scan_body(function, block, live, see);
        // A register that the exception itself writes is not alive before it.
        let catch = &function.blocks[block as usize].catch;
        catch.iter().flat_map(|catch| catch.registers()).for_each(|reg| live.remove(reg));
    }

    /// The same up to the first operation, where a caught exception has been written already.
    pub fn scan_body(&self, function: &Function, block: u32, live: &mut LiveSet, see: &mut dyn FnMut(&Behind)) {
        let body = &function.blocks[block as usize];
        self.at_end(function, block, live);
        body.end.each_operand(&mut |operand| read(live, operand));
        for (at, instruction) in body.body.iter().enumerate().rev() {
            let mut ending = Vec::new();
            if instruction.op.can_raise() {
                ending.extend(self.for_handler(body).iter().copied().filter(|reg| !live.contains(*reg)));
                live.insert_all(&ending);
            }
            see(&Behind { at, live, ending: &ending });
            // The handler of an operation that raises sees what was there before it.
            let kept = |to: &Reg| instruction.op.can_raise() && self.for_handler(body).contains(to);
            if let Some(to) = instruction.op.written().filter(|to| !kept(to)) {
                live.remove(to);
            }
            instruction.op.each_operand(&mut |operand| read(live, operand));
        }
    }

    /// True if a register is alive when the block is entered.
    pub fn alive(&self, block: u32, reg: Reg) -> bool {
        self.entry[block as usize].binary_search(&reg).is_ok()
    }
}

fn read(live: &mut LiveSet, operand: &Operand) {
    if let Some(reg) = operand.register() {
        live.insert(reg);
    }
}

fn check_registers(function: &Function) -> Result<(), String> {
    let mut worst = function.params.iter().map(|reg| reg.0).max().unwrap_or(0);
    let mut see = |reg: Reg| worst = worst.max(reg.0);
    for block in &function.blocks {
        let mut look = |operand: &Operand| operand.register().into_iter().for_each(&mut see);
        block.body.iter().for_each(|instruction| instruction.op.each_operand(&mut look));
        block.end.each_operand(&mut look);
        block.body.iter().filter_map(|instruction| instruction.op.written()).for_each(&mut see);
        block.end.outs().for_each(&mut see);
        block.catch.iter().flat_map(|catch| catch.registers()).for_each(&mut see);
    }
    if worst < function.registers || worst == 0 { Ok(()) } else { Err(format!("register {worst} is out of range")) }
}
