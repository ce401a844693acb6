//! The driver: a backward search from each goal, then explorations until all goals are settled or nothing is left.

use std::cell::RefCell;

use constraint::{Arena, Grammar, RuleId, Site, Stimulus};
use exec::forward::{Patterns, Place};
use rustc_hash::FxHashSet;
use term::{Mfa, Term};

use super::backward::BackwardResult;
use super::context::{BackwardContext, BackwardOutcome};
use super::explain::{GoalExplanation, TriedInputs};
use super::{
    Goal, GoalResult, GoalVerdict, ReachBounds, ReachConfirm, ReachConfirmation, ReachContext, ReachProgress,
    ReachStatistics,
};
use crate::exploration::{Exploration, Go};
use crate::limits;
use crate::machine_subject::MachineSubject;
use crate::reason::{Causes, Reason};
use crate::shrink::{Candidate, shrink};
use crate::subject::{ConcolicRun, ConfirmAll, EntryPoint, PatternMatch, TestSubject};

/// Runs to make a call smaller.
const SHRINKING: u32 = 200;
/// Inputs of one entry point that runs begin with.
const SEEDS: usize = 16;

/// The search for all goals.
pub struct Driver<'a, 'w> {
    context: ReachContext<'a, 'w>,
    goals: &'a [Goal],
    options: &'a ReachBounds,
    states: Vec<GoalState>,
    statistics: ReachStatistics,
    /// Inputs of feasible paths, by entry point.
    seeds: Vec<Vec<Vec<Term>>>,
    /// Recursive functions that lead to no goal.
    loops: Vec<Mfa>,
    /// Functions that lead to a goal.
    kept: FxHashSet<Mfa>,
    /// The inputs that were run, if that is to be explained.
    tried: TriedInputs,
    stopped: Option<Reason>,
}

/// The state of one goal.
struct GoalState {
    verdict: GoalVerdict,
    /// For each entry point true if it can lead there, by the callers of functions and funs.
    leads: Vec<bool>,
    /// Every search from an entry point that can lead there was complete.
    closed: bool,
    /// Runs from these entry points had processes.
    scheduled: bool,
    /// The number of runs that came to it, and that the VM did not confirm.
    unconfirmed: u32,
    causes: Causes,
    statistics: ReachStatistics,
    explanation: Option<Box<GoalExplanation>>,
}

/// A run that came to a goal.
struct Arrival {
    goal: usize,
    stimulus: Stimulus,
    segments: u64,
    explanation: Option<Box<GoalExplanation>>,
}

impl<'a, 'w> Driver<'a, 'w> {
    /// A search that has not begun.
    pub fn new(context: ReachContext<'a, 'w>, goals: &'a [Goal], options: &'a ReachBounds) -> Driver<'a, 'w> {
        let state = |_: &Goal| GoalState {
            verdict: GoalVerdict::Incomplete,
            leads: vec![true; context.subjects.len()],
            closed: true,
            scheduled: false,
            unconfirmed: 0,
            causes: Causes::default(),
            statistics: ReachStatistics::default(),
            explanation: options.explain.then(Box::default),
        };
        let seeds = vec![Vec::new(); context.subjects.len()];
        let (statistics, states) = (ReachStatistics::default(), goals.iter().map(state).collect());
        Driver {
            context,
            goals,
            options,
            states,
            statistics,
            seeds,
            loops: Vec::new(),
            kept: FxHashSet::default(),
            tried: TriedInputs::default(),
            stopped: None,
        }
    }

    /// Settles the goals that can be settled.
    pub fn all(&mut self) {
        self.backward();
        self.around_loops();
        if self.stopped.is_none() {
            self.forward();
        }
        for goal in 0..self.goals.len() {
            self.shrink(goal);
        }
        if let Some(reason) = &self.stopped {
            for state in &mut self.states {
                state.causes.add(reason.clone(), None);
            }
        }
    }

