//! The bounds of a search and their defaults.

use std::num::NonZeroUsize;

use exec::forward::{Limits, Machine, Options as Recording};
use search::limits;
use serde::{Deserialize, Serialize};
use term::cut;

/// A search ends when less than this part of its memory is left for its runs.
const ROOM: usize = 4;

/// The bounds of a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SearchBounds {
    /// Runs of a function or from an entry point.
    pub runs: u64,
    /// More runs are made as long as one of so many before covered something.
    pub more_runs: u64,
    /// Of these, runs for other orders of events.
    pub schedules: u64,
    /// Branches of a path that may be flipped.
    pub depth: usize,
    /// The same when nothing else is left to try.
    pub most_depth: usize,
    /// Parts of the largest input.
    pub size: usize,
    /// Calls that make the inputs of a run.
    pub calls: usize,
    /// Steps of the machine in one run.
    pub steps: u64,
    /// MiB of data in one run.
    pub memory: u64,
    /// Seconds for each function or target.
    pub time: u64,
    /// Threads that solve; one per processor if not given.
    pub workers: Option<NonZeroUsize>,
    /// One unsat answer in so many is asked again of a second solver.
    pub rechecked: u64,
}

impl SearchBounds {
    /// The defaults of `hound explore`.
    pub const EXPLORE: SearchBounds = SearchBounds {
        runs: limits::RUNS,
        more_runs: limits::MORE_RUNS,
        schedules: u64::MAX,
        depth: limits::DEPTH,
        most_depth: limits::MOST_DEPTH,
        size: limits::INPUT_SIZE,
        calls: limits::CALLS,
        steps: 1_000_000,
        memory: 512,
        time: 60,
        workers: None,
        rechecked: 2048,
    };

    /// The defaults of `hound reach`.
    pub const REACH: SearchBounds =
        SearchBounds { runs: limits::REACH_RUNS, more_runs: 0, memory: 256, ..SearchBounds::EXPLORE };

    /// True if the search keeps so much that its runs have no room.
    pub(crate) fn is_memory_used_up(&self) -> bool {
        cut::headroom() < mebibytes(self.memory) / ROOM
    }

    /// A machine whose runs stay within these bounds.
    pub(crate) fn machine(&self, recording: Recording) -> Machine {
        Machine::new(Limits { steps: self.steps, memory: mebibytes(self.memory) }, recording)
    }
}

/// Returns the bytes in so many MiB.
pub fn mebibytes(count: u64) -> usize {
    usize::try_from(count.saturating_mul(1 << 20)).unwrap_or(usize::MAX)
}
