//! The machine's door to the outside: code, the real VM, kept samples, and the wish to stop.

use std::rc::Rc;

use term::{Atom, Call, Exception, Mfa, Outcome, Term};

use super::machine::{EventLog, Numbers};

/// Everything that a running program needs from the outside.
pub trait World: CodeSource + Vm + SampleStore + Stop {}

impl<T: CodeSource + Vm + SampleStore + Stop> World for T {}

/// The code of modules. Lists come in an order that is always the same.
pub trait CodeSource {
    /// Returns the graph of a function. With `local`, functions that their module does not export count too.
    fn code(&mut self, function: Mfa, local: bool) -> Code;

    /// Returns the names of all functions that a module exports with that arity; nothing if that is not known.
    fn exports(&mut self, _module: Atom, _arity: u8) -> Option<Vec<Atom>> {
        None
    }

    /// Returns the modules that were given.
    fn modules(&mut self) -> Vec<Atom> {
        Vec::new()
    }

    /// Returns the atoms that a module mentions.
    fn atoms(&mut self, _module: Atom) -> Vec<Atom> {
        Vec::new()
    }

    /// Returns the index and hash under which the VM knows the fun of a lifted function, as in `#Fun<m.Index.Hash>`.
    fn fun_identity(&self, _lifted: Mfa) -> Option<(u32, u32)> {
        None
    }
}

/// The real VM.
pub trait Vm {
    /// Calls a function on the VM.
    fn vm_call(&mut self, kind: VmCall, function: Mfa, args: &[Term]) -> VmAnswer;

    /// Makes a call on the VM in instrumented programs and records its events; nothing if there are none.
    fn record(&mut self, _call: &Call) -> Option<RecordedRun> {
        None
    }

    /// Returns true if the user allows this function although it has outside effects.
    fn allowed(&self, function: Mfa) -> bool;

    /// Drops what was kept for a run that is over.
    fn end_run(&mut self) {}
}

/// Arguments with which opaque functions were observed, kept between explorations of the same code.
pub trait SampleStore {
    /// Returns the arguments kept for a function.
    fn points(&mut self, _function: Mfa) -> Vec<Vec<Term>> {
        Vec::new()
    }

    /// Keeps arguments of a function.
    fn keep_points(&mut self, _function: Mfa, _points: &[Vec<Term>]) {}
}

/// The wish to end a run.
pub trait Stop {
    /// Returns true if a run is to stop where it is. It is asked every now and then.
    fn wants_stop(&self) -> bool {
        false
    }
}

/// The code of a function.
pub enum Code {
    /// Its graph.
    Graph(Rc<ir::Unit>),
    /// Its module has no debug information: only the VM can call it.
    Closed,
    /// There is no such function.
    Undefined,
    /// Its module cannot be used; why.
    Broken(String),
}

/// A run on the real VM with its events.
pub struct RecordedRun {
    /// The outcome, or what ended the run before it had one.
    pub outcome: Result<Outcome, RunStopped>,
    /// The events in order.
    pub events: Rc<EventLog>,
    /// The meaning of their numbers.
    pub numbers: Rc<Numbers>,
}

/// The reason why a run on the real VM did not end by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunStopped {
    /// An outside effect that is refused there as it is here.
    Refused { function: Mfa, effect: &'static str },
    /// Anything else; what.
    Other(String),
}

/// The process of the real VM that makes a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VmCall {
    /// Any process: the function depends on nothing but its arguments.
    Pure,
    /// The process that belongs to this run and keeps its state.
    Stateful,
    /// A process of its own: nothing is known of the function, whose code cannot be had.
    Closed,
}

/// The end of a call on the real VM.
pub enum VmAnswer {
    /// It returned a value.
    Value(Term),
    /// It raised an exception.
    Raised(Exception),
    /// It ran out of time, memory or reductions; which.
    Limit(String),
    /// The VM died or answered nonsense; how.
    Failed(String),
    /// The arguments hold something that only lives here, such as a closure.
    Unsendable,
    /// The arguments hold a fun of this function, which has an outside effect, and the VM could call it.
    Refused { function: Mfa, effect: &'static str },
}
