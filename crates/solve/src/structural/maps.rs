//! Maps: entries known to be there, keys known to be missing, and what the productions say of the rest.

use std::rc::Rc;

use constraint::{Kinds, MapField};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use term::{Map, Term};

use super::domains::{DomId, Domains};
use super::production::{Prod, exhausted, insert};
use super::propagators::{Propagator, TermRelation};
use super::store::{Conflict, Context, NodeId, Step, Store};
use crate::integer::interval::Range;
use crate::query::UnknownReason;

/// The known entries of a map.
#[derive(Clone, Default)]
pub struct Entries {
    /// Keys and values that it has.
    pub present: Vec<(NodeId, NodeId)>,
    /// Keys that it does not have.
    pub absent: Vec<NodeId>,
    /// All keys in their order, if one was asked for by its place and the size is known.
    pub order: Vec<NodeId>,
    /// Keys that were asked for by their places before the size was known.
    pub places: Vec<(usize, NodeId)>,
    /// Pairs of keys that have been made to differ.
    pub apart: Vec<(NodeId, NodeId)>,
    /// Keys that have been given to one field of a row.
    pub fields: Vec<(NodeId, usize, usize)>,
    /// All entries of the value that the map has are among those present.
    listed: bool,
    /// The operation that made it of other maps, if that cannot be said otherwise.
    pub made: Option<MapOperation>,
}

/// The operation that made a map of others.
#[derive(Clone, Copy)]
pub enum MapOperation {
    Put(NodeId, NodeId, NodeId),
    Remove(NodeId, NodeId),
    Merge(NodeId, NodeId),
}

/// Larger maps are not put in order.
pub const MOST_PLACES: usize = 40;
/// Maps with more entries are not looked into.
const MOST_ENTRIES: usize = 256;

impl Store {
    /// The entries of a node, which is made a map.
    pub fn expand_map(&mut self, cx: &mut Context, id: NodeId) -> Step<&mut Entries> {
        self.keep_kinds(cx, id, Kinds::MAP)?;
        let id = self.find(id);
        if self.nodes[id.0 as usize].entries.is_none() {
            self.nodes[id.0 as usize].entries = Some(Rc::default());
            self.maps.push(id);
            self.changed.push(id);
        }
        let entries = self.nodes[id.0 as usize].entries.get_or_insert_default();
        Ok(Rc::make_mut(entries))
    }

    /// The value of a key, which is made one of the map's.
    pub fn expand_entry(&mut self, cx: &mut Context, id: NodeId, key: NodeId) -> Step<NodeId> {
        let present = self.expand_map(cx, id)?.present.clone();
        if let Some((_, value)) = present.iter().find(|(known, _)| self.is_same_key(*known, key)) {
            return Ok(*value);
        }
        let node = self.node(id);
        let known = self.node(key).value.clone();
        let near_key = known.as_ref().or(self.node(key).near.as_ref());
        let near = node.near.as_ref().and_then(Term::as_map).and_then(|map| map.get(near_key?)).cloned();
        let doms = match &known {
            Some(key) => value_doms(&mut cx.domains, &node.prods.clone(), key),
            None => vec![DomId::ANY],
        };
        let value = self.fresh(cx, &doms, near)?;
        self.expand_map(cx, id)?.present.push((key, value));
        self.changed.push(self.find(id));
        Ok(value)
    }

    /// The map does not have the key.
    pub fn lack(&mut self, cx: &mut Context, id: NodeId, key: NodeId) -> Step {
        self.expand_map(cx, id)?.absent.push(key);
        self.changed.push(self.find(id));
        Ok(())
    }

    /// The integer that is the size of a node, which is made a map.
    pub fn map_count(&mut self, cx: &mut Context, id: NodeId) -> Step<NodeId> {
        self.expand_map(cx, id)?;
        if self.node(id).count.is_none() {
            self.changed.push(self.find(id));
        }
        Ok(self.measure(id, |node| &mut node.count, |map| Some(map.as_map()?.len())))
    }

    /// The key at a place in the order of keys.
    pub fn open_place(&mut self, cx: &mut Context, id: NodeId, at: u32) -> Step<NodeId> {
        let count = self.map_count(cx, id)?;
        let at = at as usize;
        let entries = self.expand_map(cx, id)?;
        if let Some((_, key)) = entries.places.iter().find(|(place, _)| *place == at) {
            return Ok(*key);
        }
        if !entries.order.is_empty() {
            return entries.order.get(at).copied().ok_or(Conflict);
        }
        self.restrict_integer(cx, count, Range { low: Some(BigInt::from(at + 1)), high: None })?;
        let doms = key_doms(&mut cx.domains, &self.node(id).prods.clone());
        let near = self.node(id).near.as_ref().and_then(Term::as_map).and_then(|map| map.keys().nth(at).cloned());
        let key = self.fresh(cx, &doms, near)?;
        self.expand_map(cx, id)?.places.push((at, key));
        self.expand_entry(cx, id, key)?;
        Ok(key)
    }

