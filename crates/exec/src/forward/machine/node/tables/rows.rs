//! The rows of a table of any type.

#![expect(clippy::mutable_key_type, reason = "what a map caches of itself counts for nothing in a key")]

use std::collections::BTreeMap;
use std::ops::Bound;

use term::Term;

use super::buckets::Buckets;
use super::key::{Key, TableType};

/// The rows of a table.
pub enum Rows {
    /// By the hashes of their keys.
    Hashed(Buckets),
    /// By the order of their keys.
    Ordered(BTreeMap<Key, Term>),
}

impl Rows {
    /// No rows.
    pub fn new(kind: TableType, place: usize, stride: usize) -> Rows {
        match kind {
            TableType::OrderedSet => Rows::Ordered(BTreeMap::new()),
            _ => Rows::Hashed(Buckets::new(kind, place, stride)),
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Rows::Hashed(buckets) => buckets.len(),
            Rows::Ordered(rows) => rows.len(),
        }
    }

    /// The number of slots; 0 if the order of keys alone places rows.
    pub fn slots(&self) -> usize {
        match self {
            Rows::Hashed(buckets) => buckets.slots(),
            Rows::Ordered(_) => 0,
        }
    }

    /// All rows, in an order without meaning.
    pub fn all(&self) -> Box<dyn Iterator<Item = &Term> + '_> {
        match self {
            Rows::Hashed(buckets) => Box::new(buckets.all()),
            Rows::Ordered(rows) => Box::new(rows.values()),
        }
    }

    /// The rows of a key, in the order of `ets:lookup/2`.
    pub fn of_key(&self, key: &Term) -> Vec<Term> {
        match self {
            Rows::Hashed(buckets) => buckets.of_key(key).cloned().collect(),
            Rows::Ordered(rows) => rows.get(&ordered(key)).cloned().into_iter().collect(),
        }
    }

    /// True if there is a row of this key.
    pub fn has(&self, key: &Term) -> bool {
        match self {
            Rows::Hashed(buckets) => buckets.of_key(key).next().is_some(),
            Rows::Ordered(rows) => rows.contains_key(&ordered(key)),
        }
    }

    /// Inserts a row with its key.
    pub fn put(&mut self, key: Term, row: Term) {
        match self {
            Rows::Hashed(buckets) => buckets.put(row),
            Rows::Ordered(rows) => {
                // The key may be another number that is equal.
                rows.remove(&ordered(&key));
                rows.insert(ordered(&key), row);
            }
        }
    }

    /// Deletes the rows of a key for which a condition holds, and returns them.
    pub fn remove(&mut self, key: &Term, mut goes: impl FnMut(&Term) -> bool) -> Vec<Term> {
        match self {
            Rows::Hashed(buckets) => buckets.remove(key, goes),
            Rows::Ordered(rows) => match rows.get(&ordered(key)) {
                Some(row) if goes(row) => rows.remove(&ordered(key)).into_iter().collect(),
                _ => Vec::new(),
            },
        }
    }

    /// Deletes all rows.
    pub fn clear(&mut self) {
        match self {
            Rows::Hashed(buckets) => buckets.clear(),
            Rows::Ordered(rows) => rows.clear(),
        }
    }

    /// Lets rows keep their places, or lets them go.
    pub fn set_fixed(&mut self, fixed: bool) {
        match self {
            Rows::Hashed(buckets) if fixed => buckets.fixed = true,
            Rows::Hashed(buckets) => buckets.release(),
            Rows::Ordered(_) => {}
        }
    }
}

/// A key of an ordered set.
pub fn ordered(key: &Term) -> Key {
    Key { term: key.clone(), kind: TableType::OrderedSet }
}

/// The key above another in an ordered set, or below it.
pub fn neighbour<'r>(rows: &'r BTreeMap<Key, Term>, key: &Term, above: bool) -> Option<&'r Key> {
    let bound = Bound::Excluded(ordered(key));
    match above {
        true => rows.range((bound, Bound::Unbounded)).next(),
        false => rows.range((Bound::Unbounded, bound)).next_back(),
    }
    .map(|(key, _)| key)
}
