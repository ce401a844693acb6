//! Inputs that the code asks for come first: of a function without a spec, a flip is solved with the kinds of values that its
//! clauses, its guards and the specs of what it calls take. Flips that such inputs do not take wait, and get a share of
//! every round; they are solved with any values, so that a proof is about all inputs.

use constraint::Condition;
use solve::Answer;

use super::Explorer;
use crate::round::FlipAnswer;
use crate::tree::{Flip, NodeId};

/// Of so many flips of a round one is of those that wait.
const ODD_SHARE: usize = 4;

impl Explorer<'_> {
    /// The answers for these flips; those that no inputs take which the code asks for have none, and wait.
    pub(super) fn solve_guided(&mut self, flips: &[NodeId], paths: Vec<Vec<Condition>>) -> Vec<Option<FlipAnswer>> {
        let Some(wanted) = self.entry_point.facts.wanted.as_ref().map(|wanted| wanted.inputs.clone()) else {
            return self.solve_plain(flips, paths, None);
        };
        let mut answers: Vec<Option<FlipAnswer>> = flips.iter().map(|_| None).collect();
        let is_odd: Vec<bool> = flips.iter().map(|id| self.odd.contains(id)).collect();
        for odd in [false, true] {
            let places: Vec<usize> = (0..flips.len()).filter(|at| is_odd[*at] == odd).collect();
            let chosen: Vec<NodeId> = places.iter().map(|at| flips[*at]).collect();
            let conditions = places.iter().map(|at| paths[*at].clone()).collect();
            let signature = (!odd).then_some(&wanted);
            for (at, answer) in places.into_iter().zip(self.solve_plain(&chosen, conditions, signature)) {
                match answer {
                    Some(answer) if odd || matches!(answer, FlipAnswer::Answer(Answer::Sat(_))) => {
                        answers[at] = Some(answer);
                    }
                    // That no wanted inputs go there says nothing about others.
                    Some(_) => self.defer(flips[at]),
                    None => {}
                }
            }
        }
        answers
    }

    fn defer(&mut self, id: NodeId) {
        self.odd.insert(id);
        self.waiting.push_back(id);
    }

    /// The next flip to be tried after so many of a round.
    pub(super) fn next_flip(&mut self, taken: usize) -> Option<NodeId> {
        let (runs, tree) = (&self.runs, &self.tree);
        // Another run may have gone there meanwhile.
        while self.waiting.front().is_some_and(|id| tree.node(*id).flip != Flip::Queued) {
            self.waiting.pop_front();
        }
        let mut next = || self.frontier.pop(tree, |id| runs.origin(tree.node(id).run));
        match taken % ODD_SHARE == ODD_SHARE - 1 {
            true => self.waiting.pop_front().or_else(next),
            false => next().or_else(|| self.waiting.pop_front()),
        }
    }

    /// Puts a flip back that may not be tried now.
    pub(super) fn put_back(&mut self, id: NodeId) {
        match self.odd.contains(&id) {
            true => self.waiting.push_front(id),
            false => self.frontier.push(&self.tree, id, self.runs.origin(self.tree.node(id).run)),
        }
    }
}
