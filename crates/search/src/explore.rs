//! The loop of an exploration: take flips, solve and run them, let the tree grow.

mod opaque;

use std::collections::BTreeSet;

use constraint::Condition;
use exec::forward::{Ending, Place};
use rustc_hash::{FxHashMap, FxHashSet};
use solve::{Answer, Query, Shapes};
use term::{Mfa, Term};

use crate::Options;
use crate::exploration::{Case, Exploration, Go, Progress, Statistics, Verdict};
use crate::frontier::{Frontier, Origin};
use crate::judge::{Court, Judge};
use crate::reason::{Causes, Reason};
use crate::round::{Attempt, Found, Trial, attempt, exclusion};
use crate::runs::Runs;
use crate::subject::{Confirm, Gap, Run, Solver, Subject, Target};
use crate::tree::{Node, NodeId, Other, Placed, Tree, cut};

/// Steps before a flip that are looked at to refute it without a solver: a program asks what one thing is at once.
const LOOKED_BACK: usize = 4;

/// Explores a function.
///
/// `progress` is asked before every run whether to go on; what was found until then is reported all the same.
pub fn explore(
    subject: &mut dyn Subject,
    solver: &mut dyn Solver,
    confirm: &mut dyn Confirm,
    options: &Options,
    progress: &mut dyn FnMut(&Progress) -> Go,
) -> Exploration {
    let target = subject.target().clone();
    let mut explorer = Explorer {
        tree: Tree::new(target.signatures.len()),
        shapes: target.signatures.iter().map(|signature| Shapes::new(signature.inputs.clone())).collect(),
        frontier: Frontier::new(options.strategy),
        runs: Runs::default(),
        judge: Judge::default(),
        causes: Causes::default(),
        gaps: Vec::new(),
        retried: FxHashMap::default(),
        undecided: Vec::new(),
        tries: FxHashMap::default(),
        lost: FxHashMap::default(),
        rounds: 0,
        later: BTreeSet::new(),
        recalled: FxHashSet::default(),
        cases: Vec::new(),
        statistics: Statistics::default(),
        stopped: None,
        subject,
        solver,
        confirm,
        options,
        progress,
        target,
    };
    explorer.begin();
    while explorer.round() {}
    explorer.finish()
}

struct Explorer<'a> {
    subject: &'a mut dyn Subject,
    solver: &'a mut dyn Solver,
    confirm: &'a mut dyn Confirm,
    options: &'a Options,
    progress: &'a mut dyn FnMut(&Progress) -> Go,
    target: Target,
    tree: Tree,
    /// By clause of the spec.
    shapes: Vec<Shapes>,
    frontier: Frontier,
    runs: Runs,
    judge: Judge,
    causes: Causes,
    /// Each once, in the order they were met.
    gaps: Vec<(Gap, u64)>,
    /// Flips whose inputs went elsewhere, with those inputs.
    retried: FxHashMap<NodeId, Vec<Term>>,
    /// Flips that opaque functions left undecided.
    undecided: Vec<Undecided>,
    /// How often those were tried again.
    tries: FxHashMap<NodeId, u32>,
    /// How often a function left a flip undecided.
    lost: FxHashMap<Mfa, u32>,
    rounds: u64,
    /// Clauses of the spec whose smallest inputs wait, since the user gave some.
    later: BTreeSet<usize>,
    /// Functions of which it was asked what earlier explorations knew.
    recalled: FxHashSet<Mfa>,
    cases: Vec<Case>,
    statistics: Statistics,
    stopped: Option<Reason>,
}

/// A flip that an opaque function left undecided.
struct Undecided {
    flip: NodeId,
    function: Mfa,
    /// How much was known of opaque functions.
    known: u64,
}

/// Rounds after which undecided flips are looked at again, if more is known.
const RECONSIDERED: u64 = 4;

/// Rounds for the inputs the user gave before the smallest ones get their turn.
const SEEDED: u64 = 8;

/// Where a run comes from.
struct Source {
    signature: usize,
    generation: u32,
    /// The flip it was made for.
    flip: Option<NodeId>,
}

