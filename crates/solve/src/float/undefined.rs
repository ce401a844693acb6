//! The operands for which an operation has no result.

use constraint::FloatOp;
use term::math::Math;

use super::backward::operands;
use super::decimal;
use super::forward::{converted, raw};
use super::interval::{FloatInterval, LEAST};
use super::narrow::Domain;
use crate::integer::int::Int;
use crate::integer::interval::{Empty, Interval};

/// The arguments for which the operation fails.
pub fn failing(op: FloatOp, args: &[&Domain]) -> Result<Vec<Domain>, Empty> {
    let same = || args.iter().map(|arg| (*arg).clone()).collect();
    Ok(match (op, args) {
        (op, _) if op.is_total() => return Err(Empty),
        (FloatOp::Of, [Domain::Int(a)]) => vec![Domain::Int(too_large(a)?)],
        (FloatOp::Decimal, [Domain::Int(m), Domain::Int(e)]) => {
            let (m, e) = decimal::too_large(m, e)?;
            vec![Domain::Int(m), Domain::Int(e)]
        }
        (FloatOp::Math(Math::Sqrt), [Domain::Float(a)]) => vec![Domain::Float(a.below().ok_or(Empty)?)],
        (FloatOp::Math(Math::Log | Math::Log2 | Math::Log10), [Domain::Float(a)]) => {
            vec![Domain::Float(a.meet(FloatInterval::new(-f64::MAX, 0.0))?)]
        }
        (FloatOp::Math(Math::Exp), [Domain::Float(a)]) => {
            vec![Domain::Float(a.meet(FloatInterval::new(709.0, f64::MAX))?)]
        }
        (FloatOp::Math(Math::Acos | Math::Asin | Math::Atanh), [Domain::Float(a)]) => vec![Domain::Float(outside(*a)?)],
        (FloatOp::Div, [_, Domain::Float(b)]) if b.has_zero() => same(),
        (FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div, [Domain::Float(a), Domain::Float(b)]) => {
            let (a, b) = overflowing(op, *a, *b)?;
            vec![Domain::Float(a), Domain::Float(b)]
        }
        _ => same(),
    })
}

/// Operands whose result is beyond all finite numbers.
fn overflowing(op: FloatOp, a: FloatInterval, b: FloatInterval) -> Result<(FloatInterval, FloatInterval), Empty> {
    let all = raw(op, a, b)?;
    let beyond = match (all.low == f64::NEG_INFINITY, all.high == f64::INFINITY) {
        (false, false) => return Err(Empty),
        (true, true) => return Ok((a, b)),
        (true, false) => FloatInterval::new(f64::NEG_INFINITY, -f64::MAX),
        (false, true) => FloatInterval::new(f64::MAX, f64::INFINITY),
    };
    operands(op, beyond, a, b)
}

/// Not between -1 and 1, whose ends may fail or not.
fn outside(a: FloatInterval) -> Result<FloatInterval, Empty> {
    match (a.meet(FloatInterval::new(-f64::MAX, -1.0)), a.meet(FloatInterval::new(1.0, f64::MAX))) {
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
