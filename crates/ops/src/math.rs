//! The natives of the `math` module. They are the C library's, as the VM's are.

use term::{Exception, Term, number};

use crate::raise::{badarg, badarith};
use crate::{Entry, Eval};

// Functions of the C library that have no counterpart in Rust's, or one that gives other last digits.
unsafe extern "C" {
    safe fn acosh(x: f64) -> f64;
    safe fn asinh(x: f64) -> f64;
    safe fn atanh(x: f64) -> f64;
    safe fn erf(x: f64) -> f64;
    safe fn erfc(x: f64) -> f64;
}

pub(crate) const NATIVES: &[Entry] = &[
    Entry::pure("acos", 1, |args| of(args, f64::acos)),
    Entry::pure("acosh", 1, |args| of(args, |x| acosh(x))),
    Entry::pure("asin", 1, |args| of(args, f64::asin)),
    Entry::pure("asinh", 1, |args| of(args, |x| asinh(x))),
    Entry::pure("atan", 1, |args| of(args, f64::atan)),
    Entry::pure("atan2", 2, |args| of_two(args, f64::atan2)),
    Entry::pure("atanh", 1, |args| of(args, |x| atanh(x))),
    Entry::pure("ceil", 1, |args| of(args, f64::ceil)),
    Entry::pure("cos", 1, |args| of(args, f64::cos)),
    Entry::pure("cosh", 1, |args| of(args, f64::cosh)),
    Entry::pure("erf", 1, |args| of(args, |x| erf(x))),
    Entry::pure("erfc", 1, |args| of(args, |x| erfc(x))),
    Entry::pure("exp", 1, |args| of(args, f64::exp)),
    Entry::pure("floor", 1, |args| of(args, f64::floor)),
    Entry::pure("fmod", 2, |args| of_two(args, |a, b| a % b)),
    Entry::pure("log", 1, |args| of(args, f64::ln)),
    Entry::pure("log10", 1, |args| of(args, f64::log10)),
    Entry::pure("log2", 1, |args| of(args, f64::log2)),
    Entry::pure("pow", 2, |args| of_two(args, f64::powf)),
    Entry::pure("sin", 1, |args| of(args, f64::sin)),
    Entry::pure("sinh", 1, |args| of(args, f64::sinh)),
    Entry::pure("sqrt", 1, |args| of(args, f64::sqrt)),
    Entry::pure("tan", 1, |args| of(args, f64::tan)),
    Entry::pure("tanh", 1, |args| of(args, f64::tanh)),
];

fn result(value: f64) -> Eval {
    if value.is_finite() { Ok(Term::float(value)) } else { badarith() }
}

/// A number as a float. One that is too large is an error of arithmetic.
fn float(value: &Term) -> Result<f64, Box<Exception>> {
    match number::to_f64(value) {
        Some(value) => Ok(value),
        None if value.is_number() => badarith(),
        None => badarg(),
    }
}

fn of(args: &[Term], rule: fn(f64) -> f64) -> Eval {
    result(rule(float(&args[0])?))
}

fn of_two(args: &[Term], rule: fn(f64, f64) -> f64) -> Eval {
    let (a, b) = (float(&args[0])?, float(&args[1])?);
    result(rule(a, b))
}
