//! All entries of a map: how many there are is asked, and each key and value becomes an expression.

use std::rc::Rc;

use constraint::{Expr, Kinds, Node, Op, Test, Type};
use ops::{Relation, Rule};
use term::{Map, Mark, Mfa, Term};

use super::maps::has_marked_keys;
use super::pin::{any_part, is_marked};
use super::watch::Watch;

const SIZE: u32 = 19;
const WHICH_KEY: u32 = 20;
const IS_INTEGER: u32 = 21;
const IS_FLOAT: u32 = 22;
const IS_BEFORE: u32 = 23;

impl Watch<'_> {
    /// A map of the same entries that carries no mark itself, in whose order everything asked for holds. A map that
    /// is too large is held to its value.
    pub fn open_map(&mut self, function: Mfa, map: &Term) -> Term {
        if !self.is_map(map) {
            return map.clone();
        }
        let opened = match (self.expr_of(map), map) {
            (Some(expr), _) => self.opened_as(expr, map),
            (None, Term::Map(_, entries)) => Some((**entries).clone()),
            _ => None,
        };
        match opened {
            Some(opened) => {
                self.in_order(&opened);
                Term::Map(Mark::NONE, Rc::new(opened))
            }
            None => {
                match map.as_map().is_some_and(|entries| entries.len() > Map::SMALL) {
                    // The order of its keys may be another in another VM.
                    true => {
                        self.pin(map);
                        self.varying(function);
                    }
                    false => self.pin_all(function, [map]),
                }
                map.clone()
            }
        }
    }

    /// The entries of a map, each of which carries its own mark; nothing if there are too many.
    pub fn opened(&mut self, map: Expr) -> Option<Map> {
        let value = self.concrete(map)?;
        self.opened_as(map, &value)
    }

    /// The map with the expressions of its entries as marks.
    pub fn opened_as(&mut self, map: Expr, value: &Term) -> Option<Map> {
        // As many maps may be made of each other as a program has steps.
        term::deeper(|| self.entries_of(map, value))
    }

    fn entries_of(&mut self, map: Expr, value: &Term) -> Option<Map> {
        match *self.recorder.arena.node(map) {
            Node::MapPut(base, key, item) => {
                let mut base = self.opened(base)?;
                let (key, item) = (self.marked(key)?, self.marked(item)?);
                self.insert(&mut base, key, item);
                Some(base)
            }
            Node::MapRemove(base, key) => {
                let mut base = self.opened(base)?;
                let key = self.marked(key)?;
                if self.find_among(&key, &base) {
                    base.remove_mut(&key);
                }
                Some(base)
            }
            Node::MapMerge(first, second) => {
                let (first, second) = (self.opened(first)?, self.opened(second)?);
                Some(self.merged(&first, &second))
            }
            Node::Literal(_) => value.as_map().cloned(),
            _ => self.open_part(map, value.as_map()?),
        }
    }

    /// An expression as a value that carries it.
    fn marked(&mut self, expr: Expr) -> Option<Term> {
        let value = self.concrete(expr)?;
        Some(if self.recorder.arena.as_literal(expr).is_some() { value } else { value.with_mark(expr.mark()) })
    }

    fn open_part(&mut self, map: Expr, entries: &Map) -> Option<Map> {
        let mut known = self.recorder.facts.known_keys(&self.recorder.arena, map);
        self.ask_size(map, known.len(), entries.len());
        if entries.len() > Map::SMALL {
            return None;
        }
        known.reverse();
        let mut opened = Vec::with_capacity(entries.len());
        for (at, (key, value)) in entries.iter().enumerate() {
            let place = self.recorder.arena.map_key(map, at as u32);
            let expr = self.which_key(place, key, &mut known, entries.len() - at);
            let value_of = self.recorder.arena.map_value(map, expr);
            let key = if expr == place { key.clone().with_mark(place.mark()) } else { key.clone() };
            opened.push((key, value.clone().with_mark(value_of.mark())));
        }
        Some(Map::from_pairs(opened))
    }

    /// Records the number of entries, by a sequence of tests that can be flipped one by one.
    fn ask_size(&mut self, map: Expr, least: usize, size: usize) {
        let expr = self.recorder.arena.apply(Op::MapSize, &[map]);
        for number in least..=size.min(Map::SMALL) {
            let literal = self.recorder.integer(number as i64);
            self.ask(SIZE, Test::Same(expr, literal), number == size);
        }
    }

    /// The next key is a constant that the map is known to have, or some key before it.
    fn which_key(&mut self, place: Expr, key: &Term, known: &mut Vec<Expr>, left: usize) -> Expr {
        let Some(&next) = known.last() else { return place };
        let is_next = self.recorder.arena.as_literal(next) == Some(key);
        if known.len() < left {
            self.ask(WHICH_KEY, Test::Same(place, next), is_next);
        }
        if !is_next {
            return place;
        }
        known.pop();
        next
    }

    /// Asks for the order of the keys of a map without a mark: each finds its place among those before it.
    pub fn in_order(&mut self, map: &Map) {
        if !has_marked_keys(map) {
            return;
        }
        let mut sorted: Vec<(Expr, Term)> = Vec::with_capacity(map.len());
        for (expr, key) in self.known_keys(map) {
            let place = if is_marked(&key) {
                (0..sorted.len()).find(|at| self.is_before(&key, &sorted[*at].1)).unwrap_or(sorted.len())
            } else {
                sorted.len()
            };
            sorted.insert(place, (expr, key));
        }
    }

    /// True if a key comes before another, which is not the same, in the order of keys.
    pub fn is_before(&mut self, a: &Term, b: &Term) -> bool {
        let holds = a.compare_exact(b).is_lt();
        let (x, y) = (self.expr(a), self.expr(b));
        if let (Node::MapKey(m, i), Node::MapKey(n, j)) = (self.recorder.arena.node(x), self.recorder.arena.node(y))
            && m == n
        {
            return i < j;
        }
        if self.can_be_number(x) && self.can_be_number(y) {
            self.ask_number(x, a);
            self.ask_number(y, b);
            if a.is_number() && b.is_number() && a.is_integer() != b.is_integer() {
                return holds;
            }
        }
        if has_float_inside(a) || has_float_inside(b) {
            // There, integers stand before floats, which no question says.
            self.pin_all(Rule::Relation(Relation::Less).function(2), [a, b]);
        }
        self.ask(IS_BEFORE, Test::Less(x, y), a.compare(b).is_lt());
        holds
    }

    fn can_be_number(&self, expr: Expr) -> bool {
        let kinds = self.recorder.facts.kinds(&self.recorder.arena, expr);
        kinds.meets(Kinds::NUMBER)
    }

    fn ask_number(&mut self, expr: Expr, value: &Term) {
        self.ask(IS_INTEGER, Test::Type(expr, Type::Integer), value.is_integer());
        if !value.is_integer() {
            self.ask(IS_FLOAT, Test::Type(expr, Type::Float), value.is_number());
        }
    }
}

fn has_float_inside(term: &Term) -> bool {
    !matches!(term, Term::Fun(..)) && any_part(term, &mut is_or_has_float)
}

fn is_or_has_float(term: &Term) -> bool {
    matches!(term, Term::Float(..)) || has_float_inside(term)
}
