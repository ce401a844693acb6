//! Products, squares, absolute values and signs of intervals.

use super::super::super::int::Int;
use super::super::super::interval::{Empty, End, Interval};

/// The interval of products.
pub fn product(a: &Interval, b: &Interval) -> Interval {
    End::corners(a, b, times, None)
}

fn times(a: &End, b: &End) -> End {
    match (a, b) {
        (End::At(x), End::At(y)) => x.mul_bounded(y).map_or(End::infinite(a.sign() * b.sign()), End::At),
        _ => End::infinite(a.sign() * b.sign()),
    }
}

/// The interval of a factor, given the product and the other factor.
pub fn factor(product: &Interval, other: &Interval) -> Result<Interval, Empty> {
    if product.contains(&Int::ZERO) && other.contains(&Int::ZERO) {
        return Ok(Interval::ALL);
    }
    let part = |other: Interval| ratio(product, &other);
    Interval::around([other.negative_part().and_then(part), other.positive_part().and_then(part)])
}

/// All integers `x` with `x · divisor` in `product`; the divisor does not contain 0.
fn ratio(product: &Interval, divisor: &Interval) -> Result<Interval, Empty> {
    if divisor.is_at_most(-1) {
        return ratio(&product.neg(), &divisor.neg());
    }
    let (nearest, farthest) = (divisor.low.as_ref().ok_or(Empty)?, &divisor.high);
    // A product above 0 is reached last by the largest divisor, and first by the smallest.
    let low = match &product.low {
        None => None,
        Some(low) if low.is_positive() => Some(farthest.as_ref().map_or(Int::ONE, |by| low.ceil_div(by))),
        Some(low) => Some(low.ceil_div(nearest)),
    };
    let high = match &product.high {
        None => None,
        Some(high) if high.is_negative() => Some(farthest.as_ref().map_or(Int::from(-1), |by| high.floor_div(by))),
        Some(high) => Some(high.floor_div(nearest)),
    };
    Interval { low, high }.meet(&Interval::ALL)
}

/// The interval of squares.
pub fn square(a: &Interval) -> Interval {
    let least = a.least_magnitude();
    let low = least.mul_bounded(&least).unwrap_or(Int::ZERO);
    Interval { low: Some(low), high: a.magnitude().and_then(|most| most.mul_bounded(&most)) }
}

/// The interval of integers with such a square.
pub fn root(square: &Interval) -> Result<Interval, Empty> {
    match &square.high {
        None => Ok(Interval::ALL),
        Some(high) if high.is_negative() => Err(Empty),
        Some(high) => Ok(Interval::around_zero(high.sqrt())),
    }
}

/// The interval of absolute values.
pub fn abs(a: &Interval) -> Interval {
    Interval { low: Some(a.least_magnitude()), high: a.magnitude() }
}

/// The part of `a` with such an absolute value.
pub fn unabs(result: &Interval, a: &Interval) -> Result<Interval, Empty> {
    let positive = result.meet(&Interval::from(Int::ZERO))?;
    Interval::around([a.meet(&positive.neg()), a.meet(&positive)])
}

/// 0, or of the sign of `a`.
pub fn signed(a: &Interval) -> Interval {
    Interval {
        low: if a.is_at_least(0) { Some(Int::ZERO) } else { None },
        high: if a.is_at_most(0) { Some(Int::ZERO) } else { None },
    }
}

/// The part of `a` that has the sign of a value in `result`.
pub fn unsigned(result: &Interval) -> Interval {
    Interval { low: result.is_at_least(1).then_some(Int::ONE), high: result.is_at_most(-1).then_some(Int::from(-1)) }
}
