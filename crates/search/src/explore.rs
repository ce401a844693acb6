//! The loop of an exploration: take flips, solve and run them, let the tree grow.

mod deep;
mod guided;
mod hard;
mod long;
mod merge;
mod opaque;
mod variety;

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use constraint::{Condition, Site, Stimulus, count_calls};
use exec::forward::{Elsewhere, Gap, GapKind, Object, Place};
use rustc_hash::{FxHashMap, FxHashSet};
use solve::{Answer, Executor, Query, Shapes, smallest_inputs};
use term::{Mfa, Term};

use self::deep::DeepRuns;
use self::hard::HardFlips;
use self::long::LongShare;
use self::merge::{RunRequest, is_stopped};
use crate::ExplorationOptions;
use crate::exploration::{Exploration, ExplorationProgress, ExplorationStatistics, Go, StopCheck, TestCase, Verdict};
use crate::frontier::Frontier;
use crate::reason::{Causes, Reason};
use crate::round::{FlipAnswer, FlipQuery, attempt, exclusion};
use crate::runs::Runs;
use crate::schedules::{Beginning, Conditions, Schedules};
use crate::subject::{Confirm, EntryPoint, Signature, TestSubject};
use crate::tree::{DecisionNode, Flip, NodeId, PathEnds, Tree};
use crate::triage::Triage;

/// Explores a function.
///
/// `progress` is asked before every run whether to go on; what was found until then is reported all the same.
pub fn explore(
    subject: &mut dyn TestSubject,
    solver: &mut dyn Executor,
    confirm: &mut dyn Confirm,
    options: &ExplorationOptions,
    progress: &mut dyn FnMut(&ExplorationProgress) -> Go,
) -> Exploration {
    let entry_point = subject.entry_point().clone();
    let mut explorer = Explorer {
        tree: Tree::new(entry_point.signatures.len()),
        roots: (0..entry_point.signatures.len()).map(Root::of_signature).collect(),
        schedules: Schedules::default(),
        shapes: entry_point.signatures.iter().map(|signature| Shapes::new(signature.inputs.clone())).collect(),
        frontier: Frontier::new(options.strategy),
        runs: Runs::default(),
        triage: Triage::default(),
        named: FxHashSet::default(),
        causes: Causes::default(),
        gaps: Vec::new(),
        retried: FxHashMap::default(),
        undecided: Vec::new(),
        hard: HardFlips::default(),
        deep: DeepRuns::new(options.max_depth),
        tries: FxHashMap::default(),
        lost: FxHashMap::default(),
        rounds: 0,
        later: BTreeSet::new(),
        long: LongShare::new(options.seed),
        odd: FxHashSet::default(),
        waiting: VecDeque::new(),
        covered_by: 0,
        recalled: FxHashSet::default(),
        cases: Vec::new(),
        kept_branches: FxHashSet::default(),
        executions: Vec::new(),
        ends: PathEnds::default(),
        statistics: ExplorationStatistics::default(),
        stop: StopCheck { progress, reason: None },
        subject,
        solver,
        confirm,
        options,
        entry_point,
    };
    explorer.begin();
    while explorer.round() {}
    explorer.finish()
}

struct Explorer<'a> {
    subject: &'a mut dyn TestSubject,
    solver: &'a mut dyn Executor,
    confirm: &'a mut dyn Confirm,
    options: &'a ExplorationOptions,
    stop: StopCheck<'a>,
    entry_point: EntryPoint,
    tree: Tree,
    /// By root of the tree; the first are those of the clauses of the spec.
    roots: Vec<Root>,
    schedules: Schedules,
    /// By clause of the spec.
    shapes: Vec<Shapes>,
    frontier: Frontier,
    runs: Runs,
    triage: Triage,
    /// Names that runs have given to processes and tables.
    named: FxHashSet<Object>,
    causes: Causes,
    /// Each once, in the order they were met.
    gaps: Vec<(Gap, u64)>,
    /// Flips whose inputs went elsewhere, with those inputs.
    retried: FxHashMap<NodeId, Vec<Term>>,
    /// Flips that opaque functions left undecided.
    undecided: Vec<Undecided>,
    hard: HardFlips,
    deep: DeepRuns,
    /// The number of times that those were tried again.
    tries: FxHashMap<NodeId, u32>,
    /// The number of flips that a function left undecided.
    lost: FxHashMap<Mfa, u32>,
    rounds: u64,
    /// Clauses of the spec whose smallest inputs wait, since the user gave some.
    later: BTreeSet<usize>,
    long: LongShare,
    /// Flips that no inputs take which the code asks for, and those of them that wait.
    odd: FxHashSet<NodeId>,
    waiting: VecDeque<NodeId>,
    /// The number of runs when the last one covered something.
    covered_by: u64,
    /// Functions of which it was asked what earlier explorations knew.
    recalled: FxHashSet<Mfa>,
    cases: Vec<TestCase>,
    /// The branches that these take.
    kept_branches: FxHashSet<(Site, bool)>,
    executions: Vec<TestCase>,
    /// Where the paths of these end in the tree.
    ends: PathEnds,
    statistics: ExplorationStatistics,
}

