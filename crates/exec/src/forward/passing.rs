//! Calls whose value a function that emits its events only passes on. Without the events they would be tail calls, and the
//! function would be gone while they run: no stack trace of the program as it is shows it.

use ir::{BasicBlock, Callee, Event, Function, Op, Primitive, Raise, Reg, Terminator};
use term::known;

/// True if an operation of a block is such a call.
pub fn passes_on(function: &Function, block: u32, operation: u32) -> bool {
    let Some(start) = function.blocks.get(block as usize) else { return false };
    let Some(Op::Call { to, callee, args }) = start.body.get(operation as usize).map(|it| &it.op) else { return false };
    !is_built_in(callee, args.len())
        && emits_exceptions(function, start)
        && returns(function, start, operation as usize + 1, *to)
}

/// Built-in functions are no calls in the VM; those that call what they are given are.
fn is_built_in(callee: &Callee, args: usize) -> bool {
    let function = callee.named(args).filter(|_| !matches!(callee, Callee::Local(_)));
    function.is_some_and(|it| it.module == known::ERLANG && !ops::rule(it).is_call())
}

/// True if the only handler around a block is the one that emits the event of exceptions.
fn emits_exceptions(function: &Function, block: &BasicBlock) -> bool {
    let handler = block.handler.and_then(|handler| function.blocks.get(handler.0 as usize));
    handler.is_some_and(|handler| {
        let first = handler.body.first().map(|it| &it.op);
        let emits = matches!(first, Some(Op::Primitive { op: Primitive::Event(Event::Emit), .. }));
        handler.handler.is_none()
            && emits
            && handler.body.len() == 1
            && matches!(handler.end, Terminator::Raise(Raise::Again { .. }))
    })
}

/// True if all that follows is that events are emitted and the value is returned.
fn returns(function: &Function, start: &BasicBlock, first: usize, value: Reg) -> bool {
    let (mut block, mut first, mut same) = (start, first, vec![value]);
    // A jump back would be a loop without anything in it.
    for _ in 0..=function.blocks.len() {
        for instruction in &block.body[first..] {
            match &instruction.op {
                Op::Primitive { op: Primitive::Event(Event::Emit | Event::AfterCall), .. } => {}
                Op::Copy { to, from } if from.register().is_some_and(|from| same.contains(&from)) => same.push(*to),
                _ => return false,
            }
        }
        match &block.end {
            Terminator::Jump(next) => match function.blocks.get(next.0 as usize) {
                Some(next) => (block, first) = (next, 0),
                None => return false,
            },
            Terminator::Return(value) => return value.register().is_some_and(|value| same.contains(&value)),
            _ => return false,
        }
    }
    false
}
