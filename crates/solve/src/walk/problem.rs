//! What the walk is asked: relations between expressions over integers and doubles.

use std::cmp::Ordering;

use constraint::Op;

use super::value::{Kind, Num, further};
/// Here they hold between numbers of both kinds: `1 == 1.0`.
pub use crate::integer::Relation;
use crate::integer::int::Int;

/// Relations between expressions over numbers; all must hold.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Problem {
    pub variables: Vec<Variable>,
    /// Each refers only to earlier ones.
    pub exprs: Vec<Expr>,
    pub relations: Vec<Relation>,
}

/// A number to be found; bounds included.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    pub kind: Kind,
    pub low: Option<Num>,
    pub high: Option<Num>,
    /// Where to start.
    pub near: Option<Num>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    Variable(usize),
    Constant(Num),
    /// Of one or two numbers, which are of the kind it takes. It must be defined for a point to be a solution, if a
    /// relation needs it.
    Apply(Op, Vec<usize>),
    /// What somebody else knows for values of these variables: question `at`, a number of that kind.
    Asked {
        at: usize,
        kind: Kind,
        variables: Vec<usize>,
    },
}

impl Problem {
    /// The place of a new expression.
    pub fn expr(&mut self, expr: Expr) -> usize {
        self.exprs.push(expr);
        self.exprs.len() - 1
    }

    pub fn constant(&mut self, value: Num) -> usize {
        self.expr(Expr::Constant(value))
    }

    pub fn variable(&mut self, variable: Variable) -> usize {
        self.variables.push(variable);
        self.expr(Expr::Variable(self.variables.len() - 1))
    }

    pub fn apply(&mut self, op: Op, args: &[usize]) -> usize {
        self.expr(Expr::Apply(op, args.to_vec()))
    }

    /// Which expressions the relations need, directly or not.
    pub fn used(&self) -> Vec<bool> {
        let mut used = vec![false; self.exprs.len()];
        for relation in &self.relations {
            let (a, b) = relation.sides();
            used[a] = true;
            used[b] = true;
        }
        for at in (0..used.len()).rev() {
            if let (true, Expr::Apply(_, args)) = (used[at], &self.exprs[at]) {
                args.iter().for_each(|arg| used[*arg] = true);
            }
        }
        used
    }

    /// Bounds of variables from their relations to constants: values are picked within.
    pub fn tighten(&mut self) {
        for relation in self.relations.clone() {
            let (left, right) = relation.sides();
            let strict = matches!(relation, Relation::Less(..));
            match (&self.exprs[left], &self.exprs[right], relation) {
                (_, _, Relation::Differ(..)) => {}
                (Expr::Constant(value), Expr::Variable(at), Relation::Less(..) | Relation::AtMost(..)) => {
                    let value = value.clone();
                    self.variables[*at].above(&value, strict);
                }
                (Expr::Variable(at), Expr::Constant(value), Relation::Less(..) | Relation::AtMost(..)) => {
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
