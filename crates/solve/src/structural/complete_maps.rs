//! Maps that have what they must have: as few entries as possible beside those that are known.

use std::rc::Rc;

use constraint::{Kinds, MapField};
use term::{Map, Term};

use super::domains::{DomId, Domains};
use super::maps::{field_of, value_doms};
use super::production::Prod;

impl Domains {
    /// A map of these entries and as few others as possible that each row of fields allows; of that size, if one is
    /// given. What a near map has is kept.
    pub fn completed(
        &mut self,
        rows: &[Rc<[MapField]>],
        mut map: Map,
        avoid: &[Term],
        near: Option<&Map>,
        size: Option<usize>,
    ) -> Option<Map> {
        for row in rows {
            for field in row.iter().filter(|field| field.mandatory) {
                if !map.keys().any(|key| field_of(self, row, key).is_some_and(|of| std::ptr::eq(of, field))) {
                    let (key, value) = self.new_entry(rows, row, field, &map, avoid, near)?;
                    map.insert_mut(key, value);
                }
            }
        }
        for (key, value) in near.into_iter().flat_map(Map::iter) {
            let room = size.is_none_or(|size| map.len() < size);
            if room && !map.contains(key) && !avoid.contains(key) && self.entry_fits(rows, key, value) {
                map.insert_mut(key.clone(), value.clone());
            }
        }
        let any: Rc<[MapField]> = Rc::new([]);
        while size.is_some_and(|size| map.len() < size) {
            let row = rows.first().unwrap_or(&any).clone();
            let entry = if rows.is_empty() {
                self.any_entry(&map, avoid)
            } else {
                row.iter().find_map(|field| self.new_entry(rows, &row, field, &map, avoid, None))
            };
            let (key, value) = entry?;
            map.insert_mut(key, value);
        }
        Some(map).filter(|map| size.is_none_or(|size| map.len() == size))
    }

    fn any_entry(&mut self, map: &Map, avoid: &[Term]) -> Option<(Term, Term)> {
        let used: Vec<Term> = map.keys().chain(avoid).cloned().collect();
        let prods = self.prods(DomId::ANY);
        Some((self.pick(&prods, Kinds::ALL, &used)?, self.smallest(DomId::ANY)?))
    }

    /// An entry of a field that the map does not have yet.
    fn new_entry(
        &mut self,
        rows: &[Rc<[MapField]>],
        row: &Rc<[MapField]>,
        field: &MapField,
        map: &Map,
        avoid: &[Term],
        near: Option<&Map>,
    ) -> Option<(Term, Term)> {
        let old = near.into_iter().flat_map(Map::iter).find(|(key, value)| {
            field_of(self, row, key).is_some_and(|of| std::ptr::eq(of, field))
                && !map.contains(key)
                && !avoid.contains(key)
                && self.entry_fits(rows, key, value)
        });
        if let Some((key, value)) = old {
            return Some((key.clone(), value.clone()));
        }
        let mut used: Vec<Term> = map.keys().chain(avoid).cloned().collect();
        // A key that an earlier field takes is none of this one.
        for _ in 0..=row.len() {
            let dom = self.of_rule(field.key);
            let keys = self.prods(dom);
            let key = term::deeper(|| self.pick(&keys, Kinds::ALL, &used))?;
            if field_of(self, row, &key).is_some_and(|of| std::ptr::eq(of, field)) {
                let doms = value_doms(self, &[Prod::Map(rows.into())], &key);
                let value = term::deeper(|| self.smallest(*doms.first()?))?;
                return Some((key, value));
            }
            used.push(key);
        }
        None
    }

    fn entry_fits(&self, rows: &[Rc<[MapField]>], key: &Term, value: &Term) -> bool {
        rows.iter().all(|row| field_of(self, row, key).is_some_and(|field| self.rule_accepts(field.value, value)))
    }
}
