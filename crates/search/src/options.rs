//! What an exploration may use, and in which order it looks.

use solve::Budget;
use term::Term;

use crate::{Ignore, Strategy};

#[derive(Clone, Debug)]
pub struct Options {
    pub strategy: Strategy,
    /// Runs for new paths; shrinking has a budget of its own.
    pub max_runs: u64,
    pub max_queries: u64,
    /// Steps of a path beyond this one are not flipped.
    pub max_depth: usize,
    /// Nodes of all inputs together; larger ones are not run.
    pub max_input_size: usize,
    /// Nodes of the tree of decisions: the bound on memory.
    pub max_nodes: usize,
    /// Values tried for one input that an operation without a symbolic rule used.
    pub max_pins: u16,
    /// Runs to make one witness smaller.
    pub max_shrink: u32,
    pub budget: Budget,
    /// What one flip may use that depends on opaque functions.
    pub opaque: solve::opaque::Limits,
    /// Flips taken at once. Part of the result: it must not depend on the number of workers.
    pub round: usize,
    /// Inputs to begin with; the smallest come later then.
    pub seeds: Vec<Vec<Term>>,
    pub ignore: Vec<Ignore>,
    /// Paths whose inputs and endings are kept, for tests to be written from.
    pub keep: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            strategy: Strategy::default(),
            max_runs: 10_000,
            max_queries: 1_000_000,
            max_depth: 1_000,
            max_input_size: 10_000,
            max_nodes: 6_000_000,
            max_pins: 24,
            max_shrink: 400,
            budget: Budget { choices: 2_000, rlimit: 500_000, walk: 20_000 },
            opaque: solve::opaque::Limits::default(),
            round: 16,
            seeds: Vec::new(),
            ignore: Vec::new(),
            keep: 0,
        }
    }
}
