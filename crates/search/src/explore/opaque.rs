//! Flips that depend on opaque functions: they are solved one after the other, so that what one observes the next can
//! use, and again when more is known.

use constraint::{Condition, Stimulus};
use solve::opaque::{Limits, OpaqueAnswer, blamed, depends, is_met_by_sample};
use solve::{Answer, UnknownReason};

use super::merge::{RunRequest, is_stopped};
use super::{Explorer, Undecided};
use crate::reason::Reason;
use crate::round::{FlipAnswer, FlipQuery};
use crate::sampler::SubjectSampler;
use crate::subject::ConcolicRun;
use crate::tree::{DecisionNode, Flip, NodeId, RunId};

/// Runs to observe functions for one flip.
const OBSERVING: usize = 8;
/// The number of times that a flip which was left undecided is tried again when more is known.
const TRIES: u32 = 2;
/// Flips that a function may leave undecided before points that no strategy asks for are left out.
const LOST: u32 = 3;

/// Flips that a function may leave undecided before what it gives is no longer joined.
const JOINED: u32 = 12;
/// Flips that a function may leave undecided before it is asked half as much about each, and again.
const PATIENCE: u32 = 6;

impl Explorer<'_> {
    /// As [`Explorer::solve`]; flips without opaque functions are solved at once, as ever.
    pub(super) fn solve_opaque(&mut self, flips: &[NodeId]) -> Vec<Option<FlipAnswer>> {
        let paths: Vec<Vec<Condition>> = flips.iter().map(|id| self.conditions(*id)).collect();
        let is_plain = |path: &Vec<Condition>| !depends(self.subject.arena(), path);
        let plain: Vec<bool> = paths.iter().map(is_plain).collect();
        let (ids, kept): (Vec<NodeId>, Vec<Vec<Condition>>) = flips
            .iter()
            .zip(&paths)
            .zip(&plain)
            .filter(|(_, plain)| **plain)
            .map(|((id, path), _)| (*id, path.clone()))
            .unzip();
        let mut answers = self.solve_plain(&ids, kept, None).into_iter();
        let all = flips.iter().zip(paths).zip(plain);
        all.map(|((id, path), plain)| if plain { answers.next().flatten() } else { self.find(*id, &path) }).collect()
    }

    /// The answer that a strategy around opaque functions finds.
    fn find(&mut self, id: NodeId, conditions: &[Condition]) -> Option<FlipAnswer> {
        let from = self.tree.node(id).run;
        let (root, generation) = (self.runs.root(from), self.runs.origin(from).generation + 1);
        let signature = self.roots[root].signature;
        let (now, budget) = (self.now(), self.budget());
        let mut go_on = || self.stop.goes_on(&now);
        let function = blamed(self.subject.arena(), conditions)?;
        let lost = self.lost.entry(function).or_default();
        let limits = match self.tries.contains_key(&id) || *lost >= LOST {
            // Points that no strategy asks for were tried before.
            true => Limits { undirected: 0, walk: 0, trials: 0, ..self.options.opaque },
            false => self.options.opaque,
        };
        let is_joined = !self.tries.contains_key(&id) && *lost < JOINED;
        let limits = Limits { joined: if is_joined { limits.joined } else { 0 }, ..limits };
        // A function that has left many flips undecided leaves most: fewer questions are asked about each.
        let limits = Limits { questions: limits.questions >> (*lost / PATIENCE).min(2), ..limits };
        let before = self.subject.arena().samples.count();
        let mut sampler = SubjectSampler {
            subject: self.subject,
            solver: self.solver,
            budget: &budget,
            go_on: &mut go_on,
            runs: Vec::new(),
            schedule: self.roots[root].schedule.to_vec(),
            most_runs: OBSERVING,
        };
        let inputs = &self.entry_point.signatures[signature].inputs;
        let answer = sampler.solve(inputs, conditions, self.runs.inputs(from), limits);
        *lost += u32::from(matches!(answer, Some(OpaqueAnswer::Undecided(_))));
        let runs = std::mem::take(&mut sampler.runs);
        self.statistics.samples += self.subject.arena().samples.count() - before;
        self.merge_observing(root, generation, runs);
        match answer? {
            OpaqueAnswer::Sat(inputs, strategy) => {
                self.statistics.strategies += 1;
                self.statistics.undirected += u64::from(strategy.undirected);
                Some(FlipAnswer::Answer(Answer::Sat(inputs)))
            }
            OpaqueAnswer::Unsat => Some(FlipAnswer::Answer(self.unless_refuted(signature, from, conditions))),
            OpaqueAnswer::Undecided(function) => Some(FlipAnswer::Undecided(function)),
            OpaqueAnswer::Unknown(why) => Some(FlipAnswer::Answer(Answer::Unknown(why))),
            OpaqueAnswer::Stopped => None,
        }
    }

    /// Unsat, unless a second solver finds inputs with the outcomes that were observed.
    fn unless_refuted(&mut self, signature: usize, from: RunId, conditions: &[Condition]) -> Answer {
        let (signature, near) = (&self.entry_point.signatures[signature], self.runs.inputs(from));
        let query = FlipQuery { signature, conditions: conditions.to_vec(), near };
        if self.solver.rechecks(conditions) && self.solver.refutes(&query.query(self.subject)) {
            return Answer::Unknown(UnknownReason::Disputed);
        }
        Answer::Unsat
    }

    /// Runs that were made to observe a function are runs like all others.
    fn merge_observing(&mut self, root: usize, generation: u32, runs: Vec<(Stimulus, ConcolicRun)>) {
        for (stimulus, run) in runs {
            self.statistics.intermediate += 1;
            if !is_stopped(&run) {
                self.merge_run(RunRequest { root, generation, flip: None }, stimulus, &run);
            }
        }
    }

    /// Puts back what was left undecided and of which more may be known now; returns true if there was anything.
    pub(super) fn reconsider(&mut self) -> bool {
        let count = self.subject.arena().samples.count();
        let mut again = Vec::new();
        for left in &self.undecided {
            let tries = self.tries.get(&left.flip).copied().unwrap_or(0);
            let open = self.tree.node(left.flip).flip == Flip::Undecided;
            if open && left.known < count && tries < TRIES {
                again.push(left.flip);
            }
        }
        for id in &again {
            *self.tries.entry(*id).or_default() += 1;
            self.tree.set(*id, Flip::Queued);
            self.note_opened(*id);
            self.frontier.push(&self.tree, *id, self.runs.origin(self.tree.node(*id).run));
        }
        self.undecided.retain(|left| !again.contains(&left.flip));
        !again.is_empty()
    }

    /// A flip that asks a function for what it was seen to give comes before others of its run.
    pub(super) fn note_opened(&mut self, id: NodeId) {
        let DecisionNode { test, holds, .. } = *self.tree.node(id);
        let asked = Condition { test, holds: !holds };
        if self.subject.arena().has_opaque() && is_met_by_sample(self.subject.arena(), &asked) {
            self.frontier.open(id);
        }
    }

    pub(super) fn leave_undecided(&mut self, id: NodeId, function: term::Mfa) {
        self.statistics.unknown += 1;
        self.tree.set(id, Flip::Undecided);
        self.undecided.push(Undecided { flip: id, function, known: self.subject.arena().samples.count() });
        // What earlier explorations knew matters only here, so that they change nothing that can be had without them.
        if self.recalled.insert(function) {
            self.subject.recall(function);
        }
    }

    /// Counts the flips that stay undecided at the end.
    pub(super) fn note_undecided(&mut self) {
        for left in std::mem::take(&mut self.undecided) {
            let DecisionNode { flip, site, run, depth, .. } = *self.tree.node(left.flip);
            if flip == Flip::Undecided {
                let place = self.subject.place_of_decision(site, self.runs.inputs(run), depth as usize);
                let place = place.or_else(|| self.subject.place(site));
                self.causes.add(Reason::Undecided { function: left.function }, place);
            }
        }
    }
}
