//! The parts of inputs, and what a spec says about each.

use constraint::{Arena, Evaluator, Expr, Grammar, MapField, Node, RuleId, Shape};
use rustc_hash::FxHashSet;
use solve::structural::accepts;
use term::{Atom, Notation, Term};

/// The parts of a run's inputs, with the values that they have in it.
pub struct InputParts<'a> {
    pub arena: &'a Arena,
    pub grammar: &'a Grammar,
    /// The rule of each input.
    pub rules: &'a [RuleId],
    pub values: Evaluator<'a>,
    /// The notation of values in words.
    pub notation: Notation<'static>,
}

/// The types that a spec leaves to a part around which the values are those of the run.
pub enum PartType {
    /// Any term.
    Any,
    /// Values of one of these rules.
    Rules(Vec<RuleId>),
}

impl<'a> InputParts<'a> {
    /// Returns what a spec says about a part; nothing if the expression is not one.
    pub fn type_of(&mut self, part: Expr) -> Option<PartType> {
        let arena = self.arena;
        term::deeper(|| match arena.node(part) {
            Node::Input(at) => Some(self.narrowed(vec![*self.rules.get(*at as usize)?])),
            Node::Head(list) => self.inside(*list, |grammar, shape, list| match (shape, list) {
                (Shape::Cons(head, tail), Term::Cons(_, cell)) if accepts(grammar, *tail, &cell.tail) => vec![*head],
                _ => Vec::new(),
            }),
            Node::Tail(list) => self.inside(*list, |grammar, shape, list| match (shape, list) {
                (Shape::Cons(head, tail), Term::Cons(_, cell)) if accepts(grammar, *head, &cell.head) => vec![*tail],
                _ => Vec::new(),
            }),
            Node::Element(tuple, at) => self.inside(*tuple, |grammar, shape, tuple| match (shape, tuple.as_tuple()) {
                (Shape::Tuple(rules), Some(items)) if are_accepted(grammar, rules, items) => vec![rules[*at as usize]],
                _ => Vec::new(),
            }),
            Node::MapValue(map, key) => {
                let key = self.values.value(*key).ok()?;
                let takes = |grammar: &Grammar, field: &MapField| accepts(grammar, field.key, &key);
                self.inside(*map, |grammar, shape, _| match shape {
                    Shape::Map(fields) => {
                        fields.iter().filter(|field| takes(grammar, field)).map(|field| field.value).collect()
                    }
                    _ => Vec::new(),
                })
            }
            Node::MapKey(map, _) => self.inside(*map, |_, shape, _| match shape {
                Shape::Map(fields) => fields.iter().map(|field| field.key).collect(),
                _ => Vec::new(),
            }),
            Node::Result(fun, _) => self.inside(*fun, |_, shape, _| match shape {
                Shape::Fun { result, .. } => vec![*result],
                _ => Vec::new(),
            }),
            _ => None,
        })
    }

    /// The name of a type of a module that a part, or what it stands in, is of.
    pub fn type_of_module(&mut self, part: Expr, module: Atom) -> Option<Atom> {
        let around: Vec<Expr> = around(self.arena, part).collect();
        around.into_iter().find_map(|part| {
            let PartType::Rules(rules) = self.type_of(part)? else { return None };
            let names = rules.iter().filter_map(|rule| self.grammar.rule(*rule).name);
            names.into_iter().find(|(of, _)| *of == module).map(|(_, name)| name)
        })
    }

    /// The type of what stands in another part, by the shapes that this one can have.
    fn inside(&mut self, whole: Expr, rules: impl Fn(&Grammar, &'a Shape, &Term) -> Vec<RuleId>) -> Option<PartType> {
        let value = self.values.value(whole).ok()?;
        let PartType::Rules(around) = self.type_of(whole)? else { return Some(PartType::Any) };
        let grammar = self.grammar;
        let mut found = Vec::new();
        for shape in around.iter().flat_map(|rule| &grammar.rule(*rule).shapes) {
            if matches!((shape, &value), (Shape::AnyTuple, Term::Tuple(..))) {
                return Some(PartType::Any);
            }
            found.extend(rules(grammar, shape, &value));
        }
        Some(self.narrowed(found))
    }

    fn narrowed(&self, rules: Vec<RuleId>) -> PartType {
        let is_any = rules.iter().any(|rule| self.grammar.rule(*rule).shapes.contains(&Shape::Any));
        if is_any { PartType::Any } else { PartType::Rules(rules) }
    }

    /// The largest parts of inputs in an expression.
    pub fn of(&self, expr: Expr) -> Vec<Expr> {
        // What stands around what is no part is none either.
        let (mut parts, mut others) = (Vec::new(), FxHashSet::default());
        self.arena.visit([expr], |expr, _| {
            let is_part = !others.contains(&expr) && is_part(self.arena, expr);
            others.extend(around(self.arena, expr).nth(1).filter(|_| !is_part));
            parts.extend(is_part.then_some(expr));
            !is_part
        });
        parts
    }

    /// True if one of two parts stands in the other.
    pub fn overlap(&self, left: Expr, right: Expr) -> bool {
        self.is_within(left, right) || self.is_within(right, left)
    }

    /// True if a part is another one or stands in it.
    pub fn is_within(&self, part: Expr, whole: Expr) -> bool {
        around(self.arena, part).any(|at| at == whole)
    }

    /// The number of the input that a part belongs to, from 0.
    pub fn input(&self, part: Expr) -> Option<u32> {
        match around(self.arena, part).last().map(|top| self.arena.node(top)) {
            Some(Node::Input(at)) => Some(*at),
            _ => None,
        }
    }
}

impl PartType {
    /// True if it has a shape.
    pub fn has(&self, grammar: &Grammar, is: impl Fn(&Shape) -> bool) -> bool {
        match self {
            PartType::Any => true,
            PartType::Rules(rules) => rules.iter().any(|rule| grammar.rule(*rule).shapes.iter().any(&is)),
        }
    }
}

fn are_accepted(grammar: &Grammar, rules: &[RuleId], items: &[Term]) -> bool {
    rules.len() == items.len() && rules.iter().zip(items).all(|(rule, item)| accepts(grammar, *rule, item))
}

/// A part, then what it stands in, up to the input.
pub fn around(arena: &Arena, part: Expr) -> impl Iterator<Item = Expr> {
    std::iter::successors(Some(part), |at| match arena.node(*at) {
        Node::Head(whole)
        | Node::Tail(whole)
        | Node::Element(whole, _)
        | Node::MapValue(whole, _)
        | Node::MapKey(whole, _)
        | Node::Result(whole, _) => Some(*whole),
        _ => None,
    })
}

fn is_part(arena: &Arena, expr: Expr) -> bool {
    around(arena, expr).last().is_some_and(|top| matches!(arena.node(top), Node::Input(_)))
}
