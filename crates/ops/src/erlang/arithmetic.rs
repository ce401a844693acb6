//! Numbers: the operators of arithmetic and the conversions between integers and floats.

use constraint::{FloatOp, Op};
use term::number::{self, NumberError};
use term::{Exception, Term};

use crate::raise::{OrBadarg, badarg, badarith, system_limit};
use crate::{Eval, Gives, Operation, Rule};

pub(super) const OPERATIONS: &[Operation] = &[
    number(Op::Add, |args| sum(&args[0], &args[1], number::add)),
    number(Op::Sub, |args| sum(&args[0], &args[1], number::sub)),
    number(Op::Mul, |args| product(&args[0], &args[1])),
    whole(Op::Div, |args| result(number::div(&args[0], &args[1]))),
    whole(Op::Rem, |args| result(number::rem(&args[0], &args[1]))),
    whole(Op::Band, |args| result(number::band(&args[0], &args[1]))),
    whole(Op::Bor, |args| result(number::bor(&args[0], &args[1]))),
    whole(Op::Bxor, |args| result(number::bxor(&args[0], &args[1]))),
    whole(Op::Bsl, |args| number::bsl(&args[0], &args[1]).map_err(exception)),
    whole(Op::Bsr, |args| number::bsr(&args[0], &args[1]).map_err(exception)),
    unary(Op::Neg, |args| result(number::neg(&args[0]))).gives(Gives::Number),
    unary(Op::Abs, |args| number::abs(&args[0]).or_badarg()).gives(Gives::Number),
    unary(Op::Bnot, |args| result(number::bnot(&args[0]))).gives(Gives::Integer),
    Operation::pure(Op::Add.name(), 1, |args| result(args[0].is_number().then(|| args[0].clone())))
        .rule(Rule::Plus)
        .gives(Gives::Number)
        .guard(),
    Operation::pure(FloatOp::Div.name(), 2, |args| result(number::divide(&args[0], &args[1])))
        .rule(Rule::Divide)
        .gives(Gives::Float)
        .guard(),
    Operation::pure(FloatOp::Of.name(), 1, float).rule(Rule::Float).gives(Gives::Float).guard(),
    rounding(FloatOp::Trunc, |args| rounded(&args[0], f64::trunc)),
    rounding(FloatOp::Round, |args| rounded(&args[0], f64::round)),
    rounding(FloatOp::Floor, |args| rounded(&args[0], f64::floor)),
    rounding(FloatOp::Ceil, |args| rounded(&args[0], f64::ceil)),
];

type Compute = fn(&mut [Term]) -> Eval;

const fn number(op: Op, rule: Compute) -> Operation {
    Operation::pure(op.name(), 2, rule).rule(Rule::Arith(op)).gives(Gives::Number).guard()
}

/// An operation that takes integers only.
const fn whole(op: Op, rule: Compute) -> Operation {
    Operation::pure(op.name(), 2, rule).rule(Rule::Arith(op)).gives(Gives::Integer).guard()
}

const fn unary(op: Op, rule: Compute) -> Operation {
    Operation::pure(op.name(), 1, rule).rule(Rule::Unary(op)).guard()
}

const fn rounding(op: FloatOp, rule: Compute) -> Operation {
    Operation::pure(op.name(), 1, rule).rule(Rule::Integer(op)).gives(Gives::Integer).guard()
}

#[cold]
fn exception(error: NumberError) -> Box<Exception> {
    Box::new(error.into())
}

#[inline]
fn result(value: Option<Term>) -> Eval {
    match value {
        Some(value) => Ok(value),
        None => badarith(),
    }
}

#[inline]
fn sum(a: &Term, b: &Term, rule: fn(&Term, &Term) -> Option<Term>) -> Eval {
    rule(a, b).ok_or_else(|| exception(number::fault(a, b)))
}

/// Refuses a product beyond all bounds before the work of multiplying.
#[inline]
fn product(a: &Term, b: &Term) -> Eval {
    match (a, b) {
        (Term::Big(_, a), Term::Big(_, b)) if a.bits() + b.bits() > number::MAX_BITS + 1 => system_limit(),
        _ => sum(a, b, number::mul),
    }
}

fn float(args: &mut [Term]) -> Eval {
    let value = number::to_f64(&args[0]).or_badarg()?;
    Ok(Term::float(value))
}

/// An integer as it is, a float rounded to an integer in the given way.
fn rounded(value: &Term, rounding: fn(f64) -> f64) -> Eval {
    match value {
        Term::Int(..) | Term::Big(..) => Ok(value.clone()),
        Term::Float(_, float) => Ok(number::truncate(rounding(*float))),
        _ => badarg(),
    }
}
