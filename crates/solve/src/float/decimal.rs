//! Floats and decimal numbers: what is read, what is written, and what the shortest digits say.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use term::decimal::{middle, of_decimal, scaled as scaled_exactly, shortest};

use super::interval::FloatInterval;
use crate::integer::int::Int;
use crate::integer::interval::{Empty, Interval};

/// Powers of ten beyond this are not computed with.
const FAR: i64 = 2000;
/// Powers of ten of the shortest decimals of all floats.
pub const POWERS: (i64, i64) = (-324, 308);
/// The digits of the shortest decimal are fewer than so many.
pub const MOST_DIGITS: u32 = 17;

/// The floats that decimals between these are read as, infinities included.
pub fn value(mantissa: &Interval, exponent: &Interval) -> FloatInterval {
    let low = corners(mantissa.low.as_ref(), exponent, f64::NEG_INFINITY);
    let high = corners(mantissa.high.as_ref(), exponent, f64::INFINITY);
    FloatInterval::new(low[0].min(low[1]), high[0].max(high[1]))
}

/// The floats of one end of the mantissas with both ends of the exponents.
fn corners(mantissa: Option<&Int>, exponent: &Interval, infinite: f64) -> [f64; 2] {
    let Some(mantissa) = mantissa else { return [infinite; 2] };
    let beyond = match mantissa.sign() {
        0 => return [0.0; 2],
        sign => f64::INFINITY.copysign(sign as f64),
    };
    let mantissa = mantissa.to_big();
    let with = |exponent: &Int| of_decimal(&mantissa, &exponent.to_big()).unwrap_or(beyond);
    [exponent.low.as_ref().map_or(0.0, with), exponent.high.as_ref().map_or(beyond, with)]
}

fn small(value: &Int) -> Option<i64> {
    let value = i64::try_from(&value.to_big()).ok()?;
    (-FAR..=FAR).contains(&value).then_some(value)
}

/// The mantissas and exponents of decimals that are read as one of these.
pub fn parts(result: FloatInterval, mantissa: &Interval, exponent: &Interval) -> Result<(Interval, Interval), Empty> {
    let ends = [&exponent.low, &exponent.high].map(|end| end.as_ref().and_then(small));
    let near = match ends {
        [Some(low), Some(high)] => mantissas(result, low).hull(&mantissas(result, high)),
        _ => Interval::ALL,
    };
    let mantissa = mantissa.meet(&near)?;
    let exponent = exponent.meet(&exponents(result, &mantissa))?;
    Ok((mantissa, exponent))
}

/// The integers that are read as one of these with that exponent, and perhaps those beside them.
fn mantissas(result: FloatInterval, exponent: i64) -> Interval {
    let low = middle(result.low.next_down(), result.low, -exponent);
    let high = middle(result.high, result.high.next_up(), -exponent);
    Interval::between(Int::of(&low.0.div_ceil(&low.1)), Int::of(&high.0.div_floor(&high.1)))
}

/// The exponents with which one of the mantissas can be read as one of these, with room to spare.
fn exponents(result: FloatInterval, mantissa: &Interval) -> Interval {
    let log = |bits: u64| bits as f64 * std::f64::consts::LOG10_2;
    let round = |value: f64| Int::from(value as i64);
    let not_zero = mantissa.is_at_least(1) || mantissa.is_at_most(-1);
    let most = result.high.abs().max(result.low.abs());
    let high = not_zero.then(|| {
        let least = log(mantissa.least_magnitude().bits().saturating_sub(1));
        round(if most == 0.0 { -323.0 } else { most.log10() } - least + 2.0)
    });
    let low = (!result.has_zero()).then(|| mantissa.magnitude()).flatten().map(|largest| {
        let least = result.high.abs().min(result.low.abs());
        round(least.log10() - log(largest.bits()) - 2.0)
    });
    Interval { low, high }
}

