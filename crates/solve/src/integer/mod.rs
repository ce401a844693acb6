//! The arithmetic at the leaves: what an integer solver is asked, and the solvers.

mod problem;

pub use problem::{IntAnswer, IntExpr, IntegerSolver, Problem, Relation, Variable};
