//! The truth of an integer problem, given values.

use constraint::Op;
use num_bigint::BigInt;

use super::int::Int;
use super::problem::IntegerProblem;
use crate::problem::{Constraint, Expression};

/// Returns true if values within the bounds of the variables meet all relations.
pub fn is_met_by(problem: &IntegerProblem, values: &[BigInt]) -> bool {
    let within = problem.variables.iter().zip(values).all(|(variable, value)| variable.range.contains(value));
    values.len() == problem.variables.len() && within && unmet(problem, values).next().is_none()
}

/// The places of relations that values do not meet.
pub fn unmet(problem: &IntegerProblem, values: &[BigInt]) -> impl Iterator<Item = usize> {
    let values: Vec<Int> = values.iter().map(Int::of).collect();
    let exprs = expressions(problem, &values);
    (0..problem.relations.len()).filter(move |at| !holds(&problem.relations[*at], &exprs))
}

/// The value of each expression, where it has one that is not too large.
fn expressions(problem: &IntegerProblem, values: &[Int]) -> Vec<Option<Int>> {
    let mut known: Vec<Option<Int>> = Vec::with_capacity(problem.exprs.len());
    for expr in &problem.exprs {
        let value = match expr {
            Expression::Variable(at) => values.get(*at).cloned(),
            Expression::Constant(value) => Some(Int::of(value)),
            Expression::Apply(op, args) => {
                let args: Option<Vec<&Int>> = args.iter().map(|at| known.get(*at)?.as_ref()).collect();
                args.and_then(|args| compute(*op, &args))
            }
        };
        known.push(value);
    }
    known
}

fn holds(relation: &Constraint, exprs: &[Option<Int>]) -> bool {
    let value = |at: usize| exprs.get(at).and_then(Option::as_ref);
    let (a, b) = relation.sides();
    let (Some(a), Some(b)) = (value(a), value(b)) else { return false };
    relation.holds(a.cmp(b))
}

/// An operation on integers; `None` where it is not defined or its result would be too large.
pub fn compute(op: Op, args: &[&Int]) -> Option<Int> {
    match (op, args) {
        (Op::Neg, [a]) => Some(a.neg()),
        (Op::Abs, [a]) => Some(a.abs()),
        (Op::Bnot, [a]) => Some(a.bnot()),
        (_, [a, b]) => compute_two(op, a, b),
        _ => None,
    }
}

fn compute_two(op: Op, a: &Int, b: &Int) -> Option<Int> {
    match op {
        Op::Add => Some(a.add(b)),
        Op::Sub => Some(a.sub(b)),
        Op::Mul => a.mul_bounded(b),
        Op::Div | Op::Rem if b.is_zero() => None,
        Op::Div => Some(a.div(b)),
        Op::Rem => Some(a.rem(b)),
        Op::Band => Some(a.band(b)),
        Op::Bor => Some(a.bor(b)),
        Op::Bxor => Some(a.bxor(b)),
        Op::Bsl => a.shift(b),
        Op::Bsr => a.shift(&b.neg()),
        Op::Neg | Op::Abs | Op::Bnot | Op::Length | Op::TupleSize | Op::MapSize | Op::BitSize | Op::ByteSize => None,
        Op::Float(_) => None,
    }
}
