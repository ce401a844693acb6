//! Definitions: forms that are an operation on other forms.

use super::super::int::Int;
use super::super::interval::{Empty, Interval};
use super::form::Form;
use super::transfer::{bits, divide, multiply};

/// `result = kind(args)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Definition {
    pub kind: Kind,
    pub result: Form,
    pub args: Vec<Form>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Mul,
    /// Of one argument.
    Square,
    /// Rounds towards zero.
    Div,
    /// Has the sign of the dividend.
    Rem,
    Abs,
    Band,
    Bor,
    Bxor,
    /// To the left, or to the right by a negative number.
    Shift,
    /// No operation: the result is 0 or has the sign of the argument.
    Signed,
}

impl Kind {
    /// The value for these arguments, where there is one and it is not too large.
    pub fn compute(self, args: &[Int]) -> Option<Int> {
        match (self, args) {
            (Kind::Square, [a]) => a.mul_bounded(a),
            (Kind::Abs, [a]) => Some(a.abs()),
            (Kind::Mul, [a, b]) => a.mul_bounded(b),
            (Kind::Div, [a, b]) => (!b.is_zero()).then(|| a.div(b)),
            (Kind::Rem, [a, b]) => (!b.is_zero()).then(|| a.rem(b)),
            (Kind::Band, [a, b]) => Some(a.band(b)),
            (Kind::Bor, [a, b]) => Some(a.bor(b)),
            (Kind::Bxor, [a, b]) => Some(a.bxor(b)),
            (Kind::Shift, [a, b]) => a.shift(b),
            _ => None,
        }
    }

    /// What the result can be.
    fn forward(self, args: &[Interval]) -> Result<Interval, Empty> {
        match (self, args) {
            (Kind::Square, [a]) => Ok(multiply::square(a)),
            (Kind::Abs, [a]) => Ok(multiply::abs(a)),
            (Kind::Signed, [a]) => Ok(multiply::signed(a)),
            (Kind::Mul, [a, b]) => Ok(multiply::product(a, b)),
            (Kind::Div, [a, b]) => divide::quotient(a, b),
            (Kind::Rem, [a, b]) => divide::remainder(a, b),
            (Kind::Band, [a, b]) => Ok(bits::band(a, b)),
            (Kind::Bor, [a, b]) => Ok(bits::bor(a, b)),
            (Kind::Bxor, [a, b]) => Ok(bits::bxor(a, b)),
            (Kind::Shift, [a, b]) => Ok(bits::shift(a, b)),
            _ => Ok(Interval::ALL),
        }
    }

    /// What argument `at` can be.
    fn backward(self, at: usize, result: &Interval, args: &[Interval]) -> Result<Interval, Empty> {
        let other = || &args[1 - at];
        match (self, at) {
            (Kind::Square, _) => multiply::root(result),
            (Kind::Abs, _) => multiply::unabs(result, &args[0]),
            (Kind::Signed, _) => Ok(multiply::unsigned(result)),
            (Kind::Mul, _) => multiply::factor(result, other()),
            (Kind::Div, 0) => Ok(divide::dividend_of_quotient(result, other())),
            (Kind::Div, _) => divide::divisor_of_quotient(result, other(), &args[at]),
            (Kind::Rem, 0) => Ok(divide::dividend_of_remainder(result)),
            (Kind::Rem, _) => divide::divisor_of_remainder(result, &args[at]),
            (Kind::Band, _) => bits::unband(result, &args[at]),
            (Kind::Bor, _) => bits::unbor(result, &args[at]),
            (Kind::Bxor, _) => Ok(bits::bxor(result, other())),
            (Kind::Shift, 0) => bits::unshift(result, other()),
            (Kind::Shift, _) => Ok(Interval::ALL),
        }
    }
}

impl Definition {
    /// Narrows the columns to what this definition leaves of them.
    pub fn narrow(&self, columns: &mut [Interval], changed: &mut impl FnMut(usize)) -> Result<(), Empty> {
        let mut args: Vec<Interval> = self.args.iter().map(|arg| arg.interval(columns)).collect();
        let mut result = self.result.interval(columns).meet(&self.kind.forward(&args)?)?;
        self.check_bits(&result, &args)?;
        self.result.hold_in(&result, columns, changed)?;
        for at in 0..args.len() {
            args[at] = args[at].meet(&self.kind.backward(at, &result, &args)?)?;
            self.args[at].hold_in(&args[at], columns, changed)?;
            args[at] = args[at].meet(&self.args[at].interval(columns))?;
            result = result.meet(&self.result.interval(columns))?;
        }
        Ok(())
    }

    /// A bit that the result must have and an argument lacks, or the other way round.
    fn check_bits(&self, result: &Interval, args: &[Interval]) -> Result<(), Empty> {
        let Some(result) = result.value() else { return Ok(()) };
        let mut known = args.iter().filter_map(Interval::value);
        let contradicted = match self.kind {
            Kind::Band => known.any(|arg| !result.band(&arg.bnot()).is_zero()),
            Kind::Bor => known.any(|arg| !arg.band(&result.bnot()).is_zero()),
            _ => false,
        };
        if contradicted { Err(Empty) } else { Ok(()) }
    }
}
