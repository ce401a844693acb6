//! Bounds on the expressions of a problem, if its relations hold.

use constraint::Op;

use super::arithmetic;
use super::arithmetic::transfer::{bits, divide, multiply};
use super::int::Int;
use super::interval::{Empty, Interval};
use super::problem::IntegerProblem;
use crate::problem::Expression;

/// An interval for each variable and for each expression.
pub struct Bounds {
    /// The intervals of the variables.
    pub variables: Vec<Interval>,
    /// The intervals of the expressions.
    pub exprs: Vec<Interval>,
}

/// `None` if the problem has an operation that is not about integers.
pub fn bounds(problem: &IntegerProblem) -> Option<Result<Bounds, Empty>> {
    let variables = match arithmetic::variables(problem)? {
        Ok(variables) => variables,
        Err(Empty) => return Some(Err(Empty)),
    };
    let mut exprs: Vec<Interval> = Vec::with_capacity(problem.exprs.len());
    for expr in &problem.exprs {
        let interval = match expr {
            Expression::Variable(at) => variables[*at].clone(),
            Expression::Constant(value) => Interval::point(Int::of(value)),
            // What is never defined is in no relation: else there would have been a contradiction.
            Expression::Apply(op, args) => {
                let args: Vec<&Interval> = args.iter().map(|at| &exprs[*at]).collect();
                forward(*op, &args).unwrap_or(Interval::ALL)
            }
        };
        exprs.push(interval);
    }
    Some(Ok(Bounds { variables, exprs }))
}

/// The interval of results of an operation on integers.
pub(crate) fn forward(op: Op, args: &[&Interval]) -> Result<Interval, Empty> {
    let minus = Interval::point(Int::from(-1));
    match (op, args) {
        (Op::Neg, [a]) => Ok(a.neg()),
        (Op::Abs, [a]) => Ok(multiply::abs(a)),
        (Op::Bnot, [a]) => Ok(a.neg().plus(&minus)),
        (Op::Add, [a, b]) => Ok(a.plus(b)),
        (Op::Sub, [a, b]) => Ok(a.plus(&b.neg())),
        (Op::Mul, [a, b]) => Ok(multiply::product(a, b)),
        (Op::Div, [a, b]) => divide::quotient(a, b),
        (Op::Rem, [a, b]) => divide::remainder(a, b),
        (Op::Band, [a, b]) => Ok(bits::band(a, b)),
        (Op::Bor, [a, b]) => Ok(bits::bor(a, b)),
        (Op::Bxor, [a, b]) => Ok(bits::bxor(a, b)),
        (Op::Bsl, [a, b]) => Ok(bits::shift(a, b)),
        (Op::Bsr, [a, b]) => Ok(bits::shift(a, &b.neg())),
        _ => Ok(Interval::ALL),
    }
}

/// The intervals of the arguments of an operation on integers, narrowed by its result.
pub(crate) fn backward(op: Op, result: &Interval, args: &[&Interval]) -> Result<Vec<Interval>, Empty> {
    let minus = |a: &Interval, b: &Interval| a.plus(&b.neg());
    let one = Interval::point(Int::ONE);
    Ok(match (op, args) {
        (Op::Neg, [a]) => vec![a.meet(&result.neg())?],
        (Op::Abs, [a]) => vec![a.meet(&multiply::unabs(result, a)?)?],
        (Op::Bnot, [a]) => vec![a.meet(&minus(&result.neg(), &one))?],
        (Op::Add, [a, b]) => vec![a.meet(&minus(result, b))?, b.meet(&minus(result, a))?],
        (Op::Sub, [a, b]) => vec![a.meet(&result.plus(b))?, b.meet(&minus(a, result))?],
        (Op::Mul, [a, b]) => vec![a.meet(&multiply::factor(result, b)?)?, b.meet(&multiply::factor(result, a)?)?],
        (Op::Div, [a, b]) => vec![a.meet(&divide::dividend_of_quotient(result, b))?, (*b).clone()],
        (Op::Rem, [a, b]) => vec![divide::dividend_near_remainder(a, b, result)?, (*b).clone()],
        (_, args) => args.iter().map(|arg| (*arg).clone()).collect(),
    })
}
