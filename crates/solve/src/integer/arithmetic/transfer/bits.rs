//! Bit operations on intervals; negative numbers have infinitely many leading ones.

use super::super::super::int::Int;
use super::super::super::interval::{Empty, End, Interval};

/// The least power of two above all of these.
fn power_above<'a>(values: impl IntoIterator<Item = &'a Int>) -> Int {
    let bits = values.into_iter().map(|value| if value.is_negative() { value.bnot().bits() } else { value.bits() });
    Int::power_of_two(bits.max().unwrap_or(0))
}

/// `-2^n` where both intervals lie above it, 0 if not both can be negative.
fn low_of_both(a: &Interval, b: &Interval) -> Option<Int> {
    if a.is_at_least(0) || b.is_at_least(0) {
        return Some(Int::ZERO);
    }
    Some(power_above([a.low.as_ref()?, b.low.as_ref()?]).neg())
}

/// The interval of `a band b`.
pub fn band(a: &Interval, b: &Interval) -> Interval {
    if let (Some(a), Some(b)) = (a.value(), b.value()) {
        return Interval::point(a.band(b));
    }
    let low = low_of_both(a, b);
    let high = match (a.is_at_least(0), b.is_at_least(0)) {
        (true, true) => match (&a.high, &b.high) {
            (Some(a), Some(b)) => Some(a.min(b).clone()),
            (a, b) => a.clone().or_else(|| b.clone()),
        },
        (true, false) => a.high.clone(),
        (false, true) => b.high.clone(),
        (false, false) => a.high.as_ref().zip(b.high.as_ref()).map(|(a, b)| a.max(b).clone()),
    };
    Interval { low, high }
}

/// By `a bor b = bnot (bnot a band bnot b)`.
pub fn bor(a: &Interval, b: &Interval) -> Interval {
    bnot(&band(&bnot(a), &bnot(b))).meet(&bor_high(a, b)).unwrap_or(Interval::ALL)
}

fn bnot(a: &Interval) -> Interval {
    Interval { low: a.high.as_ref().map(Int::bnot), high: a.low.as_ref().map(Int::bnot) }
}

/// No result has a bit above the bits of both.
fn bor_high(a: &Interval, b: &Interval) -> Interval {
    match (&a.high, &b.high) {
        (Some(a), Some(b)) if !a.is_negative() || !b.is_negative() => {
            let zero = Int::ZERO;
            Interval::up_to(power_above([a.max(&zero), b.max(&zero)]).pred())
        }
        _ => Interval::ALL,
    }
}

/// The interval of `a bxor b`.
pub fn bxor(a: &Interval, b: &Interval) -> Interval {
    if let (Some(a), Some(b)) = (a.value(), b.value()) {
        return Interval::point(a.bxor(b));
    }
    let bounds = [&a.low, &a.high, &b.low, &b.high].map(Option::as_ref);
    let within = match bounds {
        [Some(a), Some(b), Some(c), Some(d)] => {
            let power = power_above([a, b, c, d]);
            Interval::between(power.neg(), power.pred())
        }
        _ => Interval::ALL,
    };
    let sign = match (sign(a), sign(b)) {
        (Some(a), Some(b)) if a == b => Interval::from(Int::ZERO),
        (Some(_), Some(_)) => Interval::up_to(Int::from(-1)),
        _ => Interval::ALL,
    };
    within.meet(&sign).unwrap_or(Interval::ALL)
}

/// Returns true if all values are negative; `None` if some are and some are not.
fn sign(a: &Interval) -> Option<bool> {
    if a.is_at_least(0) {
        Some(false)
    } else if a.is_at_most(-1) {
        Some(true)
    } else {
        None
    }
}

/// The part of `a` that can be an argument of such a `band`.
pub fn unband(result: &Interval, a: &Interval) -> Result<Interval, Empty> {
    if result.is_at_most(-1) {
        return a.meet(&Interval::up_to(Int::from(-1)));
    }
    match &result.low {
        // What is not negative has all the bits of the result.
        Some(low) if low.is_positive() => Interval::around([a.negative_part(), a.meet(&Interval::from(low.clone()))]),
        _ => Ok(a.clone()),
    }
}

/// The part of `a` that can be an argument of such a `bor`.
pub fn unbor(result: &Interval, a: &Interval) -> Result<Interval, Empty> {
    Ok(bnot(&unband(&bnot(result), &bnot(a))?))
}

/// The interval of values shifted left, or right where `by` is negative.
pub fn shift(a: &Interval, by: &Interval) -> Interval {
    // Monotonous in both as long as `a` keeps its sign; at 0 the sides meet.
    let middle = a.contains(&Int::ZERO).then_some(End::At(Int::ZERO));
    End::corners(a, by, shifted, middle)
}

fn shifted(a: &End, by: &End) -> End {
    match (a, by) {
        (End::At(a), End::Minus) => End::At(Int::from(a.sign().min(0))),
        (_, End::Minus) => End::infinite(a.sign()),
        (End::At(value), End::At(by)) => value.shift(by).map_or(End::infinite(value.sign()), End::At),
        _ => End::infinite(a.sign()),
    }
}

/// The interval whose shift by `by` is in `result`.
pub fn unshift(result: &Interval, by: &Interval) -> Result<Interval, Empty> {
    let Some(by) = by.value().and_then(Int::to_i64) else { return Ok(Interval::ALL) };
    if by.unsigned_abs() > super::super::super::int::MAX_BITS {
        return Ok(Interval::ALL);
    }
    let power = Int::power_of_two(by.unsigned_abs());
    let bounds = if by >= 0 {
        Interval {
            low: result.low.as_ref().map(|low| low.ceil_div(&power)),
            high: result.high.as_ref().map(|high| high.floor_div(&power)),
        }
    } else {
        Interval {
            low: result.low.as_ref().map(|low| low.mul(&power)),
            high: result.high.as_ref().map(|high| high.succ().mul(&power).pred()),
        }
    };
    bounds.meet(&Interval::ALL)
}
