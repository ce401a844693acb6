//! Operations on numbers, lengths and sizes: their names and their values.

use serde::{Deserialize, Serialize};
use term::{Term, number};

use crate::FloatOp;

/// An operation that solvers interpret. All but those on floats give integers, and take integers unless they say
/// otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Op {
    Add,
    Sub,
    Mul,
    /// Rounds towards zero; the divisor is not 0.
    Div,
    /// Has the sign of the dividend; the divisor is not 0.
    Rem,
    Neg,
    Abs,
    Band,
    Bor,
    Bxor,
    Bnot,
    Bsl,
    Bsr,
    /// Of a proper list.
    Length,
    /// Of a tuple.
    TupleSize,
    /// Of a map.
    MapSize,
    /// Of a bitstring.
    BitSize,
    /// Of a bitstring, a last byte that is not whole included.
    ByteSize,
    /// Floats are in it: what it takes or what it gives.
    Float(FloatOp),
}

impl Op {
    /// The operation itself, on values; `None` where it fails.
    pub fn compute(self, args: &[Term]) -> Option<Term> {
        let integers = args.iter().all(Term::is_integer);
        match (self, args) {
            (Op::Length, [list]) => Some(Term::int(list.proper_list()?.len() as i64)),
            (Op::MapSize, [map]) => Some(Term::int(map.as_map()?.len() as i64)),
            (Op::TupleSize, [tuple]) => Some(Term::int(tuple.as_tuple()?.len() as i64)),
            (Op::BitSize, [bits]) => Some(Term::int(bits.as_bits()?.bit_len() as i64)),
            (Op::ByteSize, [bits]) => Some(Term::int(bits.as_bits()?.byte_len() as i64)),
            (Op::Float(op), args) => op.compute(args),
            _ if !integers => None,
            (Op::Neg, [a]) => number::neg(a),
            (Op::Abs, [a]) => number::abs(a),
            (Op::Bnot, [a]) => number::bnot(a),
            (_, [a, b]) => self.compute_two(a, b),
            _ => None,
        }
    }

    fn compute_two(self, a: &Term, b: &Term) -> Option<Term> {
        match self {
            Op::Add => number::add(a, b),
            Op::Sub => number::sub(a, b),
            Op::Mul => number::mul(a, b),
            Op::Div => number::div(a, b),
            Op::Rem => number::rem(a, b),
            Op::Band => number::band(a, b),
            Op::Bor => number::bor(a, b),
            Op::Bxor => number::bxor(a, b),
            Op::Bsl => number::bsl(a, b).ok(),
            Op::Bsr => number::bsr(a, b).ok(),
            Op::Neg | Op::Abs | Op::Bnot | Op::Length | Op::TupleSize | Op::MapSize | Op::BitSize | Op::ByteSize => {
                None
            }
            Op::Float(_) => None,
        }
    }

    /// Returns true if it is written as a call, though it has two operands.
    pub(crate) fn is_called(self) -> bool {
        matches!(self, Op::Float(FloatOp::Math(_) | FloatOp::Decimal))
    }

    /// The operator or function that it is in Erlang.
    pub const fn name(self) -> &'static str {
        match self {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "div",
            Op::Rem => "rem",
            Op::Neg => "-",
            Op::Abs => "abs",
            Op::Band => "band",
            Op::Bor => "bor",
            Op::Bxor => "bxor",
            Op::Bnot => "bnot",
            Op::Bsl => "bsl",
            Op::Bsr => "bsr",
            Op::Length => "length",
            Op::TupleSize => "tuple_size",
            Op::MapSize => "map_size",
            Op::BitSize => "bit_size",
            Op::ByteSize => "byte_size",
            Op::Float(op) => op.name(),
        }
    }
}
