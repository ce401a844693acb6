//! Random values of an input grammar.

use constraint::{Grammar, RuleId, Shape};
use fastrand::Rng;
use num_bigint::BigInt;
use term::{Bits, Map, Term};

/// Below this many levels everything is as small as can be.
const DEPTH: u32 = 6;

/// A value of the rule, as far as one was found; the caller checks that it is one.
pub fn value(grammar: &Grammar, rule: RuleId, random: &mut Rng, atoms: &[Term]) -> Option<Term> {
    Draw { grammar, random, atoms, heights: grammar.heights() }.rule(rule, 0)
}

struct Draw<'a> {
    grammar: &'a Grammar,
    random: &'a mut Rng,
    atoms: &'a [Term],
    heights: Vec<Option<u32>>,
}

impl Draw<'_> {
    fn rule(&mut self, rule: RuleId, depth: u32) -> Option<Term> {
        let mut shapes: Vec<Shape> = self.grammar.rule(rule).shapes.clone();
        self.random.shuffle(&mut shapes);
        if depth > DEPTH {
            shapes.sort_by_key(|shape| self.height(shape));
        }
        shapes.into_iter().find_map(|shape| self.shape(&shape, depth))
    }

    fn height(&self, shape: &Shape) -> u32 {
        let of = |rule: &RuleId| self.heights.get(rule.0 as usize).copied().flatten().unwrap_or(u32::MAX);
        match shape {
            Shape::Cons(head, tail) => of(head).max(of(tail)),
            Shape::Tuple(items) => items.iter().map(of).max().unwrap_or(0),
            Shape::Map(fields) => {
                fields.iter().filter(|field| field.mandatory).map(|field| of(&field.value)).max().unwrap_or(0)
            }
            Shape::Fun { .. } => 1,
            _ => 0,
        }
    }

    fn shape(&mut self, shape: &Shape, depth: u32) -> Option<Term> {
        match shape {
            Shape::Any => Some(self.anything(depth)),
            Shape::Literal(literal) => Some(literal.clone()),
            Shape::Atom => Some(self.atom()),
            Shape::Integer { low, high } => Some(self.integer(low.as_ref(), high.as_ref())),
            Shape::Float => Some(Term::float(f64::from(self.random.i32(-40..40)) / 4.0)),
            Shape::Cons(head, tail) => Some(Term::cons(self.rule(*head, depth + 1)?, self.rule(*tail, depth + 1)?)),
            Shape::AnyTuple => {
                let size = self.random.usize(0..4);
                Some(Term::tuple((0..size).map(|_| self.anything(depth + 1)).collect::<Vec<Term>>()))
            }
            Shape::Tuple(items) => {
                let items: Option<Vec<Term>> = items.iter().map(|item| self.rule(*item, depth + 1)).collect();
                Some(Term::tuple(items?))
            }
            Shape::Map(fields) => {
                let mut pairs = Vec::new();
                for field in fields {
                    let count = if field.mandatory { 1 } else { self.random.usize(0..3) };
                    for _ in 0..count {
                        pairs.push((self.rule(field.key, depth + 1)?, self.rule(field.value, depth + 1)?));
                    }
                }
                Some(Term::map(Map::from_pairs(pairs)))
            }
            Shape::Bits { base, unit } => {
                let more = if *unit == 0 { 0 } else { self.random.u64(0..8) };
                let size = usize::try_from(base + unit * more).ok()?;
                let bytes: Vec<u8> = (0..size.div_ceil(8)).map(|_| self.byte()).collect();
                Some(Term::bits(Bits::from_bits(bytes, size)))
            }
            // Functions and handles are not drawn; other inputs cover these.
            _ => None,
        }
    }

    fn byte(&mut self) -> u8 {
        match self.random.u8(0..3) {
            0 => self.random.u8(0..4),
            1 => self.random.u8(b' '..b'z'),
            _ => self.random.u8(..),
        }
    }

    fn atom(&mut self) -> Term {
        self.random.choice(self.atoms).cloned().unwrap_or(Term::atom_named("a"))
    }

    fn integer(&mut self, low: Option<&BigInt>, high: Option<&BigInt>) -> Term {
        let drawn = match self.random.u8(0..4) {
            0 => self.random.i64(-2..3),
            1 => self.random.i64(-20..130),
            2 => self.random.i64(-3000..3000),
            _ => self.random.i64(-1 << 40..1 << 40),
        };
        let mut value = BigInt::from(drawn);
        match (low, high) {
            (Some(low), Some(high)) if low < high => {
                let span = high - low + 1u8;
                value = low + ((value % &span) + &span) % &span;
            }
            (Some(low), _) if value < *low => value = low + (low - value),
            (_, Some(high)) if value > *high => value = high - (value - high),
            _ => {}
        }
        Term::big(value)
    }

    fn anything(&mut self, depth: u32) -> Term {
        match self.random.u8(0..if depth > DEPTH { 4 } else { 9 }) {
            0 => self.atom(),
            1 | 2 => self.integer(None, None),
            3 => Term::nil(),
            4 => Term::float(f64::from(self.random.i32(-40..40)) / 4.0),
            5 => {
                let size = self.random.usize(0..4);
                Term::tuple((0..size).map(|_| self.anything(depth + 2)).collect::<Vec<Term>>())
            }
            6 => {
                let size = self.random.usize(0..5);
                Term::list((0..size).map(|_| self.anything(depth + 2)).collect::<Vec<Term>>())
            }
            7 => {
                let size = self.random.usize(0..4);
                Term::map(Map::from_pairs(
                    (0..size).map(|_| (self.atom(), self.anything(depth + 2))).collect::<Vec<_>>(),
                ))
            }
            _ => {
                let size = self.random.usize(0..6);
                Term::binary((0..size).map(|_| self.byte()).collect::<Vec<u8>>())
            }
        }
    }
}
