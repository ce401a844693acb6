//! Connected components of a problem: each is solved for itself, and keeps its preferred values if it can.

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::evaluate::is_met_by;
use super::one_variable::moved;
use super::problem::{IntegerAnswer, IntegerProblem, IntegerSolver};
use crate::partition::Partition;
use crate::problem::{Constraint, Expression};
use crate::query::{Answer, Budget, UnknownReason};

/// Asks another solver about the parts that preferred values do not meet.
pub struct Components<S>(pub S);

impl<S: IntegerSolver> IntegerSolver for Components<S> {
    fn solve(&mut self, problem: &IntegerProblem, budget: &Budget) -> IntegerAnswer {
        let mut values = preferred(problem);
        if is_met_by(problem, &values) {
            return Answer::Sat(values);
        }
        let mut unknown: Option<UnknownReason> = None;
        for part in parts(problem) {
            let preferred = preferred(&part.problem);
            let answer = if is_met_by(&part.problem, &preferred) {
                Answer::Sat(preferred)
            } else {
                let moved = moved(&part.problem, &preferred).map(Answer::Sat);
                moved.unwrap_or_else(|| self.0.solve(&part.problem, budget))
            };
            match answer {
                Answer::Sat(found) => {
                    part.variables.iter().zip(found).for_each(|(at, value)| values[*at] = value);
                }
                Answer::Unsat => return Answer::Unsat,
                Answer::Unknown(why) => unknown = unknown.or(Some(why)),
            }
        }
        unknown.map_or(Answer::Sat(values), Answer::Unknown)
    }
}

/// The value each variable would best have, within its bounds.
fn preferred(problem: &IntegerProblem) -> Vec<BigInt> {
    let value = |variable: &super::Variable| variable.range.closest(&variable.near.clone().unwrap_or_default());
    problem.variables.iter().map(value).collect()
}

struct Component {
    problem: IntegerProblem,
    /// Of the whole problem, in the order of the part's.
    variables: Vec<usize>,
}

fn parts(problem: &IntegerProblem) -> Vec<Component> {
    let mut groups = Partition::new(problem.variables.len());
    // Some variable of each expression: its others are in the same group once the expression is looked at.
    let mut some: Vec<Option<usize>> = Vec::with_capacity(problem.exprs.len());
    for expr in &problem.exprs {
        some.push(match expr {
            Expression::Variable(at) => Some(*at),
            Expression::Constant(_) => None,
            Expression::Apply(_, args) => args.iter().fold(None, |known, arg| join(&mut groups, known, some[*arg])),
        });
    }
    let mut owners: Vec<Option<usize>> = Vec::with_capacity(problem.relations.len());
    for relation in &problem.relations {
        let (a, b) = relation.sides();
        owners.push(join(&mut groups, some[a], some[b]));
    }
    let mut order: Vec<Option<usize>> = Vec::new();
    let mut relations: FxHashMap<Option<usize>, Vec<usize>> = FxHashMap::default();
    for (at, owner) in owners.iter().enumerate() {
        let group = owner.map(|variable| groups.find(variable));
        let known = relations.entry(group).or_default();
        if known.is_empty() {
            order.push(group);
        }
        known.push(at);
    }
    order.iter().map(|group| part(problem, &relations[group])).collect()
}

/// The part of these relations, with only what they need.
fn part(problem: &IntegerProblem, relations: &[usize]) -> Component {
    let relations: Vec<Constraint> = relations.iter().map(|at| problem.relations[*at]).collect();
    let used = problem.used_by(&relations);
    let mut part = Component { problem: IntegerProblem::default(), variables: Vec::new() };
    let mut places = vec![usize::MAX; problem.exprs.len()];
    let mut variables: FxHashMap<usize, usize> = FxHashMap::default();
    for (at, expr) in problem.exprs.iter().enumerate().filter(|(at, _)| used[*at]) {
        places[at] = part.problem.exprs.len();
        part.problem.exprs.push(match expr {
            Expression::Variable(variable) => Expression::Variable(*variables.entry(*variable).or_insert_with(|| {
                part.variables.push(*variable);
                part.problem.variables.push(problem.variables[*variable].clone());
                part.variables.len() - 1
            })),
            Expression::Constant(value) => Expression::Constant(value.clone()),
            Expression::Apply(op, args) => Expression::Apply(*op, args.iter().map(|arg| places[*arg]).collect()),
        });
    }
    part.problem.relations = relations.iter().map(|relation| relation.moved(|at| places[at])).collect();
    part
}

/// Puts two variables together, where there are two; returns one of them if there is one.
fn join(sets: &mut Partition, a: Option<usize>, b: Option<usize>) -> Option<usize> {
    if let (Some(a), Some(b)) = (a, b) {
        sets.join(a, b);
    }
    a.or(b)
}
