//! Contradictions in the order alone: something that would have to come before itself.

use constraint::{FloatOp, Op};
use term::math::Math;

use super::problem::MixedProblem;
use crate::order::OrderGraph;
use crate::problem::{Constraint, Expression};

/// More relations are not looked at together.
const MOST: usize = 400;

/// Returns true if the relations say of some expressions, whatever they are, that they come before themselves, or that
/// equal ones differ.
pub fn is_circular(problem: &MixedProblem) -> bool {
    if problem.relations.len() > MOST {
        return false;
    }
    let mut graph = OrderGraph::default();
    for relation in &problem.relations {
        match *relation {
            Constraint::Less(a, b) => graph.steps.push((a, b, true)),
            Constraint::AtMost(a, b) => graph.steps.push((a, b, false)),
            Constraint::Equal(a, b) => graph.add_equal(a, b),
            Constraint::Differ(a, b) => graph.unequal.push((a, b)),
        }
    }
    let mut constants = Vec::new();
    for (at, expr) in problem.exprs.iter().enumerate() {
        match expr {
            Expression::Apply(Op::Float(FloatOp::Floor | FloatOp::Math(Math::Floor)), args) => {
                graph.steps.push((at, args[0], false));
            }
            Expression::Apply(Op::Float(FloatOp::Ceil | FloatOp::Math(Math::Ceil) | FloatOp::Abs), args) => {
                graph.steps.push((args[0], at, false));
            }
            Expression::Constant(value) => constants.push((value, at)),
            _ => {}
        }
    }
    graph.add_values(constants);
    graph.groups(problem.exprs.len()).is_none()
}
