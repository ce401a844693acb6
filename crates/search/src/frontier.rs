//! The frontier: flips that wait for their turn, and what is known about each answer at each site.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use constraint::Site;
use rustc_hash::{FxHashMap, FxHashSet};
use term::Mfa;

use crate::strategy::{Metrics, NO_LEAD, Rank, Strategy};
use crate::tree::{Flip, NodeId, Tree};

/// After so many turns that lead on from what samples open and cover nothing, one more turn of the others comes between.
const PATIENT_LEADS: u32 = 16;

/// The sites of a function outside of the tested modules share their tries: so many of all are one of each. A library may have
/// a clause for every letter, and none of them says much about the program.
const SHARED_TRIES: u32 = 8;

/// Shared tries after which an answer that such a function is the first to have says nothing any more.
const WORN: u32 = 8;

/// The record of one answer at one site over all runs.
#[derive(Clone, Copy, Default)]
struct Outcome {
    covered: bool,
    tries: u32,
}

/// The metrics that the flips of a run inherit.
#[derive(Clone, Copy, Default, Debug)]
pub struct Origin {
    pub generation: u32,
    pub score: u32,
    /// See [`Metrics::led`].
    pub led: bool,
    /// See [`Metrics::lead`].
    pub lead: u32,
}

/// The flips in the order of one strategy. Some may have been taken from another queue meanwhile.
struct Queue {
    strategy: Strategy,
    waiting: BinaryHeap<Reverse<(Rank, NodeId)>>,
}

/// A priority queue per strategy, which take turns.
pub struct Frontier {
    /// Every flip that waits is in all of them.
    queues: Vec<Queue>,
    /// Which queue's turn it is, again and again.
    turns: std::iter::Cycle<std::vec::IntoIter<usize>>,
    outcomes: FxHashMap<(Site, bool), Outcome>,
    /// The functions of libraries that sites belong to, and the tries of each.
    libraries: FxHashMap<Site, Mfa>,
    library_tries: FxHashMap<Mfa, u32>,
    /// Flips that samples of opaque functions open.
    opened: FxHashSet<NodeId>,
    /// Turns since the last one of these.
    since_lead: u32,
    /// Such turns since a run covered something.
    idle_leads: u32,
    covered: u64,
}

impl Frontier {
    /// An empty frontier.
    pub fn new(strategy: Strategy) -> Frontier {
        let mut queues: Vec<Queue> = Vec::new();
        let mut turns = Vec::new();
        for strategy in strategy.turns() {
            let known = queues.iter().position(|queue| queue.strategy == *strategy);
            turns.push(known.unwrap_or(queues.len()));
            queues.extend(known.is_none().then(|| Queue { strategy: *strategy, waiting: BinaryHeap::new() }));
        }
        let (outcomes, libraries, library_tries, opened) = Default::default();
        Frontier {
            queues,
            turns: turns.into_iter().cycle(),
            outcomes,
            libraries,
            library_tries,
            opened,
            since_lead: 0,
            idle_leads: 0,
            covered: 0,
        }
    }

    /// The number of answers that sites had.
    pub fn covered(&self) -> u64 {
        self.covered
    }

    /// The number of sites where an answer was had or asked for.
    pub fn sites(&self) -> u64 {
        let one = |&(site, answer): &(Site, bool)| !(answer && self.outcomes.contains_key(&(site, false)));
        self.outcomes.keys().filter(|key| one(key)).count() as u64
    }

    /// Records an answer at a site; returns true if this is the first time, and says something.
    pub fn cover(&mut self, site: Site, answer: bool) -> bool {
        let outcome = self.outcomes.entry((site, answer)).or_default();
        let first = !outcome.covered;
        outcome.covered = true;
        self.covered += u64::from(first);
        first && self.shared_tries(site) < WORN
    }

    /// Notes that a site belongs to a function of a library.
    pub fn note_library(&mut self, site: Site, function: Mfa) {
        self.libraries.insert(site, function);
    }

