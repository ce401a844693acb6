//! Orders that follow from others: what stands between two terms that are equal is equal to them, and nothing stands
//! before itself, whatever kinds of terms these are.

use constraint::Kinds;
use rustc_hash::FxHashMap;

use super::propagators::{Propagator, TermRelation};
use super::store::{Conflict, NodeId, Order, Step, Store};
use crate::order::OrderGraph;
use crate::partition::Partition;

/// More orders than these are left to the conditions one by one.
const MOST: usize = 256;

/// Terms by number, and which of them do not come after which others.
#[derive(Default)]
struct Graph {
    numbers: FxHashMap<NodeId, usize>,
    terms: Vec<NodeId>,
    orders: OrderGraph,
}

impl Store {
    /// Remembers a condition on the order of two terms, beyond the time when it is decided by their parts.
    pub fn remember_order(&mut self, relate: TermRelation, a: NodeId, b: NodeId) {
        let ordered =
            matches!(relate, TermRelation::Less | TermRelation::AtMost | TermRelation::Equal | TermRelation::Unequal);
        if ordered && self.node(a).kinds | self.node(b).kinds != Kinds::INTEGER {
            self.orders.push((relate, a, b));
        }
    }

    /// Forgets what waits and follows from a new condition on the same two terms.
    pub fn drop_implied(&mut self, relate: TermRelation, a: NodeId, b: NodeId) {
        let implies = |weaker: TermRelation| match relate {
            TermRelation::Less => weaker.wants_difference(),
            TermRelation::Unequal => weaker == TermRelation::Differ,
            _ => false,
        };
        let of_both = |x: NodeId, y: NodeId| (x, y) == (a, b) || (x, y) == (b, a);
        self.pending.retain(|pending| match pending {
            Propagator::Pair(weaker, x, y) => !(implies(*weaker) && of_both(*x, *y)),
            _ => true,
        });
    }

    /// Terms that stand before each other are equal, or there is a contradiction. Returns true if anything is new.
    pub fn propagate_orders(&mut self) -> Step<bool> {
        if self.orders.len() < 2 || self.orders.len() > MOST {
            return Ok(false);
        }
        let graph = self.graph();
        let groups = graph.orders.groups(graph.terms.len()).ok_or(Conflict)?;
        let mut equal = Partition::new(graph.terms.len());
        graph.orders.equal.iter().for_each(|(a, b)| _ = equal.join(*a, *b));
        let mut found = false;
        for (a, b, _) in graph.orders.steps.iter().filter(|(a, b, _)| groups[*a] == groups[*b]) {
            if equal.join(*a, *b) {
                let (a, b) = (graph.terms[*a], graph.terms[*b]);
                self.orders.push((TermRelation::Equal, a, b));
                self.pending.push(Propagator::Pair(TermRelation::Equal, a, b));
                found = true;
            }
        }
        Ok(found)
    }

    fn graph(&self) -> Graph {
        let mut graph = Graph::default();
        let pending = self.pending.iter().filter_map(|pending| match pending {
            Propagator::Pair(relate, a, b) => Some((*relate, *a, *b)),
            _ => None,
        });
        for (relate, a, b) in self.orders.iter().copied().chain(pending.take(MOST)) {
            graph.add(self, relate, a, b);
        }
        for (order, a, b) in self.relations.iter().take(MOST) {
            let strict = *order == Order::Less;
            if *order != Order::Differ {
                graph.step(self, *a, *b, strict);
            }
        }
        let value = |(at, id): (usize, &NodeId)| Some((self.node(*id).value.as_ref()?, at));
        graph.orders.add_values(graph.terms.iter().enumerate().filter_map(value).collect());
        graph
    }
}

impl Graph {
    fn number(&mut self, store: &Store, id: NodeId) -> usize {
        let id = store.find(id);
        *self.numbers.entry(id).or_insert_with(|| {
            self.terms.push(id);
            self.terms.len() - 1
        })
    }

    fn step(&mut self, store: &Store, a: NodeId, b: NodeId, strict: bool) {
        let (a, b) = (self.number(store, a), self.number(store, b));
        self.orders.steps.push((a, b, strict));
    }

    fn add(&mut self, store: &Store, relate: TermRelation, a: NodeId, b: NodeId) {
        match relate {
            TermRelation::Less | TermRelation::AtMost => self.step(store, a, b, relate == TermRelation::Less),
            TermRelation::Equal => {
                let pair = (self.number(store, a), self.number(store, b));
                self.orders.add_equal(pair.0, pair.1);
            }
            TermRelation::Unequal => {
                let pair = (self.number(store, a), self.number(store, b));
                self.orders.unequal.push(pair);
            }
            TermRelation::Differ | TermRelation::Before => {}
        }
    }
}
