//! An integer solver for tests: it tries small values, and knows when that was all there is.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use solve::integer::{IntAnswer, IntExpr, IntegerSolver, Problem, Relation};
use solve::{Budget, Unknown};
use term::Term;

pub struct Tiny;

const FAR: i64 = 9;
const MOST: u64 = 200_000;

impl IntegerSolver for Tiny {
    fn solve(&mut self, problem: &Problem, _: &Budget) -> IntAnswer {
        let mut complete = true;
        let mut ranges: Vec<Vec<i64>> = Vec::new();
        for variable in &problem.variables {
            let bound = |bound: &Option<BigInt>, else_: i64| bound.as_ref().map_or(Some(else_), ToPrimitive::to_i64);
            complete &= variable.low.is_some() && variable.high.is_some();
            let (Some(low), Some(high)) = (bound(&variable.low, -FAR), bound(&variable.high, FAR)) else {
                return IntAnswer::Unknown(Unknown::Unsupported);
            };
            let (start, end) = (low.max(high - 40), high.min(low + 40));
            complete &= start == low && end == high;
            let near = variable.near.as_ref().and_then(ToPrimitive::to_i64).unwrap_or(0);
            let mut values: Vec<i64> = (low..=end.max(low)).filter(|value| *value <= high).collect();
            values.sort_by_key(|value| ((value - near).abs(), *value));
            ranges.push(values);
        }
        let mut chosen = Vec::new();
        let mut tried = 0;
        let found = search(problem, &ranges, &mut chosen, &mut tried);
        match found {
            true => IntAnswer::Values(chosen.into_iter().map(BigInt::from).collect()),
            false if complete && tried < MOST => IntAnswer::None,
            false => IntAnswer::Unknown(Unknown::Budget),
        }
    }
}

/// Chooses variables in their order; relations are looked at as soon as all they need is chosen.
fn search(problem: &Problem, ranges: &[Vec<i64>], chosen: &mut Vec<i64>, tried: &mut u64) -> bool {
    *tried += 1;
    if *tried > MOST || !may_hold(problem, chosen) {
        return false;
    }
    let Some(values) = ranges.get(chosen.len()) else { return true };
    for value in values {
        chosen.push(*value);
        if search(problem, ranges, chosen, tried) {
            return true;
        }
        chosen.pop();
    }
    false
}

fn may_hold(problem: &Problem, chosen: &[i64]) -> bool {
    let mut values: Vec<Option<Term>> = Vec::new();
    for expr in &problem.exprs {
        let value = match expr {
            IntExpr::Variable(at) => chosen.get(*at).map(|value| Term::int(*value)),
            IntExpr::Constant(value) => Some(Term::big(value.clone())),
            IntExpr::Apply(op, args) => {
                let args: Option<Vec<Term>> = args.iter().map(|arg| values[*arg].clone()).collect();
                match args {
                    None => None,
                    Some(args) => match op.compute(&args) {
                        None => return false,
                        value => value,
                    },
                }
            }
        };
        values.push(value);
    }
    let order = |a: usize, b: usize| Some(values[a].as_ref()?.compare(values[b].as_ref()?));
    problem.relations.iter().all(|relation| match *relation {
        Relation::Equal(a, b) => order(a, b).is_none_or(|order| order.is_eq()),
        Relation::Differ(a, b) => order(a, b).is_none_or(|order| order.is_ne()),
        Relation::Less(a, b) => order(a, b).is_none_or(|order| order.is_lt()),
        Relation::AtMost(a, b) => order(a, b).is_none_or(|order| order.is_le()),
    })
}
