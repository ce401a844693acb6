//! The operands and registers of an instruction, the successors of a block, and what can raise, for every pass.

use term::Mfa;

use crate::{BasicBlock, BlockId, Callee, Catch, Op, Operand, Raise, Reg, Terminator};

impl Operand {
    /// Returns the register, if the operand is not a literal.
    pub fn register(&self) -> Option<Reg> {
        match self {
            Operand::Reg(reg) => Some(*reg),
            Operand::Literal(_) => None,
        }
    }
}

impl From<Reg> for Operand {
    fn from(reg: Reg) -> Operand {
        Operand::Reg(reg)
    }
}

impl Callee {
    /// The function, where its name is known.
    pub fn named(&self, arity: usize) -> Option<Mfa> {
        let atom = |operand: &Operand| match operand {
            Operand::Literal(name) => name.as_atom(),
            Operand::Reg(_) => None,
        };
        match self {
            Callee::Local(function) | Callee::Process { function, .. } => Some(*function),
            Callee::Remote { module, function } => {
                Some(Mfa { module: atom(module)?, function: atom(function)?, arity: u8::try_from(arity).ok()? })
            }
            Callee::Fun(_) => None,
        }
    }

    fn each_operand<'a>(&'a self, look: &mut dyn FnMut(&'a Operand)) {
        match self {
            Callee::Local(_) | Callee::Process { .. } => {}
            Callee::Remote { module, function } => {
                look(module);
                look(function);
            }
            Callee::Fun(fun) => look(fun),
        }
    }

    fn each_operand_mut(&mut self, change: &mut dyn FnMut(&mut Operand)) {
        match self {
            Callee::Local(_) | Callee::Process { .. } => {}
            Callee::Remote { module, function } => {
                change(module);
                change(function);
            }
            Callee::Fun(fun) => change(fun),
        }
    }
}

impl Op {
    /// The register that the operation writes.
    pub fn written(&self) -> Option<Reg> {
        match self {
            Op::Copy { to, .. }
            | Op::Cons { to, .. }
            | Op::Tuple { to, .. }
            | Op::Map { to, .. }
            | Op::Bits { to, .. }
            | Op::Closure { to, .. }
            | Op::Call { to, .. }
            | Op::Primitive { to, .. } => Some(*to),
            Op::Enter { .. } | Op::Line(_) => None,
        }
    }

    /// The register that the operation writes, to be replaced.
    pub fn written_mut(&mut self) -> Option<&mut Reg> {
        match self {
            Op::Copy { to, .. }
            | Op::Cons { to, .. }
            | Op::Tuple { to, .. }
            | Op::Map { to, .. }
            | Op::Bits { to, .. }
            | Op::Closure { to, .. }
            | Op::Call { to, .. }
            | Op::Primitive { to, .. } => Some(to),
            Op::Enter { .. } | Op::Line(_) => None,
        }
    }

    /// Visits the operands that the operation reads.
    pub fn each_operand<'a>(&'a self, look: &mut dyn FnMut(&'a Operand)) {
        match self {
            Op::Copy { from, .. } => look(from),
            Op::Cons { head, tail, .. } => [head, tail].into_iter().for_each(look),
            Op::Tuple { items: list, .. } | Op::Closure { captured: list, .. } | Op::Primitive { args: list, .. } => {
                list.iter().for_each(look)
            }
            Op::Map { base, pairs, .. } => {
                look(base);
                pairs.iter().for_each(|(_, key, value)| [key, value].into_iter().for_each(&mut *look));
            }
            Op::Bits { segments, .. } => {
                segments.iter().for_each(|segment| [&segment.value, &segment.size].into_iter().for_each(&mut *look));
            }
            Op::Call { callee, args, .. } => {
                callee.each_operand(look);
                args.iter().for_each(look);
            }
            Op::Enter { .. } | Op::Line(_) => {}
        }
    }

    /// Visits the operands that the operation reads, to change them.
    pub fn each_operand_mut(&mut self, change: &mut dyn FnMut(&mut Operand)) {
        match self {
            Op::Copy { from, .. } => change(from),
            Op::Cons { head, tail, .. } => [head, tail].into_iter().for_each(change),
            Op::Tuple { items: list, .. } | Op::Closure { captured: list, .. } | Op::Primitive { args: list, .. } => {
                list.iter_mut().for_each(change)
            }
            Op::Map { base, pairs, .. } => {
                change(base);
                pairs.iter_mut().for_each(|(_, key, value)| [key, value].into_iter().for_each(&mut *change));
            }
            Op::Bits { segments, .. } => segments
                .iter_mut()
                .for_each(|segment| [&mut segment.value, &mut segment.size].into_iter().for_each(&mut *change)),
            Op::Call { callee, args, .. } => {
                callee.each_operand_mut(change);
                args.iter_mut().for_each(change);
            }
            Op::Enter { .. } | Op::Line(_) => {}
        }
    }

