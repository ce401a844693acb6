//! The merge of a run: its path in the tree, its flips in the frontier, its coverage, its crash among the findings.

use constraint::{Condition, Stimulus};
use exec::forward::{Ending, ProcessEvent};
use solve::UnknownReason;
use term::Term;

use super::{Explorer, Root};
use crate::exploration::TestCase;
use crate::frontier::Origin;
use crate::reason::Reason;
use crate::round::{FlipQuery, FlipResult};
use crate::subject::ConcolicRun;
use crate::tree::{Flip, NodeId, Placed, TreeSlot, cut};
use crate::triage::{Triage, TriageContext};

/// Decisions before a flip that are looked at to refute it without a solver: a program asks what one thing is at once.
const LOOKED_BACK: usize = 4;

/// The origin of a run.
pub struct RunRequest {
    /// The root of its path.
    pub root: usize,
    pub generation: u32,
    /// The flip it was made for.
    pub flip: Option<NodeId>,
}

impl Explorer<'_> {
    /// Enters the result of a flip into the tree.
    pub fn merge(&mut self, id: NodeId, attempt: FlipResult) {
        let run = self.tree.node(id).run;
        match attempt {
            // Half a run proves nothing: it is as if it had not been tried.
            FlipResult::Ran { run: result, .. } if is_stopped(&result) => {
                self.tree.set(id, Flip::Queued);
                self.may_go_on();
            }
            FlipResult::Ran { stimulus, run: result } => {
                let (root, generation) = (self.runs.root(run), self.runs.origin(run).generation + 1);
                self.merge_run(RunRequest { root, generation, flip: Some(id) }, stimulus, &result);
            }
            // Without the inputs that went elsewhere, which would have met the conditions: no proof.
            _ if self.retried.contains_key(&id) => self.tree.set(id, Flip::Diverged),
            FlipResult::Infeasible => {
                self.statistics.infeasible += 1;
                self.tree.set(id, Flip::Infeasible);
            }
            // Its inputs are needed if it is tried again.
            FlipResult::Unknown(UnknownReason::Budget) if self.hard.add(id) => {
                return self.tree.set(id, Flip::Unknown(UnknownReason::Budget));
            }
            FlipResult::Unknown(unknown) => {
                self.statistics.unknown += 1;
                self.leave(id, Flip::Unknown(unknown), Reason::Solver(unknown));
            }
            FlipResult::Undecided(function) => {
                // Its inputs are needed if it is tried again.
                return self.leave_undecided(id, function);
            }
            FlipResult::TooLarge => self.leave(id, Flip::OutOfBounds, Reason::Size),
            FlipResult::TooManyCalls => {
                self.tree.set(id, Flip::OutOfBounds);
                self.causes.add(Reason::Calls, None);
            }
        }
        if self.tree.node(id).flip != Flip::Queued {
            self.runs.release(run);
        }
    }

    /// Gives a flip up; a pinned one counts with the gap that made it.
    pub(super) fn leave(&mut self, id: NodeId, flip: Flip, reason: Reason) {
        self.tree.set(id, flip);
        if !self.tree.node(id).pinned {
            self.causes.add(reason, self.subject.place(self.tree.node(id).site));
        }
    }

    /// Enters a run into the tree, the frontier, the findings and the counts.
    pub fn merge_run(&mut self, request: RunRequest, stimulus: Stimulus, run: &ConcolicRun) {
        let path = cut(&run.path, self.deep.depth);
        let is_cut = path.len() < run.path.len();
        let placed = self.tree.insert(request.root, path, is_cut, self.runs.next());
        self.deep.note(&request, &stimulus, run);
        self.count(run, &placed);
        self.note_causes(run);
        let score = run.fresh + self.cover(request.flip, &placed);
        let above = request.flip.map(|id| self.runs.origin(self.tree.node(id).run));
        let lead = self.frontier.lead(score, above);
        let origin = Origin { generation: request.generation, score, led: self.frontier.leads(), lead };
        let pending = self.enqueue(request.root, &placed, origin, &stimulus.inputs);
        self.check_direction(&request, &stimulus.inputs, run, &placed);
        let signature = self.roots[request.root].signature;
        self.triage(signature, &stimulus, run);
        if placed.new {
            self.keep(signature, &stimulus, run, placed.end);
        }
        self.statistics.events += run.events.len() as u64;
        self.long.note_end(&run.ending);
        if !run.events.is_empty() {
            let Explorer { schedules, subject, .. } = self;
            let from = (signature, &stimulus.inputs[..], request.generation);
            let held = self.roots[request.root].schedule.len().saturating_sub(1);
            let mut takes = |patterns: &_, message: &_| subject.takes(patterns, message);
            schedules.add((&run.events, held), path, from, &mut takes);
        }
        if score > 0 {
            self.covered_by = self.statistics.runs;
        }
        if score > 0 && self.roots[request.root].schedule.is_empty() {
            self.long.offer(signature, &stimulus.inputs);
        }
        self.runs.push(stimulus.inputs, request.root, origin, pending, run.varies());
    }

    fn count(&mut self, run: &ConcolicRun, placed: &Placed) {
        let statistics = &mut self.statistics;
        statistics.runs += 1;
        statistics.steps += run.steps;
        statistics.unsupported += u64::from(matches!(run.ending, Ending::Unsupported { .. }));
        statistics.paths += u64::from(placed.new);
        statistics.outside += u64::from(!run.in_domain);
        statistics.longest_path = statistics.longest_path.max(run.path.len() as u64);
    }

    pub fn note_causes(&mut self, run: &ConcolicRun) {
        let ended = Reason::of_ending(&run.ending).filter(|_| !run.is_deadlock());
        // A run that was ended has no longer path: that reason says all.
        if run.truncated && ended.is_none() {
            self.causes.add(Reason::Truncated, run.path.last().and_then(|decision| self.subject.place(decision.site)));
        }
        if let Some((reason, at)) = ended {
            self.causes.add(reason, at);
        }
        for gap in &run.gaps {
            match self.gaps.iter_mut().find(|(known, _)| known == gap) {
                Some((_, count)) => *count += 1,
                None => self.gaps.push((gap.clone(), 1)),
            }
        }
    }

    /// Returns the number of answers that a site had for the first time; what comes before the flip was had before.
    fn cover(&mut self, flip: Option<NodeId>, placed: &Placed) -> u32 {
        self.note_libraries(placed);
        let mut fresh = 0;
        if let Some(id) = flip {
            let node = self.tree.node(id);
            fresh += u32::from(node.flip == Flip::Run && self.frontier.cover(node.site, !node.holds));
        }
        for id in self.tree.ids_from(placed.first) {
            let node = self.tree.node(id);
            fresh += u32::from(self.frontier.cover(node.site, node.holds));
        }
        self.statistics.answers = self.frontier.covered();
        fresh
    }

    fn note_libraries(&mut self, placed: &Placed) {
        for id in self.tree.ids_from(placed.first) {
            let site = self.tree.node(id).site;
            if let Some(function) = self.subject.library(site) {
                self.frontier.note_library(site, function);
            }
        }
    }

    /// Puts the flips of new decisions into the frontier, without those that the grammar refutes; returns how many.
    fn enqueue(&mut self, root: usize, placed: &Placed, origin: Origin, near: &[Term]) -> u32 {
        let (mut pending, mut before) = (0, Vec::new());
        for id in self.tree.ids_from(placed.first) {
            let node = self.tree.node(id);
            let has_pins = node.pinned && node.pins >= self.options.max_pins;
            let Root { signature, inherited, .. } = &self.roots[root];
            let signature = *signature;
            let had = Condition { test: node.test, holds: node.holds };
            if inherited.as_ref().is_some_and(|inherited| inherited.contains(&had)) {
                self.tree.set(id, Flip::Elsewhere);
                continue;
            }
            let flip = had.negated();
            self.tree.before(id, LOOKED_BACK, &mut before);
            let infeasible =
                self.shapes[signature].refute(self.subject.arena(), self.subject.grammar(), &flip, &before);
            if infeasible && self.is_disputed(id, signature, near) {
                self.statistics.unknown += 1;
                let disputed = UnknownReason::Disputed;
                self.leave(id, Flip::Unknown(disputed), Reason::Solver(disputed));
            } else if infeasible {
                self.statistics.infeasible += 1;
                self.tree.set(id, Flip::Infeasible);
            } else if has_pins {
                self.tree.set(id, Flip::OutOfBounds);
            } else {
                self.note_opened(id);
                self.frontier.push(&self.tree, id, origin);
                pending += 1;
            }
        }
        self.statistics.waiting = self.tree.queued() as u64;
        pending
    }

    /// True if inputs take a flip that the grammar seems to refute: a mistake of ours, looked for in a sample of these.
    fn is_disputed(&mut self, id: NodeId, signature: usize, near: &[Term]) -> bool {
        let node = self.tree.node(id);
        let test = node.test;
        if !self.solver.rechecks(&[Condition { test, holds: !node.holds }]) {
            return false;
        }
        let mut conditions = Vec::new();
        self.tree.conditions(id, &mut conditions);
        let signature = &self.entry_point.signatures[signature];
        self.solver.refutes(&FlipQuery { signature, conditions, near }.query(self.subject))
    }

    /// Checks that a run had the outcome of its flip. If not, the flip is tried once more with other inputs.
    fn check_direction(&mut self, request: &RunRequest, inputs: &[Term], run: &ConcolicRun, placed: &Placed) {
        if let Some(id) = request.flip.filter(|id| self.tree.node(*id).flip != Flip::Run) {
            let node = self.tree.node(id);
            if !self.runs.varies(node.run) {
                self.diverge(run, node.site);
            }
            // Other inputs may go there.
            let again = self.retried.insert(id, inputs.to_vec()).is_none();
            self.tree.set(id, if again { Flip::Queued } else { Flip::Diverged });
            if again {
                self.frontier.push(&self.tree, id, self.runs.origin(self.tree.node(id).run));
            }
            return;
        }
        // It had no flip to reach, and what it asks rests on values that nothing holds.
        if request.flip.is_none() && run.gaps.iter().any(|gap| gap.kind.is_loose()) {
            return;
        }
        // A run that a bound has ended may well end where another went on.
        let ended = matches!(run.ending, Ending::Value(_) | Ending::Raised(_)) && !run.truncated;
        if let Some(site) = placed.mixed.filter(|_| ended && run.path.len() <= self.deep.depth) {
            self.diverge(run, site);
        }
    }

    fn diverge(&mut self, run: &ConcolicRun, site: constraint::Site) {
        if run.varies() {
            return;
        }
        self.statistics.divergences += 1;
        self.causes.add(Reason::Divergence, self.subject.place(site));
    }

    pub fn triage(&mut self, signature: usize, stimulus: &Stimulus, run: &ConcolicRun) {
        self.named.extend(run.events.iter().flat_map(ProcessEvent::names).cloned());
        self.with_triage(|triage, context| triage.add(context, signature, stimulus, run));
    }

    pub fn seek_loops(&mut self) {
        self.with_triage(Triage::seek_loops);
    }

    pub fn seek_broken_contracts(&mut self) {
        self.with_triage(Triage::seek_broken_contracts);
    }

    pub fn settle_causes(&mut self) {
        self.with_triage(Triage::settle_causes);
    }

    pub(super) fn with_triage(&mut self, work: impl FnOnce(&mut Triage, &mut TriageContext<'_>)) {
        let now = self.now();
        let mut context = TriageContext {
            subject: self.subject,
            solver: self.solver,
            confirm: self.confirm,
            options: self.options,
            entry_point: &self.entry_point,
            named: &self.named,
            causes: &mut self.causes,
            statistics: &mut self.statistics,
            stopped: &mut || !self.stop.goes_on(&now),
        };
        work(&mut self.triage, &mut context);
    }

    /// True if a test may be written from a run: it is one of the first, or the first that takes a branch.
    fn is_kept(&self, run: &ConcolicRun) -> bool {
        let (kept, most) = (self.cases.len(), self.options.keep);
        let is_first = || run.branches.iter().any(|branch| !self.kept_branches.contains(branch));
        kept < most || most > 0 && kept < most + KEPT_FOR_BRANCHES && is_first()
    }

    fn keep(&mut self, signature: usize, stimulus: &Stimulus, run: &ConcolicRun, end: TreeSlot) {
        let ended = matches!(run.ending, Ending::Value(_) | Ending::Raised(_));
        let is_broken = run.contract.is_property && run.contract.is_broken;
        let branches = || run.branches.iter().map(|(site, holds)| (site.0, *holds)).collect();
        let case =
            || TestCase { signature, stimulus: stimulus.clone(), ending: run.ending.clone(), branches: branches() };
        if ended && run.counts() && !is_broken && self.is_kept(run) {
            self.cases.push(case());
            self.kept_branches.extend(run.branches.iter().copied());
        }
        if run.counts() && self.executions.len() < self.options.executions {
            self.ends.insert(end, self.executions.len());
            self.executions.push(case());
        }
    }
}

/// Cases that are kept beyond the wanted number because each takes a branch that no other takes.
const KEPT_FOR_BRANCHES: usize = 1_000;

/// True if the run was stopped from outside before its end.
pub fn is_stopped(run: &ConcolicRun) -> bool {
    matches!(run.ending, Ending::Stopped { .. })
}
