//! What operations on floats can give, from what they take.

use constraint::{FloatOp, Width};
use term::{Term, number};

use super::decimal;
use super::library::{of_one, of_two};
use super::narrow::Dom;
use super::span::Span;
use crate::integer::int::Int;
use crate::integer::interval::{Empty, Interval};

/// From here on integers are converted word by word, which rounds more than once.
const ONE_WORD: u64 = 63;

/// What an operation can give, if it gives anything.
pub fn forward(op: FloatOp, args: &[&Dom]) -> Result<Dom, Empty> {
    match (op, args) {
        (FloatOp::Of, [Dom::Int(a)]) => converted(a).finite().map(Dom::Float),
        (FloatOp::Read(width), [Dom::Int(a)]) => read(width, a).map(Dom::Float),
        (FloatOp::Write(width), [Dom::Float(a)]) => Ok(Dom::Int(written(width, *a))),
        (FloatOp::Trunc, [Dom::Float(a)]) => Ok(Dom::Int(whole(*a, f64::trunc))),
        (FloatOp::Round, [Dom::Float(a)]) => Ok(Dom::Int(whole(*a, f64::round))),
        (FloatOp::Floor, [Dom::Float(a)]) => Ok(Dom::Int(whole(*a, f64::floor))),
        (FloatOp::Ceil, [Dom::Float(a)]) => Ok(Dom::Int(whole(*a, f64::ceil))),
        (FloatOp::Neg, [Dom::Float(a)]) => Ok(Dom::Float(Span::new(-a.high, -a.low))),
        (FloatOp::Abs, [Dom::Float(a)]) => Ok(Dom::Float(abs(*a))),
        (FloatOp::Decimal, [Dom::Int(m), Dom::Int(e)]) => decimal::value(m, e).finite().map(Dom::Float),
        (FloatOp::Scaled(power), [Dom::Float(a)]) => Ok(Dom::Int(decimal::scaled(*a, power))),
        (FloatOp::Digits, [Dom::Float(a)]) => Ok(Dom::Int(decimal::digits(*a))),
        (FloatOp::Power, [Dom::Float(a)]) => Ok(Dom::Int(decimal::power(*a))),
        (FloatOp::Math(math), [Dom::Float(a)]) => of_one(math, *a).map(Dom::Float),
        (FloatOp::Math(math), [Dom::Float(a), Dom::Float(b)]) => Ok(Dom::Float(of_two(math, *a, *b))),
        (op, [Dom::Float(a), Dom::Float(b)]) => raw(op, *a, *b)?.finite().map(Dom::Float),
        _ => Err(Empty),
    }
}

/// What an operation on two floats gives, infinities included.
pub fn raw(op: FloatOp, a: Span, b: Span) -> Result<Span, Empty> {
    let corners = |rule: fn(f64, f64) -> f64| {
        [rule(a.low, b.low), rule(a.low, b.high), rule(a.high, b.low), rule(a.high, b.high)]
    };
    let all = Span::new(f64::NEG_INFINITY, f64::INFINITY);
    Ok(match op {
        FloatOp::Add => Span::new(a.low + b.low, a.high + b.high),
        FloatOp::Sub => Span::new(a.low - b.high, a.high - b.low),
        FloatOp::Mul => Span::around(&corners(|x, y| x * y)).unwrap_or(all),
        FloatOp::Div => {
            let part = |b: Span| {
                Span::around(&[a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high]).unwrap_or(all)
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

/// What a float times itself can give.
pub fn square(a: &Dom) -> Result<Dom, Empty> {
    let Dom::Float(a) = a else { return Err(Empty) };
    let size = abs(*a);
    Span::new(size.low * size.low, size.high * size.high).finite().map(Dom::Float)
}

/// Integers as floats; infinities where they are too large.
pub fn converted(a: &Interval) -> Span {
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
    Span { low, high }
}

fn whole(a: Span, rounding: fn(f64) -> f64) -> Interval {
    let end = |value: f64| number::truncate(rounding(value)).as_bigint().map(|value| Int::of(&value));
    Interval { low: end(a.low), high: end(a.high) }
}

fn abs(a: Span) -> Span {
    let high = a.high.max(-a.low);
    if a.has_zero() { Span::new(0.0, high) } else { Span::new(a.low.abs().min(a.high.abs()), high) }
}

/// The largest float of a width, and its bits.
fn largest(width: Width) -> (f64, i64) {
    match width {
        Width::Half => (65504.0, 0x7bff),
        Width::Single => (f64::from(f32::MAX), 0x7f7f_ffff),
        Width::Double => (f64::MAX, 0x7fef_ffff_ffff_ffff),
    }
}

/// What the bits from one number to another mean.
pub fn read(width: Width, a: &Interval) -> Result<Span, Empty> {
    let (most, last) = largest(width);
    let sign = Int::power_of_two(u64::from(width.bits() - 1));
    let meaning = |word: &Int| {
        let value = FloatOp::Read(width).compute(&[Term::big(word.to_big())]);
        if let Some(Term::Float(_, value)) = value { Some(value) } else { None }
    };
    let part = |from: Int, to: Int| -> Option<Span> {
        let inside = a.meet(&Interval::between(from, to)).ok()?;
        let (low, high) = (meaning(inside.low.as_ref()?)?, meaning(inside.high.as_ref()?)?);
        Some(Span::new(low.min(high), low.max(high)))
    };
    let last = Int::from(last);
    match (part(Int::ZERO, last.clone()), part(sign.clone(), sign.add(&last))) {
        (Some(above), Some(below)) => Ok(above.hull(below)),
        (Some(one), None) | (None, Some(one)) => Ok(one),
        (None, None) => Err(Empty),
    }
    .map(|span| Span::new(span.low.max(-most), span.high.min(most)))
}

/// The bits of floats, which grow with the size of what they mean.
pub fn written(width: Width, a: Span) -> Interval {
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
