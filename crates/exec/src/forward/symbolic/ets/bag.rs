//! Rows of tables that may have several of one key: all of them count, the oldest first.

use term::{Mfa, Term};

use super::keys::Kind;
use super::rows::{Layer, Rows};
use crate::forward::symbolic::pin::is_marked;
use crate::forward::symbolic::watch::Watch;

impl Rows {
    /// The rows of a key, which are taken out with `take`.
    pub fn of_key(&mut self, watch: &mut Watch<'_>, function: Mfa, key: &Term, take: bool) -> Vec<Term> {
        let mut wanted = watch.constant_key(key);
        let mut found = Vec::new();
        let mut layers = std::mem::take(&mut self.layers);
        for layer in &mut layers {
            match layer {
                Layer::Known(map) => {
                    let Some((key, rows)) = self.find_known(watch, function, &mut wanted, map) else { continue };
                    found.extend(rows.iter().cloned());
                    let key = key.clone();
                    if take {
                        map.remove(&key);
                    }
                }
                Layer::Unknown { key, rows } => {
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
        self.layers.retain(|layer| !matches!(layer, Layer::Unknown { rows, .. } if rows.is_empty()));
        found
    }

    /// Puts a row, unless it is there and must not be twice.
    pub fn put_in_bag(&mut self, watch: &mut Watch<'_>, row: Term) {
        if self.kind == Kind::DuplicateBag || !self.has_object(watch, &row) {
            self.add(watch, row);
        }
    }

    fn has_object(&self, watch: &mut Watch<'_>, row: &Term) -> bool {
        let key = watch.key_of(row, self.place);
        let key = watch.constant_key(&key);
        self.layers.iter().any(|layer| match layer {
            Layer::Known(map) if !is_marked(&key) => {
                let rows = map.get(&self.key(&key));
                rows.is_some_and(|rows| rows.iter().any(|other| watch.is_object(row, other)))
            }
            Layer::Known(map) => map.values().flatten().any(|other| watch.is_object(row, other)),
            Layer::Unknown { rows, .. } => rows.iter().any(|other| watch.is_object(row, other)),
        })
    }

    /// Takes out every row that is the given one.
    pub fn delete_from_bag(&mut self, watch: &mut Watch<'_>, row: &Term) {
        for layer in &mut self.layers {
            match layer {
                Layer::Known(map) => {
                    map.values_mut().for_each(|rows| rows.retain(|other| !watch.is_object(row, other)));
                    map.retain(|_, rows| !rows.is_empty());
                }
                Layer::Unknown { rows, .. } => rows.retain(|other| !watch.is_object(row, other)),
            }
        }
        self.layers.retain(|layer| !matches!(layer, Layer::Unknown { rows, .. } if rows.is_empty()));
    }
}

impl Watch<'_> {
    /// Asks whether two rows are the same.
    pub fn is_object(&mut self, a: &Term, b: &Term) -> bool {
        if is_marked(a) || is_marked(b) {
            self.same(a, b);
        }
        a == b
    }
}
