//! Random problems, for comparing solvers and measuring them.

use constraint::Op;
use num_bigint::BigInt;
use solve::integer::{IntegerProblem, Range, Variable};
use solve::problem::{Constraint, Expression};

/// Operations on two integers.
pub const BINARY: [Op; 10] =
    [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Rem, Op::Band, Op::Bor, Op::Bxor, Op::Bsl, Op::Bsr];
/// Operations on one.
pub const UNARY: [Op; 3] = [Op::Neg, Op::Abs, Op::Bnot];

/// The size and kind of random problems.
#[derive(Clone, Copy, Debug)]
pub struct RandomProblems {
    /// Variables at most.
    pub variables: u64,
    /// Of the absolute values of bounds and constants.
    pub most: i64,
    /// Operations at most.
    pub operations: u64,
    /// Relations at most.
    pub relations: u64,
    /// True if all variables have bounds.
    pub bounded: bool,
    /// True if operations that are not linear occur.
    pub all: bool,
}

impl RandomProblems {
    /// A problem, made from a source of numbers below the one it is given.
    pub fn problem(&self, below: &mut dyn FnMut(u64) -> u64) -> IntegerProblem {
        let mut problem = IntegerProblem::default();
        for at in 0..1 + below(self.variables) {
            problem.variables.push(self.variable(below));
            problem.exprs.push(Expression::Variable(at as usize));
        }
        for _ in 0..2 {
            problem.exprs.push(Expression::Constant(self.number(below)));
        }
        for _ in 0..below(self.operations + 1) {
            let operation = self.operation(problem.exprs.len(), below);
            problem.exprs.push(operation);
        }
        for _ in 0..1 + below(self.relations) {
            problem.relations.push(relation(problem.exprs.len(), below));
        }
        problem
    }

    fn number(&self, below: &mut dyn FnMut(u64) -> u64) -> BigInt {
        BigInt::from(below(2 * self.most as u64 + 1) as i64 - self.most)
    }

    fn variable(&self, below: &mut dyn FnMut(u64) -> u64) -> Variable {
        let (a, b) = (self.number(below), self.number(below));
        let (low, high) = if a <= b { (a, b) } else { (b, a) };
        let low = (self.bounded || below(3) == 0).then_some(low);
        let high = (self.bounded || below(3) == 0).then_some(high);
        Variable { range: Range { low, high }, near: (below(2) == 0).then(|| self.number(below)) }
    }

    fn operation(&self, known: usize, below: &mut dyn FnMut(u64) -> u64) -> Expression<BigInt> {
        let mut pick = |count: usize| below(count as u64) as usize;
        if pick(6) == 0 {
            let ops = if self.all { &UNARY[..] } else { &UNARY[..1] };
            return Expression::Apply(ops[pick(ops.len())], vec![pick(known)]);
        }
        let ops = if self.all { &BINARY[..] } else { &BINARY[..2] };
        Expression::Apply(ops[pick(ops.len())], vec![pick(known), pick(known)])
    }
}

fn relation(known: usize, below: &mut dyn FnMut(u64) -> u64) -> Constraint {
    let a = known - 1 - below(known.min(4) as u64) as usize;
    let b = below(known as u64) as usize;
    match below(5) {
        0 | 1 => Constraint::Equal(a, b),
        2 => Constraint::Differ(a, b),
        3 => Constraint::Less(a, b),
        _ => Constraint::AtMost(b, a),
    }
}
