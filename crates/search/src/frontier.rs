//! The frontier: flips that wait for their turn, and what is known about each answer at each site.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use constraint::Site;
use rustc_hash::FxHashMap;

use crate::strategy::{Metrics, Rank, Strategy};
use crate::tree::{NodeId, Other, Tree};

/// What all runs together know of one answer at one site.
#[derive(Clone, Copy, Default)]
struct Outcome {
    covered: bool,
    tries: u32,
}

/// What a run hands on to its flips.
#[derive(Clone, Copy, Default, Debug)]
pub struct Origin {
    pub generation: u32,
    pub score: u32,
}

pub struct Frontier {
    strategy: Strategy,
    waiting: BinaryHeap<Reverse<(Rank, NodeId)>>,
    outcomes: FxHashMap<(Site, bool), Outcome>,
    covered: u64,
}

impl Frontier {
    pub fn new(strategy: Strategy) -> Frontier {
        Frontier { strategy, waiting: BinaryHeap::new(), outcomes: FxHashMap::default(), covered: 0 }
    }

    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// How many answers at sites were had.
    pub fn covered(&self) -> u64 {
        self.covered
    }

    pub fn sites(&self) -> u64 {
        let one = |&(site, answer): &(Site, bool)| !(answer && self.outcomes.contains_key(&(site, false)));
        self.outcomes.keys().filter(|key| one(key)).count() as u64
    }

    /// Whether this is the first time.
    pub fn cover(&mut self, site: Site, answer: bool) -> bool {
        let outcome = self.outcomes.entry((site, answer)).or_default();
        let first = !outcome.covered;
        outcome.covered = true;
        self.covered += u64::from(first);
        first
    }

    pub fn push(&mut self, tree: &Tree, id: NodeId, origin: Origin) {
        let rank = self.rank(tree, id, origin);
        self.waiting.push(Reverse((rank, id)));
    }

    fn rank(&self, tree: &Tree, id: NodeId, origin: Origin) -> Rank {
        let node = tree.node(id);
        let outcome = self.outcomes.get(&(node.site, !node.holds)).copied().unwrap_or_default();
        self.strategy.rank(&Metrics {
            depth: node.depth,
            pinned: node.pinned,
            uncovered: !outcome.covered,
            tries: outcome.tries,
            generation: origin.generation,
            score: origin.score,
            order: id.order(),
        })
    }

    /// The next flip. One whose rank has grown since it was put here waits again; ranks grow by doublings, so that
    /// happens a bounded number of times.
    pub fn pop(&mut self, tree: &Tree, origin: impl Fn(NodeId) -> Origin) -> Option<NodeId> {
        while let Some(Reverse((rank, id))) = self.waiting.pop() {
            if tree.node(id).other != Other::Queued {
                continue;
            }
            let now = self.rank(tree, id, origin(id));
            if now > rank {
                self.waiting.push(Reverse((now, id)));
                continue;
            }
            let node = tree.node(id);
            self.outcomes.entry((node.site, !node.holds)).or_default().tries += 1;
            return Some(id);
        }
        None
    }
}