impl Explorer<'_> {
    /// Runs the inputs the user gave, and the smallest of each clause of the spec for which there were none.
    fn begin(&mut self) {
        for inputs in &self.options.seeds {
            match self.signature_of(inputs) {
                Some(signature) => {
                    self.run_first(signature, inputs.clone());
                    self.later.insert(signature);
                }
                None => self.statistics.unfit_seeds += 1,
            }
        }
        for signature in 0..self.target.signatures.len() {
            if !self.later.contains(&signature) {
                self.run_smallest(signature);
            }
        }
    }

    fn run_later(&mut self) {
        std::mem::take(&mut self.later).into_iter().for_each(|signature| self.run_smallest(signature));
    }

    fn run_smallest(&mut self, signature: usize) {
        match self.solver.first(self.subject.grammar(), &self.target.signatures[signature].inputs) {
            Answer::Inputs(inputs) => self.run_first(signature, inputs),
            Answer::None => {}
            Answer::Unknown(unknown) => self.causes.add(Reason::FirstInput(unknown), None),
        }
    }

    fn run_first(&mut self, signature: usize, inputs: Vec<Term>) {
        if !self.may_go_on() {
            return;
        }
        let run = self.subject.run(&inputs);
        if is_stopped(&run) {
            self.may_go_on();
            return;
        }
        self.merge_run(Source { signature, generation: 0, flip: None }, inputs, &run);
    }

    fn signature_of(&self, inputs: &[Term]) -> Option<usize> {
        let grammar = self.subject.grammar();
        self.target.signatures.iter().position(|signature| {
            let rules = &signature.inputs;
            rules.len() == inputs.len()
                && rules.iter().zip(inputs).all(|(rule, input)| self.solver.accepts(grammar, *rule, input))
        })
    }

    fn may_go_on(&mut self) -> bool {
        if self.stopped.is_none() {
            let progress = Progress { statistics: self.statistics, findings: self.judge.findings.len() };
            self.stopped = (self.progress)(&progress).stop();
        }
        self.stopped.is_none()
    }

    /// One round; `false` when there is no other.
    fn round(&mut self) -> bool {
        self.rounds += 1;
        if self.rounds.is_multiple_of(RECONSIDERED) {
            self.reconsider();
        }
        if self.rounds == SEEDED {
            self.run_later();
        }
        let mut flips = self.take();
        if flips.is_empty() && (!self.causes.is_empty() || !self.undecided.is_empty()) {
            self.run_later();
            flips = self.take();
        }
        if flips.is_empty() && self.stopped.is_none() && self.reconsider() {
            flips = self.take();
        }
        let answers = self.solve(&flips);
        let mut attempts = Vec::with_capacity(flips.len());
        for answer in answers {
            attempts.push(answer.filter(|_| self.may_go_on()).map(|answer| {
                self.statistics.queries += 1;
                attempt(self.subject, answer, self.options)
            }));
        }
        for (id, attempt) in flips.iter().zip(attempts) {
            match attempt {
                Some(attempt) => self.merge(*id, attempt),
                None => self.tree.set(*id, Other::Queued),
            }
        }
        !flips.is_empty() && self.stopped.is_none()
    }

    /// The flips of a round, as many as the bounds allow.
    fn take(&mut self) -> Vec<NodeId> {
        let (allowed, bound) = self.allowance();
        let mut flips = Vec::new();
        while flips.len() < self.options.round.max(1) {
            let (runs, tree) = (&self.runs, &self.tree);
            let Some(id) = self.frontier.pop(tree, |id| runs.origin(tree.node(id).run)) else { break };
            if flips.len() as u64 >= allowed {
                self.frontier.push(&self.tree, id, self.runs.origin(self.tree.node(id).run));
                if flips.is_empty() {
                    self.stopped.get_or_insert(bound);
                }
                break;
            }
            self.tree.set(id, Other::Taken);
            flips.push(id);
        }
        flips
    }

    /// How many flips may be tried, and what forbids more.
    fn allowance(&self) -> (u64, Reason) {
        let Options { max_runs, max_queries, max_nodes, .. } = *self.options;
        if self.tree.len() >= max_nodes {
            return (0, Reason::Nodes);
        }
        let runs = max_runs.saturating_sub(self.statistics.runs);
        let queries = max_queries.saturating_sub(self.statistics.queries);
        if runs <= queries { (runs, Reason::Runs) } else { (queries, Reason::Queries) }
    }

    /// The answers for these flips; those that are missing were not asked for because the search is to stop.
    fn solve(&mut self, flips: &[NodeId]) -> Vec<Option<Found>> {
        if self.subject.arena().has_opaque() && self.subject.outcome_rule().is_some() {
            return self.solve_opaque(flips);
        }
        let paths = flips.iter().map(|id| self.conditions(*id)).collect();
        self.solve_plain(flips, paths)
    }

    fn solve_plain(&mut self, flips: &[NodeId], paths: Vec<Vec<Condition>>) -> Vec<Option<Found>> {
        let (tree, runs, target) = (&self.tree, &self.runs, &self.target);
        let trial = |(id, conditions): (&NodeId, Vec<Condition>)| {
            let run = tree.node(*id).run;
            Trial { signature: &target.signatures[runs.signature(run)], conditions, near: runs.inputs(run) }
        };
        let trials: Vec<Trial<'_>> = flips.iter().zip(paths).map(trial).collect();
        let queries: Vec<Query<'_>> = trials.iter().map(|trial| trial.query(self.subject)).collect();
        let now = Progress { statistics: self.statistics, findings: self.judge.findings.len() };
        let (stopped, progress) = (&mut self.stopped, &mut self.progress);
        let answers = self.solver.solve_all(&queries, &self.options.budget, &mut || {
            if stopped.is_none() {
                *stopped = progress(&now).stop();
            }
            stopped.is_none()
        });
        answers.into_iter().map(|answer| answer.map(Found::Answer)).collect()
    }

    /// What inputs for a flip must meet, the flipped condition last.
    fn conditions(&mut self, id: NodeId) -> Vec<Condition> {
        let mut conditions = Vec::new();
        self.tree.flip(id, &mut conditions);
        let near = self.runs.inputs(self.tree.node(id).run);
        let except = self.retried.get(&id);
        if let Some(condition) = except.and_then(|except| exclusion(self.subject, near, except)) {
            conditions.insert(conditions.len().saturating_sub(1), condition);
        }
        conditions
    }

    fn merge(&mut self, id: NodeId, attempt: Attempt) {
        let run = self.tree.node(id).run;
        match attempt {
            // Half a run tells nothing: it is as if it had not been tried.
            Attempt::Ran { run: result, .. } if is_stopped(&result) => {
                self.tree.set(id, Other::Queued);
                self.may_go_on();
            }
            Attempt::Ran { inputs, run: result } => {
                let (signature, generation) = (self.runs.signature(run), self.runs.origin(run).generation + 1);
                self.merge_run(Source { signature, generation, flip: Some(id) }, inputs, &result);
            }
            // Without the inputs that went elsewhere, which would have met the conditions: no proof.
            _ if self.retried.contains_key(&id) => self.tree.set(id, Other::Diverged),
            Attempt::Infeasible => {
                self.statistics.infeasible += 1;
                self.tree.set(id, Other::Infeasible);
            }
            Attempt::Unknown(unknown) => {
                self.statistics.unknown += 1;
                self.leave(id, Other::Unknown(unknown), Reason::Solver(unknown));
            }
            Attempt::Undecided(function) => {
                // Its inputs are needed if it is tried again.
                return self.leave_undecided(id, function);
            }
            Attempt::TooLarge => self.leave(id, Other::OutOfBounds, Reason::Size),
        }
        if self.tree.node(id).other != Other::Queued {
            self.runs.release(run);
        }
    }

    /// Gives a flip up; a pinned one counts with the gap that made it.
    fn leave(&mut self, id: NodeId, other: Other, reason: Reason) {
        self.tree.set(id, other);
        if !self.tree.node(id).pinned {
            self.causes.add(reason, self.subject.place(self.tree.node(id).site));
        }
    }

    fn merge_run(&mut self, source: Source, inputs: Vec<Term>, run: &Run) {
        let path = cut(&run.path, self.options.max_depth);
        let placed = self.tree.insert(source.signature, path, self.runs.next());
        self.count(run, &placed);
        self.note_causes(run);
        let score = run.fresh + self.cover(source.flip, &placed);
        let origin = Origin { generation: source.generation, score };
        let pending = self.enqueue(source.signature, &placed, origin);
        self.check_direction(&source, &inputs, run, &placed);
        self.judge(source.signature, &inputs, run);
        if placed.new {
            self.keep(source.signature, &inputs, run);
        }
        self.runs.push(inputs, source.signature, origin, pending, run.varies());
    }

    fn count(&mut self, run: &Run, placed: &Placed) {
        let statistics = &mut self.statistics;
        statistics.runs += 1;
        statistics.steps += run.steps;
        statistics.unsupported += u64::from(matches!(run.ending, Ending::Unsupported { .. }));
        statistics.paths += u64::from(placed.new);
        statistics.outside += u64::from(!run.in_domain);
        statistics.longest_path = statistics.longest_path.max(run.path.len() as u64);
    }

    fn note_causes(&mut self, run: &Run) {
        let ended = Reason::of_ending(&run.ending);
        // A run that was ended has no longer path: that reason says all.
        if run.truncated && ended.is_none() {
            self.causes.add(Reason::Truncated, run.path.last().and_then(|step| self.subject.place(step.site)));
        }
        if let Some((reason, at)) = ended {
            self.causes.add(reason, at);
        }
        if let Some(step) = run.path.get(self.options.max_depth) {
            self.causes.add(Reason::Depth, self.subject.place(step.site));
        }
        for gap in &run.gaps {
            match self.gaps.iter_mut().find(|(known, _)| known == gap) {
                Some((_, count)) => *count += 1,
                None => self.gaps.push((gap.clone(), 1)),
            }
        }
    }

    /// How many answers at sites were had for the first time; what comes before the flip was had before.
    fn cover(&mut self, flip: Option<NodeId>, placed: &Placed) -> u32 {
        let mut fresh = 0;
        if let Some(id) = flip {
            let node = self.tree.node(id);
            fresh += u32::from(node.other == Other::Run && self.frontier.cover(node.site, !node.holds));
        }
        for id in self.tree.ids_from(placed.first) {
            let node = self.tree.node(id);
            fresh += u32::from(self.frontier.cover(node.site, node.holds));
        }
        self.statistics.answers = self.frontier.covered();
        fresh
    }

    /// Puts the flips of new steps into the frontier, without those that the grammar alone refutes; says how many.
    fn enqueue(&mut self, signature: usize, placed: &Placed, origin: Origin) -> u32 {
        let (mut pending, mut before) = (0, Vec::new());
        for id in self.tree.ids_from(placed.first) {
            let node = self.tree.node(id);
            let flip = Condition { test: node.test, holds: !node.holds };
            self.tree.before(id, LOOKED_BACK, &mut before);
            if self.shapes[signature].refute(self.subject.arena(), self.subject.grammar(), &flip, &before) {
                self.statistics.infeasible += 1;
                self.tree.set(id, Other::Infeasible);
            } else if node.pinned && node.pins >= self.options.max_pins {
                self.tree.set(id, Other::OutOfBounds);
            } else {
                self.frontier.push(&self.tree, id, origin);
                pending += 1;
            }
        }
        self.statistics.waiting = self.tree.queued() as u64;
        pending
    }

    /// Whether a run went where it was to go. If not, the flip is tried once more with other inputs.
    fn check_direction(&mut self, source: &Source, inputs: &[Term], run: &Run, placed: &Placed) {
        if let Some(id) = source.flip.filter(|id| self.tree.node(*id).other != Other::Run) {
            let node = self.tree.node(id);
            if !self.runs.varies(node.run) {
                self.diverge(run, node.site);
            }
            let again = self.retried.insert(id, inputs.to_vec()).is_none();
            self.tree.set(id, if again { Other::Queued } else { Other::Diverged });
            if again {
                self.frontier.push(&self.tree, id, self.runs.origin(self.tree.node(id).run));
            }
            return;
        }
        // Nobody said where it was to go, and what it asks rests on values that nothing holds.
        if source.flip.is_none() && run.gaps.iter().any(|gap| gap.loose) {
            return;
        }
        // A run that a bound has ended may well end where another went on.
        let ended = matches!(run.ending, Ending::Value(_) | Ending::Raised(_)) && !run.truncated;
        if let Some(site) = placed.mixed.filter(|_| ended && run.path.len() <= self.options.max_depth) {
            self.diverge(run, site);
        }
    }

    fn diverge(&mut self, run: &Run, site: constraint::Site) {
        if run.varies() {
            return;
        }
        self.statistics.divergences += 1;
        self.causes.add(Reason::Divergence, self.subject.place(site));
    }

    fn judge(&mut self, signature: usize, inputs: &[Term], run: &Run) {
        let findings = self.judge.findings.len();
        let statistics = self.statistics;
        let (stopped, progress) = (&mut self.stopped, &mut self.progress);
        let mut court = Court {
            subject: self.subject,
            solver: self.solver,
            confirm: self.confirm,
            options: self.options,
            target: &self.target,
            causes: &mut self.causes,
            statistics: &mut self.statistics,
            stopped: &mut || {
                if stopped.is_none() {
                    *stopped = progress(&Progress { statistics, findings }).stop();
                }
                stopped.is_some()
            },
        };
        self.judge.see(&mut court, signature, inputs, run);
    }

    fn keep(&mut self, signature: usize, inputs: &[Term], run: &Run) {
        let told = matches!(run.ending, Ending::Value(_) | Ending::Raised(_));
        if told && run.in_domain && self.cases.len() < self.options.keep {
            self.cases.push(Case { signature, inputs: inputs.to_vec(), ending: run.ending.clone() });
        }
    }

    fn finish(mut self) -> Exploration {
        let waiting = self.tree.queued() as u64;
        let interrupted = matches!(self.stopped, Some(Reason::Interrupted | Reason::Time));
        let reason = self.stopped.take().unwrap_or(Reason::Runs);
        self.causes.add_many(reason, None, if interrupted { waiting.max(1) } else { waiting });
        self.note_gaps();
        self.note_undecided();
        self.subject.keep_samples();
        self.statistics.waiting = waiting;
        self.statistics.sites = self.frontier.sites();
        let complete = self.causes.is_empty();
        let verdict = match (self.judge.findings.is_empty(), complete) {
            (false, _) => Verdict::Crash,
            (true, true) => Verdict::Safe,
            (true, false) => Verdict::Incomplete,
        };
        Exploration {
            verdict,
            complete,
            findings: self.judge.findings,
            unconfirmed: self.judge.unconfirmed,
            outside: self.judge.outside,
            causes: self.causes.into_vec(),
            cases: self.cases,
            statistics: self.statistics,
        }
    }

    /// A gap matters if a value it holds was not freed to the end, or if nothing holds what it looked at.
    fn note_gaps(&mut self) {
        let open: Vec<&Node> = self.tree.nodes().iter().filter(|node| node.pinned && is_open(node.other)).collect();
        for (gap, count) in &self.gaps {
            if !open.is_empty() || !gap.pinned {
                let function = gap.function;
                let held = gap.pinned || gap.loose;
                let reason = if held { Reason::Gap { function } } else { Reason::Varying { function } };
                self.causes.add_many(reason, Some(gap.at.clone()), *count);
            }
        }
        if self.gaps.is_empty() {
            let places: Vec<Option<Place>> = open.iter().map(|node| self.subject.place(node.site)).collect();
            places.into_iter().for_each(|at| self.causes.add(Reason::Pin, at));
        }
    }
}

fn is_stopped(run: &Run) -> bool {
    matches!(run.ending, Ending::Stopped { .. })
}

fn is_open(other: Other) -> bool {
    !matches!(other, Other::Run | Other::Infeasible)
}
