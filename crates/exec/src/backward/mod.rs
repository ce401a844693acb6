//! The backward engine: ways from a goal to the entry points, and what must hold to take them.
//!
//! A way is followed back piece by piece (`path`), through predecessors and calls (`flow`, `program`). What it demands
//! is found by reading it forward with expressions in the place of values (`trace`). What comes before it is unknown,
//! and so is whatever has no rule here: a way demands at least what its conditions say. So conditions that nothing meets
//! are a proof that nobody takes the way. What registers can hold at all (`values`) is known beforehand, by what flows
//! where.

mod flow;
mod natives;
mod path;
mod program;
mod trace;
mod values;

pub use flow::{Before, Edge, Flow, Narrow};
pub use path::{Piece, Way};
pub use program::{Caller, FunctionId, Graphs, Program, Spot, can_enter};
pub use trace::{Certain, Origin, Start, Traced, Unknown, trace};
pub use values::{Door, Values};
