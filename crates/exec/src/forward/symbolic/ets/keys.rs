//! Keys of ETS tables: equality and order of keys that may carry marks.

use std::cmp::Ordering;

use term::Term;

use crate::forward::symbolic::pin::{is_marked, unmarked};
use crate::forward::symbolic::watch::Watch;

/// The type of a table, as in `ets:new/2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableType {
    Set,
    OrderedSet,
    Bag,
    DuplicateBag,
}

impl TableType {
    /// True if the table has at most one row of a key.
    pub fn is_unique(self) -> bool {
        matches!(self, TableType::Set | TableType::OrderedSet)
    }

    /// Its name in the options of `ets:new/2`.
    pub fn name(self) -> &'static str {
        match self {
            TableType::Set => "set",
            TableType::OrderedSet => "ordered_set",
            TableType::Bag => "bag",
            TableType::DuplicateBag => "duplicate_bag",
        }
    }

    /// True if two keys are equal in such a table.
    fn is_one(self, a: &Term, b: &Term) -> bool {
        if self == TableType::OrderedSet { a.num_eq(b) } else { a == b }
    }
}

/// A constant key, ordered so that keys are equal if the table takes them for one.
#[derive(Clone)]
pub struct Key {
    /// The key itself.
    pub term: Term,
    /// The type of its table.
    pub kind: TableType,
}

impl Key {
    /// A term that is equal to the same term alone.
    pub fn exact(term: &Term) -> Key {
        Key { term: term.clone(), kind: TableType::Set }
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> Ordering {
        match self.kind {
            TableType::OrderedSet => self.term.compare(&other.term),
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
    /// Returns true if two keys are the same for all inputs.
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

    /// The key of a row, without its mark where the path condition determines it.
    pub fn constant_key_of(&mut self, row: &Term, place: usize) -> Term {
        let key = self.key_of(row, place);
        self.constant_key(&key)
    }

    /// A key, without its mark where the path condition determines it.
    pub fn constant_key(&self, key: &Term) -> Term {
        let settled = self.expr_of(key).and_then(|expr| self.recorder.facts.constant(&self.recorder.arena, expr));
        if settled.is_some() { unmarked(key) } else { key.clone() }
    }

    /// Records whether two keys are equal in a table of this type.
    pub fn is_one(&mut self, kind: TableType, a: &Term, b: &Term) -> bool {
        match kind {
            _ if !is_marked(a) && !is_marked(b) => {}
            TableType::OrderedSet => self.equal(a, b),
            _ => self.same(a, b),
        }
        kind.is_one(a, b)
    }

    /// Records the position of the first key above this one.
    pub fn first_above(&mut self, key: &Term, sorted: &[(Term, Term)]) -> usize {
        match sorted.iter().position(|(other, _)| self.is_identical(key, other)) {
            Some(at) => at + 1,
            None => bisect(sorted, |other| !self.is_less(key, other)),
        }
    }

    /// Records the number of keys below this one.
    pub fn count_below(&mut self, key: &Term, sorted: &[(Term, Term)]) -> usize {
        let known = sorted.iter().position(|(other, _)| self.is_identical(key, other));
        known.unwrap_or_else(|| bisect(sorted, |other| self.is_less(other, key)))
    }

    fn is_less(&mut self, a: &Term, b: &Term) -> bool {
        if is_marked(a) || is_marked(b) {
            self.less(a, b);
        }
        a.compare(b).is_lt()
    }
}

/// The number of first keys that a condition, which holds for those alone, holds for.
fn bisect(sorted: &[(Term, Term)], mut is_first: impl FnMut(&Term) -> bool) -> usize {
    let (mut low, mut high) = (0, sorted.len());
    while low < high {
        let middle = low + (high - low) / 2;
        if is_first(&sorted[middle].0) { low = middle + 1 } else { high = middle }
    }
    low
}
