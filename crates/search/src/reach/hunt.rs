//! The hunt: ways back from each goal, then runs of the program until all goals are settled or nothing is left to try.

use std::cell::RefCell;

use constraint::{Arena, Grammar, RuleId, Site, Stimulus};
use exec::forward::Place;
use term::{Mfa, Term};

use super::chase::Caught;
use super::ground::{Chased, Ground};
use super::{Goal, Options, Party, Progress, Pursuit, Sighting, Statistics, Verdict, Witness};
use crate::exploration::{Exploration, Go};
use crate::reason::{Causes, Reason};
use crate::shrink::{Look, shrink};
use crate::subject::{ConfirmAll, Run, Subject, Target};
use crate::tested::Tested;

/// Runs to make a call smaller.
const SHRINKING: u32 = 200;
/// Inputs of one entry point that runs begin with.
const SEEDS: usize = 16;

pub struct Hunt<'a, 'w> {
    party: Party<'a, 'w>,
    goals: &'a [Goal],
    options: &'a Options,
    quarries: Vec<Quarry>,
    statistics: Statistics,
    /// Inputs that ways led to, by entry point.
    seeds: Vec<Vec<Vec<Term>>>,
    /// Functions that go round and round, and lead to no goal.
    loops: Vec<Mfa>,
    stopped: Option<Reason>,
}

/// A goal on the way.
struct Quarry {
    verdict: Verdict,
    /// For each entry point whether it can lead there, as far as calls by name and funs tell.
    leads: Vec<bool>,
    /// Every search from an entry point that can lead there was complete.
    closed: bool,
    causes: Causes,
    statistics: Statistics,
}

/// Inputs of a run that came to a goal.
struct Sight {
    goal: usize,
    inputs: Vec<Term>,
    segments: u64,
}

impl<'a, 'w> Hunt<'a, 'w> {
    pub fn new(party: Party<'a, 'w>, goals: &'a [Goal], options: &'a Options) -> Hunt<'a, 'w> {
        let quarry = |_: &Goal| Quarry {
            verdict: Verdict::Incomplete,
            leads: vec![true; party.subjects.len()],
            closed: true,
            causes: Causes::default(),
            statistics: Statistics::default(),
        };
        let seeds = vec![Vec::new(); party.subjects.len()];
        let (statistics, quarries) = (Statistics::default(), goals.iter().map(quarry).collect());
        Hunt { party, goals, options, quarries, statistics, seeds, loops: Vec::new(), stopped: None }
    }

    /// Settles what can be settled.
    pub fn all(&mut self) {
        self.backward();
        if !self.loops.is_empty() {
            self.around_loops();
        }
        if self.stopped.is_none() {
            self.forward();
        }
        for goal in 0..self.goals.len() {
            self.shrink(goal);
        }
        if let Some(reason) = &self.stopped {
            for quarry in &mut self.quarries {
                quarry.causes.add(reason.clone(), None);
            }
        }
    }

    /// A smaller call that comes to the goal too.
    fn shrink(&mut self, goal: usize) {
        let Verdict::Reached { entry, inputs } = &self.quarries[goal].verdict else { return };
        let (entry, inputs) = (*entry, inputs.clone());
        let Party { subjects, witness, progress, .. } = &mut self.party;
        let Some(subject) = subjects.iter_mut().find(|subject| subject.target().entry == entry) else { return };
        let now = Progress { goals: self.goals.len(), settled: self.goals.len(), statistics: self.statistics };
        let small = shrink(Stimulus::from(inputs.clone()), SHRINKING, |stimulus| {
            if progress(&now) != Go::On || !subject.allows(&stimulus.inputs) {
                return Look::Refused;
            }
            let in_domain = subject.run(stimulus).in_domain;
            if in_domain && subject.was_at(&self.goals[goal]) { Look::Kept } else { Look::Lost }
        });
        let small = small.inputs;
        if small != inputs && witness.confirm(entry, &small, &self.goals[goal]) == Sighting::Seen {
            self.quarries[goal].verdict = Verdict::Reached { entry, inputs: small };
        }
    }

    fn open(&self) -> Vec<usize> {
        (0..self.goals.len()).filter(|goal| !self.quarries[*goal].verdict.is_settled()).collect()
    }

    /// The entry points from which goals may be reached.
    fn entries(&self) -> Vec<usize> {
        (0..self.party.subjects.len()).filter(|entry| !self.ahead(*entry).is_empty()).collect()
    }

