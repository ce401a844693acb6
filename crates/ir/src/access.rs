//! The operands and registers of an instruction, the successors of a block, and what can raise, for every pass.

use term::Mfa;

use crate::{BasicBlock, BlockId, Callee, Catch, Op, Operand, Raise, Reg, SegmentValue, Terminator};

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
}

/// The operands of callees, operations and terminators, visited to be read or to be changed.
macro_rules! operands {
    ($name:ident, $iter:ident $(, $mut:ident)?) => {
        impl Callee {
            fn $name<'a>(&'a $($mut)? self, visit: &mut dyn FnMut(&'a $($mut)? Operand)) {
                match self {
                    Callee::Local(_) | Callee::Process { .. } => {}
                    Callee::Remote { module, function } => [module, function].into_iter().for_each(visit),
                    Callee::Fun(fun) => visit(fun),
                }
            }
        }

        impl Op {
            /// Visits the operands that the operation reads.
            pub fn $name<'a>(&'a $($mut)? self, visit: &mut dyn FnMut(&'a $($mut)? Operand)) {
                match self {
                    Op::Copy { from, .. } => visit(from),
                    Op::Cons { head, tail, .. } => [head, tail].into_iter().for_each(visit),
                    Op::Tuple { items, .. } => items.$iter().for_each(visit),
                    Op::Closure { captured, .. } => captured.$iter().for_each(visit),
                    Op::Primitive { args, .. } => args.$iter().for_each(visit),
                    Op::Map { base, pairs, .. } => {
                        visit(base);
                        pairs.$iter().flat_map(|(_, key, value)| [key, value]).for_each(visit);
                    }
                    Op::Bits { segments, .. } => {
                        segments.$iter().flat_map(|SegmentValue { value, size, .. }| [value, size]).for_each(visit);
                    }
                    Op::Call { callee, args, .. } => {
                        callee.$name(visit);
                        args.$iter().for_each(visit);
                    }
                    Op::Enter { .. } | Op::Line(_) => {}
                }
            }
        }

        impl Terminator {
            /// Visits the operands that the terminator reads.
            pub fn $name<'a>(&'a $($mut)? self, visit: &mut dyn FnMut(&'a $($mut)? Operand)) {
                match self {
                    Terminator::Jump(_) => {}
                    Terminator::Branch { args, .. } | Terminator::Raise(Raise::FunctionClause(args)) => {
                        args.$iter().for_each(visit);
                    }
                    Terminator::Return(value) | Terminator::Raise(Raise::Error(value)) => visit(value),
                    Terminator::TailCall { callee, args } => {
                        callee.$name(visit);
                        args.$iter().for_each(visit);
                    }
                    Terminator::Raise(Raise::Again { reason, raw }) => [reason, raw].into_iter().for_each(visit),
                }
            }
        }
    };
}

operands!(each_operand, iter);
operands!(each_operand_mut, iter_mut, mut);

/// The register that an operation writes, by the reference at hand.
macro_rules! destination {
    ($op:expr) => {
        match $op {
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
    };
}

impl Op {
    /// The register that the operation writes.
    pub fn written(&self) -> Option<Reg> {
        destination!(self).copied()
    }

    /// The register that the operation writes, to be replaced.
    pub fn written_mut(&mut self) -> Option<&mut Reg> {
        destination!(self)
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
    /// The registers that a successful branch writes.
    pub fn outs(&self) -> impl Iterator<Item = Reg> + '_ {
        let outs: &[Option<Reg>] = match self {
            Terminator::Branch { outs, .. } => outs,
            _ => &[],
        };
        outs.iter().copied().flatten()
    }

    /// The blocks to which control can go without an exception: at most two blocks, `yes` first.
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
