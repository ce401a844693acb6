//! The types that expressions of a path condition certainly have.

use constraint::{Arena, Condition, Expr, Node, RuleId, Test, Type, is_of};
use exec::backward::{PathCondition, TypeOracle, Unknown, Values};
use solve::Shapes;

/// Knows types by the values of registers, the form of expressions, and the conditions themselves.
pub struct ShapeOracle<'a> {
    values: &'a Values,
    /// The rules of the first inputs.
    own: &'a [RuleId],
    shapes: Shapes,
    /// The number of inputs when the shapes were made.
    inputs: usize,
}

impl<'a> ShapeOracle<'a> {
    /// An oracle for inputs, the first of which have these rules.
    pub fn new(values: &'a Values, own: &'a [RuleId]) -> ShapeOracle<'a> {
        ShapeOracle { values, own, shapes: Shapes::new(own.to_vec()), inputs: own.len() }
    }

    /// The rules of all inputs.
    pub fn rules(&self, traced: &PathCondition) -> Vec<RuleId> {
        let rest = traced.unknowns.iter().skip(self.own.len());
        let rule = |unknown: &Unknown| match unknown.register {
            Some((function, register)) => self.values.rule(function, register),
            None => self.values.any(),
        };
        self.own.iter().copied().chain(rest.map(rule)).collect()
    }
}

impl TypeOracle for ShapeOracle<'_> {
    fn is(&mut self, arena: &Arena, traced: &PathCondition, expr: Expr, kind: Type) -> bool {
        let known = |condition: &Condition| match condition.test {
            Test::Type(known, known_kind) => condition.holds && known == expr && known_kind == kind,
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
        if by_form || traced.conditions.iter().any(known) {
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
