//! Maps that the program built of others: with known keys, or of unknown maps.

use constraint::{Expr, Node};
use term::{Map, Term};

use super::encode::Encoder;
use super::ground::Ground;
use super::maps::{Entries, MapOperation};
use super::production::Prod;
use super::propagators::{Propagator, TermRelation};
use super::store::{Context, NodeId, Order, Step, Store};
use crate::query::UnknownReason;

impl Encoder<'_> {
    /// The node of a map that is made of others.
    pub fn made_map(&mut self, store: &mut Store, cx: &mut Context, expr: Expr) -> Step<NodeId> {
        match self.known_entries(store, cx, expr)? {
            Some(entries) => store.closed_map(cx, entries),
            None => self.open_made(store, cx, expr),
        }
    }

    /// The entries of a map that was made from a constant, later ones first; nothing if it was not.
    fn known_entries(
        &mut self,
        store: &mut Store,
        cx: &mut Context,
        expr: Expr,
    ) -> Step<Option<Vec<(NodeId, NodeId)>>> {
        let mut puts = Vec::new();
        let mut at = expr;
        let base = loop {
            match *self.arena.node(at) {
                Node::MapPut(base, key, value) => {
                    puts.push((key, value));
                    at = base;
                }
                Node::Literal(ref term) => break term.as_map().cloned(),
                _ => break None,
            }
        };
        let Some(base) = base else { return Ok(None) };
        let overwritten = |key: &Term| puts.iter().any(|(put, _)| self.arena.as_literal(*put) == Some(key));
        let rest: Vec<(Term, Term)> =
            base.iter().filter(|(key, _)| !overwritten(key)).map(|(key, value)| (key.clone(), value.clone())).collect();
        let mut entries: Vec<(NodeId, NodeId)> = Vec::new();
        let mut seen: Vec<Expr> = Vec::new();
        for (key, value) in puts {
            if seen.contains(&key) {
                continue;
            }
            seen.push(key);
            entries.push((self.node(store, cx, key)?, self.node(store, cx, value)?));
        }
        for (key, value) in rest {
            entries.push((store.literal(cx, key), store.literal(cx, value)));
        }
        Ok(Some(entries))
    }

    fn open_made(&mut self, store: &mut Store, cx: &mut Context, expr: Expr) -> Step<NodeId> {
        let arena = self.arena;
        let mut node = |expr: Expr| self.node(store, cx, expr);
        let made = match *arena.node(expr) {
            Node::MapPut(base, key, value) => MapOperation::Put(node(base)?, node(key)?, node(value)?),
            Node::MapRemove(base, key) => MapOperation::Remove(node(base)?, node(key)?),
            Node::MapMerge(first, second) => MapOperation::Merge(node(first)?, node(second)?),
            _ => return cx.give_up(UnknownReason::Wrong),
        };
        // What follows for the maps it is made of is not drawn.
        cx.leave_out(UnknownReason::Unsupported);
        let bases = match made {
            MapOperation::Put(base, ..) | MapOperation::Remove(base, _) => vec![base],
            MapOperation::Merge(first, second) => vec![first, second],
        };
        for base in bases {
            store.expand_map(cx, base)?;
        }
        let id = store.any_map(cx)?;
        match made {
            MapOperation::Put(_, key, value) => store.expand_map(cx, id)?.present.push((key, value)),
            MapOperation::Remove(_, key) => store.expand_map(cx, id)?.absent.push(key),
            MapOperation::Merge(..) => {}
        }
        store.expand_map(cx, id)?.made = Some(made);
        Ok(id)
    }
}

impl Entries {
    /// Merges the known entries of two nodes that are the same map.
    pub fn joined(&self, other: &Entries) -> Entries {
        let mut all = self.clone();
        all.present.extend(&other.present);
        all.absent.extend(&other.absent);
        all.places.extend(&other.places);
        all.apart.extend(&other.apart);
        all.fields.extend(&other.fields);
        if all.order.is_empty() {
            all.order.clone_from(&other.order);
        }
        all.made = all.made.or(other.made);
        all
    }
}

impl Store {
    fn any_map(&mut self, cx: &mut Context) -> Step<NodeId> {
        let id = self.fresh(cx, &[super::domains::DomId::ANY], None)?;
        self.expand_map(cx, id)?;
        Ok(id)
    }

