//! The inputs of runs, kept as long as a flip may need them.

use term::Term;

use crate::frontier::Origin;
use crate::tree::RunId;

struct Record {
    inputs: Vec<Term>,
    signature: u32,
    origin: Origin,
    /// Flips that still wait.
    pending: u32,
    /// True if what it asked may rest on answers that nobody gives a second time.
    varies: bool,
}

#[derive(Default)]
pub struct Runs {
    records: Vec<Record>,
}

impl Runs {
    /// The number that the next run gets.
    pub fn next(&self) -> RunId {
        RunId(self.records.len() as u32)
    }

    pub fn push(&mut self, inputs: Vec<Term>, signature: usize, origin: Origin, pending: u32, varies: bool) {
        let inputs = if pending == 0 { Vec::new() } else { inputs };
        self.records.push(Record { inputs, signature: signature as u32, origin, pending, varies });
    }

    pub fn varies(&self, id: RunId) -> bool {
        self.records[id.0 as usize].varies
    }

    pub fn inputs(&self, id: RunId) -> &[Term] {
        &self.records[id.0 as usize].inputs
    }

    pub fn signature(&self, id: RunId) -> usize {
        self.records[id.0 as usize].signature as usize
    }

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
