//! The natives of the `math` module.

use term::math::Math;
use term::{Exception, Term, number};

use crate::raise::{badarg, badarith};
use crate::{Eval, Gives, Operation, Rule};

/// The records of functions: their names and numbers of arguments are those of [`Math`].
macro_rules! records {
    ($($function:ident),*) => {
        &[
            $(Operation::pure(Math::$function.name(), Math::$function.arity() as u8, |args| {
                of_floats(args, Math::$function)
            })
            .rule(Rule::Math(Math::$function))
            .gives(Gives::Float),)*
            Operation::code("pi", 0).gives(Gives::Float),
        ]
    };
}

#[rustfmt::skip]
pub(crate) const OPERATIONS: &[Operation] = records!(
    Acos, Acosh, Asin, Asinh, Atan, Atan2, Atanh, Ceil, Cos, Cosh, Erf, Erfc, Exp, Floor, Fmod, Log, Log10, Log2, Pow,
    Sin, Sinh, Sqrt, Tan, Tanh
);

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
