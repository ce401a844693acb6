//! Definitions: forms that are an operation on other forms.

use super::super::int::Int;
use super::super::interval::{Empty, Interval};
use super::form::Form;
use super::transfer::{bits, divide, multiply};

/// `result = kind(args)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Definition {
    /// The operation.
    pub kind: DefinitionKind,
    /// The form that has its result.
    pub result: Form,
    /// The forms of its operands.
    pub args: Vec<Form>,
}

/// An operation that is not linear.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DefinitionKind {
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

impl DefinitionKind {
    /// The value for these arguments, where there is one and it is not too large.
    pub fn compute(self, args: &[Int]) -> Option<Int> {
        match (self, args) {
            (DefinitionKind::Square, [a]) => a.mul_bounded(a),
            (DefinitionKind::Abs, [a]) => Some(a.abs()),
            (DefinitionKind::Mul, [a, b]) => a.mul_bounded(b),
            (DefinitionKind::Div, [a, b]) => (!b.is_zero()).then(|| a.div(b)),
            (DefinitionKind::Rem, [a, b]) => (!b.is_zero()).then(|| a.rem(b)),
            (DefinitionKind::Band, [a, b]) => Some(a.band(b)),
            (DefinitionKind::Bor, [a, b]) => Some(a.bor(b)),
            (DefinitionKind::Bxor, [a, b]) => Some(a.bxor(b)),
            (DefinitionKind::Shift, [a, b]) => a.shift(b),
            _ => None,
        }
    }

    /// The interval of the result.
    fn forward(self, args: &[Interval]) -> Result<Interval, Empty> {
        match (self, args) {
            (DefinitionKind::Square, [a]) => Ok(multiply::square(a)),
            (DefinitionKind::Abs, [a]) => Ok(multiply::abs(a)),
            (DefinitionKind::Signed, [a]) => Ok(multiply::signed(a)),
            (DefinitionKind::Mul, [a, b]) => Ok(multiply::product(a, b)),
            (DefinitionKind::Div, [a, b]) => divide::quotient(a, b),
            (DefinitionKind::Rem, [a, b]) => divide::remainder(a, b),
            (DefinitionKind::Band, [a, b]) => Ok(bits::band(a, b)),
            (DefinitionKind::Bor, [a, b]) => Ok(bits::bor(a, b)),
            (DefinitionKind::Bxor, [a, b]) => Ok(bits::bxor(a, b)),
            (DefinitionKind::Shift, [a, b]) => Ok(bits::shift(a, b)),
            _ => Ok(Interval::ALL),
        }
    }

    /// The interval of argument `at`.
    fn backward(self, at: usize, result: &Interval, args: &[Interval]) -> Result<Interval, Empty> {
        let other = || &args[1 - at];
        match (self, at) {
            (DefinitionKind::Square, _) => multiply::root(result),
            (DefinitionKind::Abs, _) => multiply::unabs(result, &args[0]),
            (DefinitionKind::Signed, _) => Ok(multiply::unsigned(result)),
            (DefinitionKind::Mul, _) => multiply::factor(result, other()),
            (DefinitionKind::Div, 0) => Ok(divide::dividend_of_quotient(result, other())),
            (DefinitionKind::Div, _) => divide::divisor_of_quotient(result, other(), &args[at]),
            (DefinitionKind::Rem, 0) => Ok(divide::dividend_of_remainder(result)),
            (DefinitionKind::Rem, _) => divide::divisor_of_remainder(result, &args[at]),
            (DefinitionKind::Band, _) => bits::unband(result, &args[at]),
            (DefinitionKind::Bor, _) => bits::unbor(result, &args[at]),
            (DefinitionKind::Bxor, _) => Ok(bits::bxor(result, other())),
            (DefinitionKind::Shift, 0) => bits::unshift(result, other()),
            (DefinitionKind::Shift, _) => Ok(Interval::ALL),
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
            DefinitionKind::Band => known.any(|arg| !result.band(&arg.bnot()).is_zero()),
            DefinitionKind::Bor => known.any(|arg| !arg.band(&result.bnot()).is_zero()),
            _ => false,
        };
        if contradicted { Err(Empty) } else { Ok(()) }
    }
}
