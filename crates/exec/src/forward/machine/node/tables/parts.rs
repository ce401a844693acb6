//! The rows of a table that an operation is about, as numbers: operations on rows of different numbers do not meet.

use std::hash::{Hash, Hasher};

use ops::{EtsOp, Specification};
use rustc_hash::FxHasher;
use term::Term;

use super::key::TableType;
use super::table::EtsTable;
use crate::forward::symbolic::has_made;

/// Slots that the VM never joins: the order of rows in one of them is the order in which they came.
pub const SLOTS: u64 = 256;

impl EtsTable {
    /// The numbers of the rows that an operation reads or writes; nothing if they may be any. They are below 256, or odd.
    pub fn parts(&self, op: EtsOp, args: &[Term]) -> Option<Vec<u64>> {
        let keys = self.keys_of(op, args.get(1..)?)?;
        keys.iter().map(|key| self.part(key)).collect()
    }

    /// The numbers of the keys that an operation is about, which equal keys share; nothing if they may be any.
    pub fn key_numbers(&self, op: EtsOp, args: &[Term]) -> Option<Vec<u64>> {
        let keys = self.keys_of(op, args.get(1..)?)?;
        keys.iter().map(|key| self.key_number(key)).collect()
    }

    /// The keys that an operation is about; nothing if they may be any.
    pub fn keys_of(&self, op: EtsOp, args: &[Term]) -> Option<Vec<Term>> {
        use EtsOp::{
            Delete, DeleteObject, Insert, InsertNew, Lookup, LookupElement, Match, MatchObject, Member, Select,
        };
        use EtsOp::{SelectCount, SelectReverse, Take, UpdateCounter, UpdateElement};
        match (op, args) {
            (Delete | Lookup | LookupElement | Member | Take | UpdateCounter | UpdateElement, [key, ..]) => {
                Some(vec![key.clone()])
            }
            (DeleteObject, [row]) => Some(self.key(row).cloned().into_iter().collect()),
            (Insert | InsertNew, [rows]) => {
                let rows = if rows.as_tuple().is_some() { vec![rows.clone()] } else { rows.proper_list()? };
                Some(rows.iter().filter_map(|row| self.key(row)).cloned().collect())
            }
            (Match | MatchObject, [pattern]) => Specification::of_pattern(pattern, true)?.keys(self.place),
            (Select | SelectReverse | SelectCount, [spec]) => Specification::compile(spec)?.keys(self.place),
            _ => None,
        }
    }

    /// True if what an operation finds comes in an order that the numbers of the run's own pids and references decide:
    /// by themselves, or by their hashes.
    pub fn is_ordered_by_handles(&self, op: EtsOp, args: &[Term], found: &Term) -> bool {
        use EtsOp::{Continue, First, Last, Match, MatchObject, Next, Prev, Select, SelectReverse, Slot};
        let shows_order = match op {
            First | Last | Next | Prev | Slot | Continue => true,
            Match | MatchObject | Select | SelectReverse => {
                let is_one = found.proper_list().is_some_and(|found| found.len() < 2);
                !is_one && args.get(1..).and_then(|rest| self.keys_of(op, rest)).is_none()
            }
            _ => false,
        };
        let least = if self.kind == TableType::OrderedSet { 2 } else { 1 };
        let keys = || self.rows.all().filter_map(|row| self.key(row));
        shows_order && self.rows.len() > 1 && keys().filter(|key| has_made(key)).take(least).count() == least
    }

    /// The number of the rows that have their order together with those of a key.
    fn part(&self, key: &Term) -> Option<u64> {
        let own = self.key_number(key)?;
        match self.kind {
            TableType::OrderedSet => Some(own),
            _ => Some(ops::key_hash(key).map_or(own, |hash| u64::from(hash) % SLOTS)),
        }
    }

    /// The number of a key.
    fn key_number(&self, key: &Term) -> Option<u64> {
        let mut hasher = FxHasher::default();
        key.hash(&mut hasher);
        // Numbers of both kinds can be equal in an ordered set.
        let is_known = self.kind != TableType::OrderedSet || !holds_float(key);
        is_known.then_some(hasher.finish() | SLOTS | 1)
    }
}

fn holds_float(term: &Term) -> bool {
    term::deeper(|| match term {
        Term::Float(..) => true,
        Term::Cons(..) => {
            let mut cells = term.cells();
            cells.by_ref().any(holds_float) || holds_float(cells.rest())
        }
        Term::Tuple(_, items) => items.iter().any(holds_float),
        Term::Map(_, map) => map.iter().any(|(key, value)| holds_float(key) || holds_float(value)),
        _ => false,
    })
}
