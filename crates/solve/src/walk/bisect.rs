//! Between two values of a variable for which a test's difference has different signs.

use super::assignment::Assignment;
use super::value::Num;
use crate::float::{rank, unrank};

/// A value, and the difference of a test there.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The value of the variable.
    pub value: Num,
    /// The difference of the test's sides there.
    pub difference: f64,
}

/// The value at which the difference would be 0 were it a straight line through two probes: a bisection step.
pub fn straight(a: &Probe, b: &Probe) -> Option<f64> {
    let (from, to) = (a.value.approx(), b.value.approx());
    let share = -a.difference / (b.difference - a.difference);
    let value = from + share * (to - from);
    value.is_finite().then_some(value)
}

/// Halving steps at most: as many as a double has bits, and some.
const HALVINGS: u32 = 160;

/// Narrows two probes of different sign down to neighbouring values, or to one where the test holds. Each value it
/// looks at is tried by the caller.
pub fn narrow(
    point: &mut Assignment<'_>,
    test: usize,
    ends: (Probe, Probe),
    mut try_value: impl FnMut(&mut Assignment<'_>, &Num),
) {
    let (mut low, mut high) = ends;
    for round in 0..HALVINGS {
        let Some(value) = between(&low, &high, round) else { return };
        try_value(point, &value);
        let difference = point.difference(test);
        if difference == 0.0 || difference.is_nan() || point.is_solution() {
            return;
        }
        let probe = Probe { value, difference };
        if (difference < 0.0) == (low.difference < 0.0) { low = probe } else { high = probe }
    }
}

/// A value strictly between two, if there is one: on the straight line every other time, else in the middle. The
/// middle of doubles is that of their ranks, so that they come to have the same exponent first.
fn between(a: &Probe, b: &Probe, round: u32) -> Option<Num> {
    let line = round.is_multiple_of(2).then(|| straight(a, b)).flatten();
    match (&a.value, &b.value) {
        (Num::Int(a), Num::Int(b)) => {
            let (low, high) = if a <= b { (a, b) } else { (b, a) };
            let guess = line.and_then(|line| super::value::integer(line.round()));
            let guess = guess.filter(|guess| low < guess && guess < high);
            let middle = guess.unwrap_or_else(|| low.add(&high.sub(low).shift(&(-1).into()).unwrap_or(high.sub(low))));
            (*low < middle && middle < *high).then_some(Num::Int(middle))
        }
        (Num::Float(a), Num::Float(b)) => {
            let (low, high) = if a <= b { (*a, *b) } else { (*b, *a) };
            let guess = line.filter(|guess| low < *guess && *guess < high);
            let middle = unrank(((i128::from(rank(low)) + i128::from(rank(high))) / 2) as i64);
            let value = guess.unwrap_or(middle);
            (low < value && value < high).then_some(Num::Float(value))
        }
        _ => None,
    }
}
