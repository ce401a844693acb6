//! Why a search is not complete: one enum, a sentence per variant.

use std::collections::BTreeMap;

use exec::forward::{Ending, Place};
use serde::{Deserialize, Serialize};
use solve::UnknownReason;
use term::Mfa;
use thiserror::Error;

use crate::reason_kind::ReasonKind;

/// Something that keeps a search from being a proof.
#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, Deserialize)]
pub enum Reason {
    /// The bound on runs was reached.
    #[error("the bound on runs was reached before all branches were tried")]
    Runs,
    /// The bound on queries was reached.
    #[error("the bound on queries was reached before all branches were tried")]
    Queries,
    /// A path has more decisions than are flipped.
    #[error("branches beyond the bound on depth were not tried")]
    Depth,
    /// A run used up its steps.
    #[error("runs reached the bound on steps")]
    Steps,
    /// A run used up its memory.
    #[error("runs reached the bound on memory")]
    Memory,
    /// The tree of decisions is as large as allowed.
    #[error("the bound on the size of the search tree was reached")]
    Nodes,
    /// An input for a path is larger than allowed.
    #[error("inputs larger than the bound on their size were not run")]
    Size,
    /// The recorded path of a run is cut short.
    #[error("paths were longer than what is recorded of a run")]
    Truncated,
    /// A solver did not know.
    #[error("branches were not decided: {}", words(*.0))]
    Solver(UnknownReason),
    /// A solver found nothing where a second one found inputs: the query in words.
    #[error("two solvers disagree, which is a mistake of hound, please report it: {what}")]
    Disputed { what: String },
    /// No first input could be made.
    #[error("no first input could be made: {}", words(*.0))]
    FirstInput(UnknownReason),
    /// An operation without a symbolic rule.
    #[error("{function} has no symbolic rule: only some values were tried")]
    Gap { function: Mfa },
    /// A fun of an input is called with a fun of the program.
    #[error("a fun of the inputs gets one of the program: what it does with that was not explored")]
    GivenFun,
    /// A function whose code cannot be had.
    #[error(
        "{function} has no code to look into (no debug information, or native): only what it was seen to give was tried"
    )]
    Closed { function: Mfa },
    /// An opaque type of another module, by name: some values that its functions made were tried.
    #[error("{name} is an opaque type: only some values that its module makes were tried")]
    Opaque { name: String },
    /// A flip that needs more calls to make its inputs than allowed.
    #[error("inputs that take longer sequences of calls were not run")]
    Calls,
    /// An abstract type, or states: values that so many calls make were tried.
    #[error("only {name} that sequences of at most {calls} calls make were tried")]
    Sequences { name: String, calls: usize },
    /// A generator of a property that is not understood in full.
    #[error("{what}")]
    Generator { what: String },
    /// A function that no solver can see: branches on what it gives were not decided.
    #[error("{function} is opaque: branches on what it gives were not decided")]
    Undecided { function: Mfa },
    /// An operation whose answers no input decides.
    #[error("{function} need not answer the same again: only some of its answers were met")]
    Varying { function: Mfa },
    /// A timer that is set to a point of the clock, and something else in the millisecond before.
    #[error("a timer strikes within a millisecond of something else: only one order was tried")]
    NearTimer,
    /// An operation that looks at the order of a few processes or references.
    #[error("{function} depends on the order of processes or references")]
    Ordered { function: Mfa },
    /// A branch on the number of schedulers that are online.
    #[error("{function}: only some numbers of schedulers were tried")]
    Schedulers { function: Mfa },
    /// An input is held to its value, and the operation that holds it is not known.
    #[error("an operation without a symbolic rule: only some values were tried")]
    Pin,
    /// Inputs for one path took another.
    #[error("inputs made for one path took another")]
    Divergence,
    /// An outside effect that is not allowed.
    #[error("{function} was refused ({effect})")]
    Refused { function: Mfa, effect: String },
    /// Something the machine cannot do.
    #[error("{function} cannot be run: {what}")]
    Unsupported { function: Mfa, what: String },
    /// Code that cannot be used.
    #[error("the module {module} cannot be used: {why}")]
    Broken { module: String, why: String },
    /// A module that the program calls and that is not there.
    #[error("the module {module} is not there")]
    Missing { module: String },
    /// A function that the compiler may have changed.
    #[error("the compiled {function} may differ from what was run: {change}")]
    Compiled { function: Mfa, change: CompilerChange },
    /// A release of OTP on which operations were not compared with the VM.
    #[error("OTP {release} is a release that hound was not tested on: its functions may give other values")]
    Release { release: String },
    /// The real VM did not answer.
    #[error("the Erlang VM did not answer: {what}")]
    Vm { what: String },
    /// A crash on our machine that the real VM does not show.
    #[error("what was found could not be confirmed on the Erlang VM")]
    Unconfirmed,
    /// A crash on our machine that the real VM could not show within the limits of a replay.
    #[error("what was found is neither confirmed nor refuted: the Erlang VM ran out of {what}")]
    Replay { what: String },
    /// Messages that may come in an order which was not found.
    #[error("an order of messages could not be decided")]
    Order,
    /// Orders of events that were not run; their number is estimated.
    #[error("other orders of events were not run: {left} or so")]
    Schedules { left: u64 },
    /// A call that waits for a message from outside.
    #[error("the call waits for a message that nothing sends")]
    Waits,
    /// The user stopped the search.
    #[error("the search was interrupted")]
    Interrupted,
    /// The time given to the search is over.
    #[error("the time limit was reached")]
    Time,
    /// The function's share of the time of all is over.
    #[error("its share of the total time was used up")]
    Share,
    /// The function covered nothing new for half of its share of the time of all.
    #[error("nothing new was covered, so that the rest of its share of the total time went to others")]
    Yielded,
    /// The memory given to the search is used up.
    #[error("the memory limit was reached")]
    SearchMemory,
}

