//! Backward propagation: the operands of operations on floats, from their results.

use constraint::{FloatOp, Width};
use term::math::Math;

use super::conversions::{integers, reals};
use super::decimal;
use super::forward::{read, written};
use super::interval::FloatInterval;
use super::narrow::Domain;
use crate::integer::int::Int;
use crate::integer::interval::{Empty, Interval};

/// No integer from here on, in size, has a float.
const TOO_LARGE: u64 = 1024;

/// The arguments that have a result in `result`; in a square both arguments are one.
pub fn backward(op: FloatOp, result: &Domain, args: &[&Domain], is_square: bool) -> Result<Vec<Domain>, Empty> {
    Ok(match (op, result, args) {
        (FloatOp::Of, Domain::Float(r), [Domain::Int(a)]) => vec![Domain::Int(a.meet(&unconverted(*r))?)],
        (FloatOp::Read(width), Domain::Float(r), [Domain::Int(a)]) => vec![Domain::Int(a.meet(&unread(width, *r))?)],
        (FloatOp::Write(Width::Double), Domain::Int(r), [Domain::Float(a)]) => {
            vec![Domain::Float(a.meet(read(Width::Double, r)?)?)]
        }
        (FloatOp::Write(_), _, [a]) => vec![(*a).clone()],
        (FloatOp::Trunc, Domain::Int(r), [Domain::Float(a)]) => vec![Domain::Float(a.meet(untruncated(r))?)],
        (FloatOp::Floor, Domain::Int(r), [Domain::Float(a)]) => vec![Domain::Float(a.meet(around(r, 0.0, 1.0))?)],
        (FloatOp::Ceil, Domain::Int(r), [Domain::Float(a)]) => vec![Domain::Float(a.meet(around(r, 1.0, 0.0))?)],
        (FloatOp::Round, Domain::Int(r), [Domain::Float(a)]) => vec![Domain::Float(a.meet(around(r, 0.5, 0.5))?)],
        (FloatOp::Neg, Domain::Float(r), [Domain::Float(a)]) => {
            vec![Domain::Float(a.meet(r.neg())?)]
        }
        (FloatOp::Abs, Domain::Float(r), [Domain::Float(a)]) => vec![Domain::Float(unabs(*r, *a)?)],
        (FloatOp::Decimal, Domain::Float(r), [Domain::Int(m), Domain::Int(e)]) => {
            let (m, e) = decimal::parts(*r, m, e)?;
            vec![Domain::Int(m), Domain::Int(e)]
        }
        (FloatOp::Scaled(power), Domain::Int(r), [Domain::Float(a)]) => {
            vec![Domain::Float(decimal::unscaled(r, power, *a)?)]
        }
        (FloatOp::Digits, Domain::Int(r), [Domain::Float(a)]) => vec![Domain::Float(decimal::signed(r, *a)?)],
        (FloatOp::Power, _, [a]) => vec![(*a).clone()],
        (FloatOp::Math(math), Domain::Float(r), [Domain::Float(a)]) => vec![Domain::Float(of_one(math, *r, *a)?)],
        (FloatOp::Math(_), _, args) => args.iter().map(|arg| (*arg).clone()).collect(),
        (FloatOp::Mul, Domain::Float(r), [Domain::Float(a), _]) if is_square => {
            let root = unsquared(*r, *a)?;
            vec![Domain::Float(root), Domain::Float(root)]
        }
        (op, Domain::Float(r), [Domain::Float(a), Domain::Float(b)]) => {
            let (a, b) = operands(op, r.unrounded(), *a, *b)?;
            vec![Domain::Float(a), Domain::Float(b)]
        }
        _ => return Err(Empty),
    })
}

/// The operands of which the operation, before it is rounded, is within `real`.
pub fn operands(
    op: FloatOp,
    real: FloatInterval,
    a: FloatInterval,
    b: FloatInterval,
) -> Result<(FloatInterval, FloatInterval), Empty> {
    let (left, right) = match op {
        FloatOp::Add => (difference(real, b), difference(real, a)),
        FloatOp::Sub => (sum(real, b), difference(a, real)),
        FloatOp::Mul => (quotient(real, b), quotient(real, a)),
        FloatOp::Div => (product(real, b), over_real(a, real)),
        _ => (None, None),
    };
    let keep = |span: FloatInterval, bound: Option<FloatInterval>| bound.map_or(Ok(span), |bound| span.meet(bound));
    Ok((keep(a, left)?, keep(b, right)?))
}

fn sum(a: FloatInterval, b: FloatInterval) -> Option<FloatInterval> {
    let span = FloatInterval::new(a.low + b.low, a.high + b.high);
    (!span.low.is_nan() && !span.high.is_nan()).then(|| span.wider())
}

fn difference(a: FloatInterval, b: FloatInterval) -> Option<FloatInterval> {
    sum(a, b.neg())
}

fn product(a: FloatInterval, b: FloatInterval) -> Option<FloatInterval> {
    let corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
    FloatInterval::around(&corners).map(FloatInterval::wider)
}

/// The numbers that, times one of `b`, give one of `a`; `None` where that says nothing.
fn quotient(a: FloatInterval, b: FloatInterval) -> Option<FloatInterval> {
    if a.has_zero() && b.has_zero() || a.low.is_infinite() && a.high.is_infinite() {
        return None;
    }
    let part =
        |b: FloatInterval| FloatInterval::around(&[a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high]);
    let parts = match (b.below(), b.above()) {
        (Some(below), Some(above)) => part(below)?.hull(part(above)?),
        (Some(one), None) | (None, Some(one)) => part(one)?,
        // Nothing times zero gives what is not zero.
        (None, None) => return Some(FloatInterval::new(f64::INFINITY, f64::NEG_INFINITY)),
    };
    Some(parts.wider())
}

