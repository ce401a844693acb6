//! The backward engine: paths from a goal to the entry points, and what must hold to take them.
//!
//! A path is followed back piece by piece (`path`), through predecessors and calls (`flow`, `program`). What it demands
//! is found by reading it forward with expressions in the place of values (`trace`). What comes before it is unknown,
//! and so is everything without a rule here: a path demands at least what its conditions say. So conditions that nothing
//! meets are a proof that no run takes the path. The values that registers can hold at all (`values`) are known
//! beforehand, by what flows where.

mod flow;
mod natives;
mod path;
mod program;
#[cfg(test)]
mod tests;
mod trace;
mod values;

pub use flow::{Dominator, Edge, Flow, Predecessor};
pub use path::{PartialPath, PathSegment};
pub use program::{Caller, FunctionId, Graphs, Program, ProgramPoint, can_enter};
pub use trace::{Origin, PathCondition, Start, TypeOracle, Unknown, trace};
pub use values::{EntryRules, Values};
