//! The arithmetic member: decides integer problems without leaving the process.
//!
//! A problem becomes a [`System`](system::System): linear rows over columns, and definitions of the columns that are
//! not linear. Equalities are eliminated, which decides congruences as well, since `div`, `rem` and masks by constants
//! are rows. What is left is narrowed by intervals, refuted by combining rows and by residues, and searched.

mod branch;
mod definition;
mod eliminate;
mod form;
mod fourier_motzkin;
mod linearize;
mod propagate;
mod residues;
mod system;
#[cfg(test)]
mod tests;
pub(super) mod transfer;

use num_bigint::BigInt;

use super::evaluate::is_met_by;
use super::int::Int;
use super::interval::{Empty, Interval};
use super::problem::{IntegerAnswer, IntegerProblem, IntegerSolver};
use crate::query::{Answer, Budget, UnknownReason};
use branch::IntegerBranching;
use propagate::Propagator;

/// Nodes searched before rows are combined, and residues, to look for a proof that there is nothing to find.
const FIRST_NODES: u64 = 100;
/// Nodes searched at most: what is harder is for a solver with more theory.
const MOST_NODES: u64 = 2000;

/// See the module.
#[derive(Default)]
pub struct Arithmetic;

impl IntegerSolver for Arithmetic {
    fn solve(&mut self, problem: &IntegerProblem, budget: &Budget) -> IntegerAnswer {
        let Some(built) = linearize::system(problem) else { return Answer::Unknown(UnknownReason::Unsupported) };
        let Ok(system) = built.and_then(eliminate::reduced) else { return Answer::Unsat };
        let nodes = budget.choices.min(MOST_NODES);
        let mut search = IntegerBranching::new(&system);
        let accept = |columns: &[Int]| accepted(problem, columns);
        let mut found = search.run(nodes.min(FIRST_NODES), &accept);
        if matches!(found, Answer::Unknown(_)) {
            if fourier_motzkin::is_contradictory(&system) || residues::is_contradictory(&system) {
                return Answer::Unsat;
            }
            found = search.run(nodes.saturating_sub(FIRST_NODES), &accept);
        }
        match found {
            Answer::Sat(columns) => Answer::Sat(columns[..problem.variables.len()].iter().map(Int::to_big).collect()),
            Answer::Unsat => Answer::Unsat,
            Answer::Unknown(why) => Answer::Unknown(why),
        }
    }
}

/// The narrowed intervals of the variables; `None` if an operation is not about integers.
pub(super) fn variables(problem: &IntegerProblem) -> Option<Result<Vec<Interval>, Empty>> {
    let system = match linearize::system(problem)? {
        Ok(system) => system,
        Err(Empty) => return Some(Err(Empty)),
    };
    let mut columns = system.columns.clone();
    let narrowed = Propagator::new(&system, columns.len()).all(&mut columns);
    columns.truncate(problem.variables.len());
    Some(narrowed.map(|()| columns))
}

/// The problem's own word on values that the system holds for right.
fn accepted(problem: &IntegerProblem, columns: &[Int]) -> bool {
    let values: Vec<BigInt> = columns[..problem.variables.len()].iter().map(Int::to_big).collect();
    is_met_by(problem, &values)
}
