//! The arithmetic at the leaves: what an integer solver is asked, and the solvers.

mod arithmetic;
mod evaluate;
mod int;
mod interval;
mod problem;
#[doc(hidden)]
pub mod sample;

pub use arithmetic::Arithmetic;
pub use evaluate::is_met_by;
pub use problem::{IntAnswer, IntExpr, IntegerSolver, Problem, Relation, Variable};
