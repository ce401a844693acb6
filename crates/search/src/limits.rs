//! The limits that can keep a search from being a proof: every bound with its default and the reason that it gives.
//!
//! | bound | reason |
//! |---|---|
//! | [`RUNS`], [`MORE_RUNS`], [`REACH_RUNS`] | [`Runs`](crate::Reason::Runs) |
//! | [`QUERIES`], [`SEGMENTS`] | [`Queries`](crate::Reason::Queries) |
//! | [`DEPTH`], [`MOST_DEPTH`], [`UNROLLINGS`], [`PASSES`] | [`Depth`](crate::Reason::Depth) |
//! | [`INPUT_SIZE`] | [`Size`](crate::Reason::Size) |
//! | [`CALLS`] | [`Calls`](crate::Reason::Calls) and [`Sequences`](crate::Reason::Sequences) |
//! | [`TREE_NODES`] | [`Nodes`](crate::Reason::Nodes) |
//! | [`PINNED_VALUES`] | [`Gap`](crate::Reason::Gap) and [`Pin`](crate::Reason::Pin) |
//! | [`BUDGET`], [`LAST_BUDGET`], [`LAST_QUERIES`], [`QUICK_BUDGET`] | [`Solver`](crate::Reason::Solver) |
//! | [`CONFIRMATIONS`], [`SIGHTINGS`] | [`Unconfirmed`](crate::Reason::Unconfirmed) and [`Replay`](crate::Reason::Replay) |
//!
//! What a search may keep in memory is a matter of its caller ([`SearchMemory`](crate::Reason::SearchMemory)).
//! Limits of one run stand with the machine: steps and memory in `exec::forward::Limits`, the length of a recorded path
//! in `exec::forward::RecorderLimits` ([`Steps`](crate::Reason::Steps), [`Memory`](crate::Reason::Memory),
//! [`Truncated`](crate::Reason::Truncated)).

use solve::Budget;

/// Steps of all runs to make one witness smaller.
pub const SHRINK_STEPS: u64 = 100_000_000;

/// Runs for new paths of one function.
pub const RUNS: u64 = 5_000;
/// Runs after the last that covered something, if no number of runs was asked for and half of those until then are fewer.
pub const MORE_RUNS: u64 = 1_000;
/// Runs from each entry point of a search for goals.
pub const REACH_RUNS: u64 = 2_000;
/// Queries of one exploration.
pub const QUERIES: u64 = 1_000_000;
/// Decisions of a path that are flipped.
pub const DEPTH: usize = 1_000;
/// The same of a search that has nothing else left to try, and time.
pub const MOST_DEPTH: usize = 64_000;
/// Nodes of all inputs of a run together.
pub const INPUT_SIZE: usize = 10_000;
/// Calls that make the inputs of a run.
pub const CALLS: usize = 8;
/// Runs to prove a function safe for whatever the declarations of abstract types allow, before calls make their values.
pub const DECLARED_RUNS: u64 = 200;
/// Nodes of the tree of decisions.
pub const TREE_NODES: usize = 6_000_000;
/// Values tried for one input that an operation without a symbolic rule used.
pub const PINNED_VALUES: u16 = 24;
/// The budget of one query.
pub const BUDGET: Budget = Budget::FIRST;
/// The budget of a query that the first one was not enough for, when no other branch is left.
pub const LAST_BUDGET: Budget = Budget::LAST;
/// Branches that are asked about with the last budget.
pub const LAST_QUERIES: usize = 24;
/// The budget of a query before an entry point is met: most infeasible paths are refuted quickly.
pub const QUICK_BUDGET: Budget = Budget { choices: 200, rlimit: 20_000, walk: 0 };
/// Unrollings of one call in a backward search, inward or outward.
pub const UNROLLINGS: usize = 4;
/// Segments that a backward search explores for one goal.
pub const SEGMENTS: u64 = 4_000;
/// Passes of a backward search for one goal.
pub const PASSES: usize = 80;
/// Witnesses of one kind of crash that the VM is asked about before it is given up.
pub const CONFIRMATIONS: u32 = 3;
/// Runs to one goal that the VM is asked about before it is given up.
pub const SIGHTINGS: u32 = 12;
