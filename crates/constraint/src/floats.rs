//! Operations on floats: what they take and give is fixed, so that a mixture is spelled out as a conversion.

use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use term::math::Math;
use term::{Bits, BitsBuilder, Term, decimal, number};

use crate::Op;

/// An operation on floats. Where it says nothing else it takes floats and gives a float; one that would be no finite
/// number is not defined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    /// The divisor is not 0.
    Div,
    Neg,
    Abs,
    /// Of an integer, which must not be too large.
    Of,
    /// An integer, as are the following three.
    Trunc,
    Round,
    Floor,
    Ceil,
    /// The float whose bits an integer is.
    Read(Width),
    /// The bits of a float, as an integer.
    Write(Width),
    /// The float nearest to an integer times ten to the power of another; it must not be too large.
    Decimal,
    /// The integer nearest to the float times that power of ten, of two the even one.
    Scaled(i16),
    /// The digits of the shortest decimal that is read as the float, as an integer with the float's sign.
    Digits,
    /// The power of ten that goes with them.
    Power,
    Math(Math),
}

/// The number of bits of a float.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Width {
    Half,
    Single,
    Double,
}

impl Width {
    /// The width of that many bits.
    pub fn of(bits: u32) -> Option<Width> {
        match bits {
            16 => Some(Width::Half),
            32 => Some(Width::Single),
            64 => Some(Width::Double),
            _ => None,
        }
    }

    /// The number of bits.
    pub fn bits(self) -> u32 {
        match self {
            Width::Half => 16,
            Width::Single => 32,
            Width::Double => 64,
        }
    }

    /// The place of the exponent in the number that the bits are, and its number of bits.
    pub fn exponent(self) -> (u32, u32) {
        match self {
            Width::Half => (10, 5),
            Width::Single => (23, 8),
            Width::Double => (52, 11),
        }
    }
}

impl Op {
    /// Returns the operation on floats that an operator on numbers means, if it takes floats.
    pub fn on_floats(self) -> Option<FloatOp> {
        match self {
            Op::Add => Some(FloatOp::Add),
            Op::Sub => Some(FloatOp::Sub),
            Op::Mul => Some(FloatOp::Mul),
            Op::Neg => Some(FloatOp::Neg),
            Op::Abs => Some(FloatOp::Abs),
            _ => None,
        }
    }
}

impl FloatOp {
    /// Returns true if the result is a float.
    pub fn gives_float(self) -> bool {
        use FloatOp::{Ceil, Digits, Floor, Power, Round, Scaled, Trunc, Write};
        !matches!(self, Trunc | Round | Floor | Ceil | Write(_) | Scaled(_) | Digits | Power)
    }

    /// Returns true if the operands are floats.
    pub fn takes_floats(self) -> bool {
        !matches!(self, FloatOp::Of | FloatOp::Read(_) | FloatOp::Decimal)
    }

    /// Returns true if the two zeros are different operands.
    pub fn sees_signs(self) -> bool {
        matches!(self, FloatOp::Write(_) | FloatOp::Math(Math::Atan2))
    }

    /// Returns true if it has a result for all arguments of the right kind.
    pub fn is_total(self) -> bool {
        use FloatOp::{Abs, Ceil, Digits, Floor, Neg, Power, Round, Scaled, Trunc, Write};
        match self {
            Neg | Abs | Trunc | Round | Floor | Ceil | Write(_) | Scaled(_) | Digits | Power => true,
            FloatOp::Math(math) => {
                use Math::{Asinh, Atan, Atan2, Cos, Erf, Erfc, Sin, Tanh};
                matches!(math, Math::Ceil | Math::Floor | Asinh | Atan | Atan2 | Cos | Erf | Erfc | Sin | Tanh)
            }
            _ => false,
        }
    }

