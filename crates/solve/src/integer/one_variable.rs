//! Moves of one variable: often the others can keep their values.

use num_bigint::BigInt;

use super::arithmetic::Arithmetic;
use super::evaluate::{is_met_by, unmet};
use super::problem::{IntegerProblem, IntegerSolver};
use crate::problem::{Constraint, Expression};
use crate::query::{Answer, Budget};

/// Variables tried at most.
const MOST_VARIABLES: usize = 6;
/// Subproblems for each.
const NODES: u64 = 60;

/// Values that meet the problem and differ from these, which do not, in one variable.
pub fn moved(problem: &IntegerProblem, values: &[BigInt]) -> Option<Vec<BigInt>> {
    let unmet: Vec<usize> = unmet(problem, values).collect();
    let first = problem.relations[*unmet.first()?];
    let candidates = variables(problem, &first).into_iter().map(|at| (at, dependents(problem, at)));
    let candidates = candidates.filter(|(_, depends)| {
        unmet.iter().all(|at| {
            let (a, b) = problem.relations[*at].sides();
            depends[a] || depends[b]
        })
    });
    candidates.take(MOST_VARIABLES).find_map(|(at, depends)| move_one(problem, values, at, &depends))
}

/// The variables of a relation.
fn variables(problem: &IntegerProblem, relation: &Constraint) -> Vec<usize> {
    let used = problem.used_by(&[*relation]);
    let variables = problem.exprs.iter().zip(used).filter_map(|(expr, used)| match expr {
        Expression::Variable(at) if used => Some(*at),
        _ => None,
    });
    let mut variables: Vec<usize> = variables.collect();
    // What was made last was looked at last, and moving it disturbs the least.
    variables.sort_unstable();
    variables.dedup();
    variables.reverse();
    variables
}

/// For each expression, true if it depends on a variable.
fn dependents(problem: &IntegerProblem, variable: usize) -> Vec<bool> {
    let mut depends: Vec<bool> = Vec::with_capacity(problem.exprs.len());
    for expr in &problem.exprs {
        depends.push(match expr {
            Expression::Variable(at) => *at == variable,
            Expression::Constant(_) => false,
            Expression::Apply(_, args) => args.iter().any(|arg| depends[*arg]),
        });
    }
    depends
}

fn move_one(problem: &IntegerProblem, values: &[BigInt], at: usize, depends: &[bool]) -> Option<Vec<BigInt>> {
    let involved = problem.relations.iter().filter(|relation| {
        let (a, b) = relation.sides();
        depends[a] || depends[b]
    });
    let exprs = problem.exprs.iter().map(|expr| match expr {
        Expression::Variable(variable) if *variable == at => Expression::Variable(0),
        Expression::Variable(variable) => Expression::Constant(values[*variable].clone()),
        expr => expr.clone(),
    });
    let alone = IntegerProblem {
        variables: vec![problem.variables[at].clone()],
        exprs: exprs.collect(),
        relations: involved.copied().collect(),
        failing: Vec::new(),
    };
    let Answer::Sat(found) = Arithmetic.solve(&alone, &Budget { choices: NODES, rlimit: 0, walk: 0 }) else {
        return None;
    };
    let mut values = values.to_vec();
    values[at] = found.into_iter().next()?;
    is_met_by(problem, &values).then_some(values)
}
