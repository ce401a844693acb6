//! Kinds of values that a part of an input may be of, and a result that has it must not be.

use std::mem::discriminant;

use constraint::{Expr, Grammar, RuleId, Shape, Test, Type};
use solve::structural::accepts;
use term::Term;

/// The tests that are true for values of kinds which one of the `given` rules of a part has and `rule` does not.
pub fn foreign(
    grammar: &Grammar,
    (part, given): (Expr, &[RuleId]),
    rule: RuleId,
    mut literal: impl FnMut(Term) -> Expr,
) -> Vec<Test> {
    let (mut here, mut wanted) = (Vec::new(), Vec::new());
    given.iter().for_each(|rule| flat(grammar, *rule, &mut here, &mut Vec::new()));
    flat(grammar, rule, &mut wanted, &mut Vec::new());
    let has = |shape: &Shape| wanted.iter().any(|it| **it == Shape::Any || discriminant(*it) == discriminant(shape));
    let mut tests = Vec::new();
    for shape in here {
        let test = match shape {
            Shape::Literal(term) if accepts(grammar, rule, term) => None,
            Shape::Literal(term) => Some(Test::Same(part, literal(term.clone()))),
            shape if has(shape) => None,
            shape => type_of(shape).map(|kind| Test::Type(part, kind)),
        };
        tests.extend(test.filter(|test| !tests.contains(test)));
    }
    tests
}

/// The type that all values of a shape are of, if those of other shapes are of another.
fn type_of(shape: &Shape) -> Option<Type> {
    match shape {
        Shape::Atom => Some(Type::Atom),
        Shape::Integer { .. } => Some(Type::Integer),
        Shape::Float => Some(Type::Float),
        Shape::Tuple(_) | Shape::AnyTuple => Some(Type::Tuple),
        Shape::Map(_) => Some(Type::Map),
        Shape::Bits { .. } => Some(Type::Bitstring),
        _ => None,
    }
}

/// The shapes of a rule and of those that it stands for.
fn flat<'g>(grammar: &'g Grammar, rule: RuleId, found: &mut Vec<&'g Shape>, open: &mut Vec<RuleId>) {
    if open.contains(&rule) {
        return;
    }
    open.push(rule);
    for shape in &grammar.rule(rule).shapes {
        match shape {
            Shape::Rule(inner) => flat(grammar, *inner, found, open),
            shape => found.push(shape),
        }
    }
}
