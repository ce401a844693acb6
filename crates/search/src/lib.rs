//! Joins execution and solving: the tree of decisions, what to try next, findings and verdicts.
//!
//! An exploration: the first inputs are run; every decision of a run's path is a flip that waits in the
//! [`frontier`](Strategy); a flip is solved, its inputs are run, and the run's path grows the tree, until nothing waits
//! or a bound is met. Crashes become findings once the real VM has confirmed them, and what keeps the search from being a
//! proof is counted as a [`Cause`].
//!
//! Nothing here does input or output. What the search needs it asks of three traits: a [`TestSubject`] to run, a
//! [`Executor`](solve::Executor) to ask, and [`Confirm`], the real VM.

mod contract;
mod endless;
mod explanation;
mod exploration;
mod explore;
mod failure_cause;
mod finding;
mod finding_code;
mod frontier;
mod ignore;
pub mod limits;
mod long;
mod machine_subject;
mod name_orders;
mod options;
mod parts;
mod rank;
pub mod reach;
mod reason;
mod reason_kind;
mod round;
mod runs;
mod sampler;
mod schedules;
mod shrink;
mod size;
mod strategy;
mod subject;
mod tree;
mod triage;
mod wanted;

pub use contract::{ContractCheck, broken_contract, written};
pub use explanation::{Explanation, explain};
pub use exploration::{Exploration, ExplorationProgress, ExplorationStatistics, Go, TakenBranch, TestCase, Verdict};
pub use explore::explore;
pub use failure_cause::FailureCause;
pub use finding::{Defect, DefectKind, Finding, FindingKey, IgnoredCrashes, OutsideDomain, ReasonShape, Unconfirmed};
pub use finding_code::FindingCode;
pub use ignore::{BadIgnore, Ignore, LineName};
pub use machine_subject::{MachineSubject, OUTSIDE, TracedRun};
pub use name_orders::NameOrders;
pub use options::ExplorationOptions;
pub use rank::{FindingRank, FindingRoot, Ranking};
pub use reason::{Cause, CompilerChange, Reason};
pub use reason_kind::ReasonKind;
pub use schedules::{Consequence, FollowingCrash, causal_past, roots};
pub use shrink::{Candidate, shrink};
pub use size::TermSize;
pub use strategy::{Metrics, Rank, Strategy};
pub use subject::{
    ConcolicRun, ConcreteRun, Confirm, ConfirmAll, Confirmation, EntryFacts, EntryPoint, Evidence, PatternMatch,
    Signature, TestSubject,
};
pub use tree::{DecisionTree, OpenBranch, ShownBranch, ShownDecision};
pub use wanted::{Need, Selector, Wanted};
