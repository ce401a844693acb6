//! The kinds of reasons why a search is not complete, with their stable names.

use solve::UnknownReason;
use strum::{EnumIter, IntoStaticStr};

/// The kind of a reason; its name never changes. The most useful to know comes first in a report.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, EnumIter, IntoStaticStr)]
pub enum ReasonKind {
    /// The user stopped the search.
    #[strum(serialize = "interrupted")]
    Interrupted,
    /// The time of the search is over.
    #[strum(serialize = "time")]
    Time,
    /// The function's share of the time of all is over.
    #[strum(serialize = "total-time")]
    TotalTime,
    /// The rest of its share went to others.
    #[strum(serialize = "total-time-yielded")]
    Yielded,
    /// The memory of the search is used up.
    #[strum(serialize = "memory")]
    SearchMemory,
    /// The bound on runs.
    #[strum(serialize = "bound-runs")]
    Runs,
    /// The bound on queries.
    #[strum(serialize = "bound-queries")]
    Queries,
    /// The bound on the tree of decisions.
    #[strum(serialize = "bound-nodes")]
    Nodes,
    /// The bound on decisions of a path.
    #[strum(serialize = "bound-depth")]
    Depth,
    /// The bound on the size of inputs.
    #[strum(serialize = "bound-size")]
    Size,
    /// The bound on calls that make inputs.
    #[strum(serialize = "bound-calls")]
    Calls,
    /// Values that calls make were tried.
    #[strum(serialize = "sequences")]
    Sequences,
    /// The bound on steps of a run.
    #[strum(serialize = "bound-steps")]
    Steps,
    /// The bound on memory of a run.
    #[strum(serialize = "bound-memory")]
    RunMemory,
    /// A path was not recorded to its end.
    #[strum(serialize = "truncated")]
    Truncated,
    /// No solver has a rule.
    #[strum(serialize = "solver-unsupported")]
    SolverUnsupported,
    /// A solver's budget was used up.
    #[strum(serialize = "solver-budget")]
    SolverBudget,
    /// A solver's answer was wrong.
    #[strum(serialize = "solver-wrong")]
    SolverWrong,
    /// The external solver is missing.
    #[strum(serialize = "solver-absent")]
    SolverAbsent,
    /// A solver of ours broke down.
    #[strum(serialize = "solver-broken")]
    SolverBroken,
    /// Two solvers disagree.
    #[strum(serialize = "solver-disputed")]
    SolverDisputed,
    /// No first input could be made.
    #[strum(serialize = "first-input")]
    FirstInput,
    /// An operation without a symbolic rule.
    #[strum(serialize = "gap")]
    Gap,
    /// A fun of the inputs gets one of the program.
    #[strum(serialize = "given-fun")]
    GivenFun,
    /// A function whose code cannot be had.
    #[strum(serialize = "no-code")]
    NoCode,
    /// An operation whose answers no input decides.
    #[strum(serialize = "varying")]
    Varying,
    /// A type or function that is not looked into.
    #[strum(serialize = "opaque")]
    Opaque,
    /// A generator that is not understood in full.
    #[strum(serialize = "generator")]
    Generator,
    /// An input that is held to its value.
    #[strum(serialize = "pin")]
    Pin,
    /// An outside effect that is not allowed.
    #[strum(serialize = "refused")]
    Refused,
    /// Something that the machine cannot do.
    #[strum(serialize = "unsupported")]
    Unsupported,
    /// Code that cannot be used.
    #[strum(serialize = "broken")]
    Broken,
    /// A module that is not there.
    #[strum(serialize = "missing-module")]
    MissingModule,
    /// A release of OTP that was not tested.
    #[strum(serialize = "untested-release")]
    Release,
    /// The compiler may have changed a function.
    #[strum(serialize = "compiler-change")]
    CompilerChange,
    /// The real VM did not answer.
    #[strum(serialize = "vm")]
    Vm,
    /// Inputs for one path took another.
    #[strum(serialize = "divergence")]
    Divergence,
    /// The VM does not show what was found.
    #[strum(serialize = "unconfirmed")]
    Unconfirmed,
    /// The VM could not replay what was found.
    #[strum(serialize = "replay")]
    Replay,
    /// An order of messages that was not decided.
    #[strum(serialize = "order")]
    Order,
    /// A call that waits for a message from outside.
    #[strum(serialize = "waits")]
    Waits,
    /// Orders of events that were not run.
    #[strum(serialize = "bound-schedules")]
    Schedules,
}

impl ReasonKind {
    /// The kind for what a solver does not know.
    pub fn of_unknown(unknown: UnknownReason) -> ReasonKind {
        match unknown {
            UnknownReason::Unsupported => ReasonKind::SolverUnsupported,
            UnknownReason::Budget => ReasonKind::SolverBudget,
            UnknownReason::Wrong => ReasonKind::SolverWrong,
            UnknownReason::Absent => ReasonKind::SolverAbsent,
            UnknownReason::Broken => ReasonKind::SolverBroken,
            UnknownReason::Disputed => ReasonKind::SolverDisputed,
        }
    }
}