    /// A smaller call that comes to the goal too.
    fn shrink(&mut self, goal: usize) {
        let GoalVerdict::Reached { entry, stimulus } = &self.states[goal].verdict else { return };
        let (entry, found) = (*entry, stimulus.clone());
        let ReachContext { subjects, confirm, progress, .. } = &mut self.context;
        let Some(subject) = subjects.iter_mut().find(|subject| subject.entry_point().function == entry) else { return };
        let now = ReachProgress { goals: self.goals.len(), settled: self.goals.len(), statistics: self.statistics };
        let small = shrink(found.clone(), SHRINKING, |stimulus| {
            if progress(&now) != Go::On || !subject.allows(&stimulus.inputs) {
                return Candidate::Refused;
            }
            let counts = subject.run(stimulus).counts();
            if counts && subject.was_at(&self.goals[goal]) { Candidate::Kept } else { Candidate::Lost }
        });
        if small != found && confirm.confirm(entry, &small, &self.goals[goal]) == ReachConfirmation::Reached {
            self.states[goal].verdict = GoalVerdict::Reached { entry, stimulus: small };
        }
    }

    fn open(&self) -> Vec<usize> {
        (0..self.goals.len()).filter(|goal| !self.states[*goal].verdict.is_settled()).collect()
    }

    /// The entry points from which goals may be reached.
    fn entries(&self) -> Vec<usize> {
        (0..self.context.subjects.len()).filter(|entry| !self.ahead(*entry).is_empty()).collect()
    }

    /// The open goals that an entry point can lead to.
    fn ahead(&self, entry: usize) -> Vec<usize> {
        self.open().into_iter().filter(|goal| self.states[*goal].leads[entry]).collect()
    }

    /// Phase one, goal by goal.
    fn backward(&mut self) {
        let Driver { context, goals, options, states, statistics, seeds, loops, kept, tried, stopped } = self;
        let ReachContext { graphs, subjects, functions, solver, confirm, progress } = context;
        let mut context = BackwardContext::new(*graphs, functions, subjects);
        for goal in 0..goals.len() {
            if states[goal].verdict.is_settled() || stopped.is_some() {
                continue;
            }
            let settled = states.iter().filter(|state| state.verdict.is_settled()).count();
            let now = ReachProgress { goals: goals.len(), settled, statistics: *statistics };
            let go_on = RefCell::new(|| {
                if stopped.is_none() {
                    *stopped = progress(&now).stop();
                }
                stopped.is_none()
            });
            let mut candidates =
                CandidateRuns { subjects, confirm: *confirm, goals, goal, states, seeds, tried, runs: 0 };
            let mut attempt = |entry, inputs| candidates.attempt(entry, inputs);
            let mut outcome =
                context.search(&goals[goal], *solver, (options.budget, options.explain), &go_on, &mut attempt);
            outcome.statistics.runs = candidates.runs;
            statistics.add(&outcome.statistics);
            states[goal].take(outcome);
        }
        let left = goals.iter().zip(states).filter(|(_, state)| !state.verdict.is_settled());
        let left = left.map(|(goal, state)| {
            state.leads = context.leads(goal).unwrap_or(std::mem::take(&mut state.leads));
            goal
        });
        let left: Vec<&Goal> = left.collect();
        *loops = context.loops(&left);
        *kept = context.leading(&left);
    }

    /// Runs in which a loop is one opaque call: how often it goes round is found by running it, not branch by branch.
    fn around_loops(&mut self) {
        for entry in self.entries() {
            if self.ahead(entry).is_empty() || self.stopped.is_some() {
                continue;
            }
            let subject = &mut self.context.subjects[entry];
            let before = subject.machine.opaque();
            let function = subject.entry_point().function;
            let mut loops = subject.loops(&self.kept);
            loops.retain(|it| !self.kept.contains(it));
            loops.extend(self.loops.iter().copied().filter(|it| *it != function));
            if loops.is_empty() {
                continue;
            }
            let opaque = loops.into_iter().chain(before.iter().copied());
            subject.machine = subject.machine.renewed(opaque);
            self.explore(entry, self.options.max_runs / 8);
            let subject = &mut self.context.subjects[entry];
            subject.machine = subject.machine.renewed(before);
        }
    }

    /// Runs from every entry point in turn. A search that is complete and never came to a goal is a proof for its entry
    /// point.
    fn forward(&mut self) {
        for entry in self.entries() {
            if self.ahead(entry).is_empty() || self.stopped.is_some() {
                continue;
            }
            let exploration = self.explore(entry, self.options.max_runs);
            for goal in self.ahead(entry) {
                let GoalState { causes, closed, scheduled, .. } = &mut self.states[goal];
                *closed &= exploration.complete;
                *scheduled |= exploration.statistics.events > 0;
                for cause in &exploration.causes {
                    causes.add_many(cause.reason.clone(), cause.at.clone(), cause.count);
                }
            }
        }
        for goal in self.open() {
            if self.states[goal].closed && self.stopped.is_none() {
                self.states[goal].verdict = GoalVerdict::Unreachable;
            }
        }
    }

