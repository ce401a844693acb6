//! A first feasible point of the polytope: integers by the arithmetic member, floats by linear programming.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

use super::linear::{Form, LinearTest, approx, eliminated};
use super::problem::NumberProblem;
use super::simplex;
use super::value::{Kind, Num};
use crate::integer::{self, Arithmetic, IntegerProblem, IntegerSolver};
use crate::problem::{Constraint, Expression};
use crate::query::{Answer, Budget};

/// Nodes that the arithmetic member may look at.
const NODES: u64 = 300;

/// Values at which all linear rows hold, or almost: sums of floats are rounded.
pub fn feasible_point(problem: &NumberProblem, rows: &[LinearTest], first: &[Num]) -> Option<Vec<Num>> {
    let is_float = |variable: &usize| problem.variables[*variable].kind == Kind::Float;
    let (mixed, whole): (Vec<&LinearTest>, Vec<&LinearTest>) =
        rows.iter().partition(|row| row.form.terms.iter().any(|(variable, _)| is_float(variable)));
    let mut values = first.to_vec();
    if !whole.is_empty() {
        integers(problem, &whole, &mut values)?;
    }
    if !mixed.is_empty() {
        floats(problem, &mixed, &mut values)?;
    }
    Some(values)
}

fn integers(problem: &NumberProblem, rows: &[&LinearTest], values: &mut [Num]) -> Option<()> {
    let (mut asked, mut places) = (IntegerProblem::default(), vec![usize::MAX; values.len()]);
    let mut variables = Vec::new();
    for row in rows {
        let scale =
            row.form.terms.iter().fold(row.form.constant.denom().clone(), |scale, (_, by)| {
                num_integer::Integer::lcm(&scale, by.denom())
            });
        let form = row.form.scaled(&BigRational::from_integer(scale));
        let mut sum = asked.expr(Expression::Constant(form.constant.to_integer()));
        for (variable, by) in &form.terms {
            if places[*variable] == usize::MAX {
                let bound = |bound: &Option<Num>| bound.as_ref().and_then(big);
                let known = &problem.variables[*variable];
                variables.push(*variable);
                let near = big(&values[*variable]);
                let range = integer::Range { low: bound(&known.low), high: bound(&known.high) };
                places[*variable] = asked.variable(integer::Variable { range, near });
            }
            let by = asked.expr(Expression::Constant(by.to_integer()));
            let term = asked.expr(Expression::Apply(constraint::Op::Mul, vec![by, places[*variable]]));
            sum = asked.expr(Expression::Apply(constraint::Op::Add, vec![sum, term]));
        }
        let zero = asked.expr(Expression::Constant(BigInt::zero()));
        asked.relations.push(match row.equal {
            true => Constraint::Equal(sum, zero),
            false => Constraint::AtMost(sum, zero),
        });
    }
    let Answer::Sat(found) = Arithmetic.solve(&asked, &Budget { choices: NODES, rlimit: 0, walk: 0 }) else {
        return None;
    };
    variables.iter().zip(found).for_each(|(at, value)| values[*at] = Num::Int(integer::int::Int::of(&value)));
    Some(())
}

fn big(value: &Num) -> Option<BigInt> {
    match value {
        Num::Int(value) => Some(value.to_big()),
        _ => None,
    }
}

/// Integers stay as they are; floats that equalities fix follow the others.
fn floats(problem: &NumberProblem, rows: &[&LinearTest], values: &mut [Num]) -> Option<()> {
    let kinds: Vec<Kind> = problem.variables.iter().map(|variable| variable.kind).collect();
    let exact = |value: &Num| match value {
        Num::Int(value) => Some(BigRational::from_integer(value.to_big())),
        _ => None,
    };
    let rows: Vec<LinearTest> = rows
        .iter()
        .map(|row| {
            let integers = kinds.iter().enumerate().filter(|(_, kind)| **kind == Kind::Integer);
            let form = integers
                .filter_map(|(at, _)| Some((at, exact(&values[at])?)))
                .fold(row.form.clone(), |form, (at, value)| form.with(at, &Form::constant(value)));
            LinearTest { form, ..(*row).clone() }
        })
        .collect();
    let fixed = eliminated(&rows, &kinds);
    let forms: Vec<Form> = rows
        .iter()
        .filter(|row| !row.equal)
        .map(|row| fixed.iter().fold(row.form.clone(), |form, (at, value)| form.with(*at, value)))
        .filter(|form| !form.terms.is_empty())
        .collect();
    let found = simplex::inside(&forms, kinds.len())?;
    let used = |at: usize| forms.iter().any(|form| form.factor(at).is_some());
    for (at, value) in found.iter().enumerate() {
        if kinds[at] == Kind::Float && used(at) {
            values[at] = Num::finite(approx(value));
        }
    }
    for (at, form) in &fixed {
        values[*at] = Num::finite(form.at(values));
    }
    values.iter().all(|value| value.kind().is_some()).then_some(())
}
