//! Decisions: the branches that a run took, in order, and the stimulus that a run is given.

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
    /// The condition, with the outcome it had.
    pub condition: Condition,
    /// The condition only holds an input to the value it has, because an operation without a symbolic rule used it.
    pub pinned: bool,
    /// It is one of many alike in a table, so that other decisions distinguish programs better.
    pub minor: bool,
}

/// The decisions of a run, in order: its path.
pub type Path = Vec<Decision>;

/// Everything that a run depends on.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Stimulus {
    /// The arguments of the call.
    pub inputs: Vec<Term>,
    /// The processes that take the run's first turns, by number; after them each goes on as long as it can.
    pub schedule: Vec<u32>,
}

impl Decision {
    /// A branch that is neither pinned nor minor.
    pub fn branch(site: Site, condition: Condition) -> Decision {
        Decision { site, condition, pinned: false, minor: false }
    }
}

impl From<Vec<Term>> for Stimulus {
    fn from(inputs: Vec<Term>) -> Stimulus {
        Stimulus { inputs, schedule: Vec::new() }
    }
}