    fn explore(&mut self, entry: usize, max_runs: u64) -> Exploration {
        let open = self.ahead(entry);
        let options = crate::ExplorationOptions {
            max_runs,
            max_schedules: self.options.max_schedules,
            max_depth: self.options.max_depth,
            max_input_size: self.options.max_input_size,
            budget: self.options.budget,
            max_shrink: 0,
            seeds: self.seeds[entry].clone(),
            ..crate::ExplorationOptions::default()
        };
        let Driver { context, goals, states, statistics, stopped, tried, .. } = self;
        let function = context.subjects[entry].entry_point().function;
        let arrivals = RefCell::new(Vec::new());
        let mut watcher = GoalWatcher {
            tested: &mut context.subjects[entry],
            goals,
            open: open.clone(),
            arrivals: &arrivals,
            tried: self.options.explain.then_some(tried),
        };
        let (confirm, progress) = (&mut *context.confirm, &mut *context.progress);
        let settled = goals.len() - open.len();
        let mut go = |now: &crate::ExplorationProgress| {
            for Arrival { goal, stimulus, segments, explanation } in arrivals.borrow_mut().drain(..) {
                if !states[goal].verdict.is_settled() {
                    states[goal].confirm(confirm, function, &stimulus, &goals[goal]);
                    states[goal].statistics.segments = segments;
                    if let (Some(explanation), Some(known)) = (explanation, &mut states[goal].explanation) {
                        let backward = known.backward.take();
                        *known = explanation;
                        known.backward = backward;
                    }
                }
            }
            let found = open.iter().filter(|goal| states[**goal].verdict.is_settled()).count();
            if found == open.len() {
                return Go::Interrupt;
            }
            let so_far = ReachStatistics {
                runs: statistics.runs + now.statistics.runs,
                queries: statistics.queries + now.statistics.queries,
                schedules: statistics.schedules + now.statistics.schedules,
                ..*statistics
            };
            let go = progress(&ReachProgress { goals: goals.len(), settled: settled + found, statistics: so_far });
            if let Some(reason) = go.stop() {
                *stopped = Some(reason);
            }
            go
        };
        let exploration = crate::explore(&mut watcher, context.solver, &mut ConfirmAll, &options, &mut go);
        // The arrivals of the last run.
        go(&crate::ExplorationProgress { statistics: exploration.statistics, findings: 0 });
        let took = ReachStatistics {
            runs: exploration.statistics.runs,
            queries: exploration.statistics.queries,
            schedules: exploration.statistics.schedules,
            ..ReachStatistics::default()
        };
        statistics.add(&took);
        open.iter().for_each(|goal| states[*goal].statistics.add(&took));
        exploration
    }

    /// The results of all goals, in their order.
    pub fn finish(self) -> Vec<GoalResult> {
        let result = |state: GoalState| {
            let settled = state.verdict.is_settled();
            let causes = if settled { Vec::new() } else { state.causes.into_vec() };
            let GoalState { verdict, scheduled, statistics, explanation, .. } = state;
            GoalResult { verdict, causes, scheduled, statistics, explanation }
        };
        self.states.into_iter().map(result).collect()
    }
}

/// Runs inputs of feasible paths for one goal; the other goals that they come to are noted too.
struct CandidateRuns<'t, 'w> {
    subjects: &'t mut [MachineSubject<'w>],
    confirm: &'t mut dyn ReachConfirm,
    goals: &'t [Goal],
    goal: usize,
    states: &'t mut [GoalState],
    seeds: &'t mut [Vec<Vec<Term>>],
    tried: &'t mut TriedInputs,
    runs: u64,
}

impl CandidateRuns<'_, '_> {
    /// Runs inputs; true if that settles the goal, if not they are kept as a seed.
    fn attempt(&mut self, entry: usize, inputs: Vec<Term>) -> bool {
        self.runs += 1;
        let subject = &mut self.subjects[entry];
        let stimulus = Stimulus::from(inputs);
        let run = subject.run(&stimulus);
        let (counts, function) = (run.counts(), subject.entry_point().function);
        self.tried.add(function, &stimulus.inputs);
        for (goal, state) in self.goals.iter().zip(self.states.iter_mut()) {
            if counts && !state.verdict.is_settled() && subject.was_at(goal) {
                if let Some(explanation) = &mut state.explanation {
                    self.tried.explain(subject.arena(), &run.path, function, &stimulus.inputs, explanation);
                }
                state.confirm(self.confirm, subject.entry_point().function, &stimulus, goal);
            }
        }
        let settled = self.states[self.goal].verdict.is_settled();
        if !settled && self.seeds[entry].len() < SEEDS {
            self.seeds[entry].push(stimulus.inputs);
        }
        settled
    }
}

