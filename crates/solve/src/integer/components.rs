//! Connected components of a problem: each is solved for itself, and keeps its preferred values if it can.

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::evaluate::is_met_by;
use super::one_variable::moved;
use super::problem::{IntegerAnswer, IntegerProblem, IntegerSolver, Variable};
use crate::partition::Partition;
use crate::problem::{Constraint, Expression, ProblemPart};
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
    let value = |variable: &Variable| variable.range.closest(&variable.near.clone().unwrap_or_default());
    problem.variables.iter().map(value).collect()
}

fn parts(problem: &IntegerProblem) -> Vec<ProblemPart<Variable, BigInt>> {
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
fn part(problem: &IntegerProblem, relations: &[usize]) -> ProblemPart<Variable, BigInt> {
    let relations: Vec<Constraint> = relations.iter().map(|at| problem.relations[*at]).collect();
    let mut part = problem.part(&problem.used_by(&relations));
    part.problem.relations = relations.iter().map(|relation| relation.moved(|at| part.places[at])).collect();
    part
}

/// Puts two variables together, where there are two; returns one of them if there is one.
fn join(sets: &mut Partition, a: Option<usize>, b: Option<usize>) -> Option<usize> {
    if let (Some(a), Some(b)) = (a, b) {
        sets.join(a, b);
    }
    a.or(b)
}
