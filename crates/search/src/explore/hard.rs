//! Flips that the budget of a query was not enough for: they are asked about again with a larger one when no other is
//! left.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use solve::{Budget, UnknownReason};

use super::Explorer;
use crate::limits;
use crate::reason::Reason;
use crate::tree::{Flip, NodeId};

/// Flips asked about at once.
const AT_ONCE: usize = 4;

/// The flips that wait for the last budget, and those that had it.
#[derive(Default)]
pub struct HardFlips {
    waiting: VecDeque<NodeId>,
    asked: FxHashSet<NodeId>,
    /// The flips of this round have the last budget.
    pub is_last: bool,
}

impl HardFlips {
    /// Keeps a flip for the end; returns false if it had its turn.
    pub fn add(&mut self, id: NodeId) -> bool {
        let is_new = !self.asked.contains(&id);
        if is_new {
            self.waiting.push_back(id);
        }
        is_new
    }
}

impl Explorer<'_> {
    /// The budget of the queries of this round.
    pub(super) fn budget(&self) -> Budget {
        let Budget { choices, rlimit, walk } = self.options.budget;
        let last = limits::LAST_BUDGET;
        match self.hard.is_last {
            true => Budget {
                choices: choices.max(last.choices),
                rlimit: rlimit.max(last.rlimit),
                walk: walk.max(last.walk),
            },
            false => self.options.budget,
        }
    }

    /// Some of the flips that wait for the last budget, as many as the bounds allow.
    pub(super) fn take_hard(&mut self) -> Vec<NodeId> {
        let left = limits::LAST_QUERIES.saturating_sub(self.hard.asked.len()).min(AT_ONCE);
        let allowed = usize::try_from(self.allowance().0).unwrap_or(usize::MAX);
        let mut flips = Vec::new();
        while self.stop.reason.is_none() && flips.len() < left.min(allowed) {
            let Some(id) = self.hard.waiting.pop_front() else { break };
            if !self.is_hard(id) {
                continue;
            }
            self.hard.asked.insert(id);
            self.tree.set(id, Flip::Taken);
            flips.push(id);
        }
        self.hard.is_last = !flips.is_empty();
        flips
    }

    /// Returns true if no other run took the flip meanwhile.
    fn is_hard(&mut self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        let (is_hard, run) = (node.flip == Flip::Unknown(UnknownReason::Budget), node.run);
        if !is_hard {
            self.runs.release(run);
        }
        is_hard
    }

    /// Counts the flips that were not asked about again.
    pub(super) fn note_hard(&mut self) {
        for id in std::mem::take(&mut self.hard.waiting) {
            if !self.is_hard(id) {
                continue;
            }
            self.statistics.unknown += 1;
            self.leave(id, Flip::Unknown(UnknownReason::Budget), Reason::Solver(UnknownReason::Budget));
        }
    }
}