    /// The open goals that an entry point can lead to.
    fn ahead(&self, entry: usize) -> Vec<usize> {
        self.open().into_iter().filter(|goal| self.quarries[*goal].leads[entry]).collect()
    }

    /// Phase one, goal by goal.
    fn backward(&mut self) {
        let Hunt { party, goals, options, quarries, statistics, seeds, loops, stopped } = self;
        let Party { graphs, subjects, functions, solver, witness, progress } = party;
        let mut ground = Ground::new(*graphs, functions, subjects);
        for goal in 0..goals.len() {
            if quarries[goal].verdict.is_settled() || stopped.is_some() {
                continue;
            }
            let settled = quarries.iter().filter(|quarry| quarry.verdict.is_settled()).count();
            let now = Progress { goals: goals.len(), settled, statistics: *statistics };
            let go_on = RefCell::new(|| {
                if stopped.is_none() {
                    *stopped = progress(&now).stop();
                }
                stopped.is_none()
            });
            let mut trials = Trials { subjects, witness: *witness, goals, goal, quarries, seeds, runs: 0 };
            let mut attempt = |entry, inputs| trials.attempt(entry, inputs);
            let mut chased = ground.chase(&goals[goal], *solver, options.budget, &go_on, &mut attempt);
            chased.statistics.runs = trials.runs;
            statistics.add(&chased.statistics);
            quarries[goal].take(chased);
        }
        let left = goals.iter().zip(quarries).filter(|(_, quarry)| !quarry.verdict.is_settled());
        let left = left.map(|(goal, quarry)| {
            quarry.leads = ground.leads(goal).unwrap_or(std::mem::take(&mut quarry.leads));
            goal
        });
        let left: Vec<&Goal> = left.collect();
        *loops = ground.loops(&left);
    }

    /// Runs in which a loop is one opaque call: how often it goes round is found by running it, not branch by branch.
    fn around_loops(&mut self) {
        for entry in self.entries() {
            if self.ahead(entry).is_empty() || self.stopped.is_some() {
                continue;
            }
            let subject = &mut self.party.subjects[entry];
            let before = subject.machine.opaque();
            let function = subject.target().entry;
            let opaque = self.loops.iter().copied().filter(|it| *it != function).chain(before.iter().copied());
            subject.machine = subject.machine.renewed(opaque);
            self.explore(entry, self.options.max_runs / 8);
            let subject = &mut self.party.subjects[entry];
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
                let Quarry { causes, closed, .. } = &mut self.quarries[goal];
                *closed &= exploration.complete;
                for cause in &exploration.causes {
                    causes.add_many(cause.reason.clone(), cause.at.clone(), cause.count);
                }
            }
        }
        for goal in self.open() {
            if self.quarries[goal].closed && self.stopped.is_none() {
                self.quarries[goal].verdict = Verdict::Unreachable;
            }
        }
    }

    fn explore(&mut self, entry: usize, max_runs: u64) -> Exploration {
        let open = self.ahead(entry);
        let options = crate::Options {
            max_runs,
            max_depth: self.options.max_depth,
            max_input_size: self.options.max_input_size,
            budget: self.options.budget,
            max_shrink: 0,
            seeds: self.seeds[entry].clone(),
            ..crate::Options::default()
        };
        let Hunt { party, goals, quarries, statistics, stopped, .. } = self;
        let function = party.subjects[entry].target().entry;
        let sights = RefCell::new(Vec::new());
        let mut watched = Watched { tested: &mut party.subjects[entry], goals, open: open.clone(), sights: &sights };
        let (witness, progress) = (&mut *party.witness, &mut *party.progress);
        let settled = goals.len() - open.len();
        let mut go = |now: &crate::Progress| {
            for Sight { goal, inputs, segments } in sights.borrow_mut().drain(..) {
                if !quarries[goal].verdict.is_settled() {
                    quarries[goal].see(witness, function, &inputs, &goals[goal]);
                    quarries[goal].statistics.segments = segments;
                }
            }
            let found = open.iter().filter(|goal| quarries[**goal].verdict.is_settled()).count();
            if found == open.len() {
                return Go::Interrupt;
            }
            let so_far = Statistics {
                runs: statistics.runs + now.statistics.runs,
                queries: statistics.queries + now.statistics.queries,
                ..*statistics
            };
            let go = progress(&Progress { goals: goals.len(), settled: settled + found, statistics: so_far });
            if let Some(reason) = go.stop() {
                *stopped = Some(reason);
            }
            go
        };
        let exploration = crate::explore(&mut watched, party.solver, &mut ConfirmAll, &options, &mut go);
        // What the last run saw.
        go(&crate::Progress { statistics: exploration.statistics, findings: 0 });
        let took = Statistics {
            runs: exploration.statistics.runs,
            queries: exploration.statistics.queries,
            ..Statistics::default()
        };
        statistics.add(&took);
        open.iter().for_each(|goal| quarries[*goal].statistics.add(&took));
        exploration
    }

    pub fn finish(self) -> Vec<Pursuit> {
        let pursuit = |quarry: Quarry| {
            let settled = quarry.verdict.is_settled();
            let causes = if settled { Vec::new() } else { quarry.causes.into_vec() };
            Pursuit { verdict: quarry.verdict, causes, statistics: quarry.statistics }
        };
        self.quarries.into_iter().map(pursuit).collect()
    }
}

