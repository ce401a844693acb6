//! The end of a run and its coverage.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use ir::{BasicBlock, Op};
use serde::{Deserialize, Serialize};
use term::{Atom, Exception, Mfa, Term, known};

use super::machine::{Crash, LoopVisit};

/// The bounds of a run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Calls and backward jumps.
    pub steps: u64,
    /// Bytes of frames, registers and the terms that the run holds.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: u64::MAX, memory: 4 << 30 }
    }
}

/// The records that a machine makes while it runs.
#[derive(Clone, Copy, Default, Debug)]
pub struct Options {
    /// The lines that were run.
    pub coverage: bool,
    /// The clauses that were entered.
    pub clauses: bool,
    /// The clauses that were entered, in order, for a [`super::Recorder`].
    pub events: bool,
    /// Calls of functions that the prelude has versions of lead to these.
    pub mirrors: bool,
    /// Programs with processes run here; otherwise they are left to the VM.
    pub processes: bool,
    /// Every timeout and every timer can strike at any time, not only when nothing else can go on.
    pub any_clock: bool,
}

/// A function, and a line in it where one is known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The function.
    pub function: Mfa,
    /// The source file.
    pub file: String,
    /// 0 when unknown.
    pub line: u32,
    /// 0 when unknown.
    pub column: u32,
}

/// Every end of a run.
#[derive(Clone, Serialize, Deserialize)]
pub enum Ending {
    /// The call gave a value.
    Value(Term),
    /// An exception without a handler.
    Raised(Exception),
    /// The program wanted an outside effect that is not allowed.
    Refused { function: Mfa, effect: String, at: Place },
    /// The program needs something the machine cannot do.
    Unsupported { function: Mfa, what: String, at: Place },
    /// The step budget is used up.
    OutOfSteps { at: Place },
    /// The run holds more than it may.
    OutOfMemory { at: Place },
    /// The run was asked to stop.
    Stopped { at: Place },
    /// The code of a module cannot be used.
    Broken { module: String, why: String, at: Place },
    /// The real VM did not answer a call.
    Vm { function: Mfa, what: String, at: Place },
    /// The call leads to the same call again, or to one that goes on as it does.
    Endless(EndlessLoop),
    /// No process can go on, and that of the call waits.
    Deadlock { processes: Vec<WaitingProcess> },
}

/// A loop without an end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EndlessLoop {
    /// The calls of a round, its heads first, and then those that wait for it.
    pub calls: Vec<LoopCall>,
    /// The changes from one round to the next.
    pub progress: LoopProgress,
    /// Steps made before the loop was known to have no end.
    pub steps: u64,
}

/// A call that is part of a loop.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LoopCall {
    /// The function, and where it begins.
    pub at: Place,
    /// The arguments, where they are known.
    pub args: Vec<Term>,
}

/// The changes from one round of a loop to the next.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum LoopProgress {
    /// None: the state recurs.
    Recurs,
    /// The call waits for the same call.
    Nests,
    /// Arguments change, and nothing that the loop asks about them can end it, as far as solvers see.
    Grows(Vec<ArgumentChange>),
}

/// A change of an argument in a loop.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ArgumentChange {
    /// The number of the argument, from 1.
    pub number: usize,
    /// The direction, in a word.
    pub direction: ChangeDirection,
}

/// The direction of a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ChangeDirection {
    /// A number rises.
    Rises,
    /// A number falls.
    Falls,
    /// A term gets larger.
    Grows,
    /// Any other.
    Changes,
}

impl EndlessLoop {
    /// True if it is proved: the state recurs.
    pub fn is_certain(&self) -> bool {
        !matches!(self.progress, LoopProgress::Grows(_))
    }
}

/// A process that waits.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WaitingProcess {
    /// The number of the process: 0 is that of the call.
    pub number: u32,
    /// Its registered name.
    pub name: Option<Atom>,
    /// The place where it waits, and the calls that it came through.
    pub stack: Vec<Place>,
    /// The messages that it does not take.
    pub messages: Vec<Term>,
}

/// The result of a run.
#[derive(Clone)]
pub struct Run {
    /// The end of the run.
    pub ending: Ending,
    /// Calls and backward jumps made.
    pub steps: u64,
    /// The covered lines and clauses, if asked for.
    pub coverage: Option<Coverage>,
    /// The place where an exception was raised and the calls it came through, innermost first: a stack trace has no columns.
    pub trace: Vec<Place>,
    /// The crashes of other processes than that of the call, in order; a schedule keeps them itself.
    pub crashes: Vec<Crash>,
    /// The head of the loop that it was in when a bound ended it.
    pub turning: Option<LoopVisit>,
}

/// Coverage: lines and clauses, as far as they were asked for.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Coverage {
    /// Lines, by module.
    pub modules: BTreeMap<String, BTreeSet<u32>>,
    /// The clauses that were entered.
    pub clauses: BTreeSet<ClauseId>,
}

/// A clause of a choice of a function; both numbers count from 0, as in the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ClauseId {
    /// The function that has the clause.
    pub function: Mfa,
    /// The case in the function.
    pub case: u32,
    /// The clause, from 0.
    pub clause: u32,
}

impl Options {
    /// True if the machine records an event of the graph.
    pub(super) fn records(self, op: &Op) -> bool {
        matches!(op, Op::Line(_)) && self.coverage || matches!(op, Op::Enter { .. }) && self.clauses
    }

    /// True if a block does nothing that can be seen before its end.
    pub(super) fn is_silent(self, block: &BasicBlock) -> bool {
        let silent = |op: &Op| match op {
            Op::Line(_) => !self.records(op),
            Op::Enter { .. } => !self.records(op) && !self.events,
            _ => false,
        };
        block.body.iter().all(|it| silent(&it.op))
    }
}

impl Place {
    /// Before the first instruction of a run there is no place.
    pub const NOWHERE: Place = Place {
        function: Mfa { module: known::NONE, function: known::NONE, arity: 0 },
        file: String::new(),
        line: 0,
        column: 0,
    };

    /// True if the line is known.
    pub fn is_known(&self) -> bool {
        *self != Place::NOWHERE
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.function)?;
        if self.line == 0 { Ok(()) } else { write!(f, " ({}:{})", self.file, self.line) }
    }
}

impl fmt::Debug for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Value(value) => write!(f, "value {value}"),
            Ending::Raised(raised) => write!(f, "{}:{} {}", raised.class.atom().name(), raised.reason, raised.stack),
            Ending::Refused { function, effect, at } => write!(f, "refused {function:?} ({effect}) at {at}"),
            Ending::Unsupported { function, what, at } => write!(f, "unsupported {function:?} ({what}) at {at}"),
            Ending::OutOfSteps { at } => write!(f, "out of steps at {at}"),
            Ending::OutOfMemory { at } => write!(f, "out of memory at {at}"),
            Ending::Stopped { at } => write!(f, "stopped at {at}"),
            Ending::Broken { module, why, at } => write!(f, "broken module {module} ({why}) at {at}"),
            Ending::Vm { function, what, at } => write!(f, "vm call {function:?} ({what}) at {at}"),
            Ending::Endless(endless) => write!(f, "endless after {} steps", endless.steps),
            Ending::Deadlock { processes } => write!(f, "deadlock of {} processes", processes.len()),
        }
    }
}
