//! The rest of a float without its whole part: less than one, and nothing of it is lost by the subtraction.

use constraint::{FloatOp, Op};
use term::math::Math;

use super::interval::FloatInterval;
use super::narrow::{Domain, keep};
use super::problem::MixedProblem;
use crate::integer::interval::Empty;
use crate::problem::{Constraint, Expression};

/// A float without its whole part.
pub struct Fraction {
    rest: usize,
    float: usize,
    rounding: Rounding,
}

#[derive(Clone, Copy, PartialEq)]
enum Rounding {
    ToZero,
    Down,
    Up,
    Nearest,
}

/// The largest float below one.
const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;

impl Fraction {
    /// Narrows the domains of its parts; returns true if one changed.
    pub fn narrow(&self, doms: &mut [Domain]) -> Result<bool, Empty> {
        let Domain::Float(of) = doms[self.float] else { return Err(Empty) };
        let low = if of.low >= 0.0 { 0.0 } else { -BELOW_ONE };
        let high = if of.high <= 0.0 { 0.0 } else { BELOW_ONE };
        let span = match self.rounding {
            Rounding::ToZero => FloatInterval::new(low, high),
            Rounding::Down => FloatInterval::new(0.0, BELOW_ONE),
            Rounding::Up => FloatInterval::new(-BELOW_ONE, 0.0),
            Rounding::Nearest => FloatInterval::new(-0.5, 0.5),
        };
        keep(doms, self.rest, &Domain::Float(span))
    }
}

/// All expressions `x - trunc(x)` and the like. The whole part of a float is a float.
pub fn fractions(problem: &MixedProblem) -> Vec<Fraction> {
    let apply = |at: usize| match &problem.exprs[at] {
        Expression::Apply(Op::Float(op), args) => Some((*op, &args[..])),
        _ => None,
    };
    let equals = |at: usize| {
        problem.relations.iter().filter_map(move |relation| match *relation {
            Constraint::Equal(a, b) if a == at => Some(b),
            Constraint::Equal(a, b) if b == at => Some(a),
            _ => None,
        })
    };
    let whole = |at: usize, float: usize| {
        let rounding = |at: usize| match apply(at)? {
            (FloatOp::Trunc, [of]) if *of == float => Some(Rounding::ToZero),
            (FloatOp::Floor, [of]) if *of == float => Some(Rounding::Down),
            (FloatOp::Ceil, [of]) if *of == float => Some(Rounding::Up),
            (FloatOp::Round, [of]) if *of == float => Some(Rounding::Nearest),
            _ => None,
        };
        rounding(at).or_else(|| equals(at).find_map(rounding))
    };
    let found = (0..problem.exprs.len()).filter_map(|rest| {
        let (FloatOp::Sub, [float, part]) = apply(rest)? else { return None };
        let rounding = match apply(*part)? {
            (FloatOp::Of, [integer]) => whole(*integer, *float)?,
            (FloatOp::Math(Math::Floor), [of]) if of == float => Rounding::Down,
            (FloatOp::Math(Math::Ceil), [of]) if of == float => Rounding::Up,
            _ => return None,
        };
        Some(Fraction { rest, float: *float, rounding })
    });
    found.collect()
}
