//! Keys of ETS tables: equality and order of keys that may carry marks.

use term::Term;

use crate::forward::machine::TableType;
use crate::forward::symbolic::pin::{is_marked, unmarked};
use crate::forward::symbolic::recorder::Recorder;
use crate::forward::symbolic::watch::Watch;

impl Recorder {
    /// True if the path condition determines a term with a mark.
    pub fn is_settled(&self, term: &Term) -> bool {
        self.arena.of_mark(term.mark()).and_then(|expr| self.facts.constant(&self.arena, expr)).is_some()
    }
}

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
        if self.recorder.is_settled(key) { unmarked(key) } else { key.clone() }
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
