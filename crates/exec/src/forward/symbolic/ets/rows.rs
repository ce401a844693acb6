//! The rows of an ETS table with their marks, in the order of their insertion: keys are compared only when a row is read.
//!
//! Layers lie on each other. The keys of one are constants, found at once; or it has a single key with marks. In a table
//! of unique keys the upper layer wins, and a key without rows was deleted; in others all layers count.

#![expect(clippy::mutable_key_type, reason = "what a map caches of itself counts for nothing in a key")]

use std::collections::BTreeMap;

use term::{Mfa, Term};

use crate::forward::machine::{Key, TableType};
use crate::forward::symbolic::pin::{is_marked, unmarked};
use crate::forward::symbolic::watch::Watch;

/// The most constant keys that a key with marks is compared with.
const MOST_KEYS: usize = 256;

/// The most comparisons of keys with each other.
const MOST_PAIRS: usize = 1 << 14;

/// Rows that were inserted one after the other.
pub enum RowLayer {
    /// Rows by constant keys.
    Constant(BTreeMap<Key, Vec<Term>>),
    /// Rows of one key with marks.
    Symbolic { key: Term, rows: Vec<Term> },
}

/// The place of a row in a table of unique keys.
pub struct RowPlace {
    layer: usize,
    /// Its key in a layer of constants.
    key: Option<Key>,
    /// The row itself.
    pub row: Term,
}

/// The rows of one table.
pub struct EtsRows {
    /// The type of the table.
    pub kind: TableType,
    /// The position of the key in a row, from 0.
    pub place: usize,
    /// The layers, the oldest first.
    pub layers: Vec<RowLayer>,
    /// A key or row may carry marks.
    pub marked: bool,
    /// Keys of an ordered set, in the order that was recorded.
    order: Vec<Term>,
}

impl EtsRows {
    /// No rows.
    pub fn new(kind: TableType, place: usize) -> EtsRows {
        EtsRows { kind, place, layers: Vec::new(), marked: false, order: Vec::new() }
    }

    /// Deletes all rows.
    pub fn clear(&mut self) {
        *self = EtsRows::new(self.kind, self.place);
    }

    /// A constant key of this table.
    pub fn key(&self, term: &Term) -> Key {
        Key { term: term.clone(), kind: self.kind }
    }

    /// Changes the layer of constants on top, which may be a new one.
    fn on_top(&mut self, change: impl FnOnce(&mut BTreeMap<Key, Vec<Term>>)) {
        let mut map = match self.layers.pop() {
            Some(RowLayer::Constant(map)) => map,
            other => {
                self.layers.extend(other);
                BTreeMap::new()
            }
        };
        change(&mut map);
        self.layers.push(RowLayer::Constant(map));
    }

    /// Adds a row and records nothing; in a table of unique keys it replaces the row of its key.
    pub fn add(&mut self, watch: &mut Watch<'_>, row: Term) {
        let key = watch.constant_key_of(&row, self.place);
        self.marked |= is_marked(&row);
        let unique = self.kind.is_unique();
        if !is_marked(&key) {
            let key = self.key(&key);
            return self.on_top(|map| {
                let rows = map.entry(key).or_default();
                if unique {
                    rows.clear();
                }
                rows.push(row);
            });
        }
        match self.layers.last_mut() {
            Some(RowLayer::Symbolic { key: last, rows }) if unique && watch.is_identical(last, &key) => {
                *rows = vec![row]
            }
            _ => self.layers.push(RowLayer::Symbolic { key, rows: vec![row] }),
        }
    }

    /// Records which row has a key, in a table of unique keys.
    pub fn find(&self, watch: &mut Watch<'_>, function: Mfa, key: &Term) -> Option<RowPlace> {
        let mut wanted = watch.constant_key(key);
        for (layer, of) in self.layers.iter().enumerate().rev() {
            let (key, rows) = match of {
                RowLayer::Constant(map) => {
                    let Some((key, rows)) = self.find_known(watch, function, &mut wanted, map) else { continue };
                    (Some(key.clone()), rows)
                }
                RowLayer::Symbolic { key, rows } => match watch.is_one(self.kind, &wanted, key) {
                    true => (None, rows),
                    false => continue,
                },
            };
            return rows.first().map(|row| RowPlace { layer, key, row: row.clone() });
        }
        None
    }

