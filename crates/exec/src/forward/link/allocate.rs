//! Gives every register a slot of the frame: as few slots as possible, values where their next use wants them.

use ir::{Callee, Function, Op, Operand, Reg, Terminator, Test};
use term::Term;

use super::liveness::{LiveSet, Liveness};
use super::order::Order;
use crate::forward::code::{NOWHERE, Slot};

/// The slots of registers.
pub struct Allocation {
    /// The slot of each register; [`NOWHERE`] for those that are never written.
    pub slots: Vec<Slot>,
    /// One more than the highest slot of a register.
    pub used: u32,
}

/// A slot that would save a move.
#[derive(Clone, Copy)]
enum Wish {
    /// This slot.
    Slot(Slot),
    /// The slot of another register.
    With(Reg),
    /// Argument `position` of call `call`.
    Argument { call: u32, position: u32 },
    /// The value of a call.
    Value { call: u32 },
}

struct Allocator<'a> {
    function: &'a Function,
    liveness: &'a Liveness,
    slots: Vec<Slot>,
    /// Registers that are alive at the same time.
    rivals: Vec<Vec<u32>>,
    wishes: Vec<Vec<Wish>>,
    /// For each call, the registers alive across it.
    across: Vec<Vec<u32>>,
    used: u32,
}

impl Allocation {
    /// Gives every register a slot.
    pub fn of(function: &Function, order: &Order, liveness: &Liveness) -> Result<Allocation, String> {
        let count = function.registers as usize;
        let mut allocator = Allocator {
            function,
            liveness,
            slots: vec![NOWHERE; count],
            rivals: vec![Vec::new(); count],
            wishes: vec![Vec::new(); count],
            across: Vec::new(),
            used: 0,
        };
        let mut live = LiveSet::new(function.registers);
        order.blocks.iter().for_each(|&block| allocator.study(block, &mut live));
        allocator.place_params()?;
        order.blocks.iter().try_for_each(|&block| allocator.place_block(block))?;
        Ok(Allocation { slots: allocator.slots, used: allocator.used })
    }

    /// The lowest slot above everything that is alive.
    pub fn above(&self, live: impl Iterator<Item = Reg>) -> Slot {
        live.map(|reg| self.slots[reg.0 as usize] + 1).max().unwrap_or(0)
    }
}

impl<'a> Allocator<'a> {
    /// Finds rivals and wishes in one block.
    fn study(&mut self, block: u32, live: &mut LiveSet) {
        let (function, liveness) = (self.function, self.liveness);
        let body = &function.blocks[block as usize];
        self.study_catch(block);
        liveness.at_end(function, block, live);
        self.study_branch(&body.end, live);
        self.study_end(&body.end);
        liveness.scan_back(function, block, live, &mut |behind| {
            self.study_op(&body.body[behind.at].op, behind.live);
        });
    }

    fn study_op(&mut self, op: &Op, after: &LiveSet) {
        let Some(to) = op.written() else { return };
        self.rival(to, after.iter());
        match op {
            Op::Copy { from: Operand::Reg(from), .. } => {
                self.wish(*from, Wish::With(to));
                self.wish(to, Wish::With(*from));
            }
            Op::Call { callee, args, .. } => self.study_call(to, extra(callee), args, after),
            Op::Primitive { args, .. } => self.study_call(to, [None, None], args, after),
            _ => {}
        }
    }

    fn study_call(&mut self, to: Reg, extra: [Option<&Operand>; 2], args: &[Operand], after: &LiveSet) {
        let call = self.across.len() as u32;
        self.across.push(after.iter().filter(|reg| *reg != to).map(|reg| reg.0).collect());
        for (position, operand) in args.iter().chain(extra.into_iter().flatten()).enumerate() {
            if let Some(reg) = operand.register() {
                self.wish(reg, Wish::Argument { call, position: position as u32 });
            }
        }
        self.wish(to, Wish::Value { call });
    }

    fn study_end(&mut self, end: &Terminator) {
        match end {
            Terminator::Return(Operand::Reg(reg)) => self.wish(*reg, Wish::Slot(0)),
            Terminator::TailCall { callee, args } => {
                let all = args.iter().chain(extra(callee).into_iter().flatten());
                for (position, reg) in all.enumerate().filter_map(|(at, it)| Some((at, it.register()?))) {
                    self.wish(reg, Wish::Slot(position as Slot));
                }
            }
            _ => {}
        }
    }

