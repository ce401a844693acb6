//! Rows of ETS tables of type `bag` and `duplicate_bag`: several of one key, the oldest first.

use term::{Mfa, Term};

use super::rows::{EtsRows, RowLayer};
use crate::forward::machine::TableType;
use crate::forward::symbolic::pin::is_marked;
use crate::forward::symbolic::watch::Watch;

impl EtsRows {
    /// Records which rows have a key and returns them; deletes them with `take`.
    pub fn of_key(&mut self, watch: &mut Watch<'_>, function: Mfa, key: &Term, take: bool) -> Vec<Term> {
        let mut wanted = watch.constant_key(key);
        let mut found = Vec::new();
        let mut layers = std::mem::take(&mut self.layers);
        for layer in &mut layers {
            match layer {
                RowLayer::Constant(map) => {
                    let Some((key, rows)) = self.find_known(watch, function, &mut wanted, map) else { continue };
                    found.extend(rows.iter().cloned());
                    let key = key.clone();
                    if take {
                        map.remove(&key);
                    }
                }
                RowLayer::Symbolic { key, rows } => {
                    if watch.is_one(self.kind, &wanted, key) {
                        found.extend(rows.iter().cloned());
                        if take {
                            rows.clear();
                        }
                    }
                }
            }
        }
        self.layers = layers;
        self.layers.retain(|layer| !matches!(layer, RowLayer::Symbolic { rows, .. } if rows.is_empty()));
        found
    }

    /// Inserts a row, unless a `bag` has it already.
    pub fn put_in_bag(&mut self, watch: &mut Watch<'_>, row: Term) {
        if self.kind == TableType::DuplicateBag || !self.has_object(watch, &row) {
            self.add(watch, row);
        }
    }

    fn has_object(&self, watch: &mut Watch<'_>, row: &Term) -> bool {
        let key = watch.key_of(row, self.place);
        let key = watch.constant_key(&key);
        self.layers.iter().any(|layer| match layer {
            RowLayer::Constant(map) if !is_marked(&key) => {
                let rows = map.get(&self.key(&key));
                rows.is_some_and(|rows| rows.iter().any(|other| watch.is_object(row, other)))
            }
            RowLayer::Constant(map) => map.values().flatten().any(|other| watch.is_object(row, other)),
            RowLayer::Symbolic { rows, .. } => rows.iter().any(|other| watch.is_object(row, other)),
        })
    }

    /// Deletes every row that is equal to this one.
    pub fn delete_from_bag(&mut self, watch: &mut Watch<'_>, row: &Term) {
        for layer in &mut self.layers {
            match layer {
                RowLayer::Constant(map) => {
                    map.values_mut().for_each(|rows| rows.retain(|other| !watch.is_object(row, other)));
                    map.retain(|_, rows| !rows.is_empty());
                }
                RowLayer::Symbolic { rows, .. } => rows.retain(|other| !watch.is_object(row, other)),
            }
        }
        self.layers.retain(|layer| !matches!(layer, RowLayer::Symbolic { rows, .. } if rows.is_empty()));
    }
}

impl Watch<'_> {
    /// Records whether two rows are the same.
    pub fn is_object(&mut self, a: &Term, b: &Term) -> bool {
        if is_marked(a) || is_marked(b) {
            self.same(a, b);
        }
        a == b
    }
}
