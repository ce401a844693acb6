//! What a table holds, with marks: rows in the order in which they came, because whether a later key is an earlier one
//! is asked only when somebody looks.
//!
//! Layers lie on each other. In one the keys are constants, found at once; or it is a single key that carries marks. In
//! a table of unique keys the upper layer wins, and a key without rows was deleted; in others all layers count.

#![expect(clippy::mutable_key_type, reason = "what a map caches of itself counts for nothing in a key")]

use std::collections::BTreeMap;

use term::{Mfa, Term};

use super::keys::{Key, Kind};
use crate::forward::symbolic::pin::{is_marked, unmarked};
use crate::forward::symbolic::watch::Watch;

/// Unknown keys are compared with those of tables that are no larger.
const MOST_KEYS: usize = 256;

/// So many comparisons of keys with each other are worth asking.
const MOST_PAIRS: usize = 1 << 14;

pub enum Layer {
    Known(BTreeMap<Key, Vec<Term>>),
    Unknown { key: Term, rows: Vec<Term> },
}

/// Where a row with a wanted key is.
pub struct Found {
    layer: usize,
    /// Of a layer of constants, which one.
    key: Option<Key>,
    pub row: Term,
}

pub struct Rows {
    pub kind: Kind,
    /// Which element of a row its key is, from 0.
    pub place: usize,
    pub layers: Vec<Layer>,
    /// Something in the table may carry marks.
    pub marked: bool,
    /// Rows of one key need not stand in the order in which they came.
    pub shuffled: bool,
    /// Keys of an ordered set in an order that was asked for.
    order: Vec<Term>,
}

impl Rows {
    pub fn new(kind: Kind, place: usize) -> Rows {
        Rows { kind, place, layers: Vec::new(), marked: false, shuffled: false, order: Vec::new() }
    }

    pub fn clear(&mut self) {
        *self = Rows::new(self.kind, self.place);
    }

    pub fn key(&self, term: &Term) -> Key {
        Key { term: term.clone(), kind: self.kind }
    }

    /// Changes the layer of constants on top, which may be a new one.
    fn on_top(&mut self, change: impl FnOnce(&mut BTreeMap<Key, Vec<Term>>)) {
        let mut map = match self.layers.pop() {
            Some(Layer::Known(map)) => map,
            other => {
                self.layers.extend(other);
                BTreeMap::new()
            }
        };
        change(&mut map);
        self.layers.push(Layer::Known(map));
    }

    /// Puts a row that is asked about nothing; in a table of unique keys it is the only one of its key.
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
            Some(Layer::Unknown { key: last, rows }) if unique && watch.is_identical(last, &key) => *rows = vec![row],
            _ => self.layers.push(Layer::Unknown { key, rows: vec![row] }),
        }
    }

    /// The row of a key in a table of unique keys.
    pub fn find(&self, watch: &mut Watch<'_>, function: Mfa, key: &Term) -> Option<Found> {
        let mut wanted = watch.constant_key(key);
        for (layer, of) in self.layers.iter().enumerate().rev() {
            let (key, rows) = match of {
                Layer::Known(map) => {
                    let Some((key, rows)) = self.find_known(watch, function, &mut wanted, map) else { continue };
                    (Some(key.clone()), rows)
                }
                Layer::Unknown { key, rows } => match watch.is_one(self.kind, &wanted, key) {
                    true => (None, rows),
                    false => continue,
                },
            };
            return rows.first().map(|row| Found { layer, key, row: row.clone() });
        }
        None
    }

    /// The entry of a key among constants; too many are not compared with an unknown key.
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

    /// Puts another row, or none, where one was found.
    pub fn replace(&mut self, found: &Found, row: Option<Term>) {
        self.marked |= row.as_ref().is_some_and(is_marked);
        let rows = match (&mut self.layers[found.layer], &found.key) {
            (Layer::Known(map), Some(key)) => map.get_mut(key),
            (Layer::Unknown { rows, .. }, _) => Some(rows),
            _ => None,
        };
        if let Some(rows) = rows {
            *rows = row.into_iter().collect();
        }
    }

    /// Deletes what has a key, in a table of unique keys.
    pub fn delete(&mut self, watch: &mut Watch<'_>, key: &Term) {
        let wanted = watch.constant_key(key);
        if is_marked(&wanted) {
            if !self.layers.is_empty() {
                self.layers.push(Layer::Unknown { key: wanted, rows: Vec::new() });
            }
            return;
        }
        let wanted = self.key(&wanted);
        if let [Layer::Known(map)] = &mut self.layers[..] {
            map.remove(&wanted);
        } else if !self.layers.is_empty() {
            self.on_top(|map| _ = map.insert(wanted, Vec::new()));
        }
    }

    /// All rows, those of layers of constants in the order of these.
    pub fn all(&self) -> impl Iterator<Item = &Term> {
        self.layers.iter().flat_map(|layer| -> Box<dyn Iterator<Item = &Term>> {
            match layer {
                Layer::Known(map) => Box::new(map.values().flatten()),
                Layer::Unknown { rows, .. } => Box::new(rows.iter()),
            }
        })
    }

    /// Makes every row of a table of unique keys one that is there: keys that may be the same are compared.
    pub fn settle(&mut self, watch: &mut Watch<'_>, function: Mfa) {
        let unknown = self.layers.iter().filter(|layer| matches!(layer, Layer::Unknown { .. })).count();
        if unknown == 0 && self.layers.len() <= 1 || !self.kind.is_unique() {
            return;
        }
        let known: usize =
            self.layers.iter().map(|layer| if let Layer::Known(map) = layer { map.len() } else { 1 }).sum();
        if unknown * known > MOST_PAIRS {
            return self.pin_keys(watch, function);
        }
        let mut seen: BTreeMap<Key, Vec<Term>> = BTreeMap::new();
        let mut open: Vec<(Term, Vec<Term>)> = Vec::new();
        for layer in std::mem::take(&mut self.layers).into_iter().rev() {
            match layer {
                Layer::Known(map) => {
                    for (key, rows) in map {
                        let hidden = seen.contains_key(&key)
                            || open.iter().any(|(other, _)| watch.is_one(self.kind, &key.term, other));
                        if !hidden {
                            seen.insert(key, rows);
                        }
                    }
                }
                Layer::Unknown { key, rows } => {
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
        self.layers.push(Layer::Known(seen));
        self.layers.extend(open.into_iter().rev().map(|(key, rows)| Layer::Unknown { key, rows }));
    }

    /// Holds all keys to their values: whatever depends on them is decided then.
    pub fn pin_keys(&mut self, watch: &mut Watch<'_>, function: Mfa) {
        let mut all: BTreeMap<Key, Vec<Term>> = BTreeMap::new();
        let unique = self.kind.is_unique();
        for layer in std::mem::take(&mut self.layers) {
            let entries = match layer {
                Layer::Known(map) => map.into_iter().collect(),
                Layer::Unknown { key, rows } => {
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
        self.layers.push(Layer::Known(all));
    }

    /// Holds everything in the table to its value.
    pub fn pin(&mut self, watch: &mut Watch<'_>, function: Mfa) {
        if !std::mem::take(&mut self.marked) {
            return;
        }
        let keys = self.layers.iter().filter_map(|layer| match layer {
            Layer::Unknown { key, .. } => Some(key),
            Layer::Known(_) => None,
        });
        watch.pin_all(function, keys.chain(self.all()));
    }

    /// The rows of an ordered set in their order, each with its key.
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