    /// Once the size is known, the keys that were asked for by their places are among all in order.
    fn propagate_places(&mut self, cx: &mut Context, id: NodeId) -> Step {
        let entries = self.expand_map(cx, id)?.clone();
        let Some(count) = self.node(id).count.filter(|_| !entries.places.is_empty()) else { return Ok(()) };
        if entries.order.is_empty() {
            let Some(size) = self.node(count).value.as_ref().map(Term::as_i64) else { return Ok(()) };
            match size.and_then(|size| size.to_usize()).filter(|size| *size <= MOST_PLACES) {
                Some(size) => self.expand_order(cx, id, size)?,
                None => return cx.give_up(UnknownReason::Budget),
            }
        }
        let order = self.expand_map(cx, id)?.order.clone();
        for (at, key) in &entries.places {
            self.same.push((*key, *order.get(*at).ok_or(Conflict)?));
        }
        self.expand_map(cx, id)?.places.clear();
        Ok(())
    }

    /// Makes the keys of a map of known size nodes, in their order.
    pub fn expand_order(&mut self, cx: &mut Context, id: NodeId, size: usize) -> Step {
        let near = self.near_map(cx, id, size);
        let near: Vec<Term> = near.map(|map| map.keys().cloned().collect()).unwrap_or_default();
        let doms = key_doms(&mut cx.domains, &self.node(id).prods.clone());
        let mut order: Vec<NodeId> = Vec::with_capacity(size);
        for at in 0..size {
            let key = self.fresh(cx, &doms, near.get(at).cloned())?;
            if let Some(before) = order.last() {
                self.pending.push(Propagator::Pair(TermRelation::Before, *before, key));
            }
            order.push(key);
        }
        let entries = self.expand_map(cx, id)?;
        entries.order = order.clone();
        for key in order {
            self.expand_entry(cx, id, key)?;
        }
        Ok(())
    }

    /// A map of that size that is like the one to start from.
    fn near_map(&self, cx: &mut Context, id: NodeId, size: usize) -> Option<Map> {
        let near = self.node(id).near.as_ref().and_then(Term::as_map);
        if near.is_some_and(|map| map.len() == size) {
            return near.cloned();
        }
        let rows = match self.node(id).prods.first() {
            Some(Prod::Map(rows)) => rows.clone(),
            _ => return None,
        };
        cx.domains.completed(&rows, Map::new(), &[], near, Some(size))
    }

