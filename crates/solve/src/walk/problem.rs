//! Problems of the walk: relations between expressions over integers and doubles.

use std::cmp::Ordering;

use super::value::{Kind, Num};
use crate::float::further;
use crate::integer::int::Int;
use crate::problem::{Constraint, Expression, Problem};

/// A problem over integers and floats, for the walk. Relations hold between numbers of both kinds: `1 == 1.0`.
pub type NumberProblem = Problem<Variable, Source>;

/// A number to be found; bounds included.
#[derive(Clone, PartialEq, Hash, Debug)]
pub struct Variable {
    /// Integer or float.
    pub kind: Kind,
    /// The least value.
    pub low: Option<Num>,
    /// The greatest value.
    pub high: Option<Num>,
    /// The value to start from.
    pub near: Option<Num>,
}

/// A number that is not computed from the variables.
#[derive(Clone, PartialEq, Hash, Debug)]
pub enum Source {
    /// A constant.
    Number(Num),
    /// The answer of an oracle to a question, for values of these variables: a number of that kind.
    Oracle { question: usize, kind: Kind, variables: Vec<usize> },
}

impl NumberProblem {
    /// Adds a constant; returns its place.
    pub fn constant(&mut self, value: Num) -> usize {
        self.expr(Expression::Constant(Source::Number(value)))
    }

    /// Bounds of variables from their relations to constants: values are picked within.
    pub fn tighten(&mut self) {
        for relation in &self.relations {
            let (Constraint::Less(left, right) | Constraint::AtMost(left, right)) = *relation else { continue };
            let strict = matches!(relation, Constraint::Less(..));
            match (&self.exprs[left], &self.exprs[right]) {
                (Expression::Constant(Source::Number(value)), Expression::Variable(at)) => {
                    let Variable { kind, low, .. } = &mut self.variables[*at];
                    tighten(low, bound(*kind, value, strict, 1), Ordering::Less);
                }
                (Expression::Variable(at), Expression::Constant(Source::Number(value))) => {
                    let Variable { kind, high, .. } = &mut self.variables[*at];
                    tighten(high, bound(*kind, value, strict, -1), Ordering::Greater);
                }
                _ => {}
            }
        }
    }
}

/// Replaces an end by one that it stands to in that order.
fn tighten(end: &mut Option<Num>, to: Option<Num>, order: Ordering) {
    if end.as_ref().is_none_or(|end| to.as_ref().is_some_and(|to| end.compare(to) == Some(order))) {
        *end = to;
    }
}

/// The first value of a kind from a constant on, upwards or downwards.
fn bound(kind: Kind, value: &Num, strict: bool, way: i64) -> Option<Num> {
    match (kind, value) {
        (Kind::Float, Num::Float(value)) => Some(Num::Float(further(*value, if strict { way } else { 0 }))),
        (Kind::Integer, Num::Int(value)) if strict => Some(Num::Int(value.add(&Int::from(way)))),
        (Kind::Integer, Num::Int(value)) => Some(Num::Int(value.clone())),
        // Of two kinds the bound only guides, and the test decides.
        (kind, value) => Num::near(kind, value.approx()),
    }
}
