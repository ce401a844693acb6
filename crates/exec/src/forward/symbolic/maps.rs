//! Looking for keys in maps, and making maps of maps.
//!
//! A marked map is a part of the inputs, or was made of such maps by putting, removing and merging: then what was put
//! last is looked at first. A map without a mark is known key by key, but keys and values in it may carry marks. Which
//! questions are asked depends on nothing but earlier answers: unknown keys come in the order of their expressions,
//! because the order of their values is not known.

use constraint::{Evaluator, Expr, Node, Op, Test, Type};
use ir::PairKind;
use ops::{MapOp, Rule};
use term::{Map, Mfa, Term};

use super::pin::is_marked;
use super::watch::Watch;
use crate::forward::code::MapForm;
use crate::forward::machine::View;

const IS_MAP: u32 = 16;
const HAS_KEY: u32 = 17;
const IS_KEY: u32 = 18;
const HAS_SIZE: u32 = 24;

/// Unknown keys are compared with those of maps that are no larger.
const MOST_KEYS: usize = 256;

/// The place of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Found {
    Nowhere,
    /// The program put it there: the value has its own marks.
    Own,
    /// In a part of the inputs, of which the value is this part.
    Part(Expr),
}

/// True if a map without a mark has keys with marks; large ones never do.
pub fn has_marked_keys(map: &Map) -> bool {
    map.len() <= Map::SMALL && map.keys().any(is_marked)
}

