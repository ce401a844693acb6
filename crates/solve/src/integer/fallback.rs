//! Two integer solvers, one after the other.

use super::problem::{IntegerAnswer, IntegerProblem, IntegerSolver};
use crate::query::{Answer, Budget};

/// The second is asked where the first does not know.
pub struct Fallback<A, B> {
    /// The solver that is asked first.
    pub first: A,
    /// The solver that is asked where the first does not know.
    pub second: B,
}

impl<A: IntegerSolver, B: IntegerSolver> IntegerSolver for Fallback<A, B> {
    fn solve(&mut self, problem: &IntegerProblem, budget: &Budget) -> IntegerAnswer {
        match self.first.solve(problem, budget) {
            Answer::Unknown(_) => self.second.solve(problem, budget),
            answer => answer,
        }
    }
}
