//! The instructions of a compiled problem, and the operations themselves on the numbers of the walk.

use constraint::{FloatOp, Op};
use term::math::Math;

use crate::integer::evaluate::compute as compute_integers;
use crate::integer::int::Int;

use super::value::{Kind, Num, approx, integer};

/// One operation; an operation of one argument has it twice.
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    /// The operation.
    pub op: Op,
    /// The register of the first operand.
    pub left: u32,
    /// The register of the second operand.
    pub right: u32,
    /// The register of the result.
    pub out: u32,
}

/// The type of an operation's result, if the walk can compute it.
pub fn kind_of(op: Op) -> Option<Kind> {
    match op {
        Op::Float(op) if op.gives_float() => Some(Kind::Float),
        Op::Length | Op::TupleSize | Op::MapSize | Op::BitSize | Op::ByteSize => None,
        _ => Some(Kind::Integer),
    }
}

/// The type of an operation's operands.
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
        (Op::Float(FloatOp::Decimal), Num::Int(_), Num::Int(_)) => slowly(FloatOp::Decimal, &[left, right]),
        (Op::Float(op), Num::Int(_), _) => slowly(op, &[left]),
        (op, Num::Int(a), Num::Int(b)) => of_integers(op, a, b),
        _ => Num::Undefined,
    }
}

#[inline]
fn of_floats(op: FloatOp, a: f64, b: f64) -> Num {
    Num::finite(match op {
        FloatOp::Neg => -a,
        FloatOp::Abs => a.abs(),
        FloatOp::Math(math) if math.arity() == 1 => math.compute(&[a]).unwrap_or(f64::NAN),
        FloatOp::Trunc => return whole(a.trunc()),
        FloatOp::Round => return whole(a.round()),
        FloatOp::Floor => return whole(a.floor()),
        FloatOp::Ceil => return whole(a.ceil()),
        FloatOp::Write(_) | FloatOp::Scaled(_) | FloatOp::Digits | FloatOp::Power => {
            return slowly(op, &[&Num::Float(a)]);
        }
        op => op.of_two(a, b).unwrap_or(f64::NAN),
    })
}

/// As the exact evaluator computes it.
#[cold]
fn slowly(op: FloatOp, args: &[&Num]) -> Num {
    if args.iter().any(|arg| matches!(arg, Num::Float(value) if !value.is_finite())) {
        return Num::Undefined;
    }
    let terms: Option<Vec<term::Term>> = args.iter().map(|arg| arg.term()).collect();
    let result = terms.and_then(|terms| op.compute(&terms));
    result.and_then(|term| Num::of_term(&term)).unwrap_or(Num::Undefined)
}

#[inline]
fn of_integers(op: Op, a: &Int, b: &Int) -> Num {
    let args = [a, b];
    let args = if matches!(op, Op::Neg | Op::Abs | Op::Bnot) { &args[..1] } else { &args };
    compute_integers(op, args).map_or(Num::Undefined, Num::Int)
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

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use term::Term;

    use super::*;

    fn operations() -> Vec<Op> {
        let integers = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Rem, Op::Neg, Op::Abs, Op::Bnot];
        let bits = [Op::Band, Op::Bor, Op::Bxor, Op::Bsl, Op::Bsr];
        let math = Math::ALL.iter().map(|math| Op::Float(FloatOp::Math(*math)));
        crate::float::FLOAT_OPS.map(Op::Float).into_iter().chain(integers).chain(bits).chain(math).collect()
    }

    fn arity(op: Op) -> usize {
        match op {
            Op::Neg | Op::Abs | Op::Bnot => 1,
            Op::Float(FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div | FloatOp::Decimal) => 2,
            Op::Float(FloatOp::Math(math)) => math.arity(),
            Op::Float(_) => 1,
            _ => 2,
        }
    }

    /// The walk may give up on integers that the exact evaluator still has, and on nothing else.
    #[test]
    fn operations_mean_what_the_exact_evaluator_says() {
        let floats = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.5, 1e-310, 1e10, -7.25, 710.0, 1e200, f64::MAX, f64::MIN];
        let small = [0, 1, -1, 2, 7, -13, 64, 1 << 40, i64::MAX, i64::MIN];
        let mut numbers: Vec<Term> = floats.map(Term::float).to_vec();
        numbers.extend(small.map(Term::int));
        numbers.extend([1u32, 70, 1100].map(|bits| Term::big((BigInt::from(3) << bits) + 1)));
        for op in operations() {
            for a in &numbers {
                for b in &numbers {
                    let args = if arity(op) == 1 { vec![a.clone()] } else { vec![a.clone(), b.clone()] };
                    let (left, right) = (Num::of_term(a).unwrap(), Num::of_term(args.last().unwrap()).unwrap());
                    let fits = [&left, &right].iter().all(|arg| arg.kind() == Some(takes(op)));
                    // Shifts that are too large to compute.
                    let far = op == Op::Bsl && b.as_i64().is_none_or(|by| by > 1 << 20);
                    if !fits || far {
                        continue;
                    }
                    let (exact, ours) = (op.compute(&args), compute(op, &left, &right).term());
                    match (&exact, &ours) {
                        (Some(exact), None) if exact.is_integer() => {
                            assert!(exact.as_bigint().unwrap().bits() > 4000, "{op:?} {args:?}");
                        }
                        _ => assert_eq!(exact, ours, "{op:?} {args:?}"),
                    }
                }
            }
        }
    }
}
