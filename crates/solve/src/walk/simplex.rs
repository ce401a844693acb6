//! A point inside the half-spaces of linear rows, as far from their edges as it gets up to a distance of one.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::linear::Form;

/// Pivots at most; small problems need far fewer.
const MOST_PIVOTS: usize = 200;

/// Values for variables `0..count` at which every form is at most 0, if there are any and they are found in time.
///
/// Each variable is a difference of something not negative and one common shift. One more unknown says how much is
/// missing to a distance of one from every edge; it starts out large enough and is made as small as possible.
pub fn inside(forms: &[Form], count: usize) -> Option<Vec<BigRational>> {
    if forms.is_empty() {
        return Some(vec![BigRational::zero(); count]);
    }
    let mut table = Tableau::of(forms, count);
    table.begin();
    for _ in 0..MOST_PIVOTS {
        let Some((row, column)) = table.improving() else { break };
        table.pivot(row, column);
        debug_assert!(table.is_feasible(), "a pivot by the least ratio keeps the right sides");
    }
    let missing = table.value(count + 1);
    (missing <= BigRational::one()).then(|| {
        let shift = table.value(count);
        (0..count).map(|variable| table.value(variable) - &shift).collect()
    })
}

/// Rows `basic + Σ a x = b` with `b` not negative once begun. Columns: the variables, their shift, what is missing,
/// then a slack for each row, the right side last.
struct Tableau {
    rows: Vec<Vec<BigRational>>,
    /// The column that each row gives the value of.
    basic: Vec<usize>,
    count: usize,
}

impl Tableau {
    fn of(forms: &[Form], count: usize) -> Tableau {
        let width = count + 2 + forms.len() + 1;
        let mut rows = Vec::with_capacity(forms.len());
        for (at, form) in forms.iter().enumerate() {
            let mut row = vec![BigRational::zero(); width];
            for (variable, by) in &form.terms {
                row[*variable] = by.clone();
                row[count] -= by;
            }
            row[count + 1] = -BigRational::one();
            row[count + 2 + at] = BigRational::one();
            row[width - 1] = -form.constant.clone() - BigRational::one();
            rows.push(row);
        }
        Tableau { basic: (0..forms.len()).map(|at| count + 2 + at).collect(), rows, count }
    }

    /// Makes the missing distance as large as the most violated row needs it.
    fn begin(&mut self) {
        let last = |row: &Vec<BigRational>| row[row.len() - 1].clone();
        let worst = (0..self.rows.len()).min_by_key(|at| last(&self.rows[*at]));
        if let Some(worst) = worst.filter(|at| last(&self.rows[*at]).is_negative()) {
            self.pivot(worst, self.count + 1);
        }
    }

    /// A step that makes what is missing smaller, by the rule that never goes round in circles.
    fn improving(&self) -> Option<(usize, usize)> {
        let missing = self.basic.iter().position(|basic| *basic == self.count + 1)?;
        let width = self.rows[missing].len();
        let column =
            (0..width - 1).find(|column| *column != self.count + 1 && self.rows[missing][*column].is_positive())?;
        let ratio = |at: usize| &self.rows[at][width - 1] / &self.rows[at][column];
        let rows = (0..self.rows.len()).filter(|at| self.rows[*at][column].is_positive());
        let row = rows.min_by_key(|at| (ratio(*at), self.basic[*at]))?;
        Some((row, column))
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let by = self.rows[row][column].recip();
        self.rows[row].iter_mut().for_each(|entry| *entry *= &by);
        let pivot = self.rows[row].clone();
        for (_, other) in self.rows.iter_mut().enumerate().filter(|(at, _)| *at != row) {
            let times = other[column].clone();
            if !times.is_zero() {
                other
                    .iter_mut()
                    .zip(&pivot)
                    .filter(|(_, by)| !by.is_zero())
                    .for_each(|(entry, by)| *entry -= by * &times);
            }
        }
        self.basic[row] = column;
    }

    /// Returns true if no right side is negative.
    fn is_feasible(&self) -> bool {
        self.rows.iter().all(|row| row.last().is_some_and(|side| !side.is_negative()))
    }

    fn value(&self, column: usize) -> BigRational {
        let row = self.basic.iter().position(|basic| *basic == column);
        row.and_then(|row| self.rows[row].last().cloned()).unwrap_or_else(BigRational::zero)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(terms: &[i64], constant: i64) -> Form {
        let exact = |value: i64| BigRational::from_integer(value.into());
        let terms = terms.iter().enumerate().filter(|(_, by)| **by != 0).map(|(at, by)| (at, exact(*by))).collect();
        Form { terms, constant: exact(constant) }
    }

    fn value(form: &Form, point: &[BigRational]) -> BigRational {
        form.terms.iter().map(|(at, by)| by * &point[*at]).sum::<BigRational>() + &form.constant
    }

    #[test]
    fn points_lie_inside_or_there_are_none() {
        let mut rng = fastrand::Rng::with_seed(7);
        for _ in 0..200 {
            let forms: Vec<Form> = (0..rng.usize(1..7))
                .map(|_| form(&[rng.i64(-4..5), rng.i64(-4..5)], rng.i64(-9..10)))
                .filter(|form| !form.terms.is_empty())
                .collect();
            let grid = |at: i64| BigRational::from_integer((at - 15).into());
            let exists = (0..31).any(|x| {
                (0..31).any(|y| {
                    let point = [grid(x), grid(y)];
                    forms.iter().all(|form| !value(form, &point).is_positive())
                })
            });
            match inside(&forms, 2) {
                Some(point) => assert!(forms.iter().all(|form| !value(form, &point).is_positive()), "{forms:?}"),
                None => assert!(!exists, "{forms:?}"),
            }
        }
    }

    #[test]
    fn points_keep_their_distance() {
        // 0 <= x <= 10, x <= y
        let forms = [form(&[-1, 0], 0), form(&[1, 0], -10), form(&[1, -1], 0)];
        let point = inside(&forms, 2).unwrap();
        assert!(forms.iter().all(|form| value(form, &point) <= -BigRational::one()));
    }
}