/// A change of the compiler that Core Erlang does not show.
#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, Deserialize)]
pub enum CompilerChange {
    /// Constants that differ in the sign of a zero become one.
    #[error("the compiler may have made one constant of 0.0 and -0.0")]
    Zeros,
    /// Updates of map keys whose value is not needed are forgotten, with their exceptions.
    #[error("the compiler has left out an update of a map whose value is not needed")]
    MapUpdate,
    /// The size of a bit string comprehension is computed first, with exceptions of its own.
    #[error("the compiled code computes the size of a bit string comprehension before its elements")]
    Sizes,
    /// The value in the exception of a guarded case that no clause matches.
    #[error("the compiled code may name the opposite of a comparison that no clause of a case matches")]
    Negation,
    /// A transformation of the module's Core Erlang.
    #[error("the core_transform {module} may have changed it")]
    Transform { module: String },
}

/// A reason with the place it was met first and how often it was met there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Cause {
    pub reason: Reason,
    pub at: Option<Place>,
    pub count: u64,
}

/// All causes, each kind and place once.
#[derive(Clone, Default)]
pub struct Causes {
    causes: BTreeMap<Order, Cause>,
}

/// Kind, details and place as text: atoms have no order that is the same in every run of the tool.
type Order = (u8, String, String, u32);

impl Causes {
    /// Counts a reason at a place once.
    pub fn add(&mut self, reason: Reason, at: Option<Place>) {
        self.add_many(reason, at, 1);
    }

    /// Counts a reason at a place several times; nothing if the count is 0.
    pub fn add_many(&mut self, reason: Reason, at: Option<Place>, count: u64) {
        if count == 0 {
            return;
        }
        let place = at.as_ref().map_or(String::new(), |at| format!("{:?} {}", at.function, at.file));
        let order = (reason.kind() as u8, reason.to_string(), place, at.as_ref().map_or(0, |at| at.line));
        self.causes.entry(order).or_insert(Cause { reason, at, count: 0 }).count += count;
    }

    /// Adds all that others have.
    pub fn take(&mut self, other: Causes) {
        other.into_vec().into_iter().for_each(|cause| self.add_many(cause.reason, cause.at, cause.count));
    }

    /// True if a reason is among them.
    pub fn has(&self, reason: &Reason) -> bool {
        self.causes.values().any(|cause| cause.reason == *reason)
    }

    /// True if nothing keeps the search from being a proof.
    pub fn is_empty(&self) -> bool {
        self.causes.is_empty()
    }

    /// In the order they are reported.
    pub fn into_vec(self) -> Vec<Cause> {
        self.causes.into_values().collect()
    }
}

impl Reason {
    /// The reason an ending gives, if it is none of those that a program can have.
    pub fn of_ending(ending: &Ending) -> Option<(Reason, Option<Place>)> {
        let (reason, at) = match ending.clone() {
            // Why a run was stopped the search knows itself.
            Ending::Value(_) | Ending::Raised(_) | Ending::Endless(_) | Ending::Stopped { .. } => return None,
            Ending::Refused { function, effect, at } => (Reason::Refused { function, effect }, at),
            Ending::Unsupported { function, what, at } => (Reason::Unsupported { function, what }, at),
            Ending::OutOfSteps { at } => (Reason::Steps, at),
            Ending::OutOfMemory { at } => (Reason::Memory, at),
            Ending::Broken { module, why, at } => (Reason::Broken { module, why }, at),
            Ending::Vm { what, at, .. } => (Reason::Vm { what }, at),
            Ending::Deadlock { processes } => {
                let at = processes.into_iter().flat_map(|process| process.stack).next();
                (Reason::Waits, at.unwrap_or(Place::NOWHERE))
            }
        };
        Some((reason, Some(at).filter(Place::is_known)))
    }

    /// True if it ends a search as a whole: how much was left says nothing more about it.
    pub fn ends_search(&self) -> bool {
        self.is_from_outside() || matches!(self, Reason::Runs | Reason::Queries)
    }

