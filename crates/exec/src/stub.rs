//! Functions that stand in for native code.

use ir::{Op, Operand, Target, Terminator, Unit};
use ops::policy::marks_stub;
use term::Mfa;

/// Whether a function only says that the native code which should stand here is missing.
pub fn is_stub(unit: &Unit) -> bool {
    let Some(function) = unit.functions.first() else { return false };
    let stub = |target: &Target, arity: usize| match target {
        Target::Remote { module: Operand::Literal(module), function: Operand::Literal(name) } => {
            let (Some(module), Some(function), Ok(arity)) = (module.as_atom(), name.as_atom(), u8::try_from(arity))
            else {
                return false;
            };
            marks_stub(Mfa { module, function, arity })
        }
        _ => false,
    };
    let mut calls = 0;
    for block in &function.blocks {
        for instruction in &block.body {
            match &instruction.op {
                Op::Call { target, args, .. } if !stub(target, args.len()) => return false,
                Op::Call { .. } => calls += 1,
                _ => {}
            }
        }
        match &block.end {
            Terminator::TailCall { target, args } if stub(target, args.len()) => calls += 1,
            Terminator::TailCall { .. } => return false,
            Terminator::Return(Operand::Literal(_)) => return false,
            _ => {}
        }
    }
    calls > 0
}
