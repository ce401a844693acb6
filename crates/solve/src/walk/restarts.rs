//! Starting points: where the values are now, simple ones, numbers of the problem, then anything.

use super::feasible::feasible_point;
use super::linear::LinearTest;
use super::problem::{NumberProblem, Variable};
use super::tabu::TabuSearch;
use super::value::{Kind, Num};

/// See the module.
pub struct Restarts {
    variables: Vec<Variable>,
    /// A point inside the polytope, where there is one to be inside of.
    anchor: Option<Vec<Num>>,
}

impl Restarts {
    /// The starting points of a problem.
    pub fn new(problem: &NumberProblem, rows: &[LinearTest]) -> Restarts {
        let mut starts = Restarts { variables: problem.variables.clone(), anchor: None };
        starts.anchor = feasible_point(problem, rows, &starts.first()).filter(|_| !rows.is_empty());
        starts
    }

    /// The present values.
    pub fn first(&self) -> Vec<Num> {
        self.variables.iter().map(|variable| variable.near.clone().unwrap_or_else(|| zero(variable.kind))).collect()
    }

    /// The starting point of that number.
    pub fn at(&self, number: u64, search: &mut TabuSearch<'_>) -> Vec<Num> {
        let TabuSearch { neighbours, polytope, rng, settings, .. } = search;
        let everywhere = |value: f64| {
            let near = |variable: &Variable| Num::near(variable.kind, value).unwrap_or(Num::ZERO);
            self.variables.iter().map(near).enumerate().map(|(at, value)| neighbours.inside(at, value)).collect()
        };
        match (number, &self.anchor) {
            (0, Some(anchor)) if settings.plain => anchor.clone(),
            (0, _) => self.first(),
            (1, Some(anchor)) => anchor.clone(),
            (1, None) => everywhere(1.0),
            (2, None) => everywhere(0.0),
            (3, None) => everywhere(-1.0),
            (_, Some(anchor)) if number.is_multiple_of(2) => {
                polytope.elsewhere(anchor, |variable, rng| neighbours.fresh(variable, rng), rng)
            }
            _ => (0..self.variables.len()).map(|at| neighbours.fresh(at, rng)).collect(),
        }
    }
}

fn zero(kind: Kind) -> Num {
    match kind {
        Kind::Integer => Num::ZERO,
        Kind::Float => Num::Float(0.0),
    }
}
