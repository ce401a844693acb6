//! What became of a goal.

use term::{Mfa, Term};

use crate::reason::Cause;

#[derive(Clone, Debug)]
pub struct Pursuit {
    pub verdict: Verdict,
    /// Why it is not settled; empty if it is.
    pub causes: Vec<Cause>,
    pub statistics: Statistics,
}

/// The three verdicts, never mixed.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// This call gets there: the real VM has seen it.
    Reached {
        entry: Mfa,
        inputs: Vec<Term>,
    },
    /// No call does: a proof.
    Unreachable,
    Incomplete,
}

/// What it took.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// Segments of the path from the goal to the entry point that led to the inputs.
    pub segments: u64,
    /// All segments that were looked at.
    pub explored: u64,
    pub queries: u64,
    pub runs: u64,
}

impl Statistics {
    pub(super) fn add(&mut self, other: &Statistics) {
        self.explored += other.explored;
        self.queries += other.queries;
        self.runs += other.runs;
    }
}

impl Verdict {
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Reached { .. } => "reached",
            Verdict::Unreachable => "unreachable",
            Verdict::Incomplete => "incomplete",
        }
    }

    pub fn is_settled(&self) -> bool {
        !matches!(self, Verdict::Incomplete)
    }
}