    /// True if an exception can start in the operation.
    pub fn can_raise(&self) -> bool {
        match self {
            Op::Map { .. } | Op::Bits { .. } | Op::Call { .. } | Op::Primitive { .. } => true,
            Op::Copy { .. }
            | Op::Cons { .. }
            | Op::Tuple { .. }
            | Op::Closure { .. }
            | Op::Enter { .. }
            | Op::Line(_) => false,
        }
    }
}

impl Terminator {
    /// Visits the operands that the terminator reads.
    pub fn each_operand<'a>(&'a self, look: &mut dyn FnMut(&'a Operand)) {
        match self {
            Terminator::Jump(_) => {}
            Terminator::Branch { args, .. } => args.iter().for_each(look),
            Terminator::Return(value) | Terminator::Raise(Raise::Error(value)) => look(value),
            Terminator::TailCall { callee, args } => {
                callee.each_operand(look);
                args.iter().for_each(look);
            }
            Terminator::Raise(Raise::FunctionClause(args)) => args.iter().for_each(look),
            Terminator::Raise(Raise::Again { reason, raw }) => [reason, raw].into_iter().for_each(look),
        }
    }

    /// Visits the operands that the terminator reads, to change them.
    pub fn each_operand_mut(&mut self, change: &mut dyn FnMut(&mut Operand)) {
        match self {
            Terminator::Jump(_) => {}
            Terminator::Branch { args, .. } => args.iter_mut().for_each(change),
            Terminator::Return(value) | Terminator::Raise(Raise::Error(value)) => change(value),
            Terminator::TailCall { callee, args } => {
                callee.each_operand_mut(change);
                args.iter_mut().for_each(change);
            }
            Terminator::Raise(Raise::FunctionClause(args)) => args.iter_mut().for_each(change),
            Terminator::Raise(Raise::Again { reason, raw }) => [reason, raw].into_iter().for_each(change),
        }
    }

    /// The registers that a successful branch writes.
    pub fn outs(&self) -> impl Iterator<Item = Reg> + '_ {
        let outs: &[Option<Reg>] = match self {
            Terminator::Branch { outs, .. } => outs,
            _ => &[],
        };
        outs.iter().copied().flatten()
    }

    /// Where control can go without an exception: at most two blocks, `yes` first.
    pub fn successors(&self) -> impl Iterator<Item = BlockId> + use<> {
        let (first, second) = match self {
            Terminator::Jump(to) => (Some(*to), None),
            Terminator::Branch { yes, no, .. } => (Some(*yes), Some(*no)),
            Terminator::Return(_) | Terminator::TailCall { .. } | Terminator::Raise(_) => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// Visits the blocks of [`Terminator::successors`], to change them.
    pub fn each_successor_mut(&mut self, change: &mut dyn FnMut(&mut BlockId)) {
        match self {
            Terminator::Jump(to) => change(to),
            Terminator::Branch { yes, no, .. } => [yes, no].into_iter().for_each(change),
            Terminator::Return(_) | Terminator::TailCall { .. } | Terminator::Raise(_) => {}
        }
    }

    /// True if an exception can start here; a tail call's own exceptions belong to the caller.
    pub fn can_raise(&self) -> bool {
        matches!(self, Terminator::Raise(_))
    }
}

impl Catch {
    /// The registers that the exception is written to.
    pub fn registers(&self) -> impl Iterator<Item = Reg> + use<> {
        [self.class, self.reason, self.raw].into_iter().flatten()
    }
}

impl BasicBlock {
    /// True if an exception can start in the block.
    pub fn can_raise(&self) -> bool {
        self.end.can_raise() || self.body.iter().any(|instruction| instruction.op.can_raise())
    }

    /// All blocks that control can reach from here in one step, the handler last.
    pub fn targets(&self) -> impl Iterator<Item = BlockId> + use<> {
        self.end.successors().chain(self.handler)
    }
}