    /// Records which of the constants a key is; a key with marks is pinned where there are too many.
    pub fn find_known<'m>(
        &self,
        watch: &mut Watch<'_>,
        function: Mfa,
        wanted: &mut Term,
        map: &'m BTreeMap<Key, Vec<Term>>,
    ) -> Option<(&'m Key, &'m Vec<Term>)> {
        if is_marked(wanted) && map.len() > MOST_KEYS {
            watch.pin_all(function, [&*wanted]);
            *wanted = unmarked(wanted);
        }
        if !is_marked(wanted) {
            return map.get_key_value(&self.key(wanted));
        }
        map.iter().find(|(key, _)| watch.is_one(self.kind, wanted, &key.term))
    }

    /// Replaces a row by another or by none.
    pub fn replace(&mut self, found: &RowPlace, row: Option<Term>) {
        self.marked |= row.as_ref().is_some_and(is_marked);
        let rows = match (&mut self.layers[found.layer], &found.key) {
            (RowLayer::Constant(map), Some(key)) => map.get_mut(key),
            (RowLayer::Symbolic { rows, .. }, _) => Some(rows),
            _ => None,
        };
        if let Some(rows) = rows {
            *rows = row.into_iter().collect();
        }
    }

    /// Deletes the row of a key, in a table of unique keys.
    pub fn delete(&mut self, watch: &mut Watch<'_>, key: &Term) {
        let wanted = watch.constant_key(key);
        if is_marked(&wanted) {
            if !self.layers.is_empty() {
                // Which row is gone is the input's to say.
                self.marked = true;
                self.layers.push(RowLayer::Symbolic { key: wanted, rows: Vec::new() });
            }
            return;
        }
        let wanted = self.key(&wanted);
        if let [RowLayer::Constant(map)] = &mut self.layers[..] {
            map.remove(&wanted);
        } else if !self.layers.is_empty() {
            self.on_top(|map| _ = map.insert(wanted, Vec::new()));
        }
    }

    /// All rows, layer by layer.
    pub fn all(&self) -> impl Iterator<Item = &Term> {
        self.layers.iter().flat_map(|layer| -> Box<dyn Iterator<Item = &Term>> {
            match layer {
                RowLayer::Constant(map) => Box::new(map.values().flatten()),
                RowLayer::Symbolic { rows, .. } => Box::new(rows.iter()),
            }
        })
    }

    /// Records which keys of a table of unique keys are equal, and drops the rows that are replaced.
    pub fn settle(&mut self, watch: &mut Watch<'_>, function: Mfa) {
        let unknown = self.layers.iter().filter(|layer| matches!(layer, RowLayer::Symbolic { .. })).count();
        if unknown == 0 && self.layers.len() <= 1 || !self.kind.is_unique() {
            return;
        }
        let known: usize =
            self.layers.iter().map(|layer| if let RowLayer::Constant(map) = layer { map.len() } else { 1 }).sum();
        if unknown * known > MOST_PAIRS {
            return self.pin_keys(watch, function);
        }
        let mut seen: BTreeMap<Key, Vec<Term>> = BTreeMap::new();
        let mut open: Vec<(Term, Vec<Term>)> = Vec::new();
        for layer in std::mem::take(&mut self.layers).into_iter().rev() {
            match layer {
                RowLayer::Constant(map) => {
                    for (key, rows) in map {
                        let hidden = seen.contains_key(&key)
                            || open.iter().any(|(other, _)| watch.is_one(self.kind, &key.term, other));
                        if !hidden {
                            seen.insert(key, rows);
                        }
                    }
                }
                RowLayer::Symbolic { key, rows } => {
                    let hidden = seen.keys().any(|other| watch.is_one(self.kind, &key, &other.term))
                        || open.iter().any(|(other, _)| watch.is_one(self.kind, &key, other));
                    if !hidden {
                        open.push((key, rows));
                    }
                }
            }
        }
        seen.retain(|_, rows| !rows.is_empty());
        open.retain(|(_, rows)| !rows.is_empty());
        self.layers.push(RowLayer::Constant(seen));
        self.layers.extend(open.into_iter().rev().map(|(key, rows)| RowLayer::Symbolic { key, rows }));
    }

    /// Pins all keys to their values.
    pub fn pin_keys(&mut self, watch: &mut Watch<'_>, function: Mfa) {
        let mut all: BTreeMap<Key, Vec<Term>> = BTreeMap::new();
        let unique = self.kind.is_unique();
        for layer in std::mem::take(&mut self.layers) {
            let entries = match layer {
                RowLayer::Constant(map) => map.into_iter().collect(),
                RowLayer::Symbolic { key, rows } => {
                    watch.pin_all(function, [&key]);
                    vec![(self.key(&unmarked(&key)), rows)]
                }
            };
            for (key, rows) in entries {
                if unique {
                    all.remove(&key);
                }
                all.entry(key).or_default().extend(rows);
            }
        }
        all.retain(|_, rows| !rows.is_empty());
        self.layers.push(RowLayer::Constant(all));
    }

    /// Pins everything in the table to its value.
    pub fn pin(&mut self, watch: &mut Watch<'_>, function: Mfa) {
        if !std::mem::take(&mut self.marked) {
            return;
        }
        let keys = self.layers.iter().filter_map(|layer| match layer {
            RowLayer::Symbolic { key, .. } => Some(key),
            RowLayer::Constant(_) => None,
        });
        watch.pin_all(function, keys.chain(self.all()));
    }

    /// The rows of an ordered set in the order of their keys, each with its key; records that order.
    pub fn sorted(&mut self, watch: &mut Watch<'_>, function: Mfa) -> Vec<(Term, Term)> {
        self.settle(watch, function);
        let mut left: Vec<(Term, Term)> =
            self.all().map(|row| (watch.constant_key_of(row, self.place), row.clone())).collect();
        let mut sorted: Vec<(Term, Term)> = Vec::with_capacity(left.len());
        for key in &self.order {
            if let Some(at) = left.iter().position(|(other, _)| watch.is_identical(key, other)) {
                sorted.push(left.remove(at));
            }
        }
        if sorted.is_empty() {
            let (unknown, mut known): (Vec<_>, Vec<_>) = left.into_iter().partition(|(key, _)| is_marked(key));
            known.sort_by(|(a, _), (b, _)| a.compare(b));
            (sorted, left) = (known, unknown);
        }
        for (key, row) in left {
            let at = watch.first_above(&key, &sorted);
            sorted.insert(at, (key, row));
        }
        self.order = sorted.iter().map(|(key, _)| key.clone()).collect();
        sorted
    }
}
