//! Keys of tables: when two are one, and which comes first.

use std::cmp::Ordering;

use term::Term;

use crate::forward::symbolic::pin::{is_marked, unmarked};
use crate::forward::symbolic::watch::Watch;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Set,
    OrderedSet,
    Bag,
    DuplicateBag,
}

impl Kind {
    pub fn is_unique(self) -> bool {
        matches!(self, Kind::Set | Kind::OrderedSet)
    }

    pub fn name(self) -> &'static str {
        match self {
            Kind::Set => "set",
            Kind::OrderedSet => "ordered_set",
            Kind::Bag => "bag",
            Kind::DuplicateBag => "duplicate_bag",
        }
    }

    /// Whether two keys are one.
    fn is_one(self, a: &Term, b: &Term) -> bool {
        if self == Kind::OrderedSet { a.num_eq(b) } else { a == b }
    }
}

/// A constant key, in an order in which two are equal if they are one to the table.
#[derive(Clone)]
pub struct Key {
    pub term: Term,
    pub kind: Kind,
}

impl Key {
    /// Of anything, where only the same is equal.
    pub fn exact(term: &Term) -> Key {
        Key { term: term.clone(), kind: Kind::Set }
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> Ordering {
        match self.kind {
            Kind::OrderedSet => self.term.compare(&other.term),
            _ => self.term.compare_exact(&other.term),
        }
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key {}

impl Watch<'_> {
    /// Returns true if two keys are the same, whatever the inputs are.
    pub fn is_identical(&self, a: &Term, b: &Term) -> bool {
        match (self.expr_of(a), self.expr_of(b)) {
            (Some(a), Some(b)) => a == b,
            (None, None) => !is_marked(a) && !is_marked(b) && a == b,
            _ => false,
        }
    }

    /// The key of a row, with its marks.
    pub fn key_of(&mut self, row: &Term, place: usize) -> Term {
        let Some(key) = row.as_tuple().and_then(|items| items.get(place)) else { return Term::nil() };
        match self.expr_of(row) {
            Some(whole) => self.element(whole, place, key.clone()),
            None => key.clone(),
        }
    }

    pub fn constant_key_of(&mut self, row: &Term, place: usize) -> Term {
        let key = self.key_of(row, place);
        self.constant_key(&key)
    }

    /// A key, without its mark where the path has settled what it is.
    pub fn constant_key(&self, key: &Term) -> Term {
        let settled = self.expr_of(key).and_then(|expr| self.recorder.facts.constant(&self.recorder.arena, expr));
        if settled.is_some() { unmarked(key) } else { key.clone() }
    }

    /// Asks whether two keys are one to a table.
    pub fn is_one(&mut self, kind: Kind, a: &Term, b: &Term) -> bool {
        match kind {
            _ if !is_marked(a) && !is_marked(b) => {}
            Kind::OrderedSet => self.equal(a, b),
            _ => self.same(a, b),
        }
        kind.is_one(a, b)
    }

    /// Asks which is the first key above another in an order: the keys are halved until one is left.
    pub fn first_above(&mut self, key: &Term, sorted: &[(Term, Term)]) -> usize {
        if let Some(at) = sorted.iter().position(|(other, _)| self.is_identical(key, other)) {
            return at + 1;
        }
        let (mut low, mut high) = (0, sorted.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.is_less(key, &sorted[middle].0) { high = middle } else { low = middle + 1 }
        }
        low
    }

    /// Asks for the number of keys below another in an order.
    pub fn count_below(&mut self, key: &Term, sorted: &[(Term, Term)]) -> usize {
        if let Some(at) = sorted.iter().position(|(other, _)| self.is_identical(key, other)) {
            return at;
        }
        let (mut low, mut high) = (0, sorted.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.is_less(&sorted[middle].0, key) { low = middle + 1 } else { high = middle }
        }
        low
    }

    fn is_less(&mut self, a: &Term, b: &Term) -> bool {
        if is_marked(a) || is_marked(b) {
            self.less(a, b);
        }
        a.compare(b).is_lt()
    }
}
