//! Definitions: forms that are an operation on other forms.

use constraint::Op;

use super::super::bounds::forward;
use super::super::evaluate::compute;
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
    /// Of the language; a shift to the right is one to the left by a negative number.
    Op(Op),
    /// Of one argument.
    Square,
    /// No operation: the result is 0 or has the sign of the argument.
    Signed,
}

impl DefinitionKind {
    /// The value for these arguments, where there is one and it is not too large.
    pub fn compute(self, args: &[Int]) -> Option<Int> {
        match (self, args) {
            (DefinitionKind::Square, [a]) => a.mul_bounded(a),
            (DefinitionKind::Op(op), args) => compute(op, &args.iter().collect::<Vec<_>>()),
            _ => None,
        }
    }

    /// The interval of the result.
    fn forward(self, args: &[Interval]) -> Result<Interval, Empty> {
        match (self, args) {
            (DefinitionKind::Square, [a]) => Ok(multiply::square(a)),
            (DefinitionKind::Signed, [a]) => Ok(multiply::signed(a)),
            (DefinitionKind::Op(op), args) => forward(op, &args.iter().collect::<Vec<_>>()),
            _ => Ok(Interval::ALL),
        }
    }

    /// The interval of argument `at`.
    fn backward(self, at: usize, result: &Interval, args: &[Interval]) -> Result<Interval, Empty> {
        let other = || &args[1 - at];
        match (self, at) {
            (DefinitionKind::Square, _) => multiply::root(result),
            (DefinitionKind::Op(Op::Abs), _) => multiply::unabs(result, &args[0]),
            (DefinitionKind::Signed, _) => Ok(multiply::unsigned(result)),
            (DefinitionKind::Op(Op::Mul), _) => multiply::factor(result, other()),
            (DefinitionKind::Op(Op::Div), 0) => Ok(divide::dividend_of_quotient(result, other())),
            (DefinitionKind::Op(Op::Div), _) => divide::divisor_of_quotient(result, other(), &args[at]),
            (DefinitionKind::Op(Op::Rem), 0) => Ok(result.clone().beyond()),
            (DefinitionKind::Op(Op::Rem), _) => divide::divisor_of_remainder(result, &args[at]),
            (DefinitionKind::Op(Op::Band), _) => bits::unband(result, &args[at]),
            (DefinitionKind::Op(Op::Bor), _) => bits::unbor(result, &args[at]),
            (DefinitionKind::Op(Op::Bxor), _) => Ok(bits::bxor(result, other())),
            (DefinitionKind::Op(Op::Bsl), 0) => bits::unshift(result, other()),
            (DefinitionKind::Op(_), _) => Ok(Interval::ALL),
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
            DefinitionKind::Op(Op::Band) => known.any(|arg| !result.band(&arg.bnot()).is_zero()),
            DefinitionKind::Op(Op::Bor) => known.any(|arg| !arg.band(&result.bnot()).is_zero()),
            _ => false,
        };
        if contradicted { Err(Empty) } else { Ok(()) }
    }
}
