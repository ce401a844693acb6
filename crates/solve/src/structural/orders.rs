//! Orders that follow from others: what stands between two terms that are equal is equal to them, and nothing stands
//! before itself, whatever kinds of terms these are.

use constraint::Kinds;
use rustc_hash::FxHashMap;
use term::Term;

use super::propagators::{Propagator, TermRelation};
use super::store::{Conflict, NodeId, Order, Step, Store};
use crate::partition::Partition;

/// More orders than these are left to the conditions one by one.
const MOST: usize = 256;

/// Terms by number, and which of them do not come after which others.
#[derive(Default)]
struct Graph {
    numbers: FxHashMap<NodeId, usize>,
    terms: Vec<NodeId>,
    /// From, to, and whether strictly before.
    steps: Vec<(usize, usize, bool)>,
    /// Pairs that are equal, and that are not.
    equal: Vec<(usize, usize)>,
    unequal: Vec<(usize, usize)>,
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
        let groups = graph.groups();
        let within = |a: &usize, b: &usize| groups[*a] == groups[*b];
        if graph.steps.iter().any(|(a, b, strict)| *strict && within(a, b))
            || graph.unequal.iter().any(|(a, b)| within(a, b))
        {
            return Err(Conflict);
        }
        let mut equal = Partition::new(graph.terms.len());
        graph.equal.iter().for_each(|(a, b)| _ = equal.join(*a, *b));
        let mut found = false;
        for (a, b, _) in graph.steps.iter().filter(|(a, b, _)| within(a, b)) {
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
        graph.add_values(self);
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
        self.steps.push((a, b, strict));
    }

    fn add(&mut self, store: &Store, relate: TermRelation, a: NodeId, b: NodeId) {
        match relate {
            TermRelation::Less | TermRelation::AtMost => self.step(store, a, b, relate == TermRelation::Less),
            TermRelation::Equal => {
                let pair = (self.number(store, a), self.number(store, b));
                self.equal.push(pair);
                self.steps.extend([(pair.0, pair.1, false), (pair.1, pair.0, false)]);
            }
            TermRelation::Unequal => {
                let pair = (self.number(store, a), self.number(store, b));
                self.unequal.push(pair);
            }
            TermRelation::Differ | TermRelation::Before => {}
        }
    }

    /// Terms whose values are known stand in the order of these.
    fn add_values(&mut self, store: &Store) {
        let mut known: Vec<(&Term, usize)> =
            self.terms.iter().enumerate().filter_map(|(at, id)| Some((store.node(*id).value.as_ref()?, at))).collect();
        known.sort_by(|a, b| a.0.compare(b.0));
        for pair in known.windows(2) {
            let ((left, a), (right, b)) = (pair[0], pair[1]);
            let strict = left.compare(right).is_lt();
            self.steps.push((a, b, strict));
            if !strict {
                self.steps.push((b, a, false));
                self.equal.push((a, b));
            }
        }
    }

    /// A number for each term, the same for those from which one gets to the other and back.
    fn groups(&self) -> Vec<usize> {
        let count = self.terms.len();
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut back: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (a, b, _) in &self.steps {
            next[*a].push(*b);
            back[*b].push(*a);
        }
        let mut order = Vec::with_capacity(count);
        let mut seen = vec![false; count];
        for start in 0..count {
            let mut stack = vec![(start, false)];
            while let Some((at, leave)) = stack.pop() {
                if leave {
                    order.push(at);
                } else if !std::mem::replace(&mut seen[at], true) {
                    stack.push((at, true));
                    stack.extend(next[at].iter().filter(|to| !seen[**to]).map(|to| (*to, false)));
                }
            }
        }
        let mut groups = vec![usize::MAX; count];
        for start in order.into_iter().rev() {
            let mut stack = vec![start];
            while let Some(at) = stack.pop() {
                if groups[at] == usize::MAX {
                    groups[at] = start;
                    stack.extend(back[at].iter().copied());
                }
            }
        }
        groups
    }
}
