//! A problem over integers and floats, and the truth of it, given values.

use constraint::{FloatOp, Op};
use term::Term;

use crate::integer::Variable;
use crate::problem::{Constraint, Expression, Problem};

/// A problem over integers and floats. Everything computed must have a value; `1` and `1.0` are equal.
pub type MixedProblem = Problem<Number, Term>;

/// A number to be found.
#[derive(Clone, Debug)]
pub enum Number {
    Integer(Variable),
    /// The value to prefer, if there is one.
    Float(Option<f64>),
}

impl MixedProblem {
    /// The values of all expressions; `None` if one has none.
    pub fn evaluated(&self, values: &[Term]) -> Option<Vec<Term>> {
        let mut all: Vec<Term> = Vec::with_capacity(self.exprs.len());
        for expr in &self.exprs {
            let value = match expr {
                Expression::Variable(at) => values.get(*at)?.clone(),
                Expression::Constant(value) => value.clone(),
                Expression::Apply(op, args) => compute(*op, args, &all)?,
            };
            all.push(value);
        }
        Some(all)
    }

    fn is_inside(&self, values: &[Term]) -> bool {
        let inside = |(number, value): (&Number, &Term)| match number {
            Number::Float(_) => matches!(value, Term::Float(..)),
            Number::Integer(variable) => value.as_bigint().is_some_and(|value| variable.range.contains(&value)),
        };
        values.len() == self.variables.len() && self.variables.iter().zip(values).all(inside)
    }
}

fn compute(op: Op, args: &[usize], all: &[Term]) -> Option<Term> {
    let args: Vec<Term> = args.iter().map(|at| all[*at].clone()).collect();
    // What is far too large to be looked at is as good as no value.
    let small = |value: &Term| !matches!(value, Term::Big(_, value) if value.bits() > 1 << 14);
    args.iter().all(small).then(|| op.compute(&args)).flatten()
}

/// Returns true if values of the right kinds and within their bounds meet the problem.
pub fn is_met_by(problem: &MixedProblem, values: &[Term]) -> bool {
    if !problem.is_inside(values) {
        return false;
    }
    let Some(all) = problem.evaluated(values) else { return false };
    let holds = |relation: &Constraint| {
        let (a, b) = relation.sides();
        relation.holds(all[a].compare(&all[b]))
    };
    let fails = |(op, args): &(FloatOp, Vec<usize>)| {
        let args: Vec<Term> = args.iter().map(|at| all[*at].clone()).collect();
        op.compute(&args).is_none()
    };
    problem.relations.iter().all(holds) && problem.failing.iter().all(fails)
}