    /// True if the caller ended the search.
    pub fn is_from_outside(&self) -> bool {
        let is_time = matches!(self, Reason::Time | Reason::Share | Reason::Yielded);
        is_time || matches!(self, Reason::Interrupted | Reason::SearchMemory)
    }

    /// True if runs did not come to their end: a report of a crash names these, too.
    pub fn ends_runs(&self) -> bool {
        matches!(self, Reason::Refused { .. } | Reason::Unsupported { .. } | Reason::Broken { .. } | Reason::Vm { .. })
    }

    /// A stable name, for machines.
    pub fn code(&self) -> &'static str {
        self.kind().into()
    }

    /// Its kind, without the data of one search.
    pub fn kind(&self) -> ReasonKind {
        match self {
            Reason::Interrupted => ReasonKind::Interrupted,
            Reason::Time => ReasonKind::Time,
            Reason::Share => ReasonKind::TotalTime,
            Reason::Yielded => ReasonKind::Yielded,
            Reason::SearchMemory => ReasonKind::SearchMemory,
            Reason::Runs => ReasonKind::Runs,
            Reason::Queries => ReasonKind::Queries,
            Reason::Nodes => ReasonKind::Nodes,
            Reason::Depth => ReasonKind::Depth,
            Reason::Size => ReasonKind::Size,
            Reason::Steps => ReasonKind::Steps,
            Reason::Memory => ReasonKind::RunMemory,
            Reason::Truncated => ReasonKind::Truncated,
            Reason::Solver(unknown) => ReasonKind::of_unknown(*unknown),
            Reason::Disputed { .. } => ReasonKind::SolverDisputed,
            Reason::FirstInput(_) => ReasonKind::FirstInput,
            Reason::Gap { .. } => ReasonKind::Gap,
            Reason::GivenFun => ReasonKind::GivenFun,
            Reason::Closed { .. } => ReasonKind::NoCode,
            Reason::Varying { .. } | Reason::NearTimer | Reason::Ordered { .. } | Reason::Schedulers { .. } => {
                ReasonKind::Varying
            }
            Reason::Opaque { .. } | Reason::Undecided { .. } => ReasonKind::Opaque,
            Reason::Calls => ReasonKind::Calls,
            Reason::Sequences { .. } => ReasonKind::Sequences,
            Reason::Generator { .. } => ReasonKind::Generator,
            Reason::Pin => ReasonKind::Pin,
            Reason::Refused { .. } => ReasonKind::Refused,
            Reason::Unsupported { .. } => ReasonKind::Unsupported,
            Reason::Broken { .. } => ReasonKind::Broken,
            Reason::Missing { .. } => ReasonKind::MissingModule,
            Reason::Compiled { .. } => ReasonKind::CompilerChange,
            Reason::Release { .. } => ReasonKind::Release,
            Reason::Vm { .. } => ReasonKind::Vm,
            Reason::Divergence => ReasonKind::Divergence,
            Reason::Unconfirmed => ReasonKind::Unconfirmed,
            Reason::Replay { .. } => ReasonKind::Replay,
            Reason::Order => ReasonKind::Order,
            Reason::Waits => ReasonKind::Waits,
            Reason::Schedules { .. } => ReasonKind::Schedules,
        }
    }
}

fn words(unknown: UnknownReason) -> &'static str {
    match unknown {
        UnknownReason::Unsupported => "no solver has a rule for what they ask",
        UnknownReason::Budget => "the solver's budget was used up",
        UnknownReason::Wrong => "a solver's answer was wrong and not used",
        UnknownReason::Absent => "the external solver is missing or does not answer",
        UnknownReason::Broken => "a solver of ours broke down",
        UnknownReason::Disputed => "two solvers disagree, one of them found inputs",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Atom;

    fn place(name: &str, line: u32) -> Place {
        let function = Mfa { module: Atom::new("m"), function: Atom::new(name), arity: 1 };
        Place { function, file: "m.erl".into(), line, column: 0 }
    }

    #[test]
    fn causes_are_counted_by_kind_and_place_and_sorted() {
        let mut causes = Causes::default();
        causes.add(Reason::Divergence, Some(place("z", 9)));
        causes.add(Reason::Solver(UnknownReason::Budget), Some(place("b", 12)));
        causes.add(Reason::Solver(UnknownReason::Budget), Some(place("b", 3)));
        causes.add(Reason::Solver(UnknownReason::Budget), Some(place("b", 12)));
        causes.add_many(Reason::Runs, None, 40);
        causes.add_many(Reason::Depth, None, 0);
        let seen: Vec<_> = causes
            .into_vec()
            .iter()
            .map(|c| (c.reason.code(), c.at.as_ref().map_or(0, |at| at.line), c.count))
            .collect();
        assert_eq!(
            seen,
            [("bound-runs", 0, 40), ("solver-budget", 3, 1), ("solver-budget", 12, 2), ("divergence", 9, 1)]
        );
    }
}