impl GoalState {
    /// Takes the outcome of the goal's backward search.
    fn take(&mut self, outcome: BackwardOutcome) {
        self.statistics = outcome.statistics;
        if let Some(explanation) = &mut self.explanation {
            explanation.backward = outcome.explained;
        }
        match outcome.result {
            BackwardResult::Reached(segments) => self.statistics.segments = segments,
            BackwardResult::Unreachable if self.closed => self.verdict = GoalVerdict::Unreachable,
            BackwardResult::Unreachable | BackwardResult::Open => {}
        }
        self.causes.take(outcome.causes);
    }

    /// Confirms a run on the real VM.
    fn confirm(&mut self, confirm: &mut dyn ReachConfirm, entry: Mfa, stimulus: &Stimulus, goal: &Goal) {
        if self.unconfirmed >= limits::SIGHTINGS {
            return;
        }
        match confirm.confirm(entry, stimulus, goal) {
            ReachConfirmation::Reached => {
                return self.verdict = GoalVerdict::Reached { entry, stimulus: stimulus.clone() };
            }
            ReachConfirmation::Missed { .. } => self.causes.add(Reason::Unconfirmed, None),
            ReachConfirmation::Limit { what } => self.causes.add(Reason::Replay { what }, None),
            ReachConfirmation::Dead { what } => self.causes.add(Reason::Vm { what }, None),
        }
        // Our machine came there: a complete search is no proof then.
        self.closed = false;
        self.unconfirmed += 1;
    }
}

/// A subject whose runs are checked for goals.
struct GoalWatcher<'a, 'w> {
    tested: &'a mut MachineSubject<'w>,
    goals: &'a [Goal],
    /// The goals that no run came to yet.
    open: Vec<usize>,
    arrivals: &'a RefCell<Vec<Arrival>>,
    /// The inputs that were run, if that is to be explained.
    tried: Option<&'a mut TriedInputs>,
}

impl TestSubject for GoalWatcher<'_, '_> {
    fn run(&mut self, stimulus: &Stimulus) -> ConcolicRun {
        let run = self.tested.run(stimulus);
        let function = self.tested.entry_point().function;
        if let Some(tried) = &mut self.tried {
            tried.add(function, &stimulus.inputs);
        }
        if run.counts() {
            let tested = &*self.tested;
            for goal in self.open.iter().filter(|goal| tested.was_at(&self.goals[**goal])) {
                let segments = run.path.len() as u64 + 1;
                let explanation = self.tried.as_ref().map(|tried| {
                    let mut explanation = Box::<GoalExplanation>::default();
                    tried.explain(tested.arena(), &run.path, function, &stimulus.inputs, &mut explanation);
                    explanation
                });
                let stimulus = stimulus.clone();
                self.arrivals.borrow_mut().push(Arrival { goal: *goal, stimulus, segments, explanation });
            }
        }
        run
    }

    fn arena(&self) -> &Arena {
        self.tested.arena()
    }

    fn arena_mut(&mut self) -> &mut Arena {
        self.tested.arena_mut()
    }

    fn grammar(&self) -> &Grammar {
        self.tested.grammar()
    }

    fn entry_point(&self) -> &EntryPoint {
        self.tested.entry_point()
    }

    fn outcome_rule(&self) -> Option<RuleId> {
        self.tested.outcome_rule()
    }

    fn sample(&mut self, function: Mfa, args: &[Term]) {
        self.tested.sample(function, args);
    }

    fn recall(&mut self, function: Mfa) {
        self.tested.recall(function);
    }

    fn takes(&mut self, patterns: &Patterns, message: &Term) -> PatternMatch {
        self.tested.takes(patterns, message)
    }

    fn keep_samples(&mut self) {
        self.tested.keep_samples();
    }

    fn place(&self, site: Site) -> Option<Place> {
        self.tested.place(site)
    }
}
