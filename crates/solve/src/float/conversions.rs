//! Conversions between intervals of integers and of floats.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::FromPrimitive;
use term::Term;

use super::interval::FloatInterval;
use crate::integer::int::Int;
use crate::integer::interval::Interval;

/// The order of an integer and a float.
fn against(integer: &Int, float: f64) -> Ordering {
    Term::big(integer.to_big()).compare(&Term::float(float))
}

fn rough(integer: &Int) -> f64 {
    let value = term::number::to_f64(&Term::big(integer.to_big()));
    value.unwrap_or(if integer.is_negative() { f64::NEG_INFINITY } else { f64::INFINITY })
}

/// The largest float that is not above an integer; the infinity below all if there is none.
pub fn float_below(integer: &Int) -> f64 {
    let mut value = rough(integer).min(f64::MAX);
    while value.is_finite() && against(integer, value).is_lt() {
        value = value.next_down();
    }
    let mut next = value.next_up();
    while value.is_finite() && next.is_finite() && against(integer, next).is_ge() {
        (value, next) = (next, next.next_up());
    }
    value
}

/// The smallest float that is not below an integer.
pub fn float_above(integer: &Int) -> f64 {
    -float_below(&integer.neg())
}

/// The largest integer that is not above a float; `None` for an infinity.
pub fn integer_below(float: f64) -> Option<Int> {
    BigInt::from_f64(float.floor()).map(|value| Int::of(&value))
}

/// The least integer that is not below a float.
pub fn integer_above(float: f64) -> Option<Int> {
    BigInt::from_f64(float.ceil()).map(|value| Int::of(&value))
}

/// The integers in a span.
pub fn integers(span: FloatInterval) -> Interval {
    Interval { low: integer_above(span.low), high: integer_below(span.high) }
}

/// The span that has all floats which lie between integers.
pub fn floats(interval: &Interval) -> FloatInterval {
    let low = interval.low.as_ref().map_or(f64::NEG_INFINITY, float_above);
    let high = interval.high.as_ref().map_or(f64::INFINITY, float_below);
    FloatInterval { low, high }
}

/// A span around integers as real numbers.
pub fn reals(interval: &Interval) -> FloatInterval {
    let low = interval.low.as_ref().map_or(f64::NEG_INFINITY, float_below);
    let high = interval.high.as_ref().map_or(f64::INFINITY, float_above);
    FloatInterval { low, high }
}
