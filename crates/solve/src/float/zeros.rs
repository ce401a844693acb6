//! Zeros: which expressions can be the negative one, and which operations see that.

use constraint::{FloatOp, Op};
use term::Term;
use term::math::Math;

use super::forward::written;
use super::interval::FloatInterval;
use super::narrow::Domain;
use super::problem::MixedProblem;
use crate::integer::interval::Interval;
use crate::problem::Expression;

/// Returns true if some operation sees the sign of a zero that may have either.
pub fn sees_signs(problem: &MixedProblem) -> bool {
    operations(problem).any(|(op, args)| op.sees_signs() && args.iter().any(|arg| has_signs(problem, *arg)))
}

/// Returns true if some operation gives the bits of such a zero, of which intervals know only one; the intervals of
/// angles hold for both.
pub fn sees_bits(problem: &MixedProblem) -> bool {
    operations(problem).any(|(op, args)| {
        op.sees_signs() && op != FloatOp::Math(Math::Atan2) && args.iter().any(|arg| has_signs(problem, *arg))
    })
}

fn operations(problem: &MixedProblem) -> impl Iterator<Item = (FloatOp, &[usize])> {
    problem.exprs.iter().filter_map(|expr| match expr {
        Expression::Apply(Op::Float(op), args) => Some((*op, &args[..])),
        _ => None,
    })
}

/// Returns true if an expression may be a zero with a sign.
pub fn has_signs(problem: &MixedProblem, at: usize) -> bool {
    match &problem.exprs[at] {
        Expression::Variable(_) => true,
        Expression::Constant(value) => {
            matches!(value, Term::Float(_, value) if *value == 0.0 && value.is_sign_negative())
        }
        Expression::Apply(Op::Float(FloatOp::Of), _) => false,
        Expression::Apply(Op::Float(FloatOp::Add), args) => args.iter().all(|arg| has_signs(problem, *arg)),
        Expression::Apply(..) => true,
    }
}

/// The bits of floats among which there is no negative zero.
pub fn bits_without_sign(op: FloatOp, a: &Domain) -> Option<Interval> {
    match (op, a) {
        (FloatOp::Write(width), Domain::Float(a)) if a.low >= 0.0 => {
            let high = written(
                width,
                FloatInterval::new(a.high.max(super::interval::LEAST), a.high.max(super::interval::LEAST)),
            )
            .high;
            Some(Interval { low: Some(crate::integer::int::Int::ZERO), high })
        }
        _ => None,
    }
}