    /// The tries that a site has for those of all sites of its function.
    fn shared_tries(&self, site: Site) -> u32 {
        let function = self.libraries.get(&site);
        function.and_then(|function| self.library_tries.get(function)).map_or(0, |tries| tries / SHARED_TRIES)
    }

    /// Notes that samples of opaque functions open a flip.
    pub fn open(&mut self, id: NodeId) {
        self.opened.insert(id);
    }

    /// True if samples open flips.
    pub fn leads(&self) -> bool {
        !self.opened.is_empty()
    }

    /// Notes a run with this score, made for a flip of a run of this origin; returns its lead.
    pub fn lead(&mut self, score: u32, above: Option<Origin>) -> u32 {
        match above {
            _ if score > 0 => {
                self.idle_leads = 0;
                0
            }
            Some(above) if self.leads() => (above.lead + 1).min(NO_LEAD),
            _ => NO_LEAD,
        }
    }

    /// Adds a queued flip to every queue.
    pub fn push(&mut self, tree: &Tree, id: NodeId, origin: Origin) {
        debug_assert_eq!(tree.node(id).flip, Flip::Queued, "only queued flips wait");
        let metrics = self.metrics(tree, id, origin);
        for queue in &mut self.queues {
            queue.waiting.push(Reverse((queue.strategy.rank(&metrics), id)));
        }
    }

    fn metrics(&self, tree: &Tree, id: NodeId, origin: Origin) -> Metrics {
        let node = tree.node(id);
        let outcome = self.outcomes.get(&(node.site, !node.holds)).copied().unwrap_or_default();
        Metrics {
            depth: node.depth,
            pinned: node.pinned,
            minor: node.minor,
            table: node.table,
            opened: self.opened.contains(&id),
            uncovered: !outcome.covered,
            tries: outcome.tries.max(self.shared_tries(node.site)),
            generation: origin.generation,
            score: origin.score,
            led: origin.led,
            lead: origin.lead,
            run: node.run.0,
            order: id.order(),
        }
    }

    /// As long as samples of opaque functions open flips, every second turn is that of the latest runs that covered
    /// something, and fewer where that covers nothing more.
    fn lead_turn(&mut self) -> Option<usize> {
        self.since_lead = if self.opened.is_empty() { 0 } else { self.since_lead + 1 };
        if self.since_lead < 2 + self.idle_leads / PATIENT_LEADS || self.queues.len() == 1 {
            return None;
        }
        (self.since_lead, self.idle_leads) = (0, self.idle_leads + 1);
        let latest = self.queues.iter().position(|queue| queue.strategy == Strategy::Latest)?;
        let Reverse((rank, _)) = self.queues[latest].waiting.peek()?;
        (rank[0] < NO_LEAD).then_some(latest)
    }

    /// The next flip. One whose rank has grown since it was put here waits again; ranks grow by doublings, so that
    /// happens a bounded number of times.
    pub fn pop(&mut self, tree: &Tree, origin: impl Fn(NodeId) -> Origin) -> Option<NodeId> {
        let turn = self.lead_turn().or_else(|| self.turns.next())?;
        while let Some(Reverse((rank, id))) = self.queues[turn].waiting.pop() {
            if tree.node(id).flip != Flip::Queued {
                continue;
            }
            let metrics = self.metrics(tree, id, origin(id));
            let queue = &mut self.queues[turn];
            let now = queue.strategy.rank(&metrics);
            let may_fall = self.opened.contains(&id);
            debug_assert!(now >= rank || may_fall, "the rank of a flip that waits only grows");
            if now > rank {
                queue.waiting.push(Reverse((now, id)));
                continue;
            }
            let node = tree.node(id);
            self.outcomes.entry((node.site, !node.holds)).or_default().tries += 1;
            if let Some(function) = self.libraries.get(&node.site) {
                *self.library_tries.entry(*function).or_default() += 1;
            }
            return Some(id);
        }
        None
    }
}