impl Watch<'_> {
    /// The value of an expression in this run.
    pub fn concrete(&self, expr: Expr) -> Option<Term> {
        Evaluator::new(&self.recorder.arena, &self.recorder.inputs).value(expr).ok()
    }

    /// Asks if a marked value is a map; returns true if it is.
    pub fn is_map(&mut self, value: &Term) -> bool {
        self.is(IS_MAP, value, Type::Map)
    }

    /// A key as an expression: the constant, where the path has settled it.
    fn key(&mut self, key: &Term) -> Expr {
        let expr = self.expr(key);
        self.recorder.facts.constant(&self.recorder.arena, expr).unwrap_or(expr)
    }

    /// Asks whether a map has a key.
    pub fn look_up(&mut self, key: &Term, map: &Term) -> Found {
        match (self.expr_of(map), map) {
            (Some(expr), _) if self.is_map(map) => {
                let wanted = self.key(key);
                self.find(wanted, key, expr, Some(map))
            }
            (None, Term::Map(_, map)) if self.find_among(key, map) => Found::Own,
            _ => Found::Nowhere,
        }
    }

    /// The mark of the value of a key.
    pub fn map_get(&mut self, key: &Term, map: &Term) -> Option<Expr> {
        match self.look_up(key, map) {
            Found::Part(value) => Some(value),
            Found::Own | Found::Nowhere => None,
        }
    }

    /// Follows how a map was made. `value` is that of the key, `whole` that of the map, if it is at hand.
    fn find(&mut self, key: Expr, value: &Term, map: Expr, whole: Option<&Term>) -> Found {
        let (mut map, mut whole) = (map, whole);
        loop {
            map = match self.recorder.arena.node(map).clone() {
                Node::MapPut(base, known, _) => match self.is_key(key, value, known) {
                    true => return Found::Own,
                    false => base,
                },
                Node::MapRemove(base, known) => match self.is_key(key, value, known) {
                    true => return Found::Nowhere,
                    false => base,
                },
                Node::MapMerge(first, second) => match self.find(key, value, second, None) {
                    Found::Nowhere => first,
                    found => return found,
                },
                Node::Literal(_) => return self.find_constant(key, value, map),
                _ => return self.find_part(key, value, map, whole),
            };
            whole = None;
        }
    }

    fn is_key(&mut self, key: Expr, value: &Term, known: Expr) -> bool {
        self.recorder.arena.same_key(key, known).unwrap_or_else(|| {
            let holds = self.concrete(known).is_some_and(|known| known == *value);
            self.ask(IS_KEY, Test::Same(key, known), holds);
            holds
        })
    }

    fn find_constant(&mut self, key: Expr, value: &Term, map: Expr) -> Found {
        let Some(Term::Map(_, map)) = self.recorder.arena.as_literal(map).cloned() else { return Found::Nowhere };
        if self.find_among(&value.clone().with_mark(key.mark()), &map) { Found::Own } else { Found::Nowhere }
    }

    fn find_part(&mut self, key: Expr, value: &Term, map: Expr, whole: Option<&Term>) -> Found {
        let own = matches!(self.recorder.arena.node(key), Node::MapKey(of, _) if *of == map);
        if !own {
            let has = |whole: &Term| whole.as_map().is_some_and(|map| map.contains(value));
            let holds = match whole {
                Some(whole) => has(whole),
                None => self.concrete(map).is_some_and(|whole| has(&whole)),
            };
            self.ask(HAS_KEY, Test::HasKey(map, key), holds);
            if !holds {
                return Found::Nowhere;
            }
        }
        Found::Part(self.recorder.arena.map_value(map, key))
    }

    /// Asks which key of a map without a mark the wanted one is; whether it is one.
    pub fn find_among(&mut self, key: &Term, map: &Map) -> bool {
        if !is_marked(key) && !has_marked_keys(map) {
            return map.contains(key);
        }
        if map.len() > MOST_KEYS {
            self.pin_all(Rule::Map(MapOp::Get).function(2), [key]);
            return map.contains(key);
        }
        let wanted = self.key(key);
        let known = self.known_keys(map);
        let same = |watch: &Self, known| watch.recorder.arena.same_key(wanted, known);
        if known.iter().any(|(known, _)| same(self, *known) == Some(true)) {
            return true;
        }
        known.into_iter().any(|(known, value)| {
            let open = same(self, known).is_none();
            if open {
                self.ask(IS_KEY, Test::Same(wanted, known), value == *key);
            }
            open && value == *key
        })
    }

    /// The keys of a map without a mark: constants in their order, then the others in that of their expressions.
    pub fn known_keys(&mut self, map: &Map) -> Vec<(Expr, Term)> {
        let (unknown, constant): (Vec<&Term>, Vec<&Term>) = map.keys().partition(|key| is_marked(key));
        let mut unknown: Vec<(Expr, Term)> = unknown.into_iter().map(|key| (self.expr(key), key.clone())).collect();
        unknown.sort_by_key(|(expr, _)| *expr);
        let constant = constant.into_iter().map(|key| (self.expr(key), key.clone()));
        constant.chain(unknown).collect()
    }

    /// `maps:put/3`, and `maps:update/3` where the key must be there: what the new map stands for.
    pub fn map_put(&mut self, key: &Term, value: &Term, map: &Term, must: bool) -> Option<Expr> {
        if !self.is_map(map) || must && self.look_up(key, map) == Found::Nowhere {
            return None;
        }
        match (self.expr_of(map), map) {
            (Some(expr), _) => {
                let (key, value) = (self.key(key), self.expr(value));
                Some(self.recorder.arena.map_put(expr, key, value))
            }
            (None, Term::Map(_, entries)) => {
                if !self.find_among(key, entries) {
                    self.keep_small(key, entries);
                }
                None
            }
            _ => None,
        }
    }

    /// A key is added to a map: in a large one all keys are held to their values.
    pub fn keep_small(&mut self, key: &Term, map: &Map) {
        if map.len() >= Map::SMALL && (is_marked(key) || has_marked_keys(map)) {
            self.pin_all(Rule::Map(MapOp::Put).function(3), map.keys().chain([key]));
        }
    }

    /// The expression of `maps:remove/2`.
    pub fn map_remove(&mut self, key: &Term, map: &Term) -> Option<Expr> {
        if !self.is_map(map) {
            return None;
        }
        let Some(expr) = self.expr_of(map) else {
            self.look_up(key, map);
            return None;
        };
        let key = self.key(key);
        Some(self.recorder.arena.map_remove(expr, key))
    }

    /// The expression of `maps:merge/2`.
    pub fn map_merge(&mut self, first: &Term, second: &Term) -> Option<Expr> {
        if !self.is_map(first) || !self.is_map(second) {
            return None;
        }
        match (first, second) {
            (Term::Map(term::Mark::NONE, left), Term::Map(term::Mark::NONE, right)) => {
                self.merged(left, right);
                None
            }
            _ => {
                let (first, second) = (self.expr(first), self.expr(second));
                Some(self.recorder.arena.map_merge(first, second))
            }
        }
    }

    /// Both maps, whose keys are known, in one.
    pub fn merged(&mut self, first: &Map, second: &Map) -> Map {
        let mut map = first.clone();
        for (_, key) in self.known_keys(second) {
            if let Some(value) = second.get(&key).cloned() {
                self.insert(&mut map, key, value);
            }
        }
        map
    }

    /// Puts an entry into a map without a mark.
    pub fn insert(&mut self, map: &mut Map, key: Term, value: Term) {
        if !self.find_among(&key, map) {
            self.keep_small(&key, map);
        }
        map.insert_mut(key, value);
    }

    /// The expression of a map that is built from another.
    pub fn build_map(&mut self, view: View, form: &MapForm) -> Option<Expr> {
        let base = view.look(form.base);
        let keys = form.pairs.iter().map(|(_, key, _)| view.look(*key));
        if !base.mark().is_some() && !base.as_map().is_some_and(has_marked_keys) && !keys.into_iter().any(is_marked) {
            return None;
        }
        if !self.is_map(base) || !self.has_all(view, form) {
            return None;
        }
        match (self.expr_of(base), base) {
            (Some(expr), _) => Some(form.pairs.iter().fold(expr, |map, (_, key, value)| {
                let (key, value) = (self.key(view.look(*key)), self.expr(view.look(*value)));
                self.recorder.arena.map_put(map, key, value)
            })),
            (None, Term::Map(_, entries)) => {
                let mut map = (**entries).clone();
                for (_, key, value) in &form.pairs {
                    self.insert(&mut map, view.look(*key).clone(), view.look(*value).clone());
                }
                None
            }
            _ => None,
        }
    }

    /// True if the map has every key that must be there, pairs taken in order.
    fn has_all(&mut self, view: View, form: &MapForm) -> bool {
        let base = view.look(form.base);
        form.pairs.iter().enumerate().filter(|(_, pair)| pair.0 == PairKind::Update).all(|(at, (_, key, _))| {
            let key = view.look(*key);
            form.pairs[..at].iter().any(|(_, earlier, _)| self.are_same(key, view.look(*earlier)))
                || self.look_up(key, base) != Found::Nowhere
        })
    }

    fn are_same(&mut self, a: &Term, b: &Term) -> bool {
        self.same(a, b);
        a == b
    }

    /// The size of a map as an expression.
    pub fn map_size(&mut self, map: &Term) -> Option<Expr> {
        let expr = self.expr_of(map)?;
        if !self.is_map(map) {
            return None;
        }
        self.size_of(expr)
    }

    fn size_of(&mut self, map: Expr) -> Option<Expr> {
        let (base, by) = match *self.recorder.arena.node(map) {
            Node::MapPut(base, key, _) => (base, i64::from(!self.finds(key, base)?)),
            Node::MapRemove(base, key) => (base, -i64::from(self.finds(key, base)?)),
            Node::MapMerge(first, second) => {
                let second = self.opened(second)?;
                let keys = self.known_keys(&second);
                let mut added = 0;
                for (key, value) in keys {
                    added += i64::from(self.find(key, &value, first, None) == Found::Nowhere);
                }
                (first, added)
            }
            _ => return Some(self.recorder.arena.apply(Op::MapSize, &[map])),
        };
        let size = term::deeper(|| self.size_of(base))?;
        let by = self.recorder.integer(by);
        Some(self.recorder.arena.apply(Op::Add, &[size, by]))
    }

    /// Asks whether a map has so many entries.
    pub fn has_size(&mut self, map: Expr, size: usize, wanted: usize) -> bool {
        if let Some(expr) = self.size_of(map) {
            let literal = self.recorder.integer(wanted as i64);
            self.ask(HAS_SIZE, Test::Same(expr, literal), size == wanted);
        }
        size == wanted
    }

    fn finds(&mut self, key: Expr, map: Expr) -> Option<bool> {
        let value = self.concrete(key)?;
        Some(self.find(key, &value, map, None) != Found::Nowhere)
    }

    /// Holds everything that a map was made of to its value.
    pub fn pin_made(&mut self, map: Expr) {
        let parts = match *self.recorder.arena.node(map) {
            Node::MapPut(base, key, value) => vec![base, key, value],
            Node::MapRemove(base, key) => vec![base, key],
            Node::MapMerge(first, second) => vec![first, second],
            _ => return,
        };
        for part in parts {
            if let Some(value) = self.concrete(part) {
                term::deeper(|| self.pin_expr(part, &value));
            }
        }
    }

    /// An operation on maps that only passes them on: what its result stands for.
    pub fn map_operation(&mut self, function: Mfa, operation: MapOp, args: &mut [Term]) -> Option<Expr> {
        match (operation, &mut *args) {
            (MapOp::Get, [key, map]) => self.map_get(key, map),
            (MapOp::HasKey, [key, map]) => {
                self.look_up(key, map);
                None
            }
            (MapOp::Put, [key, value, map]) => self.map_put(key, value, map, false),
            (MapOp::Update, [key, value, map]) => self.map_put(key, value, map, true),
            (MapOp::Remove, [key, map]) => self.map_remove(key, map),
            (MapOp::Merge, [first, second]) => self.map_merge(first, second),
            (_, args) => {
                self.pin_all(function, &*args);
                None
            }
        }
    }
}
