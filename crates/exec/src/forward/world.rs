//! What the machine asks of the outside: code, and the real VM.

use std::rc::Rc;

use term::{Atom, Call, Exception, Mfa, Outcome, Term};

use super::machine::{Numbers, Observed};

/// The outside of a running program.
pub trait World {
    /// The graph of a function. With `local`, functions that their module does not export count too.
    fn code(&mut self, function: Mfa, local: bool) -> Code;

    /// The names of all functions that a module exports with that arity, in some order that is always the same;
    /// nothing if that is not known.
    fn exports(&mut self, module: Atom, arity: u8) -> Option<Vec<Atom>> {
        let _ = (module, arity);
        None
    }

    /// The modules that were given, in some order that is always the same.
    fn modules(&mut self) -> Vec<Atom> {
        Vec::new()
    }

    /// Atoms that a module mentions, in some order that is always the same.
    fn atoms(&mut self, module: Atom) -> Vec<Atom> {
        let _ = module;
        Vec::new()
    }

    /// Calls a function on the real VM.
    fn vm_call(&mut self, kind: VmCall, function: Mfa, args: &[Term]) -> VmAnswer;

    /// Makes a call on the real VM in programs that tell their events; nothing if there are none.
    fn told(&mut self, call: &Call) -> Option<Told> {
        let _ = call;
        None
    }

    /// Arguments with which an opaque function was called before, in other explorations of the same code.
    fn points(&mut self, function: Mfa) -> Vec<Vec<Term>> {
        let _ = function;
        Vec::new()
    }

    /// Keeps such arguments for others.
    fn keep_points(&mut self, function: Mfa, points: &[Vec<Term>]) {
        let _ = (function, points);
    }

    /// Whether the user allows this function although it has outside effects.
    fn allowed(&self, function: Mfa) -> bool;

    /// Whether a run is to stop where it is. It is asked every now and then.
    fn wants_stop(&self) -> bool {
        false
    }

    /// A run is over: what was kept for it can go.
    fn end_run(&mut self) {}

    /// The index and hash under which the VM knows the fun of a lifted function, as in `#Fun<m.Index.Hash>`.
    fn fun_identity(&self, lifted: Mfa) -> Option<(u32, u32)> {
        let _ = lifted;
        None
    }
}

/// What there is to run for a function.
pub enum Code {
    Graph(Rc<ir::Unit>),
    /// There is no such function.
    Undefined,
    /// Its module cannot be used; why.
    Broken(String),
}

/// A run on the real VM that told its events.
pub struct Told {
    /// How it ended, or what ended it.
    pub outcome: Result<Outcome, Stop>,
    pub events: Rc<[Observed]>,
    pub numbers: Rc<Numbers>,
}

/// Why a run on the real VM did not end by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// An outside effect that is refused there as it is here.
    Refused { function: Mfa, effect: &'static str },
    /// Anything else; what.
    Other(String),
}

/// Who on the real VM answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VmCall {
    /// Anybody: the function depends on nothing but its arguments.
    Pure,
    /// The process that belongs to this run and keeps its state.
    Session,
}

/// How a call on the real VM ended.
pub enum VmAnswer {
    Value(Term),
    Raised(Exception),
    /// It ran out of time, memory or reductions; which.
    Limit(String),
    /// The VM died or answered nonsense; how.
    Failed(String),
    /// The arguments hold something that only lives here, such as a closure.
    Unsendable,
}
