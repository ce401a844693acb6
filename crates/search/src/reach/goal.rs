//! Places to be reached, and whether a run was there.

use std::fmt;

use exec::forward::{Clause, Coverage};
use term::{Atom, Mfa};

/// A place to be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// A line of a module's own file.
    Line { module: Atom, line: u32 },
    /// A clause of a choice.
    Clause(Clause),
    /// An outcome of the test at the end of a block.
    Branch { function: Mfa, block: u32, holds: bool },
}

impl Goal {
    /// The module it is in.
    pub fn module(&self) -> Atom {
        match self {
            Goal::Line { module, .. } => *module,
            Goal::Clause(Clause { function, .. }) | Goal::Branch { function, .. } => function.module,
        }
    }

    /// Whether what a run covered has it; `took` says which outcomes of tests it had.
    pub fn is_in(&self, coverage: &Coverage, took: impl Fn(Mfa, u32, bool) -> bool) -> bool {
        match self {
            Goal::Line { module, line } => coverage.modules.get(module.name()).is_some_and(|run| run.contains(line)),
            Goal::Clause(clause) => coverage.clauses.contains(clause),
            Goal::Branch { function, block, holds } => took(*function, *block, *holds),
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Line { module, line } => write!(f, "{module}, line {line}"),
            Goal::Clause(Clause { function, case, clause }) => {
                write!(f, "{function}, choice {case}, clause {clause}")
            }
            Goal::Branch { function, block, holds } => write!(f, "{function}, block {block} {holds}"),
        }
    }
}