    /// Returns true if two keys are known to be the same.
    pub fn is_same_key(&self, a: NodeId, b: NodeId) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        a == b || matches!((&self.node(a).value, &self.node(b).value), (Some(a), Some(b)) if a == b)
    }

    /// Returns true if two keys are known to differ, or have been made to.
    pub fn is_apart(&self, entries: &Entries, a: NodeId, b: NodeId) -> bool {
        let (left, right) = (self.node(a), self.node(b));
        if !left.kinds.meets(right.kinds) {
            return true;
        }
        match (&left.value, &right.value) {
            (Some(left), Some(right)) => return left != right,
            (Some(value), None) if right.not.contains(value) => return true,
            (None, Some(value)) if left.not.contains(value) => return true,
            _ => {}
        }
        let (a, b) = (self.find(a), self.find(b));
        let is_placed = |key| entries.order.iter().any(|known| self.find(*known) == key);
        if is_placed(a) && is_placed(b) {
            return true;
        }
        let pair = |(x, y): &(NodeId, NodeId)| {
            let (x, y) = (self.find(*x), self.find(*y));
            (x, y) == (a, b) || (y, x) == (a, b)
        };
        entries.apart.iter().any(pair) || self.is_said_apart(a, b)
    }

    /// Makes two keys of a map differ.
    pub fn set_apart(&mut self, cx: &mut Context, map: NodeId, a: NodeId, b: NodeId) -> Step {
        self.pending.push(Propagator::Pair(TermRelation::Differ, a, b));
        self.expand_map(cx, map)?.apart.push((a, b));
        Ok(())
    }

    /// Draws what follows from the entries of maps; returns true if anything did.
    pub fn propagate_maps(&mut self, cx: &mut Context) -> Step<bool> {
        let mut acted = false;
        let mut at = 0;
        while at < self.maps.len() {
            let id = self.find(self.maps[at]);
            at += 1;
            if self.maps[..at - 1].iter().any(|earlier| self.find(*earlier) == id) {
                continue;
            }
            self.list_value(cx, id)?;
            self.propagate_places(cx, id)?;
            self.join_keys(cx, id)?;
            acted |= self.part_keys(cx, id)?;
            self.propagate_fields(cx, id)?;
            self.propagate_entries(cx, id)?;
            self.propagate_number(cx, id)?;
        }
        Ok(acted)
    }

    /// The entries of a map whose value is known.
    fn list_value(&mut self, cx: &mut Context, id: NodeId) -> Step {
        let Some(Term::Map(_, map)) = self.node(id).value.clone() else { return Ok(()) };
        if std::mem::replace(&mut self.expand_map(cx, id)?.listed, true) {
            return Ok(());
        }
        if map.len() > MOST_ENTRIES {
            return cx.give_up(UnknownReason::Budget);
        }
        for (key, value) in map.iter() {
            let (key, value) = (self.literal(cx, key.clone()), self.literal(cx, value.clone()));
            self.expand_map(cx, id)?.present.push((key, value));
        }
        let count = self.map_count(cx, id)?;
        self.bind(cx, count, Term::int(map.len() as i64))
    }

    /// Keys that turned out to be the same have the same value.
    fn join_keys(&mut self, cx: &mut Context, id: NodeId) -> Step {
        let present = self.expand_map(cx, id)?.present.clone();
        let mut kept: Vec<(NodeId, NodeId)> = Vec::with_capacity(present.len());
        for (key, value) in &present {
            match kept.iter().find(|(known, _)| self.is_same_key(*known, *key)) {
                Some((known, first)) => self.same.extend([(*known, *key), (*first, *value)]),
                None => kept.push((*key, *value)),
            }
        }
        if kept.len() < present.len() {
            self.expand_map(cx, id)?.present = kept;
        }
        Ok(())
    }

    /// A key that is there is none that is not.
    fn part_keys(&mut self, cx: &mut Context, id: NodeId) -> Step<bool> {
        let entries = self.expand_map(cx, id)?.clone();
        let mut acted = false;
        for absent in &entries.absent {
            for (key, _) in &entries.present {
                if self.is_same_key(*absent, *key) {
                    return Err(Conflict);
                }
                let now = self.expand_map(cx, id)?.clone();
                if !self.is_apart(&now, *absent, *key) {
                    self.set_apart(cx, id, *absent, *key)?;
                    acted = true;
                }
            }
        }
        Ok(acted)
    }

    /// Drops the productions that the known keys contradict; keys that the only one demands are there.
    fn propagate_fields(&mut self, cx: &mut Context, id: NodeId) -> Step {
        if self.node(id).value.is_some() {
            return Ok(());
        }
        let entries = self.expand_map(cx, id)?.clone();
        let value = |key: &NodeId| self.node(*key).value.clone();
        let present: Vec<Term> = entries.present.iter().filter_map(|(key, _)| value(key)).collect();
        let absent: Vec<Term> = entries.absent.iter().filter_map(value).collect();
        let prods = self.node(id).prods.clone();
        let fits = |prod: &Prod| match prod {
            Prod::Map(rows) => rows.iter().all(|row| {
                present.iter().all(|key| field_of(&cx.domains, row, key).is_some())
                    && !absent.iter().any(|key| demands(&cx.domains, row, key))
            }),
            _ => true,
        };
        let kept: Rc<[Prod]> = prods.iter().filter(|prod| fits(prod)).cloned().collect();
        if kept.len() < prods.len() {
            self.set_prods(cx, id, kept.clone())?;
        }
        let [Prod::Map(rows)] = &kept[..] else { return Ok(()) };
        for field in rows.iter().flat_map(|row| row.iter()).filter(|field| field.mandatory) {
            let Some(key) = cx.domains.only(field.key) else { continue };
            if !present.contains(&key) {
                let key = self.literal(cx, key);
                self.expand_entry(cx, id, key)?;
            }
        }
        Ok(())
    }

    /// Keys and values are what the fields say.
    fn propagate_entries(&mut self, cx: &mut Context, id: NodeId) -> Step {
        if self.node(id).value.is_some() {
            return Ok(());
        }
        let prods = self.node(id).prods.clone();
        for (key, value) in self.expand_map(cx, id)?.present.clone() {
            let doms = match self.node(key).value.clone() {
                Some(known) => value_doms(&mut cx.domains, &prods, &known),
                None => {
                    let doms = key_doms(&mut cx.domains, &prods);
                    let allowed = cx.domains.union(&doms);
                    self.restrict(cx, key, &allowed)?;
                    self.possible_values(cx, &prods, key)
                }
            };
            let allowed = cx.domains.union(&doms);
            self.restrict(cx, value, &allowed)?;
        }
        Ok(())
    }

    /// The domains of the value of a key that is not known yet.
    fn possible_values(&mut self, cx: &mut Context, prods: &[Prod], key: NodeId) -> Vec<DomId> {
        let mut doms = Vec::new();
        for prod in prods {
            let Prod::Map(rows) = prod else { return vec![DomId::ANY] };
            let Some(row) = rows.first() else { return vec![DomId::ANY] };
            for field in row.iter() {
                if self.can_be_in(cx, key, field) {
                    insert(&mut doms, cx.domains.of_rule(field.value));
                }
            }
        }
        doms
    }

    /// Returns true if a key can be one of a field.
    pub fn can_be_in(&self, cx: &mut Context, key: NodeId, field: &MapField) -> bool {
        let node = self.node(key);
        let dom = cx.domains.of_rule(field.key);
        if let Some(value) = &node.value {
            return cx.domains.accepts(dom, value);
        }
        let wanted = cx.domains.prods(dom);
        let met = cx.domains.meet_prods(&node.prods, &wanted);
        met.iter().any(|prod| node.kinds.has(prod.kind()) && !exhausted(prod, &node.not))
    }

    /// A map has at least the entries that are known, and no more than its fields allow.
    fn propagate_number(&mut self, cx: &mut Context, id: NodeId) -> Step {
        let Some(count) = self.node(id).count else { return Ok(()) };
        let entries = self.expand_map(cx, id)?.clone();
        let mut different: Vec<NodeId> = entries.order.clone();
        for (key, _) in &entries.present {
            let is_new = |known: &NodeId| self.find(*known) != self.find(*key) && self.is_apart(&entries, *known, *key);
            if different.iter().all(is_new) {
                different.push(*key);
            }
        }
        let most = self.node(id).prods.iter().map(|prod| most_entries(&cx.domains, prod)).collect::<Option<Vec<_>>>();
        let mut missing: Vec<&Term> = entries.absent.iter().filter_map(|key| self.node(*key).value.as_ref()).collect();
        missing.sort_unstable_by(|a, b| a.compare_exact(b));
        missing.dedup();
        // Only what a field allows can be missing from it.
        let prods = &self.node(id).prods;
        let lost = missing.iter().filter(|key| prods.iter().all(|prod| has_field(&cx.domains, prod, key))).count();
        let high = most.and_then(|most| most.into_iter().max()).map(|most| most.saturating_sub(lost));
        let range = Range { low: Some(BigInt::from(different.len())), high: high.map(BigInt::from) };
        self.restrict_integer(cx, count, range)
    }
}

