//! The natives of the `math` module.

use term::math::Math;
use term::{Exception, Term, number};

use crate::raise::{badarg, badarith};
use crate::{Eval, Gives, Operation, Rule};

/// The record of a function: its name and its number of arguments are those of [`Math`].
macro_rules! record {
    ($function:ident) => {
        Operation::pure(Math::$function.name(), Math::$function.arity() as u8, |args| of_floats(args, Math::$function))
            .rule(Rule::Math(Math::$function))
            .gives(Gives::Float)
    };
}

pub(crate) const OPERATIONS: &[Operation] = &[
    record!(Acos),
    record!(Acosh),
    record!(Asin),
    record!(Asinh),
    record!(Atan),
    record!(Atan2),
    record!(Atanh),
    record!(Ceil),
    record!(Cos),
    record!(Cosh),
    record!(Erf),
    record!(Erfc),
    record!(Exp),
    record!(Floor),
    record!(Fmod),
    record!(Log),
    record!(Log10),
    record!(Log2),
    record!(Pow),
    record!(Sin),
    record!(Sinh),
    record!(Sqrt),
    record!(Tan),
    record!(Tanh),
    Operation::code("pi", 0).gives(Gives::Float),
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

fn of_floats(args: &[Term], function: Math) -> Eval {
    let floats: Result<Vec<f64>, _> = args.iter().map(float).collect();
    result(function.compute(&floats?))
}
