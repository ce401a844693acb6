//! Who is alive where: which registers will be read again.

use ir::{BasicBlock, Function, Operand, Reg, Terminator};

use super::operands;
use super::order::{Order, successors};

/// A set of registers with constant-time changes and a walk over its members.
pub struct LiveSet {
    members: Vec<u32>,
    /// Where a register stands in `members`, if it does.
    place: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;

impl LiveSet {
    pub fn new(registers: u32) -> LiveSet {
        LiveSet { members: Vec::new(), place: vec![ABSENT; registers as usize] }
    }

    pub fn insert(&mut self, reg: Reg) {
        if !self.contains(reg) {
            self.place[reg.0 as usize] = self.members.len() as u32;
            self.members.push(reg.0);
        }
    }

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

    pub fn contains(&self, reg: Reg) -> bool {
        self.place[reg.0 as usize] != ABSENT
    }

    pub fn clear(&mut self) {
        for &member in &self.members {
            self.place[member as usize] = ABSENT;
        }
        self.members.clear();
    }

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

/// The registers alive when a block is entered, for every block; sorted.
pub struct Liveness {
    pub entry: Vec<Vec<Reg>>,
}

impl Liveness {
    pub fn of(function: &Function, order: &Order) -> Result<Liveness, String> {
        check_registers(function)?;
        let mut liveness = Liveness { entry: vec![Vec::new(); function.blocks.len()] };
        let mut live = LiveSet::new(function.registers);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in order.blocks.iter().rev() {
                liveness.at_end(function, block, &mut live);
                scan_back(&function.blocks[block as usize], &mut live, &mut |_, _| {});
                forget_catch(&function.blocks[block as usize], &mut live);
                let handler = liveness.for_handler(function, block);
                live.insert_all(&handler);
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
        live.insert_all(&self.for_handler(function, block));
        for next in successors(body).filter(|next| Some(*next) != body.handler) {
            live.insert_all(&self.entry[next.0 as usize]);
        }
        if let Terminator::Branch { no, .. } = &body.end {
            // What only the branch itself writes is not alive before it, unless another way out reads it too.
            let elsewhere = |out| self.alive(no.0, out) || body.handler.is_some_and(|to| self.alive(to.0, out));
            operands::outs(&body.end).filter(|out| !elsewhere(*out)).for_each(|out| live.remove(out));
        }
    }

    /// What the handler of a block reads, the exception's own registers left out.
    pub fn for_handler(&self, function: &Function, block: u32) -> Vec<Reg> {
        match function.blocks[block as usize].handler {
            Some(handler) => self.entry[handler.0 as usize].clone(),
            None => Vec::new(),
        }
    }

    /// Whether a register is alive when the block is entered.
    pub fn alive(&self, block: u32, reg: Reg) -> bool {
        self.entry[block as usize].binary_search(&reg).is_ok()
    }
}

/// Walks a block backwards from what is alive at its end to what is alive at its beginning. `see` is told, for each
/// operation by its number (the terminator's is the number of operations), what is alive behind it.
pub fn scan_back(block: &BasicBlock, live: &mut LiveSet, see: &mut dyn FnMut(usize, &LiveSet)) {
    see(block.body.len(), live);
    operands::of_end(&block.end, &mut |operand| read(live, operand));
    for (at, instruction) in block.body.iter().enumerate().rev() {
        see(at, live);
        if let Some(to) = operands::written(&instruction.op) {
            live.remove(to);
        }
        operands::of_op(&instruction.op, &mut |operand| read(live, operand));
    }
}

/// What the exception itself writes is not alive before it.
fn forget_catch(block: &BasicBlock, live: &mut LiveSet) {
    if let Some(catch) = &block.catch {
        [catch.class, catch.reason, catch.raw].into_iter().flatten().for_each(|reg| live.remove(reg));
    }
}

fn read(live: &mut LiveSet, operand: &Operand) {
    if let Some(reg) = operands::reg(operand) {
        live.insert(reg);
    }
}

fn check_registers(function: &Function) -> Result<(), String> {
    let mut worst = function.params.iter().map(|reg| reg.0).max().unwrap_or(0);
    for block in &function.blocks {
        let mut see = |operand: &Operand| worst = worst.max(operands::reg(operand).map_or(0, |reg| reg.0));
        block.body.iter().for_each(|instruction| operands::of_op(&instruction.op, &mut see));
        operands::of_end(&block.end, &mut see);
        let written = block.body.iter().filter_map(|instruction| operands::written(&instruction.op));
        let catch = block.catch.iter().flat_map(|catch| [catch.class, catch.reason, catch.raw]).flatten();
        let all = written.chain(operands::outs(&block.end)).chain(catch);
        worst = all.map(|reg| reg.0).fold(worst, u32::max);
    }
    if worst < function.registers || worst == 0 { Ok(()) } else { Err(format!("register {worst} is out of range")) }
}
