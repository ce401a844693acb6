//! What is certain about values on a way.

use constraint::{Arena, Condition, Expr, Node, RuleId, Test, Type, is_of};
use exec::backward::{Certain, Traced, Unknown, Values};
use solve::Shapes;

/// What is certain by what registers can hold, by the form of expressions, and by conditions.
pub struct Known<'a> {
    values: &'a Values,
    /// The rules of the first inputs.
    own: &'a [RuleId],
    shapes: Shapes,
    /// How many inputs there were when the shapes were made.
    inputs: usize,
}

impl<'a> Known<'a> {
    pub fn new(values: &'a Values, own: &'a [RuleId]) -> Known<'a> {
        Known { values, own, shapes: Shapes::new(own.to_vec()), inputs: own.len() }
    }

    /// The rules of all inputs.
    pub fn rules(&self, traced: &Traced) -> Vec<RuleId> {
        let rest = traced.unknowns.iter().skip(self.own.len());
        let rule = |unknown: &Unknown| match unknown.register {
            Some((function, register)) => self.values.rule(function, register),
            None => self.values.any(),
        };
        self.own.iter().copied().chain(rest.map(rule)).collect()
    }
}

impl Certain for Known<'_> {
    fn is(&mut self, arena: &Arena, traced: &Traced, expr: Expr, kind: Type) -> bool {
        let told = |condition: &Condition| match condition.test {
            Test::Type(told, told_kind) => condition.holds && told == expr && told_kind == kind,
            Test::Same(a, b) if condition.holds => {
                let other = if a == expr { b } else { a };
                (a == expr || b == expr) && arena.as_literal(other).is_some_and(|term| is_of(term, kind))
            }
            _ => false,
        };
        let by_form = match arena.node(expr) {
            Node::Literal(term) => is_of(term, kind),
            Node::Apply(constraint::Op::Float(op), _) if op.gives_float() => kind == Type::Float,
            Node::Apply(..) | Node::Bits { .. } => kind == Type::Integer,
            _ => false,
        };
        if by_form || traced.conditions.iter().any(told) {
            return true;
        }
        if self.inputs != traced.unknowns.len() {
            self.inputs = traced.unknowns.len();
            self.shapes = Shapes::new(self.rules(traced));
        }
        let otherwise = Condition { test: Test::Type(expr, kind), holds: false };
        self.shapes.refute(arena, self.values.grammar(), &otherwise, &[])
    }
}
