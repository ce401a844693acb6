//! Which registers an operation reads and writes.

use ir::{Op, Operand, Raise, Reg, Target, Terminator};

/// Shows every operand of an operation, in the order in which it is read.
pub fn of_op<'a>(op: &'a Op, see: &mut dyn FnMut(&'a Operand)) {
    match op {
        Op::Copy { from, .. } => see(from),
        Op::Cons { head, tail, .. } => {
            see(head);
            see(tail);
        }
        Op::Tuple { items, .. } | Op::Primitive { args: items, .. } => items.iter().for_each(see),
        Op::Closure { captured, .. } => captured.iter().for_each(see),
        Op::Map { base, pairs, .. } => {
            see(base);
            for (_, key, value) in pairs {
                see(key);
                see(value);
            }
        }
        Op::Bits { segments, .. } => {
            for segment in segments {
                see(&segment.value);
                see(&segment.size);
            }
        }
        Op::Call { target, args, .. } => of_call(target, args, see),
        Op::Enter { .. } | Op::Line(_) => {}
    }
}

fn of_call<'a>(target: &'a Target, args: &'a [Operand], see: &mut dyn FnMut(&'a Operand)) {
    args.iter().for_each(&mut *see);
    match target {
        Target::Local(_) => {}
        Target::Remote { module, function } => {
            see(module);
            see(function);
        }
        Target::Fun(fun) => see(fun),
    }
}

/// The register an operation writes.
pub fn written(op: &Op) -> Option<Reg> {
    match op {
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

/// Shows every operand of a terminator.
pub fn of_end<'a>(end: &'a Terminator, see: &mut dyn FnMut(&'a Operand)) {
    match end {
        Terminator::Jump(_) => {}
        Terminator::Branch { args, .. } => args.iter().for_each(see),
        Terminator::Return(value) => see(value),
        Terminator::TailCall { target, args } => of_call(target, args, see),
        Terminator::Raise(Raise::Error(reason)) => see(reason),
        Terminator::Raise(Raise::FunctionClause(args)) => args.iter().for_each(see),
        Terminator::Raise(Raise::Again { reason, raw }) => {
            see(reason);
            see(raw);
        }
    }
}

/// The registers a branch writes when it holds.
pub fn outs(end: &Terminator) -> impl Iterator<Item = Reg> + '_ {
    let outs: &[Option<Reg>] = match end {
        Terminator::Branch { outs, .. } => outs,
        _ => &[],
    };
    outs.iter().flatten().copied()
}

/// The register of an operand.
pub fn reg(operand: &Operand) -> Option<Reg> {
    match operand {
        Operand::Reg(reg) => Some(*reg),
        Operand::Literal(_) => None,
    }
}