/// Runs of inputs that a chase has found, for one goal; whatever else they come to is seen too.
struct Trials<'t, 'w> {
    subjects: &'t mut [Tested<'w>],
    witness: &'t mut dyn Witness,
    goals: &'t [Goal],
    goal: usize,
    quarries: &'t mut [Quarry],
    seeds: &'t mut [Vec<Vec<Term>>],
    runs: u64,
}

impl Trials<'_, '_> {
    /// Whether the goal is settled by what these inputs lead to; if not, they are kept.
    fn attempt(&mut self, entry: usize, inputs: Vec<Term>) -> bool {
        self.runs += 1;
        let subject = &mut self.subjects[entry];
        let in_domain = subject.run(&Stimulus::from(inputs.clone())).in_domain;
        for (goal, quarry) in self.goals.iter().zip(self.quarries.iter_mut()) {
            if in_domain && !quarry.verdict.is_settled() && subject.was_at(goal) {
                quarry.see(self.witness, subject.target().entry, &inputs, goal);
            }
        }
        let settled = self.quarries[self.goal].verdict.is_settled();
        if !settled && self.seeds[entry].len() < SEEDS {
            self.seeds[entry].push(inputs);
        }
        settled
    }
}

impl Quarry {
    /// What came of its chase.
    fn take(&mut self, chased: Chased) {
        self.statistics = chased.statistics;
        match chased.caught {
            Caught::Goal(segments) => self.statistics.segments = segments,
            Caught::Nothing if self.closed => self.verdict = Verdict::Unreachable,
            Caught::Nothing | Caught::Open => {}
        }
        self.causes.take(chased.causes);
    }

    /// Shows inputs to the real VM.
    fn see(&mut self, witness: &mut dyn Witness, entry: Mfa, inputs: &[Term], goal: &Goal) {
        match witness.confirm(entry, inputs, goal) {
            Sighting::Seen => return self.verdict = Verdict::Reached { entry, inputs: inputs.to_vec() },
            Sighting::Unseen { .. } => self.causes.add(Reason::Unconfirmed, None),
            Sighting::Limit { what } => self.causes.add(Reason::Replay { what }, None),
            Sighting::Dead { what } => self.causes.add(Reason::Vm { what }, None),
        }
        // Our machine came there: whatever a search says, that is no proof.
        self.closed = false;
    }
}

/// A subject whose runs are watched for goals.
struct Watched<'a, 'w> {
    tested: &'a mut Tested<'w>,
    goals: &'a [Goal],
    /// The goals that nobody has seen yet.
    open: Vec<usize>,
    sights: &'a RefCell<Vec<Sight>>,
}

impl Subject for Watched<'_, '_> {
    fn run(&mut self, stimulus: &Stimulus) -> Run {
        let run = self.tested.run(stimulus);
        if run.in_domain {
            let tested = &*self.tested;
            for goal in self.open.iter().filter(|goal| tested.was_at(&self.goals[**goal])) {
                let segments = run.path.len() as u64 + 1;
                self.sights.borrow_mut().push(Sight { goal: *goal, inputs: stimulus.inputs.clone(), segments });
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

    fn target(&self) -> &Target {
        self.tested.target()
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

    fn keep_samples(&mut self) {
        self.tested.keep_samples();
    }

    fn place(&self, site: Site) -> Option<Place> {
        self.tested.place(site)
    }
}
