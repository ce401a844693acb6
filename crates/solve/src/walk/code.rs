//! The instructions of a compiled problem, and the operations themselves on the numbers of the walk.

use constraint::{FloatOp, Op};
use term::math::Math;

use crate::integer::evaluate::compute as compute_integers;
use crate::integer::int::Int;

use super::value::{Kind, Num, approx, integer};

/// One operation; an operation of one argument has it twice.
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    pub op: Op,
    pub left: u32,
    pub right: u32,
    pub out: u32,
}

/// What an operation gives, if it is one that the walk can compute.
pub fn kind_of(op: Op) -> Option<Kind> {
    match op {
        Op::Float(op) if op.gives_float() => Some(Kind::Float),
        Op::Length | Op::TupleSize | Op::MapSize | Op::BitSize | Op::ByteSize => None,
        _ => Some(Kind::Integer),
    }
}

/// What an operation takes.
pub fn takes(op: Op) -> Kind {
    match op {
        Op::Float(op) if op.takes_floats() => Kind::Float,
        _ => Kind::Integer,
    }
}

/// The operation itself. What Erlang raises on is undefined, and so is an integer that became too large.
#[inline]
pub fn compute(op: Op, left: &Num, right: &Num) -> Num {
    match (op, left, right) {
        (Op::Float(op), Num::Float(a), Num::Float(b)) => of_floats(op, *a, *b),
        (Op::Float(FloatOp::Of), Num::Int(value), _) => Num::finite(as_float(value)),
        (Op::Float(op), Num::Int(_), _) => slowly(op, left),
        (op, Num::Int(a), Num::Int(b)) => of_integers(op, a, b),
        _ => Num::Undefined,
    }
}

#[inline]
fn of_floats(op: FloatOp, a: f64, b: f64) -> Num {
    Num::finite(match op {
        FloatOp::Add => a + b,
        FloatOp::Sub => a - b,
        FloatOp::Mul => a * b,
        FloatOp::Div if b == 0.0 => return Num::Undefined,
        FloatOp::Div => a / b,
        FloatOp::Neg => -a,
        FloatOp::Abs => a.abs(),
        FloatOp::Math(math) if math.arity() == 2 => math.compute(&[a, b]).unwrap_or(f64::NAN),
        FloatOp::Math(math) => math.compute(&[a]).unwrap_or(f64::NAN),
        FloatOp::Trunc => return whole(a.trunc()),
        FloatOp::Round => return whole(a.round()),
        FloatOp::Floor => return whole(a.floor()),
        FloatOp::Ceil => return whole(a.ceil()),
        FloatOp::Write(_) => return slowly(op, &Num::Float(a)),
        FloatOp::Of | FloatOp::Read(_) => return Num::Undefined,
    })
}

/// As the exact evaluator computes it.
#[cold]
fn slowly(op: FloatOp, arg: &Num) -> Num {
    let result = arg.term().and_then(|term| op.compute(&[term]));
    result.and_then(|term| Num::of_term(&term)).unwrap_or(Num::Undefined)
}

#[inline]
fn of_integers(op: Op, a: &Int, b: &Int) -> Num {
    let value = match op {
        Op::Add => Some(a.add(b)),
        Op::Sub => Some(a.sub(b)),
        Op::Neg | Op::Abs | Op::Bnot => compute_integers(op, &[a]),
        op => compute_integers(op, &[a, b]),
    };
    value.map_or(Num::Undefined, Num::Int)
}

fn whole(value: f64) -> Num {
    integer(value).map_or(Num::Undefined, Num::Int)
}

/// As the VM converts.
fn as_float(value: &Int) -> f64 {
    match value {
        Int::Small(_) => approx(value),
        Int::Big(_) => Num::Int(value.clone()).term().and_then(|term| term::number::to_f64(&term)).unwrap_or(f64::NAN),
    }
}

/// The least and the largest argument of a function, where that is not all, and whether they are included.
pub fn domain(math: Math) -> Option<(f64, f64, bool)> {
    // `exp` of anything larger is no double.
    const LARGEST_EXPONENT: f64 = 709.782712893384;
    match math {
        Math::Log | Math::Log2 | Math::Log10 => Some((0.0, f64::INFINITY, false)),
        Math::Sqrt => Some((0.0, f64::INFINITY, true)),
        Math::Acosh => Some((1.0, f64::INFINITY, true)),
        Math::Exp => Some((f64::NEG_INFINITY, LARGEST_EXPONENT, true)),
        Math::Asin | Math::Acos => Some((-1.0, 1.0, true)),
        Math::Atanh => Some((-1.0, 1.0, false)),
        _ => None,
    }
}