/// The field of a row that a key belongs to.
pub fn field_of<'r>(domains: &Domains, row: &'r [MapField], key: &Term) -> Option<&'r MapField> {
    row.iter().find(|field| domains.rule_accepts(field.key, key))
}

/// Returns true if a row has a field that must be there and has that key alone.
fn demands(domains: &Domains, row: &[MapField], key: &Term) -> bool {
    row.iter().any(|field| field.mandatory && domains.only(field.key).is_some_and(|only| only == *key))
}

fn has_field(domains: &Domains, prod: &Prod, key: &Term) -> bool {
    matches!(prod, Prod::Map(rows) if rows.iter().all(|row| field_of(domains, row, key).is_some()))
}

/// The most entries that a production allows, where each field of a row has so many keys.
fn most_entries(domains: &Domains, prod: &Prod) -> Option<usize> {
    let Prod::Map(rows) = prod else { return None };
    let most = |row: &Rc<[MapField]>| row.iter().map(|field| domains.number_of(field.key)).sum::<Option<usize>>();
    rows.iter().filter_map(most).min()
}

/// The domains of the value of a key.
pub fn value_doms(domains: &mut Domains, prods: &[Prod], key: &Term) -> Vec<DomId> {
    let mut doms = Vec::new();
    for prod in prods {
        let Prod::Map(rows) = prod else {
            if prod.kind() == Kinds::MAP {
                insert(&mut doms, DomId::ANY);
            }
            continue;
        };
        let mut dom = Some(DomId::ANY);
        for row in rows.iter() {
            dom = dom.zip(field_of(domains, row, key)).map(|(dom, field)| {
                let value = domains.of_rule(field.value);
                domains.meet(dom, value)
            });
        }
        dom.into_iter().for_each(|dom| insert(&mut doms, dom));
    }
    doms
}

/// The domains of keys, by the first row of each production.
fn key_doms(domains: &mut Domains, prods: &[Prod]) -> Vec<DomId> {
    let mut doms = Vec::new();
    for prod in prods.iter().filter(|prod| prod.kind() == Kinds::MAP) {
        match prod {
            Prod::Map(rows) if !rows.is_empty() => {
                for field in rows[0].iter() {
                    insert(&mut doms, domains.of_rule(field.key));
                }
            }
            _ => insert(&mut doms, DomId::ANY),
        }
    }
    doms
}
