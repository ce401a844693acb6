//! Forward propagation: the results of operations on floats, from their operands.

use constraint::{FloatOp, Width};
use term::{Term, number};

use super::decimal;
use super::interval::FloatInterval;
use super::libm::{of_one, of_two};
use super::narrow::Domain;
use crate::integer::int::Int;
use crate::integer::interval::{Empty, Interval};

/// From here on integers are converted word by word, which rounds more than once.
const ONE_WORD: u64 = 63;

/// The interval of an operation's results, if it has any.
pub fn forward(op: FloatOp, args: &[&Domain]) -> Result<Domain, Empty> {
    match (op, args) {
        (FloatOp::Of, [Domain::Int(a)]) => converted(a).finite().map(Domain::Float),
        (FloatOp::Read(width), [Domain::Int(a)]) => read(width, a).map(Domain::Float),
        (FloatOp::Write(width), [Domain::Float(a)]) => Ok(Domain::Int(written(width, *a))),
        (FloatOp::Trunc, [Domain::Float(a)]) => Ok(Domain::Int(whole(*a, f64::trunc))),
        (FloatOp::Round, [Domain::Float(a)]) => Ok(Domain::Int(whole(*a, f64::round))),
        (FloatOp::Floor, [Domain::Float(a)]) => Ok(Domain::Int(whole(*a, f64::floor))),
        (FloatOp::Ceil, [Domain::Float(a)]) => Ok(Domain::Int(whole(*a, f64::ceil))),
        (FloatOp::Neg, [Domain::Float(a)]) => Ok(Domain::Float(a.neg())),
        (FloatOp::Abs, [Domain::Float(a)]) => Ok(Domain::Float(abs(*a))),
        (FloatOp::Decimal, [Domain::Int(m), Domain::Int(e)]) => decimal::value(m, e).finite().map(Domain::Float),
        (FloatOp::Scaled(power), [Domain::Float(a)]) => Ok(Domain::Int(decimal::scaled(*a, power))),
        (FloatOp::Digits, [Domain::Float(a)]) => Ok(Domain::Int(decimal::digits(*a))),
        (FloatOp::Power, [Domain::Float(a)]) => Ok(Domain::Int(decimal::power(*a))),
        (FloatOp::Math(math), [Domain::Float(a)]) => of_one(math, *a).map(Domain::Float),
        (FloatOp::Math(math), [Domain::Float(a), Domain::Float(b)]) => Ok(Domain::Float(of_two(math, *a, *b))),
        (op, [Domain::Float(a), Domain::Float(b)]) => raw(op, *a, *b)?.finite().map(Domain::Float),
        _ => Err(Empty),
    }
}

/// The result of an operation on two floats, infinities included.
pub fn raw(op: FloatOp, a: FloatInterval, b: FloatInterval) -> Result<FloatInterval, Empty> {
    let corners = |rule: fn(f64, f64) -> f64| {
        [rule(a.low, b.low), rule(a.low, b.high), rule(a.high, b.low), rule(a.high, b.high)]
    };
    let all = FloatInterval::new(f64::NEG_INFINITY, f64::INFINITY);
    Ok(match op {
        FloatOp::Add => FloatInterval::new(a.low + b.low, a.high + b.high),
        FloatOp::Sub => FloatInterval::new(a.low - b.high, a.high - b.low),
        FloatOp::Mul => FloatInterval::around(&corners(|x, y| x * y)).unwrap_or(all),
        FloatOp::Div => {
            let part = |b: FloatInterval| {
                FloatInterval::around(&[a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high]).unwrap_or(all)
            };
            match (b.below().map(part), b.above().map(part)) {
                (Some(below), Some(above)) => below.hull(above),
                (Some(one), None) | (None, Some(one)) => one,
                (None, None) => return Err(Empty),
            }
        }
        _ => all,
    })
}

/// The interval of squares.
pub fn square(a: &Domain) -> Result<Domain, Empty> {
    let Domain::Float(a) = a else { return Err(Empty) };
    let size = abs(*a);
    FloatInterval::new(size.low * size.low, size.high * size.high).finite().map(Domain::Float)
}

/// Integers as floats; infinities where they are too large.
pub fn converted(a: &Interval) -> FloatInterval {
    let convert = |end: &Int| {
        let infinite = if end.is_negative() { f64::NEG_INFINITY } else { f64::INFINITY };
        number::to_f64(&Term::big(end.to_big())).unwrap_or(infinite)
    };
    let wide = |end: &Int| end.bits() > ONE_WORD;
    let low = a.low.as_ref().map_or(f64::NEG_INFINITY, |end| {
        let value = convert(end);
        if wide(end) { value.next_down().next_down() } else { value }
    });
    let high = a.high.as_ref().map_or(f64::INFINITY, |end| {
        let value = convert(end);
        if wide(end) { value.next_up().next_up() } else { value }
    });
    FloatInterval { low, high }
}

fn whole(a: FloatInterval, rounding: fn(f64) -> f64) -> Interval {
    let end = |value: f64| number::truncate(rounding(value)).as_bigint().map(|value| Int::of(&value));
    Interval { low: end(a.low), high: end(a.high) }
}

fn abs(a: FloatInterval) -> FloatInterval {
    let high = a.high.max(-a.low);
    if a.has_zero() { FloatInterval::new(0.0, high) } else { FloatInterval::new(a.low.abs().min(a.high.abs()), high) }
}

/// The largest float of a width, and its bits.
fn largest(width: Width) -> (f64, i64) {
    match width {
        Width::Half => (65504.0, 0x7bff),
        Width::Single => (f64::from(f32::MAX), 0x7f7f_ffff),
        Width::Double => (f64::MAX, 0x7fef_ffff_ffff_ffff),
    }
}

/// The floats whose bits lie between two numbers.
pub fn read(width: Width, a: &Interval) -> Result<FloatInterval, Empty> {
    let (most, last) = largest(width);
    let sign = Int::power_of_two(u64::from(width.bits() - 1));
    let meaning = |word: &Int| {
        let value = FloatOp::Read(width).compute(&[Term::big(word.to_big())]);
        if let Some(Term::Float(_, value)) = value { Some(value) } else { None }
    };
    let part = |from: Int, to: Int| -> Option<FloatInterval> {
        let inside = a.meet(&Interval::between(from, to)).ok()?;
        let (low, high) = (meaning(inside.low.as_ref()?)?, meaning(inside.high.as_ref()?)?);
        Some(FloatInterval::new(low.min(high), low.max(high)))
    };
    let last = Int::from(last);
    match (part(Int::ZERO, last.clone()), part(sign.clone(), sign.add(&last))) {
        (Some(above), Some(below)) => Ok(above.hull(below)),
        (Some(one), None) | (None, Some(one)) => Ok(one),
        (None, None) => Err(Empty),
    }
    .map(|span| FloatInterval::new(span.low.max(-most), span.high.min(most)))
}

/// The bits of floats, which grow with the size of what they mean.
pub fn written(width: Width, a: FloatInterval) -> Interval {
    let word = |value: f64| {
        let word = FloatOp::Write(width).compute(&[Term::float(value)]).and_then(|word| word.as_bigint());
        word.map(|word| Int::of(&word))
    };
    let all = Interval::between(Int::ZERO, Int::power_of_two(u64::from(width.bits())).pred());
    match () {
        () if a.low > 0.0 => Interval { low: word(a.low), high: word(a.high) },
        () if a.high < 0.0 => Interval { low: word(a.high), high: word(a.low) },
        () => all,
    }
}