/// The numbers that, as a divisor of one of `a`, give one of the real numbers of `b`, however close to 0.
fn over_real(a: FloatInterval, b: FloatInterval) -> Option<FloatInterval> {
    if !b.has_zero() {
        return quotient(a, b);
    }
    if a.has_zero() {
        return None;
    }
    let above = (b.high > 0.0).then(|| [a.low / b.high, a.high / b.high, a.low / 0.0]);
    let below = (b.low < 0.0).then(|| [a.low / b.low, a.high / b.low, a.low / -0.0]);
    let ends: Vec<f64> = above.into_iter().chain(below).flatten().collect();
    FloatInterval::around(&ends).filter(|_| !ends.is_empty()).map(FloatInterval::wider)
}

fn unconverted(result: FloatInterval) -> Interval {
    let wide = |end: f64| end.abs() > 9.2e18;
    let steps = |end: f64| if wide(end) { 3 } else { 1 };
    let low = (0..steps(result.low)).fold(result.low, |end, _| end.next_down());
    let high = (0..steps(result.high)).fold(result.high, |end, _| end.next_up());
    let limit = Int::power_of_two(TOO_LARGE);
    let all = Interval::between(limit.neg(), limit);
    let near = integers(FloatInterval::new(low, high));
    near.meet(&all).unwrap_or(near)
}

/// The integers that mean one of these floats.
fn unread(width: Width, result: FloatInterval) -> Interval {
    let all = Interval::between(Int::ZERO, Int::power_of_two(u64::from(width.bits())).pred());
    let words = written(width, result);
    // Of fewer bits, what is written is rounded.
    let spare = if width == Width::Double { Int::ZERO } else { Int::ONE };
    let wider = Interval { low: words.low.map(|low| low.sub(&spare)), high: words.high.map(|high| high.add(&spare)) };
    wider.meet(&all).unwrap_or(all)
}

fn around(result: &Interval, below: f64, above: f64) -> FloatInterval {
    let span = reals(result);
    // What is added is lost in large numbers, where the step beyond is more than it.
    let low = if below == 0.0 { span.low } else { (span.low - below).next_down() };
    let high = if above == 0.0 { span.high } else { (span.high + above).next_up() };
    FloatInterval::new(low, high)
}

fn untruncated(result: &Interval) -> FloatInterval {
    let wide = around(result, 1.0, 1.0);
    let near = reals(result);
    let low = if result.is_at_least(1) { near.low } else { wide.low };
    let high = if result.is_at_most(-1) { near.high } else { wide.high };
    FloatInterval::new(low, high)
}

/// The interval of numbers with such a square, before it is rounded.
fn unsquared(result: FloatInterval, a: FloatInterval) -> Result<FloatInterval, Empty> {
    let real = result.unrounded();
    if real.high < 0.0 {
        return Err(Empty);
    }
    let (least, most) = (real.low.max(0.0).sqrt().next_down(), real.high.sqrt().next_up());
    unabs(FloatInterval::new(least.max(0.0), most), a)
}

fn unabs(result: FloatInterval, a: FloatInterval) -> Result<FloatInterval, Empty> {
    let most = result.high.max(0.0);
    let inside = a.meet(FloatInterval::new(-most, most))?;
    if result.low <= 0.0 {
        return Ok(inside);
    }
    let above = inside.meet(FloatInterval::new(result.low, f64::MAX));
    let below = inside.meet(FloatInterval::new(-f64::MAX, -result.low));
    match (below, above) {
        (Ok(below), Ok(above)) => Ok(below.hull(above)),
        (below, above) => below.or(above),
    }
}

fn of_one(math: Math, result: FloatInterval, a: FloatInterval) -> Result<FloatInterval, Empty> {
    // Far more than what the library is off by.
    let about = |rule: fn(f64) -> f64, low: f64, high: f64| {
        let room = |value: f64| value.abs() * 1e-9 + 1e-9;
        let (low, high) = (rule(low), rule(high));
        FloatInterval::new(low - room(low), high + room(high))
    };
    let bound = match math {
        Math::Sqrt => {
            let real = result.unrounded();
            let low = real.low.max(0.0);
            let high = real.high * real.high;
            FloatInterval::new((low * low).next_down().max(0.0), high.next_up())
        }
        Math::Floor => FloatInterval::new(result.low.ceil(), result.high.floor() + 1.0),
        Math::Ceil => FloatInterval::new(result.low.ceil() - 1.0, result.high.floor()),
        Math::Exp if result.high > 0.0 => about(f64::ln, result.low.max(0.0), result.high),
        Math::Log => about(f64::exp, result.low, result.high),
        Math::Log2 => about(f64::exp2, result.low, result.high),
        Math::Log10 => about(|x| 10f64.powf(x), result.low, result.high),
        _ => return Ok(a),
    };
    let bound = if bound.low.is_nan() || bound.high.is_nan() { FloatInterval::ALL } else { bound };
    let positive = matches!(math, Math::Log | Math::Log2 | Math::Log10);
    let a = if positive { a.above().ok_or(Empty)? } else { a };
    a.meet(bound)
}
