//! Floats of whose shortest decimal something is said: it is easier to choose digits than a float that has them.

use constraint::{FloatOp, Op};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use term::Term;
use term::decimal::shortest;

use super::decimal::{MOST_DIGITS, POWERS};
use super::problem::{MixedProblem, Number};
use crate::integer::{Range, Variable};
use crate::problem::{Constraint, Expression};

/// A problem in which such floats are decimals that are to be found.
pub struct DecimalProblem {
    /// The problem over digits and powers of ten.
    pub problem: MixedProblem,
    /// Of each variable that was a float and is its digits now, the variable that is the power of ten.
    powers: Vec<(usize, usize)>,
    /// The expressions of the digits and the power of each such float, as it was numbered before.
    parts: FxHashMap<usize, [usize; 2]>,
    variables: usize,
}

/// `None` if nothing is said of any shortest decimal.
pub fn explained(problem: &MixedProblem) -> Option<DecimalProblem> {
    let asked = |expr: &Expression<Term>| match expr {
        Expression::Apply(Op::Float(FloatOp::Digits | FloatOp::Power), args) => args.first().copied(),
        _ => None,
    };
    let mut floats: Vec<usize> = problem.exprs.iter().filter_map(asked).collect();
    floats.sort_unstable();
    floats.dedup();
    if floats.is_empty() {
        return None;
    }
    let variables = problem.variables.len();
    let begun = MixedProblem { variables: problem.variables.clone(), ..MixedProblem::default() };
    let mut explained = DecimalProblem { problem: begun, powers: Vec::new(), parts: FxHashMap::default(), variables };
    let mut places: Vec<usize> = Vec::with_capacity(problem.exprs.len());
    for (at, expr) in problem.exprs.iter().enumerate() {
        let is_asked = floats.binary_search(&at).is_ok();
        let place = match expr {
            Expression::Variable(variable) if is_asked => explained.replace(*variable, at),
            Expression::Apply(Op::Float(op @ (FloatOp::Digits | FloatOp::Power)), args) => {
                let [digits, power] = explained.parts[&args[0]];
                if *op == FloatOp::Digits { digits } else { power }
            }
            Expression::Apply(op, args) => {
                let args = args.iter().map(|arg| places[*arg]).collect();
                explained.problem.expr(Expression::Apply(*op, args))
            }
            expr => explained.problem.expr(expr.clone()),
        };
        if is_asked && !matches!(expr, Expression::Variable(_)) {
            explained.tie(place, at);
        }
        places.push(place);
    }
    let moved = |relation: &Constraint| relation.moved(|at| places[at]);
    explained.problem.relations.extend(problem.relations.iter().map(moved));
    let failing = problem.failing.iter().map(|(op, args)| (*op, args.iter().map(|at| places[*at]).collect()));
    explained.problem.failing.extend(failing);
    Some(explained)
}

impl DecimalProblem {
    fn apply(&mut self, op: FloatOp, args: Vec<usize>) -> usize {
        self.problem.expr(Expression::Apply(Op::Float(op), args))
    }

    /// The variable becomes its digits; the float is what they and a power of ten mean.
    fn replace(&mut self, variable: usize, was: usize) -> usize {
        let near = match self.problem.variables[variable] {
            Number::Float(near) => near.map(shortest),
            Number::Integer(_) => None,
        };
        let (digits, power) = numbers(near);
        self.problem.variables[variable] = digits;
        self.problem.variables.push(power);
        let new = self.problem.variables.len() - 1;
        self.powers.push((variable, new));
        self.decimal(variable, new, was)
    }

    /// The float equals a decimal that is to be found.
    fn tie(&mut self, float: usize, was: usize) {
        let (digits, power) = numbers(None);
        let first = self.problem.variables.len();
        self.problem.variables.extend([digits, power]);
        let decimal = self.decimal(first, first + 1, was);
        self.problem.relations.push(Constraint::Equal(float, decimal));
    }

    /// The float of which two variables are the shortest decimal.
    fn decimal(&mut self, digits: usize, power: usize, was: usize) -> usize {
        let (digits, power) =
            (self.problem.expr(Expression::Variable(digits)), self.problem.expr(Expression::Variable(power)));
        self.parts.insert(was, [digits, power]);
        let float = self.apply(FloatOp::Decimal, vec![digits, power]);
        for (op, part) in [(FloatOp::Digits, digits), (FloatOp::Power, power)] {
            let applied = self.apply(op, vec![float]);
            self.problem.relations.push(Constraint::Equal(part, applied));
        }
        float
    }

    /// The values of the variables as they were.
    pub fn values(&self, mut found: Vec<Term>) -> Option<Vec<Term>> {
        for (digits, power) in &self.powers {
            let decimal = [found.get(*digits)?.clone(), found.get(*power)?.clone()];
            found[*digits] = FloatOp::Decimal.compute(&decimal)?;
        }
        found.truncate(self.variables);
        Some(found)
    }
}

/// The digits and the power of ten, near those of something.
fn numbers(near: Option<(BigInt, i64)>) -> (Number, Number) {
    let (digits, power) = near.unzip();
    let most = BigInt::from(10u32).pow(MOST_DIGITS) - 1;
    let [low, high] = [POWERS.0, POWERS.1].map(BigInt::from);
    (
        Number::Integer(Variable { range: Range::between(-&most, most), near: digits }),
        Number::Integer(Variable { range: Range::between(low, high), near: power.map(BigInt::from) }),
    )
}
