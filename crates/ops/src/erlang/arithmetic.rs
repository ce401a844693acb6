//! Numbers: the operators of arithmetic and the conversions between integers and floats.

use term::number::{self, NumberError};
use term::{Exception, Term};

use crate::raise::{OrBadarg, badarg, badarith, system_limit};
use crate::{Entry, Eval};

pub(super) const NATIVES: &[Entry] = &[
    Entry::pure("+", 2, |args| sum(&args[0], &args[1], number::add)),
    Entry::pure("-", 2, |args| sum(&args[0], &args[1], number::sub)),
    Entry::pure("*", 2, |args| product(&args[0], &args[1])),
    Entry::pure("/", 2, |args| result(number::divide(&args[0], &args[1]))),
    Entry::pure("div", 2, |args| result(number::div(&args[0], &args[1]))),
    Entry::pure("rem", 2, |args| result(number::rem(&args[0], &args[1]))),
    Entry::pure("band", 2, |args| result(number::band(&args[0], &args[1]))),
    Entry::pure("bor", 2, |args| result(number::bor(&args[0], &args[1]))),
    Entry::pure("bxor", 2, |args| result(number::bxor(&args[0], &args[1]))),
    Entry::pure("bnot", 1, |args| result(number::bnot(&args[0]))),
    Entry::pure("bsl", 2, |args| number::bsl(&args[0], &args[1]).map_err(exception)),
    Entry::pure("bsr", 2, |args| number::bsr(&args[0], &args[1]).map_err(exception)),
    Entry::pure("+", 1, |args| result(args[0].is_number().then(|| args[0].clone()))),
    Entry::pure("-", 1, |args| result(number::neg(&args[0]))),
    Entry::pure("abs", 1, |args| number::abs(&args[0]).or_badarg()),
    Entry::pure("float", 1, float),
    Entry::pure("trunc", 1, |args| whole(&args[0], f64::trunc)),
    Entry::pure("round", 1, |args| whole(&args[0], f64::round)),
    Entry::pure("floor", 1, |args| whole(&args[0], f64::floor)),
    Entry::pure("ceil", 1, |args| whole(&args[0], f64::ceil)),
];

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
fn whole(value: &Term, rounding: fn(f64) -> f64) -> Eval {
    match value {
        Term::Int(..) | Term::Big(..) => Ok(value.clone()),
        Term::Float(_, float) => Ok(number::truncate(rounding(*float))),
        _ => badarg(),
    }
}
