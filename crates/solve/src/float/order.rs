//! Contradictions in the order alone: something that would have to come before itself.

use constraint::{FloatOp, Op};
use term::math::Math;

use super::problem::MixedProblem;
use crate::problem::{Constraint, Expression};

/// More relations are not looked at together.
const MOST: usize = 400;

/// Returns true if the relations say of some expressions, whatever they are, that they come before themselves, or that
/// equal ones differ.
pub fn is_circular(problem: &MixedProblem) -> bool {
    let relations = &problem.relations;
    if relations.len() > MOST {
        return false;
    }
    let reach = Reach::new(problem);
    let circular = |a: usize, b: usize| reach.leads(b, a);
    relations.iter().any(|relation| match *relation {
        Constraint::Less(a, b) => circular(a, b),
        Constraint::Differ(a, b) => reach.leads(a, b) && reach.leads(b, a),
        Constraint::Equal(..) | Constraint::AtMost(..) => false,
    })
}

/// Which expressions are at most which others.
struct Reach {
    above: Vec<Vec<usize>>,
}

impl Reach {
    fn new(problem: &MixedProblem) -> Reach {
        let mut above = vec![Vec::new(); problem.exprs.len()];
        for relation in &problem.relations {
            match *relation {
                Constraint::Less(a, b) | Constraint::AtMost(a, b) => above[a].push(b),
                Constraint::Equal(a, b) => {
                    above[a].push(b);
                    above[b].push(a);
                }
                Constraint::Differ(..) => {}
            }
        }
        for (at, expr) in problem.exprs.iter().enumerate() {
            let Expression::Apply(Op::Float(op), args) = expr else { continue };
            match op {
                FloatOp::Floor | FloatOp::Math(Math::Floor) => above[at].push(args[0]),
                FloatOp::Ceil | FloatOp::Math(Math::Ceil) | FloatOp::Abs => above[args[0]].push(at),
                _ => {}
            }
        }
        // Constants stand in an order of their own.
        let mut constants: Vec<(usize, &term::Term)> = Vec::new();
        for (at, expr) in problem.exprs.iter().enumerate() {
            if let Expression::Constant(value) = expr {
                constants.push((at, value));
            }
        }
        constants.sort_by(|a, b| a.1.compare(b.1));
        for pair in constants.windows(2) {
            above[pair[0].0].push(pair[1].0);
            if pair[0].1.num_eq(pair[1].1) {
                above[pair[1].0].push(pair[0].0);
            }
        }
        Reach { above }
    }

    /// Returns true if the first is at most the second.
    fn leads(&self, from: usize, to: usize) -> bool {
        let mut seen = vec![false; self.above.len()];
        let mut todo = vec![from];
        while let Some(at) = todo.pop() {
            if at == to {
                return true;
            }
            if !std::mem::replace(&mut seen[at], true) {
                todo.extend(&self.above[at]);
            }
        }
        false
    }
}
