//! Decisions: the branches and choices that a run made, in order, and the stimulus that a run is given.

use serde::{Deserialize, Serialize};
use term::Term;

use crate::Condition;

/// A place in the program where a decision is made: a number whose meaning only the engine that records runs knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Site(pub u64);

/// One decision of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The place in the program.
    pub site: Site,
    /// The branch or choice itself.
    pub kind: DecisionKind,
    /// The condition only holds an input to the value it has, because an operation without a symbolic rule used it.
    pub pinned: bool,
    /// It is one of many alike in a table, so that other decisions distinguish programs better.
    pub minor: bool,
}

/// The two kinds of decisions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DecisionKind {
    /// The inputs decide: a condition with the outcome it had.
    Branch(Condition),
    /// The scheduler decides: alternative `taken` of `of`, both counted from 0 and 1.
    Choice {
        /// The alternative.
        taken: u32,
        /// The number of alternatives.
        of: u32,
    },
}

/// The decisions of a run, in order: its path.
pub type Path = Vec<Decision>;

/// Everything that a run depends on.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Stimulus {
    /// The arguments of the call.
    pub inputs: Vec<Term>,
    /// The alternatives to take at the run's first choices; at those after them it takes alternative 0.
    pub choices: Vec<u32>,
}

impl Decision {
    /// A branch that is neither pinned nor minor.
    pub fn branch(site: Site, condition: Condition) -> Decision {
        Decision { site, kind: DecisionKind::Branch(condition), pinned: false, minor: false }
    }

    /// A choice of a schedule.
    pub fn choice(site: Site, taken: u32, of: u32) -> Decision {
        debug_assert!(taken < of, "alternative {taken} of {of}");
        Decision { site, kind: DecisionKind::Choice { taken, of }, pinned: false, minor: false }
    }

    /// The condition of a branch.
    pub fn condition(&self) -> Option<&Condition> {
        match &self.kind {
            DecisionKind::Branch(condition) => Some(condition),
            DecisionKind::Choice { .. } => None,
        }
    }
}

impl Stimulus {
    /// Inputs and choices; alternatives 0 at the end say nothing and are left out.
    pub fn new(inputs: Vec<Term>, mut choices: Vec<u32>) -> Stimulus {
        let used = choices.iter().rposition(|taken| *taken != 0).map_or(0, |last| last + 1);
        choices.truncate(used);
        Stimulus { inputs, choices }
    }

    /// The alternative to take at a choice, by the number of choices before it.
    pub fn choice(&self, at: usize) -> u32 {
        self.choices.get(at).copied().unwrap_or(0)
    }
}

impl From<Vec<Term>> for Stimulus {
    fn from(inputs: Vec<Term>) -> Stimulus {
        Stimulus { inputs, choices: Vec::new() }
    }
}
