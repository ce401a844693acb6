//! What the structural member asks of an integer solver, and what that can say.

use constraint::Op;
use num_bigint::BigInt;

use crate::float::{self, Mixed, MixedAnswer};
use crate::query::{Budget, Unknown};

/// Relations between expressions over integer variables; all must hold.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Problem {
    pub variables: Vec<Variable>,
    /// Each refers only to earlier ones.
    pub exprs: Vec<IntExpr>,
    pub relations: Vec<Relation>,
}

/// An integer to be found; bounds included, `None` is unbounded.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Variable {
    pub low: Option<BigInt>,
    pub high: Option<BigInt>,
    /// The value to prefer.
    pub near: Option<BigInt>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum IntExpr {
    /// Of [`Problem::variables`].
    Variable(usize),
    Constant(BigInt),
    /// An operation on earlier expressions: arithmetic and bits, no lengths or sizes. It must be defined: a division
    /// by zero makes no values an answer.
    Apply(Op, Vec<usize>),
}

/// Between expressions, named by their place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    Equal(usize, usize),
    Differ(usize, usize),
    Less(usize, usize),
    AtMost(usize, usize),
}

/// What an integer solver says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IntAnswer {
    /// A value for each variable, in their order.
    Values(Vec<BigInt>),
    /// There are none: a proof.
    None,
    Unknown(Unknown),
}

pub trait IntegerSolver {
    fn solve(&mut self, problem: &Problem, budget: &Budget) -> IntAnswer;

    /// A problem of floats, and of integers that hang together with them.
    fn solve_mixed(&mut self, problem: &Mixed, budget: &Budget) -> MixedAnswer {
        float::solve(problem, budget)
    }
}

impl Relation {
    /// The places of what it relates.
    pub fn sides(&self) -> (usize, usize) {
        match *self {
            Relation::Equal(a, b) | Relation::Differ(a, b) | Relation::Less(a, b) | Relation::AtMost(a, b) => (a, b),
        }
    }

    /// The same relation between other places.
    pub fn moved(&self, to: impl Fn(usize) -> usize) -> Relation {
        match *self {
            Relation::Equal(a, b) => Relation::Equal(to(a), to(b)),
            Relation::Differ(a, b) => Relation::Differ(to(a), to(b)),
            Relation::Less(a, b) => Relation::Less(to(a), to(b)),
            Relation::AtMost(a, b) => Relation::AtMost(to(a), to(b)),
        }
    }
}

impl Problem {
    /// Which expressions the relations need, directly or not: only those must be defined.
    pub fn used(&self) -> Vec<bool> {
        self.used_by(&self.relations)
    }

    /// Which expressions these relations need.
    pub fn used_by(&self, relations: &[Relation]) -> Vec<bool> {
        let mut used = vec![false; self.exprs.len()];
        for relation in relations {
            let (a, b) = relation.sides();
            used[a] = true;
            used[b] = true;
        }
        for at in (0..used.len()).rev() {
            if let (true, IntExpr::Apply(_, args)) = (used[at], &self.exprs[at]) {
                args.iter().for_each(|arg| used[*arg] = true);
            }
        }
        used
    }
}
