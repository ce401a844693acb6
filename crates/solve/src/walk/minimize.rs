//! The least value of a single difference: where a sum of squares is 0 its slope is, too.

use super::assignment::Assignment;
use super::gradient::gradient;
use super::levenberg::{MOST_VARIABLES, STEPS, stepped};
use super::matrix::solved;
use super::value::Num;
use crate::problem::Constraint;

/// Goes to where a single equality is closest to holding, by Newton's method for the least value. Where a sum of
/// squares is 0 its slope is, too: steps along the slope alone come to rest too early.
pub fn minimize(point: &mut Assignment<'_>) {
    let count = point.program.variables();
    let unmet: Vec<usize> = point.unmet().collect();
    let ([test], false) = (&unmet[..], count > MOST_VARIABLES) else { return };
    let (test, Constraint::Equal(left, right)) = (*test, point.program.tests[*test]) else { return };
    let sign = if point.difference(test) < 0.0 { -1.0 } else { 1.0 };
    let of = [(left, sign), (right, -sign)];
    let mut damping = 1e-4;
    for _ in 0..STEPS {
        let (before, distance) = (point.values().to_vec(), point.difference(test) * sign);
        let slope = gradient(point, &of);
        let Some(matrix) = curvature(point, &before, &of, &slope) else { return };
        point.work += (count * point.program.code.len()) as u64;
        let mut improved = false;
        while damping < 1e8 && !improved {
            let mut damped = matrix.clone();
            for (at, row) in damped.iter_mut().enumerate() {
                row[at] += damping * (row[at].abs() + 1.0);
            }
            let Some(step) = solved(damped) else { return };
            let after = stepped(point, &before, &step);
            point.jump(&after, point.metric);
            let there = point.difference(test) * sign;
            improved = point.is_solution() || (there < distance && there >= 0.0);
            damping *= if improved { 0.1 } else { 8.0 };
            if after == before || point.is_solution() {
                return;
            }
        }
        if !improved {
            point.jump(&before, point.metric);
            return;
        }
    }
}

/// The change of the slopes themselves, with the slopes as right sides.
fn curvature(point: &mut Assignment<'_>, from: &[Num], of: &[(usize, f64)], slope: &[f64]) -> Option<Vec<Vec<f64>>> {
    let count = from.len();
    let mut matrix = vec![vec![0.0; count + 1]; count];
    for at in 0..count {
        let Num::Float(value) = from[at] else { return None };
        let by = value.abs().max(1e-3) * 1e-6;
        point.set_one(at, &Num::Float(value + by));
        let there = gradient(point, of);
        point.set_one(at, &from[at]);
        for other in 0..count {
            let change = (there[other] - slope[other]) / by / 2.0;
            matrix[at][other] += change;
            matrix[other][at] += change;
        }
        matrix[at][count] = slope[at];
    }
    Some(matrix)
}
