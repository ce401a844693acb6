//! Calls of a marker function in the code: each is a target.

use exec::forward::Clause;
use ir::{BasicBlock, Function, Instruction, Location, Op, Operand, Terminator, Unit};
use search::reach::Goal;
use term::{Atom, Mfa, Term};

use super::target::{Target, file_of};
use crate::Failure;
use crate::names::{atom, function_name};
use crate::session::Outside;

/// What is looked for where nothing is named.
pub const USUAL: &str = "hound_target";

/// What marks a place: any function of that name, or one function.
pub enum Marker {
    Named(Atom),
    Function(Mfa),
}

impl Marker {
    pub fn read(text: &str) -> Result<Marker, Failure> {
        if let Ok(function) = function_name(text) {
            return Ok(Marker::Function(function));
        }
        let bad = || Failure::BadTarget(format!("--marker {text}: write a function's name, or module:function/arity"));
        if text.contains([':', '/']) {
            return Err(bad());
        }
        atom(text).map(Marker::Named).ok_or_else(bad)
    }

    fn is(&self, callee: Mfa) -> bool {
        match self {
            Marker::Named(name) => callee.function == *name,
            Marker::Function(function) => callee == *function,
        }
    }
}

/// Every call of the marker in these functions, in source order.
pub fn targets(outside: &mut Outside, functions: &[Mfa], marker: &Marker) -> Vec<Target> {
    let mut targets = Vec::new();
    for function in functions {
        let Outside { host, library, .. } = outside;
        let Ok(unit) = library.unit(host, *function, true) else { continue };
        for graph in &unit.functions {
            targets.extend(calls(graph, marker).into_iter().map(|call| target(&unit, graph, &call)));
        }
    }
    let place = |target: &Target| (target.file.clone(), target.line, target.column);
    targets.sort_by_key(place);
    // A clause of a comprehension or handler may stand in the graph more than once.
    targets.dedup_by_key(|target| (place(target), target.goals.clone().len()));
    targets
}

/// A call of the marker: the block, how many instructions stand before it, and its place.
struct Call {
    block: usize,
    before: usize,
    at: Location,
}

fn calls(graph: &Function, marker: &Marker) -> Vec<Call> {
    let mut calls = Vec::new();
    for (block, body) in graph.blocks.iter().enumerate() {
        for (before, instruction) in body.body.iter().enumerate() {
            if let Op::Call { target, args, .. } = &instruction.op
                && callee(target, args.len()).is_some_and(|callee| marker.is(callee))
            {
                calls.push(Call { block, before, at: instruction.location });
            }
        }
        if let Terminator::TailCall { target, args } = &body.end
            && callee(target, args.len()).is_some_and(|callee| marker.is(callee))
        {
            calls.push(Call { block, before: body.body.len(), at: body.end_location });
        }
    }
    calls
}

fn callee(target: &ir::Target, arity: usize) -> Option<Mfa> {
    let atom = |operand: &Operand| match operand {
        Operand::Literal(Term::Atom(_, atom)) => Some(*atom),
        _ => None,
    };
    match target {
        ir::Target::Local(function) => Some(*function),
        ir::Target::Remote { module, function } => {
            Some(Mfa { module: atom(module)?, function: atom(function)?, arity: u8::try_from(arity).ok()? })
        }
        ir::Target::Fun(_) => None,
    }
}

fn target(unit: &Unit, graph: &Function, call: &Call) -> Target {
    let file = file_of(unit, call.at.file);
    let name = format!("{file}:{}", call.at.line);
    Target { name, file, line: call.at.line, column: call.at.column, goals: vec![goal(graph, call)] }
}

/// What happens exactly when the call is made: the line or clause that begins right before it, or the outcome of the test
/// that leads to it; where there is none of these, its line.
fn goal(graph: &Function, call: &Call) -> Goal {
    let function = graph.name;
    let line = Goal::Line { module: function.module, line: call.at.line };
    let quiet = graph.blocks[call.block].body[..call.before].iter().rev().take_while(|it| cannot_raise(it));
    let mut clause = None;
    for instruction in quiet {
        match instruction.op {
            Op::Line(own) if own == call.at.line && is_alone(graph, own) => return line,
            Op::Enter { case, clause: number } => {
                clause.get_or_insert(Goal::Clause(Clause { function, case, clause: number }));
            }
            _ => {}
        }
    }
    let begins = graph.blocks[call.block].body[..call.before].iter().all(cannot_raise);
    clause.or_else(|| leading(graph, call.block).filter(|_| begins)).unwrap_or(line)
}

fn cannot_raise(instruction: &Instruction) -> bool {
    !matches!(instruction.op, Op::Call { .. } | Op::Map { .. } | Op::Bits { .. } | Op::Primitive { .. })
}

/// Whether only one block begins with that line.
fn is_alone(graph: &Function, line: u32) -> bool {
    let has = |block: &&BasicBlock| block.body.iter().any(|it| matches!(it.op, Op::Line(own) if own == line));
    graph.blocks.iter().filter(has).count() == 1
}

/// The one outcome of a test that leads to a block.
fn leading(graph: &Function, block: usize) -> Option<Goal> {
    let mut ways = Vec::new();
    for (at, body) in graph.blocks.iter().enumerate() {
        let way = |holds| Goal::Branch { function: graph.name, block: at as u32, holds };
        match &body.end {
            Terminator::Branch { yes, no, .. } => {
                ways.extend((yes.0 as usize == block).then(|| way(true)));
                ways.extend((no.0 as usize == block).then(|| way(false)));
            }
            Terminator::Jump(to) if to.0 as usize == block => return None,
            _ => {}
        }
        if body.handler.is_some_and(|handler| handler.0 as usize == block) {
            return None;
        }
    }
    match &ways[..] {
        [way] => Some(way.clone()),
        _ => None,
    }
}
