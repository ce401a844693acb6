//! The arithmetic at the leaves: what an integer solver is asked, and the solvers.

mod arithmetic;
pub(crate) mod bounds;
mod components;
pub(crate) mod evaluate;
mod fallback;
pub(crate) mod int;
pub(crate) mod interval;
mod one_variable;
mod problem;

pub use arithmetic::Arithmetic;
pub use components::Components;
pub use evaluate::is_met_by;
pub use fallback::Fallback;
pub use interval::Range;
pub use problem::{IntegerAnswer, IntegerProblem, IntegerSolver, Variable};
