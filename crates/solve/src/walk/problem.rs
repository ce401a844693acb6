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
    /// Where to start.
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
        for relation in self.relations.clone() {
            let (left, right) = relation.sides();
            let strict = matches!(relation, Constraint::Less(..));
            match (&self.exprs[left], &self.exprs[right], relation) {
                (_, _, Constraint::Differ(..)) => {}
                (
                    Expression::Constant(Source::Number(value)),
                    Expression::Variable(at),
                    Constraint::Less(..) | Constraint::AtMost(..),
                ) => {
                    let value = value.clone();
                    self.variables[*at].above(&value, strict);
                }
                (
                    Expression::Variable(at),
                    Expression::Constant(Source::Number(value)),
                    Constraint::Less(..) | Constraint::AtMost(..),
                ) => {
                    let value = value.clone();
                    self.variables[*at].below(&value, strict);
                }
                _ => {}
            }
        }
    }
}

impl Variable {
    fn above(&mut self, value: &Num, strict: bool) {
        let low = bound(self.kind, value, strict, 1);
        let is_less = |known: &Num| low.as_ref().is_some_and(|low| known.compare(low).is_some_and(Ordering::is_lt));
        if self.low.as_ref().is_none_or(is_less) {
            self.low = low;
        }
    }

    fn below(&mut self, value: &Num, strict: bool) {
        let high = bound(self.kind, value, strict, -1);
        let is_more = |known: &Num| high.as_ref().is_some_and(|high| known.compare(high).is_some_and(Ordering::is_gt));
        if self.high.as_ref().is_none_or(is_more) {
            self.high = high;
        }
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
