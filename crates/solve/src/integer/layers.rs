//! Two integer solvers, one after the other.

use super::problem::{IntAnswer, IntegerSolver, Problem};
use crate::float::{Mixed, MixedAnswer};
use crate::query::Budget;

/// The second is asked where the first does not know.
pub struct Layers<A, B> {
    pub first: A,
    pub second: B,
}

impl<A: IntegerSolver, B: IntegerSolver> IntegerSolver for Layers<A, B> {
    fn solve(&mut self, problem: &Problem, budget: &Budget) -> IntAnswer {
        match self.first.solve(problem, budget) {
            IntAnswer::Unknown(_) => self.second.solve(problem, budget),
            answer => answer,
        }
    }

    /// Nobody has a way of its own with floats: the second would do the same again.
    fn solve_mixed(&mut self, problem: &Mixed, budget: &Budget) -> MixedAnswer {
        self.first.solve_mixed(problem, budget)
    }
}
