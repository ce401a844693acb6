//! Fourier-Motzkin elimination: contradictions among inequalities, found by eliminating column by column.
//!
//! For differences of two columns this closes the graph of differences, and a contradiction is a negative cycle.

use rustc_hash::FxHashMap;

use super::super::int::Int;
use super::form::Form;
use super::system::{LinearRow, RowKind, System};
use crate::linear;

/// Inequalities at most; beyond that nothing is said.
const MOST_ROWS: usize = 400;
/// Rows that say "not 0" are tried with both signs, this many at most.
const MOST_SPLITS: usize = 5;
/// Factors with more bits than this mean that combining leads nowhere.
const MOST_BITS: u64 = 256;

/// Returns true if the linear part has no solution; `false` says nothing.
pub fn is_contradictory(system: &System) -> bool {
    let mut rows: Vec<Form> = Vec::new();
    let mut apart: Vec<Form> = Vec::new();
    for row in &system.rows {
        match row.is {
            RowKind::AtMostZero => rows.push(row.form.clone()),
            RowKind::NotZero => apart.push(row.form.clone()),
            RowKind::Zero => rows.extend([row.form.clone(), row.form.scaled(&Int::from(-1))]),
        }
    }
    rows.extend(bounds(system));
    // The newest condition comes last and is the likeliest to matter.
    apart.reverse();
    apart.truncate(MOST_SPLITS);
    refuted(rows, &apart)
}

/// The bounds of columns that rows mention.
fn bounds(system: &System) -> Vec<Form> {
    let mut mentioned: Vec<usize> = system.rows.iter().flat_map(|row| &row.form.terms).map(|(at, _)| *at).collect();
    mentioned.sort_unstable();
    mentioned.dedup();
    let mut rows = Vec::new();
    for at in mentioned {
        let column = &system.columns[at];
        rows.extend(column.low.iter().map(|low| Form::column(at).scaled(&Int::from(-1)).plus_constant(low)));
        rows.extend(column.high.iter().map(|high| Form::column(at).plus_constant(&high.neg())));
    }
    rows
}

fn refuted(rows: Vec<Form>, apart: &[Form]) -> bool {
    let Some(closed) = eliminated(rows.clone()) else { return false };
    if closed {
        return true;
    }
    let Some((first, rest)) = apart.split_first() else { return false };
    [first.clone(), first.scaled(&Int::from(-1))].into_iter().all(|side| {
        let mut rows = rows.clone();
        rows.push(side.plus_constant(&Int::ONE));
        refuted(rows, rest)
    })
}

/// Returns true if a contradiction remains when all columns are gone; `None` if there are too many rows meanwhile.
fn eliminated(rows: Vec<Form>) -> Option<bool> {
    let Some(mut rows) = tidied(rows) else { return Some(true) };
    while let Some(column) = linear::cheapest(rows.iter()) {
        let (with, mut without): (Vec<Form>, Vec<Form>) =
            rows.into_iter().partition(|row| row.factor(column).is_some());
        let (above, below): (Vec<Form>, Vec<Form>) =
            with.into_iter().partition(|row| row.factor(column).is_some_and(Int::is_positive));
        for upper in &above {
            for lower in &below {
                without.push(combined(column, upper, lower)?);
            }
        }
        rows = match tidied(without) {
            None => return Some(true),
            Some(rows) => rows,
        };
        if rows.len() > MOST_ROWS {
            return None;
        }
    }
    Some(false)
}

/// The sum of two rows in which the column cancels.
fn combined(column: usize, upper: &Form, lower: &Form) -> Option<Form> {
    let (up, down) = (upper.factor(column)?, lower.factor(column)?.neg());
    let sum = upper.scaled(&down).plus(up, lower);
    sum.terms.iter().all(|(_, factor)| factor.bits() <= MOST_BITS).then_some(sum)
}

/// Of rows with equal factors the strongest; `None` is a contradiction.
fn tidied(rows: Vec<Form>) -> Option<Vec<Form>> {
    let mut kept: Vec<Form> = Vec::new();
    let mut known: FxHashMap<Vec<(usize, Int)>, usize> = FxHashMap::default();
    for form in rows {
        let Ok(row) = (LinearRow { form, is: RowKind::AtMostZero }).normal() else { return None };
        let Some(LinearRow { form, .. }) = row else { continue };
        match known.get(&form.terms) {
            Some(at) if kept[*at].constant < form.constant => kept[*at].constant = form.constant,
            Some(_) => {}
            None => {
                known.insert(form.terms.clone(), kept.len());
                kept.push(form);
            }
        }
    }
    Some(kept)
}
