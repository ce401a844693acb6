//! Integer problems, and the interface of their solvers.

use num_bigint::BigInt;

use super::interval::Range;
use crate::problem::Problem;
use crate::query::{Answer, Budget};

/// A problem over integers.
pub type IntegerProblem = Problem<Variable, BigInt>;

/// A value for each variable, in their order, if there are some.
pub type IntegerAnswer = Answer<Vec<BigInt>>;

/// An integer to be found.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Variable {
    /// The values it may have.
    pub range: Range,
    /// The value to prefer.
    pub near: Option<BigInt>,
}

/// A solver of integer problems.
pub trait IntegerSolver {
    /// Values of the variables, a proof that there are none, or neither.
    fn solve(&mut self, problem: &IntegerProblem, budget: &Budget) -> IntegerAnswer;
}
