//! Access paths: the selectors from an input to a number in it.

use constraint::{Arena, Evaluator, Expr, Grammar, Node, RuleId, Shape};
use num_bigint::BigInt;
use term::{BitsBuilder, Term};

use super::value::Num;
use crate::integer::int::Int;
use crate::integer::interval::{Interval, Range};
use crate::shapes::integers;

/// The path from a term to one of its parts.
#[derive(Clone, PartialEq, Debug)]
enum Selector {
    Head,
    Tail,
    Element(usize),
    /// The value of a key.
    Value(Term),
    /// The number that some bits are.
    Bits(usize, usize),
}

/// A part of an input.
#[derive(Clone, PartialEq, Debug)]
pub struct AccessPath {
    input: usize,
    hops: Vec<Selector>,
}

impl AccessPath {
    /// The place that an expression names, if it is a part of an input and nothing made of one.
    pub fn of(arena: &Arena, expr: Expr, values: &mut Evaluator<'_>) -> Option<AccessPath> {
        let mut hops = Vec::new();
        let mut expr = expr;
        loop {
            let (hop, of) = match arena.node(expr) {
                Node::Input(at) => {
                    hops.reverse();
                    return Some(AccessPath { input: *at as usize, hops });
                }
                Node::Head(of) => (Selector::Head, of),
                Node::Tail(of) => (Selector::Tail, of),
                Node::Element(of, at) => (Selector::Element(*at as usize), of),
                Node::MapValue(of, key) => (Selector::Value(values.value(*key).ok()?), of),
                Node::Bits { of, at, size } => (Selector::Bits(*at as usize, *size as usize), of),
                _ => return None,
            };
            hops.push(hop);
            expr = *of;
        }
    }

    /// Puts a number there.
    pub fn put(&self, inputs: &mut [Term], number: &Term) -> Option<()> {
        let input = inputs.get_mut(self.input)?;
        *input = put(input, &self.hops, number)?;
        Some(())
    }

    /// The least and the largest integer that the grammar has there.
    pub fn range(&self, grammar: &Grammar, inputs: &[RuleId]) -> (Option<Num>, Option<Num>) {
        if let Some(Selector::Bits(_, size)) = self.hops.last() {
            let high = (BigInt::from(1) << *size) - 1;
            return (Some(Num::ZERO), Some(Num::Int(Int::of(&high))));
        }
        let mut rules: Vec<RuleId> = inputs.get(self.input).copied().into_iter().collect();
        for hop in &self.hops {
            let shapes = rules.iter().flat_map(|rule| &grammar.rule(*rule).shapes);
            let Some(next) = shapes.map(|shape| after(shape, hop)).collect::<Option<Vec<_>>>() else {
                return (None, None);
            };
            rules = next.concat();
            rules.sort_unstable();
            rules.dedup();
        }
        hull(rules.iter().flat_map(|rule| &grammar.rule(*rule).shapes))
    }
}

fn put(term: &Term, hops: &[Selector], number: &Term) -> Option<Term> {
    let Some((hop, rest)) = hops.split_first() else { return Some(number.clone()) };
    // The path through a long list is as long as the list.
    term::deeper(|| match (hop, term) {
        (Selector::Head, Term::Cons(_, cell)) => Some(Term::cons(put(&cell.head, rest, number)?, cell.tail.clone())),
        (Selector::Tail, Term::Cons(_, cell)) => Some(Term::cons(cell.head.clone(), put(&cell.tail, rest, number)?)),
        (Selector::Element(at), Term::Tuple(_, items)) => {
            let mut items = items.to_vec();
            let item = items.get_mut(*at)?;
            *item = put(item, rest, number)?;
            Some(Term::tuple(items))
        }
        (Selector::Value(key), term) => {
            let map = term.as_map()?;
            let value = put(map.get(key)?, rest, number)?;
            Some(Term::map(map.insert(key.clone(), value)))
        }
        (Selector::Bits(at, size), term) => put_bits(term, *at, *size, &number.as_bigint()?),
        _ => None,
    })
}

fn put_bits(term: &Term, at: usize, size: usize, number: &BigInt) -> Option<Term> {
    let bits = term.as_bits()?;
    let after = bits.bit_len().checked_sub(at + size)?;
    let mut builder = BitsBuilder::new();
    builder.push_bits(&bits.slice(0, at));
    builder.push_bigint(number, size, false);
    builder.push_bits(&bits.slice(at + size, after));
    Some(Term::bits(builder.finish()))
}

/// The rules of a part; `None` if it can be anything.
fn after(shape: &Shape, hop: &Selector) -> Option<Vec<RuleId>> {
    Some(match (shape, hop) {
        (Shape::Cons(head, _), Selector::Head) => vec![*head],
        (Shape::Cons(_, tail), Selector::Tail) => vec![*tail],
        (Shape::Tuple(items), Selector::Element(at)) => items.get(*at).copied().into_iter().collect(),
        (Shape::Map(fields), Selector::Value(_)) => fields.iter().map(|field| field.value).collect(),
        (Shape::Any | Shape::AnyTuple | Shape::Rule(_), _) => return None,
        _ => Vec::new(),
    })
}

fn hull<'s>(shapes: impl Iterator<Item = &'s Shape>) -> (Option<Num>, Option<Num>) {
    let ranges = shapes.filter_map(|shape| match shape {
        Shape::Any | Shape::Rule(_) => Some(Range::ALL),
        shape => integers(shape),
    });
    let Interval { low, high } = Interval::of(&ranges.reduce(|all, next| all.hull(&next)).unwrap_or_default());
    (low.map(Num::Int), high.map(Num::Int))
}