    /// A map of exactly these entries, whose keys differ.
    fn closed_map(&mut self, cx: &mut Context, entries: Vec<(NodeId, NodeId)>) -> Step<NodeId> {
        let id = self.any_map(cx)?;
        let none = Entries::default();
        for (at, (key, _)) in entries.iter().enumerate() {
            for (other, _) in &entries[..at] {
                if !self.is_apart(&none, *key, *other) {
                    // Conditions that compare such maps make sure that they do; if not, other maps are left out.
                    cx.leave_out(UnknownReason::Unsupported);
                    self.set_apart(cx, id, *key, *other)?;
                }
            }
        }
        let size = entries.len();
        self.expand_map(cx, id)?.present = entries;
        let count = self.map_count(cx, id)?;
        self.bind(cx, count, Term::int(size as i64))?;
        Ok(id)
    }

    /// Returns true if a condition says that two nodes differ.
    pub fn is_said_apart(&self, a: NodeId, b: NodeId) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        let pairs = |x, y| (self.find(x), self.find(y));
        let said = self.pending.iter().any(|pending| match *pending {
            Propagator::Pair(TermRelation::Differ | TermRelation::Before | TermRelation::Less, x, y) => {
                pairs(x, y) == (a, b) || pairs(y, x) == (a, b)
            }
            _ => false,
        });
        let differ = |order: Order| matches!(order, Order::Differ | Order::Less);
        let mut relations = self.relations.iter().filter(|(order, ..)| differ(*order));
        said || relations.any(|(_, x, y)| pairs(*x, *y) == (a, b) || pairs(*y, *x) == (a, b))
    }
}

impl Ground<'_> {
    /// A map of the known entries and what its production demands; the rest stays as it was.
    pub fn map(&mut self, cx: &mut Context, id: NodeId) -> Step<Term> {
        let node = self.store.node(id);
        let Some(entries) = node.entries.clone() else { return cx.give_up(UnknownReason::Wrong) };
        if let Some(made) = entries.made {
            let map = self.made_map(cx, made)?;
            let fits = node.prods.iter().any(|prod| cx.domains.prod_accepts(prod, &map));
            return if fits { Ok(map) } else { cx.give_up(UnknownReason::Unsupported) };
        }
        let mut map = Map::new();
        for (key, value) in &entries.present {
            let (key, value) = (self.term(cx, *key)?, self.term(cx, *value)?);
            if map.contains(&key) {
                return cx.give_up(UnknownReason::Wrong);
            }
            map.insert_mut(key, value);
        }
        let mut avoid = Vec::with_capacity(entries.absent.len());
        for key in &entries.absent {
            // A term is never a key in itself.
            if !matches!(self.made.get(&self.store.find(*key)), Some(None)) {
                avoid.push(self.term(cx, *key)?);
            }
        }
        let size = node.count.map(|count| self.term(cx, count)).transpose()?;
        let size = size.and_then(|size| size.as_i64()).and_then(|size| usize::try_from(size).ok());
        if size.is_some_and(|size| size as u64 > cx.cells) {
            return cx.give_up(UnknownReason::Budget);
        }
        let near = node.near.as_ref().and_then(Term::as_map);
        let Some(prod @ Prod::Map(rows)) = node.prods.first() else { return cx.give_up(UnknownReason::Unsupported) };
        let whole = cx.domains.completed(rows, map, &avoid, near, size).map(Term::map);
        let fits = |map: &Term| cx.domains.prod_accepts(prod, map) && !node.not.contains(map);
        let whole = whole.filter(fits);
        cx.some(whole, UnknownReason::Unsupported)
    }

    fn made_map(&mut self, cx: &mut Context, made: MapOperation) -> Step<Term> {
        let mut entries = |ground: &mut Self, id| {
            let term = ground.term(cx, id)?;
            cx.some(term.as_map().cloned(), UnknownReason::Wrong)
        };
        let map = match made {
            MapOperation::Put(base, key, value) => {
                let base = entries(self, base)?;
                base.insert(self.term(cx, key)?, self.term(cx, value)?)
            }
            MapOperation::Remove(base, key) => {
                let mut base = entries(self, base)?;
                base.remove_mut(&self.term(cx, key)?);
                base
            }
            MapOperation::Merge(first, second) => {
                let mut first = entries(self, first)?;
                let second = entries(self, second)?;
                second.iter().for_each(|(key, value)| first.insert_mut(key.clone(), value.clone()));
                first
            }
        };
        Ok(Term::map(map))
    }
}
