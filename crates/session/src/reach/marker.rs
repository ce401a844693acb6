//! Calls of a marker function in the code: each is a target.

use exec::forward::ClauseId;
use ir::{BasicBlock, Function, Instruction, Location, Op, Primitive, Terminator, Unit};
use search::reach::Goal;
use term::{Atom, Mfa};

use super::target::{Target, file_of};
use crate::names::{atom, function_name};
use crate::{Failure, Session};

/// The marker's name where none is given.
pub const USUAL: &str = "hound_target";

/// The function whose calls are targets: any of that name, or one.
pub enum Marker {
    /// Any function of that name.
    Named(Atom),
    /// One function.
    Function(Mfa),
}

impl Marker {
    /// Reads a marker's name.
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

/// Returns every call of the marker in these functions, in source order.
pub fn targets(session: &Session, functions: &[Mfa], marker: &Marker) -> Vec<Target> {
    let mut targets = Vec::new();
    for function in functions {
        let Ok(unit) = session.unit(*function, true) else { continue };
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
struct MarkerCall {
    block: usize,
    before: usize,
    at: Location,
}

fn calls(graph: &Function, marker: &Marker) -> Vec<MarkerCall> {
    let mut calls = Vec::new();
    for (block, body) in graph.blocks.iter().enumerate() {
        for (before, instruction) in body.body.iter().enumerate() {
            if let Op::Call { callee, args, .. } = &instruction.op
                && callee.named(args.len()).is_some_and(|function| marker.is(function))
            {
                calls.push(MarkerCall { block, before, at: instruction.location });
            }
        }
        if let Terminator::TailCall { callee, args } = &body.end
            && callee.named(args.len()).is_some_and(|function| marker.is(function))
        {
            calls.push(MarkerCall { block, before: body.body.len(), at: body.end_location });
        }
    }
    calls
}

fn target(unit: &Unit, graph: &Function, call: &MarkerCall) -> Target {
    let file = file_of(unit, call.at.file);
    let name = format!("{file}:{}", call.at.line);
    Target { name, file, line: call.at.line, column: call.at.column, goals: vec![goal(graph, call)] }
}

/// The goal that is met exactly when the call is made: the line or clause that begins right before it, or the outcome of the test
/// that leads to it; where there is none of these, its line.
fn goal(graph: &Function, call: &MarkerCall) -> Goal {
    let function = graph.name;
    let line = Goal::Line { module: function.module, line: call.at.line };
    let quiet = graph.blocks[call.block].body[..call.before].iter().rev().take_while(|it| cannot_raise(it));
    let mut clause = None;
    for instruction in quiet {
        match instruction.op {
            Op::Line(own) if own == call.at.line && is_alone(graph, own) => return line,
            Op::Enter { case, clause: number } => {
                clause.get_or_insert(Goal::Clause(ClauseId { function, case, clause: number }));
            }
            _ => {}
        }
    }
    let begins = graph.blocks[call.block].body[..call.before].iter().all(cannot_raise);
    clause.or_else(|| leading(graph, call.block).filter(|_| begins)).unwrap_or(line)
}

fn cannot_raise(instruction: &Instruction) -> bool {
    match instruction.op {
        Op::Primitive { op, .. } => matches!(op, Primitive::Receive(_)),
        Op::Call { .. } | Op::Map { .. } | Op::Bits { .. } => false,
        _ => true,
    }
}

/// True if only one block begins with that line.
fn is_alone(graph: &Function, line: u32) -> bool {
    let has = |block: &&BasicBlock| block.body.iter().any(|it| matches!(it.op, Op::Line(own) if own == line));
    graph.blocks.iter().filter(has).count() == 1
}

/// The one outcome of a test that leads to a block.
fn leading(graph: &Function, block: usize) -> Option<Goal> {
    let mut branches = Vec::new();
    for (at, body) in graph.blocks.iter().enumerate() {
        let branch = |holds| Goal::Branch { function: graph.name, block: at as u32, holds };
        match &body.end {
            Terminator::Branch { yes, no, .. } => {
                branches.extend((yes.0 as usize == block).then(|| branch(true)));
                branches.extend((no.0 as usize == block).then(|| branch(false)));
            }
            Terminator::Jump(to) if to.0 as usize == block => return None,
            _ => {}
        }
        if body.handler.is_some_and(|handler| handler.0 as usize == block) {
            return None;
        }
    }
    match &branches[..] {
        [branch] => Some(branch.clone()),
        _ => None,
    }
}
