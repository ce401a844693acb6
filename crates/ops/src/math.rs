//! The natives of the `math` module.

use term::math::Math;
use term::{Exception, Term, number};

use crate::raise::{badarg, badarith};
use crate::{Entry, Eval};

pub(crate) const NATIVES: &[Entry] = &[
    Entry::pure("acos", 1, |args| of(args, Math::Acos)),
    Entry::pure("acosh", 1, |args| of(args, Math::Acosh)),
    Entry::pure("asin", 1, |args| of(args, Math::Asin)),
    Entry::pure("asinh", 1, |args| of(args, Math::Asinh)),
    Entry::pure("atan", 1, |args| of(args, Math::Atan)),
    Entry::pure("atan2", 2, |args| of_two(args, Math::Atan2)),
    Entry::pure("atanh", 1, |args| of(args, Math::Atanh)),
    Entry::pure("ceil", 1, |args| of(args, Math::Ceil)),
    Entry::pure("cos", 1, |args| of(args, Math::Cos)),
    Entry::pure("cosh", 1, |args| of(args, Math::Cosh)),
    Entry::pure("erf", 1, |args| of(args, Math::Erf)),
    Entry::pure("erfc", 1, |args| of(args, Math::Erfc)),
    Entry::pure("exp", 1, |args| of(args, Math::Exp)),
    Entry::pure("floor", 1, |args| of(args, Math::Floor)),
    Entry::pure("fmod", 2, |args| of_two(args, Math::Fmod)),
    Entry::pure("log", 1, |args| of(args, Math::Log)),
    Entry::pure("log10", 1, |args| of(args, Math::Log10)),
    Entry::pure("log2", 1, |args| of(args, Math::Log2)),
    Entry::pure("pow", 2, |args| of_two(args, Math::Pow)),
    Entry::pure("sin", 1, |args| of(args, Math::Sin)),
    Entry::pure("sinh", 1, |args| of(args, Math::Sinh)),
    Entry::pure("sqrt", 1, |args| of(args, Math::Sqrt)),
    Entry::pure("tan", 1, |args| of(args, Math::Tan)),
    Entry::pure("tanh", 1, |args| of(args, Math::Tanh)),
];

fn result(value: Option<f64>) -> Eval {
    match value {
        Some(value) => Ok(Term::float(value)),
        None => badarith(),
    }
}

/// A number as a float. One that is too large is an error of arithmetic.
fn float(value: &Term) -> Result<f64, Box<Exception>> {
    match number::to_f64(value) {
        Some(value) => Ok(value),
        None if value.is_number() => badarith(),
        None => badarg(),
    }
}

fn of(args: &[Term], function: Math) -> Eval {
    result(function.compute(&[float(&args[0])?]))
}

fn of_two(args: &[Term], function: Math) -> Eval {
    let (a, b) = (float(&args[0])?, float(&args[1])?);
    result(function.compute(&[a, b]))
}
