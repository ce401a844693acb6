//! The inputs of runs, kept as long as a flip may need them.

use term::Term;

use crate::frontier::Origin;
use crate::tree::RunId;

struct Record {
    inputs: Vec<Term>,
    root: u32,
    origin: Origin,
    /// Flips that still wait.
    pending: u32,
    /// True if its path may rest on results that a second run does not get.
    varies: bool,
}

/// All runs of an exploration, by number.
#[derive(Default)]
pub struct Runs {
    records: Vec<Record>,
}

impl Runs {
    /// The number that the next run gets.
    pub fn next(&self) -> RunId {
        RunId(self.records.len() as u32)
    }

    /// Adds a run with the number of its queued flips; without any, its inputs are dropped at once.
    pub fn push(&mut self, inputs: Vec<Term>, root: usize, origin: Origin, pending: u32, varies: bool) {
        let inputs = if pending == 0 { Vec::new() } else { inputs };
        self.records.push(Record { inputs, root: root as u32, origin, pending, varies });
    }

    /// True if a run with the same inputs may take another path.
    pub fn varies(&self, id: RunId) -> bool {
        self.records[id.0 as usize].varies
    }

    /// The inputs of a run; none once all its flips are done.
    pub fn inputs(&self, id: RunId) -> &[Term] {
        &self.records[id.0 as usize].inputs
    }

    /// The root of the tree that its path begins at.
    pub fn root(&self, id: RunId) -> usize {
        self.records[id.0 as usize].root as usize
    }

    /// The metrics that the flips of a run inherit.
    pub fn origin(&self, id: RunId) -> Origin {
        self.records[id.0 as usize].origin
    }

    /// One flip fewer needs the inputs.
    pub fn release(&mut self, id: RunId) {
        let record = &mut self.records[id.0 as usize];
        record.pending = record.pending.saturating_sub(1);
        if record.pending == 0 {
            record.inputs = Vec::new();
        }
    }
}
