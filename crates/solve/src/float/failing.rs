//! What the operands of an operation can be that has no result.

use constraint::FloatOp;
use term::math::Math;

use super::backward::operands;
use super::decimal;
use super::forward::{converted, raw};
use super::narrow::Dom;
use super::span::{LEAST, Span};
use crate::integer::int::Int;
use crate::integer::interval::{Empty, Interval};

/// What is left of the arguments where the operation fails.
pub fn failing(op: FloatOp, args: &[&Dom]) -> Result<Vec<Dom>, Empty> {
    let same = || args.iter().map(|arg| (*arg).clone()).collect();
    Ok(match (op, args) {
        (op, _) if op.is_total() => return Err(Empty),
        (FloatOp::Of, [Dom::Int(a)]) => vec![Dom::Int(too_large(a)?)],
        (FloatOp::Decimal, [Dom::Int(m), Dom::Int(e)]) => {
            let (m, e) = decimal::too_large(m, e)?;
            vec![Dom::Int(m), Dom::Int(e)]
        }
        (FloatOp::Math(Math::Sqrt), [Dom::Float(a)]) => vec![Dom::Float(a.below().ok_or(Empty)?)],
        (FloatOp::Math(Math::Log | Math::Log2 | Math::Log10), [Dom::Float(a)]) => {
            vec![Dom::Float(a.meet(Span::new(-f64::MAX, 0.0))?)]
        }
        (FloatOp::Math(Math::Exp), [Dom::Float(a)]) => vec![Dom::Float(a.meet(Span::new(709.0, f64::MAX))?)],
        (FloatOp::Math(Math::Acos | Math::Asin | Math::Atanh), [Dom::Float(a)]) => vec![Dom::Float(outside(*a)?)],
        (FloatOp::Div, [_, Dom::Float(b)]) if b.has_zero() => same(),
        (FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div, [Dom::Float(a), Dom::Float(b)]) => {
            let (a, b) = overflowing(op, *a, *b)?;
            vec![Dom::Float(a), Dom::Float(b)]
        }
        _ => same(),
    })
}

/// Operands whose result is beyond all finite numbers.
fn overflowing(op: FloatOp, a: Span, b: Span) -> Result<(Span, Span), Empty> {
    let all = raw(op, a, b)?;
    let beyond = match (all.low == f64::NEG_INFINITY, all.high == f64::INFINITY) {
        (false, false) => return Err(Empty),
        (true, true) => return Ok((a, b)),
        (true, false) => Span::new(f64::NEG_INFINITY, -f64::MAX),
        (false, true) => Span::new(f64::MAX, f64::INFINITY),
    };
    operands(op, beyond, a, b)
}

/// Not between -1 and 1, whose ends may fail or not.
fn outside(a: Span) -> Result<Span, Empty> {
    match (a.meet(Span::new(-f64::MAX, -1.0)), a.meet(Span::new(1.0, f64::MAX))) {
        (Ok(below), Ok(above)) => Ok(below.hull(above)),
        (below, above) => below.or(above),
    }
}

fn too_large(a: &Interval) -> Result<Interval, Empty> {
    let all = converted(a);
    // Integers of fewer bits have a float, however they are rounded.
    let least = Int::power_of_two(1023);
    match (all.low == f64::NEG_INFINITY, all.high == f64::INFINITY) {
        (false, false) => Err(Empty),
        (true, true) => Ok(a.clone()),
        (true, false) => a.meet(&Interval::up_to(least.neg())),
        (false, true) => a.meet(&Interval::from(least)),
    }
}

/// Floats that are near the ends of what an operation allows.
pub const EDGES: [f64; 6] = [0.0, 1.0, -1.0, f64::MAX, -f64::MAX, LEAST];
