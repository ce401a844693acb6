//! The last digits: from almost equal to equal.

use super::assignment::Assignment;
use super::candidates::rounded;
use super::error::Metric;
use super::tabu::TabuSearch;
use super::value::Num;
use crate::float::further;
use crate::problem::Constraint;

/// Points looked at.
const ROUNDS: u32 = 300;
/// Values that differ by less than this share are almost equal.
const CLOSE: f64 = 1e-5;

/// If all that does not hold are equalities that almost do: tries round values, then wanders over neighbouring
/// doubles as long as nothing becomes worse.
pub fn refine(search: &mut TabuSearch<'_>) {
    if search.is_over() || !is_close(&search.point) {
        return;
    }
    let values = search.point.values().to_vec();
    for digits in 0..=6 {
        let round: Vec<Num> = values.iter().map(|value| simple(value, digits)).collect();
        search.point.jump(&round, search.point.metric);
        if search.point.is_solution() {
            return;
        }
    }
    let metric = search.point.metric;
    search.point.jump(&values, Metric::Bits);
    wander(search);
    let values = search.point.values().to_vec();
    search.point.jump(&values, metric);
}

fn simple(value: &Num, digits: i32) -> Num {
    match value {
        Num::Float(value) => Num::Float(rounded(*value, digits)),
        value => value.clone(),
    }
}

fn is_close(point: &Assignment<'_>) -> bool {
    point.unmet().all(|at| match point.program.tests[at] {
        Constraint::Equal(left, _) => {
            let size = point.registers[left].approx().abs().max(1.0);
            point.difference(at).abs() <= size * CLOSE
        }
        _ => false,
    })
}

fn wander(search: &mut TabuSearch<'_>) {
    for _ in 0..ROUNDS {
        if search.is_over() {
            return;
        }
        let unmet: Vec<usize> = search.point.unmet().collect();
        let Some(test) = search.rng.choice(unmet) else { return };
        let Some(variable) = search.rng.choice(&search.point.program.variables_of[test]).copied() else { return };
        let Num::Float(now) = search.point.registers[variable] else { continue };
        let before = search.point.total;
        let far = search.rng.u32(0..=3).pow(2) + 1;
        let places = i64::from(search.rng.u32(1..=far)) * if search.rng.bool() { 1 } else { -1 };
        search.point.set_one(variable, &Num::Float(further(now, places)));
        if search.point.total > before {
            search.point.set_one(variable, &Num::Float(now));
        }
    }
}
