//! Quotients and remainders of intervals, rounding towards zero.

use super::super::super::int::Int;
use super::super::super::interval::{Empty, End, Interval};

/// The interval of quotients.
pub fn quotient(a: &Interval, b: &Interval) -> Result<Interval, Empty> {
    // Monotonous in both arguments as long as the divisor keeps its sign: the corners decide.
    let part = |b: Interval| End::corners(a, &b, over, None);
    Interval::around([b.negative_part().map(part), b.positive_part().map(part)])
}

fn over(a: &End, b: &End) -> End {
    match (a, b) {
        (End::At(a), End::At(b)) => End::At(a.div(b)),
        (End::At(_), _) => End::At(Int::ZERO),
        // Of two infinities, anything: 0 is among the other corners.
        _ => End::infinite(a.sign() * b.sign()),
    }
}

/// The interval of remainders.
pub fn remainder(a: &Interval, b: &Interval) -> Result<Interval, Empty> {
    let least = b.least_magnitude();
    if let Some(most) = a.magnitude()
        && most < least
    {
        return Ok(a.clone());
    }
    let below = match b.magnitude() {
        Some(most) if most.is_zero() => return Err(Empty),
        Some(most) => Interval::around_zero(most.pred()),
        None => Interval::ALL,
    };
    let signed = Interval {
        low: a.low.as_ref().map(|low| low.clone().min(Int::ZERO)),
        high: a.high.as_ref().map(|high| high.clone().max(Int::ZERO)),
    };
    below.meet(&signed)
}

/// `a = q · b + r` where `r` has the sign of `a` and a smaller absolute value than `b`.
pub fn dividend_of_quotient(quotient: &Interval, b: &Interval) -> Interval {
    let product = super::multiply::product(quotient, b);
    let Some(most) = b.magnitude() else { return product.beyond() };
    let room = most.pred();
    let low = product.low.map(|low| if low.is_positive() { low } else { low.sub(&room) });
    let high = product.high.map(|high| if high.is_negative() { high } else { high.add(&room) });
    Interval { low, high }
}

/// The part of `b` that can be the divisor, by quotient and dividend.
pub fn divisor_of_quotient(quotient: &Interval, a: &Interval, b: &Interval) -> Result<Interval, Empty> {
    let whole = b.without(&Int::ZERO)?;
    let least = quotient.least_magnitude();
    match a.magnitude() {
        Some(most) if !least.is_zero() => whole.meet(&Interval::around_zero(most.div(&least))),
        _ => Ok(whole),
    }
}

/// The part of `b` that can be the divisor, by the remainder.
pub fn divisor_of_remainder(remainder: &Interval, b: &Interval) -> Result<Interval, Empty> {
    let above = remainder.least_magnitude().succ();
    Interval::around([b.meet(&Interval::up_to(above.neg())), b.meet(&Interval::from(above))])
}

/// Of a dividend that is not negative and a divisor that is known: its ends moved to where the remainder can be.
pub fn dividend_near_remainder(a: &Interval, b: &Interval, remainder: &Interval) -> Result<Interval, Empty> {
    let (Some(divisor), true) = (b.value().map(Int::abs), a.is_at_least(0)) else { return Ok(a.clone()) };
    if divisor.is_zero() {
        return Ok(a.clone());
    }
    let Interval { low: Some(first), high: Some(last) } =
        remainder.meet(&Interval::between(Int::ZERO, divisor.pred()))?
    else {
        return Ok(a.clone());
    };
    let low = a.low.as_ref().map(|low| {
        let start = low.sub(&low.rem(&divisor));
        match low.rem(&divisor) {
            at if at < first => start.add(&first),
            at if at > last => start.add(&divisor).add(&first),
            _ => low.clone(),
        }
    });
    let high = a.high.as_ref().map(|high| {
        let start = high.sub(&high.rem(&divisor));
        match high.rem(&divisor) {
            at if at > last => start.add(&last),
            at if at < first => start.sub(&divisor).add(&last),
            _ => high.clone(),
        }
    });
    a.meet(&Interval { low, high })
}
