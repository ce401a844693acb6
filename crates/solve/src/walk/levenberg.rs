//! All variables at once: damped steps along the slopes of everything that does not hold (Levenberg's method).

use super::assignment::Assignment;
use super::gradient::gradient;
use super::matrix::solved;
use super::program::CompiledProblem;
use super::squares;
use super::value::Num;
use crate::problem::Constraint;

/// Steps at most.
pub const STEPS: usize = 40;
/// More variables than this are moved one by one only.
pub const MOST_VARIABLES: usize = 40;

/// The residuals to be made 0: sums of registers. Inequalities are among them only where they do not hold.
pub struct Residuals {
    squares: Vec<Option<Vec<usize>>>,
}

/// A sum of registers that should become 0, and its value.
type Residual = (f64, Vec<(usize, f64)>);

struct JacobianRow {
    value: f64,
    slopes: Vec<f64>,
}

impl Residuals {
    /// The residuals of a problem.
    pub fn of(program: &CompiledProblem) -> Residuals {
        Residuals { squares: program.tests.iter().map(|test| squares::parts(program, test)).collect() }
    }

    /// The residuals under an assignment, each a sum of registers with a value; `None` if one has none.
    fn values(&self, point: &Assignment<'_>) -> Option<Vec<Residual>> {
        let mut rows = Vec::new();
        for (at, test) in point.program.tests.iter().enumerate() {
            let (left, right) = test.sides();
            let is_met = point.errors[at] == 0.0;
            match (test, &self.squares[at]) {
                (Constraint::Differ(..), _) => {}
                (Constraint::Less(..) | Constraint::AtMost(..), _) if is_met => {}
                (_, Some(parts)) => {
                    rows.extend(parts.iter().map(|part| (point.registers[*part].approx(), vec![(*part, 1.0)])));
                }
                _ => {
                    // An inequality is to be met with something to spare.
                    let spare = if matches!(test, Constraint::Equal(..)) { 0.0 } else { SPARE };
                    let difference = point.difference(at);
                    rows.push((difference + spare * (1.0 + difference.abs()), vec![(left, 1.0), (right, -1.0)]));
                }
            }
        }
        rows.iter().all(|(value, _)| value.is_finite()).then_some(rows)
    }

    fn rows(&self, point: &Assignment<'_>) -> Option<Vec<JacobianRow>> {
        let rows = self.values(point)?.into_iter();
        Some(rows.map(|(value, of)| JacobianRow { value, slopes: gradient(point, &of) }).collect())
    }

    fn merit(&self, point: &Assignment<'_>) -> f64 {
        self.values(point).map_or(f64::INFINITY, |rows| rows.iter().map(|(value, _)| value * value).sum())
    }

    /// Goes downhill from where the point is and leaves it at the best one found. Returns true if it moved.
    pub fn descend(&self, point: &mut Assignment<'_>) -> bool {
        if point.program.variables() > MOST_VARIABLES {
            return false;
        }
        let mut damping = 1e-3;
        let mut merit = self.merit(point);
        let mut moved = false;
        let mut rows = None;
        for _ in 0..STEPS {
            if point.is_solution() || !merit.is_finite() {
                break;
            }
            if rows.is_none() {
                rows = self.rows(point);
                point.work += rows.as_ref().map_or(0, |rows| (rows.len() * point.program.code.len()) as u64);
            }
            let Some(step) = rows.as_ref().and_then(|rows| step(rows, point.program.variables(), damping)) else {
                break;
            };
            let before = point.values().to_vec();
            let after = stepped(point, &before, &step);
            if after == before {
                break;
            }
            point.jump(&after, point.metric);
            let next = self.merit(point);
            if point.is_solution() || next < merit {
                let little = next > merit * (1.0 - 1e-9);
                merit = next;
                moved = true;
                rows = None;
                damping = (damping * 0.2).max(1e-15);
                if little {
                    break;
                }
            } else {
                point.jump(&before, point.metric);
                damping *= 6.0;
                if damping > 1e9 {
                    break;
                }
            }
        }
        moved
    }
}

/// The share by which an inequality is met with something to spare.
const SPARE: f64 = 1e-6;

/// The values after a step in all variables.
pub fn stepped(point: &Assignment<'_>, from: &[Num], step: &[f64]) -> Vec<Num> {
    let kinds = &point.program.kinds;
    let moved = from.iter().zip(step).enumerate();
    moved
        .map(|(at, (value, step))| Num::near(kinds[at], value.approx() - step).unwrap_or_else(|| value.clone()))
        .collect()
}

/// The damped solution of the normal equations.
fn step(rows: &[JacobianRow], count: usize, damping: f64) -> Option<Vec<f64>> {
    let mut matrix = vec![vec![0.0; count + 1]; count];
    for row in rows {
        // Rows of very different size would hide each other.
        let size = row.slopes.iter().map(|slope| slope * slope).sum::<f64>().sqrt();
        let scale = if size > 0.0 { 1.0 / size.max(1e-150) } else { continue };
        for (entries, slope) in matrix.iter_mut().zip(&row.slopes).filter(|(_, slope)| **slope != 0.0) {
            let slope = slope * scale;
            entries.iter_mut().zip(&row.slopes).for_each(|(entry, other)| *entry += slope * other * scale);
            entries[count] += slope * row.value * scale;
        }
    }
    for (i, row) in matrix.iter_mut().enumerate() {
        row[i] += damping * (row[i] + 1e-6);
    }
    solved(matrix)
}