    /// Returns its name in Erlang's notation.
    pub const fn name(self) -> &'static str {
        match self {
            FloatOp::Add => Op::Add.name(),
            FloatOp::Sub | FloatOp::Neg => Op::Sub.name(),
            FloatOp::Mul => Op::Mul.name(),
            FloatOp::Div => "/",
            FloatOp::Abs => Op::Abs.name(),
            FloatOp::Of => "float",
            FloatOp::Trunc => "trunc",
            FloatOp::Round => "round",
            FloatOp::Floor => Math::Floor.name(),
            FloatOp::Ceil => Math::Ceil.name(),
            FloatOp::Read(Width::Half) => "float_of_bits16",
            FloatOp::Read(Width::Single) => "float_of_bits32",
            FloatOp::Read(Width::Double) => "float_of_bits64",
            FloatOp::Write(Width::Half) => "bits16_of_float",
            FloatOp::Write(Width::Single) => "bits32_of_float",
            FloatOp::Write(Width::Double) => "bits64_of_float",
            FloatOp::Decimal => "decimal",
            FloatOp::Scaled(_) => "scaled",
            FloatOp::Digits => "digits",
            FloatOp::Power => "power",
            FloatOp::Math(math) => math.name(),
        }
    }

    /// The operation itself; `None` where it fails.
    pub fn compute(self, args: &[Term]) -> Option<Term> {
        match (self, args) {
            (FloatOp::Of, [integer]) if integer.is_integer() => number::to_f64(integer).map(Term::float),
            (FloatOp::Read(width), [word]) => read(width, &word.as_bigint()?).map(Term::float),
            (FloatOp::Decimal, [mantissa, exponent]) => {
                decimal::of_decimal(&mantissa.as_bigint()?, &exponent.as_bigint()?).map(Term::float)
            }
            (op, [Term::Float(_, x)]) => op.of_one(*x),
            (op, [Term::Float(_, x), Term::Float(_, y)]) => op.of_two(*x, *y).map(Term::float),
            _ => None,
        }
    }

    fn of_one(self, x: f64) -> Option<Term> {
        Some(match self {
            FloatOp::Neg => Term::float(-x),
            FloatOp::Abs => return number::abs(&Term::float(x)),
            FloatOp::Trunc => number::truncate(x),
            FloatOp::Round => number::truncate(x.round()),
            FloatOp::Floor => number::truncate(x.floor()),
            FloatOp::Ceil => number::truncate(x.ceil()),
            FloatOp::Write(width) => written(width, x)?,
            FloatOp::Scaled(power) => Term::big(decimal::scaled(x, i64::from(power))),
            FloatOp::Digits => Term::big(decimal::shortest(x).0),
            FloatOp::Power => Term::int(decimal::shortest(x).1),
            FloatOp::Math(math) => Term::float(math.compute(&[x])?),
            _ => return None,
        })
    }

    /// The result of an operation on two floats.
    pub fn of_two(self, x: f64, y: f64) -> Option<f64> {
        let value = match self {
            FloatOp::Add => x + y,
            FloatOp::Sub => x - y,
            FloatOp::Mul => x * y,
            FloatOp::Div if y == 0.0 => return None,
            FloatOp::Div => x / y,
            FloatOp::Math(math) => return math.compute(&[x, y]),
            _ => return None,
        };
        value.is_finite().then_some(value)
    }
}

fn read(width: Width, word: &BigInt) -> Option<f64> {
    let size = width.bits() as usize;
    if word.sign() == num_bigint::Sign::Minus || word.bits() > size as u64 {
        return None;
    }
    let mut builder = BitsBuilder::new();
    builder.push_bigint(word, size, false);
    builder.finish().read_float(0, size, false)
}

fn written(width: Width, value: f64) -> Option<Term> {
    let size = width.bits() as usize;
    let mut builder = BitsBuilder::new();
    let bits: Option<Bits> = builder.push_f64(value, size, false).then(|| builder.finish());
    Some(Term::big(BigInt::from(bits?.read_uint(0, size))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arena, Condition, Test, evaluate, holds};

    #[test]
    fn results_are_finite_or_none() {
        let float = Term::float;
        let compute = |op: FloatOp, args: &[Term]| op.compute(args);
        assert_eq!(compute(FloatOp::Add, &[float(1.0e308), float(1.0e308)]), None);
        assert_eq!(compute(FloatOp::Mul, &[float(3.0), float(0.5)]), Some(float(1.5)));
        assert_eq!(compute(FloatOp::Div, &[float(1.0), float(-0.0)]), None);
        assert_eq!(compute(FloatOp::Of, &[Term::big(BigInt::from(1) << 1024)]), None);
        assert_eq!(compute(FloatOp::Of, &[Term::int((1 << 53) + 1)]), Some(float(9_007_199_254_740_992.0)));
        assert_eq!(compute(FloatOp::Round, &[float(-2.5)]), Some(Term::int(-3)));
        assert_eq!(compute(FloatOp::Trunc, &[Term::int(1)]), None);
        assert_eq!(compute(FloatOp::Math(Math::Sqrt), &[float(-1.0)]), None);
    }

    #[test]
    fn bits_of_floats_and_back() {
        let mut arena = Arena::new();
        let x = arena.input(0);
        for width in [Width::Half, Width::Single, Width::Double] {
            let word = arena.float(FloatOp::Write(width), &[x]);
            let back = arena.float(FloatOp::Read(width), &[word]);
            assert_eq!(evaluate(&arena, back, &[Term::float(-1.5)]), Ok(Term::float(-1.5)));
            assert_eq!(back == x, width == Width::Double);
        }
        let infinite = arena.literal(Term::int(0x7c00));
        let none = arena.float(FloatOp::Read(Width::Half), &[infinite]);
        let defined = Condition { test: Test::Defined(none), holds: false };
        assert_eq!(holds(&arena, &defined, &[]), Ok(true));
    }

    #[test]
    fn the_negative_zero_is_an_expression_of_its_own() {
        let mut arena = Arena::new();
        let (plus, minus) = (arena.literal(Term::float(0.0)), arena.literal(Term::float(-0.0)));
        assert_ne!(plus, minus);
        let bits = arena.float(FloatOp::Write(Width::Double), &[minus]);
        assert_eq!(evaluate(&arena, bits, &[]), Ok(Term::big(BigInt::from(1) << 63)));
    }
}