/// A root of the tree: the runs of one clause of the spec that begin with the same turns of processes.
struct Root {
    signature: usize,
    schedule: Rc<[u32]>,
    /// Conditions that are not flipped here.
    inherited: Option<Conditions>,
}

impl Root {
    fn of_signature(signature: usize) -> Root {
        Root { signature, schedule: Rc::new([]), inherited: None }
    }
}

/// A flip that an opaque function left undecided.
struct Undecided {
    flip: NodeId,
    function: Mfa,
    /// The number of samples that were known of opaque functions.
    known: u64,
}

/// Of so many runs of schedules one is made by chance, if there are too many schedules.
const SAMPLED: usize = 4;

/// Schedules get at least one part in so many of a round.
const SHARE: usize = 2;

/// Where more runs are made while something is covered, these are at least one part in so many of those until then.
const MORE_PART: u64 = 2;

/// Rounds after which undecided flips are looked at again, if more is known.
const RECONSIDERED: u64 = 4;

/// Rounds for the inputs the user gave before the smallest ones get their turn. From then on, ever more rarely, loops and
/// broken contracts of the runs until then are sought: at the end there may be no time.
const SEEDED: u64 = 8;

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
        for signature in 0..self.entry_point.signatures.len() {
            if !self.later.contains(&signature) {
                self.run_smallest(signature);
            }
        }
    }

    fn run_later(&mut self) {
        std::mem::take(&mut self.later).into_iter().for_each(|signature| self.run_smallest(signature));
    }

    fn run_smallest(&mut self, signature: usize) {
        if let Some(wanted) = &self.entry_point.facts.wanted
            && let Answer::Sat(inputs) = smallest_inputs(self.subject.grammar(), &wanted.inputs.inputs)
        {
            return self.run_first(signature, inputs);
        }
        match smallest_inputs(self.subject.grammar(), &self.entry_point.signatures[signature].inputs) {
            Answer::Sat(inputs) => self.run_first(signature, inputs),
            Answer::Unsat => {}
            Answer::Unknown(unknown) => self.causes.add(Reason::FirstInput(unknown), None),
        }
    }

    fn run_first(&mut self, signature: usize, inputs: Vec<Term>) {
        if !self.may_go_on() {
            return;
        }
        let stimulus = Stimulus::from(inputs);
        let run = self.subject.run(&stimulus);
        if is_stopped(&run) {
            self.may_go_on();
            return;
        }
        self.merge_run(RunRequest { root: signature, generation: 0, flip: None }, stimulus, &run);
    }

    fn signature_of(&self, inputs: &[Term]) -> Option<usize> {
        let grammar = self.subject.grammar();
        self.entry_point.signatures.iter().position(|signature| signature.allows(grammar, inputs))
    }

    fn may_go_on(&mut self) -> bool {
        let now = self.now();
        self.stop.goes_on(&now)
    }

    fn now(&self) -> ExplorationProgress {
        ExplorationProgress { statistics: self.statistics, findings: self.triage.findings.len() }
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
        if self.rounds >= SEEDED && self.rounds.is_power_of_two() {
            self.seek_loops();
            self.seek_broken_contracts();
        }
        self.look_around_loops();
        let mut flips = self.take();
        if flips.is_empty() && (!self.causes.is_empty() || !self.undecided.is_empty()) {
            self.run_later();
            flips = self.take();
        }
        if flips.is_empty() && self.stop.reason.is_none() && self.reconsider() {
            flips = self.take();
        }
        if flips.is_empty() {
            flips = self.take_hard();
        }
        if flips.is_empty() && self.go_deeper() {
            return self.stop.reason.is_none();
        }
        let answers = self.solve(&flips);
        self.hard.is_last = false;
        let mut attempts = Vec::with_capacity(flips.len());
        for (id, answer) in flips.iter().zip(answers) {
            attempts.push(answer.filter(|_| self.may_go_on()).map(|answer| {
                self.statistics.queries += 1;
                let run = self.tree.node(*id).run;
                let schedule = self.roots[self.runs.root(run)].schedule.to_vec();
                let max_calls = self.options.max_calls.max(count_calls(self.runs.inputs(run)));
                attempt(self.subject, answer, schedule, (self.options, max_calls))
            }));
        }
        for (id, attempt) in flips.iter().zip(attempts) {
            match attempt {
                Some(attempt) => self.merge(*id, attempt),
                None => self.tree.set(*id, Flip::Queued),
            }
        }
        let begun = self.begin_schedules(flips.len());
        let is_over = flips.is_empty() && !begun || self.stop.reason.is_some();
        let joined = if is_over { self.run_last_long() } else { self.run_long_share() };
        (!is_over || joined) && self.stop.reason.is_none()
    }

    /// Runs schedules that no run has had, with what a round has left after so many flips; returns true if there were any.
    fn begin_schedules(&mut self, flips: usize) -> bool {
        let round = self.options.round.max(1);
        let mut begun = false;
        for turn in 0..round.saturating_sub(flips).max(round / SHARE) {
            let Some(beginning) = self.next_beginning() else { break };
            begun = true;
            if turn % SAMPLED == SAMPLED - 1 && self.schedules.waiting() > self.schedules_left() {
                self.sample_schedule(beginning.signature, &beginning.inputs);
            }
            let stimulus = Stimulus { inputs: beginning.inputs.clone(), schedule: beginning.steps.clone() };
            let run = self.subject.run(&stimulus);
            if is_stopped(&run) {
                self.schedules.put_back(beginning);
                self.may_go_on();
                break;
            }
            let root = self.roots.len();
            let Beginning { steps, signature, generation, inherited, .. } = beginning;
            self.roots.push(Root { signature, schedule: steps.into(), inherited: Some(inherited) });
            self.tree.add_root();
            self.statistics.schedules += 1;
            self.merge_run(RunRequest { root, generation, flip: None }, stimulus, &run);
        }
        begun
    }

    /// The next beginning, if the bounds allow one more.
    fn next_beginning(&mut self) -> Option<Beginning> {
        if self.statistics.schedules >= self.options.max_schedules {
            return None;
        }
        let Explorer { schedules, subject, .. } = self;
        let beginning = schedules.next(&mut |patterns, message| subject.takes(patterns, message))?;
        if self.allowance().0 == 0 {
            self.stop.reason.get_or_insert(self.allowance().1);
        }
        if self.stop.reason.is_some() || !self.may_go_on() {
            self.schedules.put_back(beginning);
            return None;
        }
        Some(beginning)
    }

    /// The number of schedules that may still be run.
    fn schedules_left(&self) -> u64 {
        self.options.max_schedules.saturating_sub(self.statistics.schedules).min(self.allowance().0)
    }

    /// Makes a run in which the next event is always the one with the highest random number: where there are too many
    /// schedules to run them all, such runs are spread over all of them. Nothing is flipped there.
    fn sample_schedule(&mut self, signature: usize, inputs: &[Term]) {
        self.statistics.sampled += 1;
        self.statistics.runs += 1;
        let run = self.subject.run_sampled(inputs, self.statistics.sampled);
        let schedule = run.events.iter().map(|event| event.process).collect();
        self.note_causes(&run);
        self.triage(signature, &Stimulus { inputs: inputs.to_vec(), schedule }, &run);
    }

    /// The flips of a round, as many as the bounds allow.
    fn take(&mut self) -> Vec<NodeId> {
        let (allowed, bound) = self.allowance();
        let mut flips = Vec::new();
        while flips.len() < self.options.round.max(1) {
            let Some(id) = self.next_flip(flips.len()) else { break };
            if flips.len() as u64 >= allowed {
                self.put_back(id);
                if flips.is_empty() {
                    self.stop.reason.get_or_insert(bound);
                }
                break;
            }
            self.tree.set(id, Flip::Taken);
            flips.push(id);
        }
        flips
    }

    /// The number of flips that may be tried, and the bound that forbids more.
    fn allowance(&self) -> (u64, Reason) {
        let ExplorationOptions { max_runs, max_queries, max_nodes, .. } = *self.options;
        if self.tree.len() >= max_nodes {
            return (0, Reason::Nodes);
        }
        let max_runs = match self.options.more_runs {
            0 => max_runs,
            more => max_runs.max(self.covered_by.saturating_add(more.max(self.covered_by / MORE_PART))),
        };
        let runs = max_runs.saturating_sub(self.statistics.runs);
        let queries = max_queries.saturating_sub(self.statistics.queries);
        if runs <= queries { (runs, Reason::Runs) } else { (queries, Reason::Queries) }
    }

    /// The answers for these flips; those that are missing were not asked for because the search is to stop.
    fn solve(&mut self, flips: &[NodeId]) -> Vec<Option<FlipAnswer>> {
        if self.subject.arena().has_opaque() && self.subject.outcome_rule().is_some() {
            return self.solve_opaque(flips);
        }
        self.solve_varied(flips)
    }

    /// The same, with inputs of a clause of the spec, or of these rules.
    fn solve_plain(
        &mut self,
        flips: &[NodeId],
        paths: Vec<Vec<Condition>>,
        rules: Option<&Signature>,
    ) -> Vec<Option<FlipAnswer>> {
        let (tree, runs, roots, entry_point) = (&self.tree, &self.runs, &self.roots, &self.entry_point);
        let trial = |(id, conditions): (&NodeId, Vec<Condition>)| {
            let run = tree.node(*id).run;
            let signature = rules.unwrap_or(&entry_point.signatures[roots[runs.root(run)].signature]);
            FlipQuery { signature, conditions, near: runs.inputs(run) }
        };
        let trials: Vec<FlipQuery<'_>> = flips.iter().zip(paths).map(trial).collect();
        let queries: Vec<Query<'_>> = trials.iter().map(|trial| trial.query(self.subject)).collect();
        let now = self.now();
        let responses = self.solver.execute(&queries, &self.budget(), &mut || self.stop.goes_on(&now));
        responses.into_iter().map(|response| Some(FlipAnswer::Answer(response?.answer))).collect()
    }

    /// The conditions that inputs for a flip must meet, the flipped one last.
    fn conditions(&mut self, id: NodeId) -> Vec<Condition> {
        let mut conditions = Vec::new();
        self.tree.conditions(id, &mut conditions);
        let near = self.runs.inputs(self.tree.node(id).run);
        let except = self.retried.get(&id);
        if let Some(condition) = except.and_then(|except| exclusion(self.subject, near, except)) {
            conditions.insert(conditions.len().saturating_sub(1), condition);
        }
        conditions
    }

    fn finish(mut self) -> Exploration {
        let waiting = self.tree.queued() as u64;
        debug_assert_eq!(self.tree.nodes().iter().filter(|node| node.flip == Flip::Queued).count(), self.tree.queued());
        let interrupted = self.stop.reason.as_ref().is_some_and(Reason::is_from_outside);
        let reason = self.stop.reason.take().unwrap_or(Reason::Runs);
        self.causes.add_many(reason, None, if interrupted { waiting.max(1) } else { waiting });
        self.causes.add_many(Reason::Order, None, self.schedules.lost);
        if self.schedules.waiting() > 0 {
            self.causes.add(Reason::Schedules { left: self.schedules.estimate() }, None);
        }
        self.note_gaps();
        self.note_undecided();
        self.note_hard();
        self.note_depth();
        self.subject.keep_samples();
        self.seek_broken_contracts();
        self.seek_loops();
        self.settle_causes();
        self.statistics.waiting = waiting;
        self.statistics.sites = self.frontier.sites();
        let complete = self.causes.is_empty();
        let is_safe = self.triage.findings.iter().all(|finding| !finding.key.kind.ends_the_call());
        let verdict = match (is_safe, complete) {
            (false, _) => Verdict::Crash,
            (true, true) if self.triage.ignored.is_empty() => Verdict::Safe,
            (true, true) => Verdict::Ignored,
            (true, false) => Verdict::Incomplete,
        };
        let place = |site| self.subject.place(site);
        let decisions = self.tree.shown(self.options.decisions, &self.ends, self.subject.arena(), &place);
        Exploration {
            verdict,
            complete,
            findings: self.triage.findings,
            unconfirmed: self.triage.unconfirmed,
            outside: self.triage.outside,
            ignored: self.triage.ignored,
            causes: self.causes.into_vec(),
            cases: self.cases,
            executions: self.executions,
            decisions,
            statistics: self.statistics,
        }
    }

    /// A gap matters if a value it holds was not freed to the end, or if nothing holds what it looked at.
    fn note_gaps(&mut self) {
        let open: Vec<&DecisionNode> =
            self.tree.nodes().iter().filter(|node| node.pinned && is_open(node.flip)).collect();
        for (gap, count) in &self.gaps {
            if !open.is_empty() || gap.kind != GapKind::Held {
                let function = gap.function;
                let reason = match gap.kind {
                    GapKind::GivenFun => Reason::GivenFun,
                    GapKind::Varying => Reason::Varying { function },
                    GapKind::NearTimer => Reason::NearTimer,
                    GapKind::Elsewhere(Elsewhere::Order) => Reason::Ordered { function },
                    GapKind::Elsewhere(Elsewhere::Schedulers) => Reason::Schedulers { function },
                    _ if self.subject.is_closed(function) => Reason::Closed { function },
                    GapKind::Held | GapKind::Loose => Reason::Gap { function },
                };
                self.causes.add_many(reason, Some(gap.at.clone()), *count);
            }
        }
        if self.gaps.is_empty() {
            let places: Vec<Option<Place>> = open.iter().map(|node| self.subject.place(node.site)).collect();
            places.into_iter().for_each(|at| self.causes.add(Reason::Pin, at));
        }
    }
}

fn is_open(flip: Flip) -> bool {
    !matches!(flip, Flip::Run | Flip::Infeasible | Flip::Elsewhere)
}
