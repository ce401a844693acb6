//! The part of a problem that is about integers alone: where that has no solution, the whole has none.

use constraint::Op;
use num_bigint::BigInt;

use super::narrow::Domain;
use super::problem::MixedProblem;
use crate::integer::int::Int;
use crate::integer::interval::{Interval, Range};
use crate::integer::{Arithmetic, IntegerProblem, IntegerSolver, Variable};
use crate::problem::Expression;
use crate::query::{Answer, Budget};

/// Nodes searched.
const NODES: u64 = 200;

/// Returns true if the relations between integers have no solution within these domains; `false` says nothing.
pub fn is_contradictory(problem: &MixedProblem, doms: &[Domain]) -> bool {
    let alone = integers(problem, doms);
    let budget = Budget { choices: NODES, rlimit: 0, walk: 0 };
    !alone.relations.is_empty() && matches!(Arithmetic.solve(&alone, &budget), Answer::Unsat)
}

/// The relations between integers. An integer that a float gives is a variable, and what is a float is not used.
fn integers(problem: &MixedProblem, doms: &[Domain]) -> IntegerProblem {
    let mut alone = IntegerProblem::default();
    for (at, expr) in problem.exprs.iter().enumerate() {
        let Domain::Int(interval) = &doms[at] else {
            alone.expr(Expression::Constant(BigInt::default()));
            continue;
        };
        let expr = match expr {
            Expression::Constant(value) => Expression::Constant(value.as_bigint().unwrap_or_default()),
            Expression::Apply(op, args) if !matches!(op, Op::Float(_)) => Expression::Apply(*op, args.clone()),
            Expression::Variable(_) | Expression::Apply(..) => {
                alone.variables.push(Variable { range: range(interval), near: None });
                Expression::Variable(alone.variables.len() - 1)
            }
        };
        alone.expr(expr);
    }
    let is_whole = |at: usize| matches!(doms[at], Domain::Int(_));
    let relations = problem.relations.iter().filter(|relation| {
        let (a, b) = relation.sides();
        is_whole(a) && is_whole(b)
    });
    alone.relations = relations.copied().collect();
    alone
}

fn range(interval: &Interval) -> Range {
    Range { low: interval.low.as_ref().map(Int::to_big), high: interval.high.as_ref().map(Int::to_big) }
}
