//! Paths: what a run asked, in order.

use crate::Condition;

/// A place in the program where a condition is asked; only whoever made it knows what it means.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Site(pub u64);

impl Site {
    const MINOR: u64 = 1 << 63;

    /// The same place, marked as one of many alike in a table: other questions tell programs apart better. Or not so.
    pub fn as_minor(self, minor: bool) -> Site {
        Site(if minor { self.0 | Site::MINOR } else { self.0 & !Site::MINOR })
    }

    pub fn is_minor(self) -> bool {
        self.0 & Site::MINOR != 0
    }
}

/// One condition of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    pub condition: Condition,
    pub site: Site,
    /// The condition only holds an input to the value it has, because an operation without a symbolic rule used it.
    pub pinned: bool,
}

/// The conditions of a run, in order.
pub type Path = Vec<Step>;