    /// Notes that what a branch writes is written before anything that dies on its edges is dropped.
    fn study_branch(&mut self, end: &Terminator, live: &LiveSet) {
        let Terminator::Branch { test, args, yes, .. } = end else { return };
        let taken = args.first().and_then(Operand::register).filter(|reg| takes_apart(test, args, *reg));
        let taken = taken.filter(|reg| !self.liveness.alive(yes.0, *reg));
        let around = live.iter().chain(args.iter().filter_map(Operand::register)).filter(|reg| Some(*reg) != taken);
        let around: Vec<Reg> = around.collect();
        for out in end.outs() {
            self.rival(out, around.iter().copied());
            self.rival(out, end.outs());
        }
    }

    fn study_catch(&mut self, block: u32) {
        let Some(catch) = self.function.blocks[block as usize].catch else { return };
        let regs = [catch.class, catch.reason, catch.raw];
        let liveness = self.liveness;
        for reg in regs.into_iter().flatten() {
            self.rival(reg, liveness.entry[block as usize].iter().copied());
            self.rival(reg, regs.into_iter().flatten());
        }
    }

    fn rival(&mut self, reg: Reg, others: impl Iterator<Item = Reg>) {
        for other in others.filter(|other| *other != reg) {
            self.rivals[reg.0 as usize].push(other.0);
            self.rivals[other.0 as usize].push(reg.0);
        }
    }

    fn wish(&mut self, reg: Reg, wish: Wish) {
        let wishes = &mut self.wishes[reg.0 as usize];
        // A few are enough: blocks are studied in order, so the first come from near by.
        if wishes.len() < 6 {
            wishes.push(wish);
        }
    }

    fn place_params(&mut self) -> Result<(), String> {
        for (at, param) in self.function.params.iter().enumerate() {
            self.slots[param.0 as usize] = slot(at)?;
            self.used = self.used.max(at as u32 + 1);
        }
        Ok(())
    }

    fn place_block(&mut self, block: u32) -> Result<(), String> {
        let body = &self.function.blocks[block as usize];
        if let Some(catch) = body.catch {
            for reg in [catch.class, catch.reason, catch.raw].into_iter().flatten() {
                self.place(reg)?;
            }
        }
        for instruction in &body.body {
            if let Some(to) = instruction.op.written() {
                self.place(to)?;
            }
        }
        body.end.outs().try_for_each(|out| self.place(out))
    }

    fn place(&mut self, reg: Reg) -> Result<(), String> {
        if self.slots[reg.0 as usize] != NOWHERE {
            return Ok(());
        }
        let mut taken: Vec<Slot> = self.rivals[reg.0 as usize].iter().map(|&it| self.slots[it as usize]).collect();
        taken.sort_unstable();
        taken.dedup();
        let wished = self.wishes[reg.0 as usize].iter().find_map(|&wish| self.granted(wish, &taken));
        let slot = match wished {
            Some(slot) => slot,
            None => slot(taken.iter().enumerate().position(|(at, &it)| it as usize != at).unwrap_or(taken.len()))?,
        };
        self.slots[reg.0 as usize] = slot;
        self.used = self.used.max(u32::from(slot) + 1);
        Ok(())
    }

    fn granted(&self, wish: Wish, taken: &[Slot]) -> Option<Slot> {
        let slot = match wish {
            Wish::Slot(slot) => slot,
            Wish::With(other) => self.slots[other.0 as usize],
            Wish::Argument { call, position } => self.window(call).checked_add(position as Slot)?,
            Wish::Value { call } => self.window(call),
        };
        (slot != NOWHERE && taken.binary_search(&slot).is_err()).then_some(slot)
    }

    /// The window of a call, as far as it is known.
    fn window(&self, call: u32) -> Slot {
        let slots = self.across[call as usize].iter().map(|&reg| self.slots[reg as usize]);
        slots.filter(|&slot| slot != NOWHERE).map(|slot| slot + 1).max().unwrap_or(0)
    }
}

/// The operands of a call that follow its arguments in the window.
pub fn extra(callee: &Callee) -> [Option<&Operand>; 2] {
    match callee {
        Callee::Local(_) | Callee::Process { .. } => [None, None],
        Callee::Remote { module: Operand::Literal(Term::Atom(..)), function: Operand::Literal(Term::Atom(..)) } => {
            [None, None]
        }
        Callee::Remote { module, function } => [Some(module), Some(function)],
        Callee::Fun(fun) => [Some(fun), None],
    }
}

/// True if a test takes its first operand apart when that is its last use, so that the parts may go to its slot.
fn takes_apart(test: &Test, args: &[Operand], first: Reg) -> bool {
    let again = args.iter().skip(1).any(|operand| operand.register() == Some(first));
    matches!(test, Test::Cons | Test::Tuple(_) | Test::Segment(_)) && !again
}

fn slot(at: usize) -> Result<Slot, String> {
    Slot::try_from(at).ok().filter(|slot| *slot < 0x3fff).ok_or_else(|| "too many values alive at once".into())
}
