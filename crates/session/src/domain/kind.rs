//! The kinds of a rule: the same structure, without bounds of numbers, lengths of lists and sizes of bitstrings.

use constraint::{Grammar, RuleId, Shape};
use rustc_hash::FxHashMap;
use term::Term;

/// Returns the rule of all values of the kinds that a rule of a closed grammar has.
pub(super) fn rule(grammar: &mut Grammar, rule: RuleId) -> RuleId {
    Kinds { grammar, known: FxHashMap::default() }.of(rule)
}

/// The largest byte and the largest character.
const LARGEST: [u32; 2] = [u8::MAX as u32, char::MAX as u32];

struct Kinds<'a> {
    grammar: &'a mut Grammar,
    /// The rules that are made, or being made.
    known: FxHashMap<RuleId, RuleId>,
}

impl Kinds<'_> {
    fn of(&mut self, rule: RuleId) -> RuleId {
        if let Some(known) = self.known.get(&rule) {
            return *known;
        }
        let made = self.grammar.reserve();
        self.known.insert(rule, made);
        let shapes = self.grammar.rule(rule).shapes.clone();
        let mut kinds: Vec<Shape> = shapes.iter().map(|shape| term::deeper(|| self.shape(shape))).collect();
        let is_list = kinds.iter().any(|shape| matches!(shape, Shape::Cons(..)));
        kinds.extend(is_list.then(|| Shape::Literal(Term::nil())));
        self.grammar.fill(made, kinds);
        made
    }

    fn shape(&mut self, shape: &Shape) -> Shape {
        match shape {
            // A negative number is no byte and no character, of whatever encoding.
            Shape::Integer { low: Some(low), high: Some(high) }
                if *low == 0.into() && LARGEST.into_iter().any(|largest| *high == largest.into()) =>
            {
                Shape::Integer { low: Some(low.clone()), high: None }
            }
            Shape::Integer { .. } => Shape::Integer { low: None, high: None },
            Shape::Literal(term) if term.is_integer() => Shape::Integer { low: None, high: None },
            Shape::Bits { base, unit } if base % 8 == 0 && unit % 8 == 0 => Shape::Bits { base: 0, unit: 8 },
            Shape::Bits { .. } => Shape::Bits { base: 0, unit: 1 },
            Shape::Cons(head, tail) => Shape::Cons(self.of(*head), self.of(*tail)),
            Shape::Tuple(rules) => Shape::Tuple(rules.iter().map(|rule| self.of(*rule)).collect()),
            other => other.clone(),
        }
    }
}
