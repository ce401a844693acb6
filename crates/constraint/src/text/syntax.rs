//! The syntax tree of a text of conditions, as it is written.

use num_bigint::BigInt;
use term::Mfa;
use term::math::Math;

use super::Spot;
use crate::{FloatOp, Op};

/// All declarations and constraints of a text.
pub struct Parsed {
    /// The declared variables.
    pub variables: Vec<Declared>,
    /// All must hold.
    pub constraints: Vec<Formula>,
}

/// A declaration of a variable.
pub struct Declared {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: Kind,
    /// Its least and greatest value.
    pub range: Option<(Value, Value)>,
}

/// The type of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Integer,
    Float,
}

/// A constant number.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Integer(BigInt),
    Float(f64),
}

/// A condition.
#[derive(Clone, Debug)]
pub enum Formula {
    Test(Compare, Term, Term),
    All(Vec<Formula>),
    Any(Vec<Formula>),
    Not(Box<Formula>),
}

/// A comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    Equal,
    Same,
    Less,
    Not(Plain),
    /// The comparison with its sides exchanged.
    More,
}

/// A comparison without its negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plain {
    Equal,
    Same,
    Less,
    More,
}

/// An expression.
#[derive(Clone, Debug)]
pub enum Term {
    Value(Value),
    Variable(usize),
    Apply(Call, Vec<Term>, Spot),
    /// The result of a function of some module, which is opaque.
    Asked(Mfa, Vec<Term>, Spot),
}

/// An operation as it is written; which one is meant depends on what it gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call {
    /// On integers, or on floats if one operand is.
    Either(Op, FloatOp),
    Integer(Op),
    Divide,
    Float,
    /// Of a float; an integer stays what it is.
    Whole(FloatOp),
    Math(Math),
}

impl Call {
    /// Words that are operators or functions outside of `math`.
    pub(super) fn named(name: &str) -> Option<Call> {
        Some(match name {
            "abs" => Call::Either(Op::Abs, FloatOp::Abs),
            "float" => Call::Float,
            "trunc" => Call::Whole(FloatOp::Trunc),
            "round" => Call::Whole(FloatOp::Round),
            "floor" => Call::Whole(FloatOp::Floor),
            "ceil" => Call::Whole(FloatOp::Ceil),
            "div" => Call::Integer(Op::Div),
            "rem" => Call::Integer(Op::Rem),
            "band" => Call::Integer(Op::Band),
            "bor" => Call::Integer(Op::Bor),
            "bxor" => Call::Integer(Op::Bxor),
            "bsl" => Call::Integer(Op::Bsl),
            "bsr" => Call::Integer(Op::Bsr),
            "bnot" => Call::Integer(Op::Bnot),
            _ => return None,
        })
    }

    pub(super) fn arity(self) -> usize {
        match self {
            Call::Either(Op::Abs | Op::Neg, _) | Call::Integer(Op::Bnot) | Call::Float | Call::Whole(_) => 1,
            Call::Math(math) => math.arity(),
            _ => 2,
        }
    }
}

impl Value {
    pub(super) fn approx(&self) -> f64 {
        match self {
            Value::Integer(value) => num_traits::ToPrimitive::to_f64(value).unwrap_or(f64::NAN),
            Value::Float(value) => *value,
        }
    }
}
