//! The options of an exploration: bounds, order, seeds.

use solve::Budget;
use term::Term;

use crate::{Ignore, Strategy, limits};

/// The options of an exploration.
#[derive(Clone, Debug)]
pub struct ExplorationOptions {
    /// The order in which flips are tried.
    pub strategy: Strategy,
    /// Runs for new paths; shrinking has a budget of its own.
    pub max_runs: u64,
    /// More runs are made as long as one of so many before covered something.
    pub more_runs: u64,
    /// Of these, runs for other orders of events.
    pub max_schedules: u64,
    /// Queries to the solvers.
    pub max_queries: u64,
    /// Decisions of a path beyond this one are not flipped.
    pub max_depth: usize,
    /// The bound on depth is raised to this, when nothing else is left to try.
    pub most_depth: usize,
    /// Nodes of all inputs together; larger ones are not run.
    pub max_input_size: usize,
    /// Calls that make the inputs of a run; a flip of a longer sequence may have as many as that.
    pub max_calls: usize,
    /// Nodes of the tree of decisions: the bound on memory.
    pub max_nodes: usize,
    /// Values tried for one input that an operation without a symbolic rule used.
    pub max_pins: u16,
    /// Runs to make one witness smaller.
    pub max_shrink: u32,
    /// The budget of one query.
    pub budget: Budget,
    /// The budget of one flip that depends on opaque functions.
    pub opaque: solve::opaque::Limits,
    /// Flips taken at once. Part of the result: it must not depend on the number of workers.
    pub round: usize,
    /// The seed of what is made by chance.
    pub seed: u64,
    /// Inputs to begin with; the smallest come later then.
    pub seeds: Vec<Vec<Term>>,
    /// Exceptions that are no findings.
    pub ignore: Vec<Ignore>,
    /// Paths whose inputs and endings are kept, for tests to be written from.
    pub keep: usize,
    /// Executions of new paths, whatever their ending, that are kept to be shown.
    pub executions: usize,
    /// Decisions of the tree that are kept to be shown.
    pub decisions: usize,
}

impl Default for ExplorationOptions {
    fn default() -> Self {
        ExplorationOptions {
            strategy: Strategy::default(),
            max_runs: limits::RUNS,
            more_runs: 0,
            max_schedules: u64::MAX,
            max_queries: limits::QUERIES,
            max_depth: limits::DEPTH,
            most_depth: 0,
            max_input_size: limits::INPUT_SIZE,
            max_calls: limits::CALLS,
            max_nodes: limits::TREE_NODES,
            max_pins: limits::PINNED_VALUES,
            max_shrink: 400,
            budget: limits::BUDGET,
            opaque: solve::opaque::Limits::default(),
            round: 16,
            seed: 0,
            seeds: Vec::new(),
            ignore: Vec::new(),
            keep: 0,
            executions: 0,
            decisions: 0,
        }
    }
}
