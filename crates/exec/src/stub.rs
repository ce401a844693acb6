//! Functions that stand in for native code.

use ir::{Callee, Op, Operand, Terminator, Unit};
use ops::policy::marks_stub;

/// Returns true if a function only says that the native code which should stand here is missing.
pub fn is_stub(unit: &Unit) -> bool {
    let Some(function) = unit.functions.first() else { return false };
    let stub = |callee: &Callee, args: usize| {
        matches!(callee, Callee::Remote { .. }) && callee.named(args).is_some_and(marks_stub)
    };
    let mut calls = 0;
    for block in &function.blocks {
        for instruction in &block.body {
            match &instruction.op {
                Op::Call { callee, args, .. } if !stub(callee, args.len()) => return false,
                Op::Call { .. } => calls += 1,
                _ => {}
            }
        }
        match &block.end {
            Terminator::TailCall { callee, args } if stub(callee, args.len()) => calls += 1,
            Terminator::TailCall { .. } => return false,
            Terminator::Return(Operand::Literal(_)) => return false,
            _ => {}
        }
    }
    calls > 0
}