/// Decimals that are too large for a float.
pub fn too_large(mantissa: &Interval, exponent: &Interval) -> Result<(Interval, Interval), Empty> {
    let all = value(mantissa, exponent);
    if all.low != f64::NEG_INFINITY && all.high != f64::INFINITY {
        return Err(Empty);
    }
    let mantissa = match (all.low == f64::NEG_INFINITY, all.high == f64::INFINITY) {
        (false, _) => mantissa.meet(&Interval::from(Int::ONE))?,
        (_, false) => mantissa.meet(&Interval::up_to(Int::from(-1)))?,
        _ => mantissa.clone(),
    };
    let least = mantissa.magnitude().map(|most| {
        let digits = most.bits() as f64 * std::f64::consts::LOG10_2;
        Int::from((307.0 - digits) as i64)
    });
    let exponent = exponent.meet(&Interval { low: least, high: None })?;
    Ok((mantissa, exponent))
}

/// The integers nearest to these, times a power of ten.
pub fn scaled(a: FloatInterval, power: i16) -> Interval {
    let end = |value: f64| Int::of(&scaled_exactly(value, i64::from(power)));
    Interval::between(end(a.low), end(a.high))
}

/// The part of `a` whose product with a power of ten has one of these as the nearest integer.
pub fn unscaled(result: &Interval, power: i16, a: FloatInterval) -> Result<FloatInterval, Empty> {
    let half = |end: &Int, half: i64| {
        let tenfold: BigInt = end.to_big() * 10 + half;
        let infinite = if tenfold.sign() == Sign::Minus { f64::NEG_INFINITY } else { f64::INFINITY };
        of_decimal(&tenfold, &BigInt::from(-i64::from(power) - 1)).unwrap_or(infinite)
    };
    let scaled = |value: f64| Int::of(&scaled_exactly(value, i64::from(power)));
    let low = result.low.as_ref().map_or(f64::NEG_INFINITY, |end| {
        let at = half(end, -5).min(f64::MAX).next_down();
        first(at, f64::next_up, |value| scaled(value) >= *end)
    });
    let high = result.high.as_ref().map_or(f64::INFINITY, |end| {
        let at = half(end, 5).max(-f64::MAX).next_up();
        first(at, f64::next_down, |value| scaled(value) <= *end)
    });
    a.meet(FloatInterval::new(low, high))
}

/// The first of a few floats that is right, or the one after them.
fn first(from: f64, next: fn(f64) -> f64, is_right: impl Fn(f64) -> bool) -> f64 {
    let mut at = from;
    for _ in 0..2 {
        if !at.is_finite() || is_right(at) {
            return at;
        }
        at = next(at);
    }
    at
}

/// The digits of the shortest decimals of these.
pub fn digits(a: FloatInterval) -> Interval {
    if a.is_point() {
        return Interval::point(Int::of(&shortest(a.low).0));
    }
    let most = Int::of(&BigInt::from(10u32).pow(MOST_DIGITS)).pred();
    let low = match () {
        () if a.low > 0.0 => Int::ONE,
        () if a.low == 0.0 => Int::ZERO,
        () => most.neg(),
    };
    let high = match () {
        () if a.high < 0.0 => Int::from(-1),
        () if a.high == 0.0 => Int::ZERO,
        () => most,
    };
    Interval::between(low, high)
}

/// The part of `a` that has the sign of the digits.
pub fn signed(digits: &Interval, a: FloatInterval) -> Result<FloatInterval, Empty> {
    let low = if digits.is_at_least(1) {
        super::interval::LEAST
    } else if digits.is_at_least(0) {
        0.0
    } else {
        -f64::MAX
    };
    let high = if digits.is_at_most(-1) {
        -super::interval::LEAST
    } else if digits.is_at_most(0) {
        0.0
    } else {
        f64::MAX
    };
    a.meet(FloatInterval::new(low, high))
}

/// The powers of ten of the shortest decimals of these.
pub fn power(a: FloatInterval) -> Interval {
    if a.is_point() {
        return Interval::point(Int::from(shortest(a.low).1));
    }
    let most = a.high.abs().max(a.low.abs()).log10().floor() as i64 + 1;
    let least = if a.has_zero() { POWERS.0 } else { a.high.abs().min(a.low.abs()).log10().floor() as i64 - 18 };
    // That of zero is zero.
    let high = if a.has_zero() { most.max(0) } else { most };
    Interval::between(Int::from(least.max(POWERS.0)), Int::from(high.min(POWERS.1)))
}
