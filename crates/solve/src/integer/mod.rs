//! The arithmetic at the leaves: what an integer solver is asked, and the solvers.

mod arithmetic;
pub(crate) mod bounds;
pub(crate) mod evaluate;
pub(crate) mod int;
pub(crate) mod interval;
mod layers;
mod parts;
mod problem;
#[doc(hidden)]
pub mod sample;
mod single;

pub use arithmetic::Arithmetic;
pub use evaluate::is_met_by;
pub use layers::Layers;
pub use parts::Parts;
pub use problem::{IntegerAnswer, IntegerProblem, IntegerSolver, Variable};
