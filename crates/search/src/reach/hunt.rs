//! The hunt: runs of the program from every entry point until all goals are settled or nothing is left to try.

use constraint::{Arena, Grammar, RuleId, Site};
use exec::forward::Place;
use term::{Exception, Mfa, Term};

use super::{Goal, Options, Party, Progress, Pursuit, Sighting, Statistics, Verdict};
use crate::exploration::{Exploration, Go};
use crate::reason::{Causes, Reason};
use crate::subject::{Confirm, Confirmation, Run, Subject, Target};
use crate::tested::Tested;

pub struct Hunt<'a, 'w> {
    party: Party<'a, 'w>,
    goals: &'a [Goal],
    options: &'a Options,
    pursuits: Vec<Quarry>,
    statistics: Statistics,
}

/// A goal on the way.
struct Quarry {
    verdict: Verdict,
    causes: Causes,
}

/// Inputs of a run that came to a goal.
struct Sight {
    goal: usize,
    inputs: Vec<Term>,
}

impl<'a, 'w> Hunt<'a, 'w> {
    pub fn new(party: Party<'a, 'w>, goals: &'a [Goal], options: &'a Options) -> Hunt<'a, 'w> {
        let quarry = |_: &Goal| Quarry { verdict: Verdict::Incomplete, causes: Causes::default() };
        Hunt { party, goals, options, pursuits: goals.iter().map(quarry).collect(), statistics: Statistics::default() }
    }

    /// Every entry point in turn. A search that is complete and never came to a goal is a proof for its entry point.
    pub fn all(&mut self) {
        let mut complete = true;
        for entry in 0..self.party.subjects.len() {
            if self.open().is_empty() {
                return;
            }
            let exploration = self.explore(entry);
            complete &= exploration.complete;
            for goal in self.open() {
                let causes = &mut self.pursuits[goal].causes;
                for cause in &exploration.causes {
                    causes.add_many(cause.reason.clone(), cause.at.clone(), cause.count);
                }
            }
            if exploration.causes.iter().any(|cause| matches!(cause.reason, Reason::Interrupted)) {
                return;
            }
        }
        if complete {
            for goal in self.open() {
                self.pursuits[goal].verdict = Verdict::Unreachable;
            }
        }
    }

    fn open(&self) -> Vec<usize> {
        (0..self.goals.len()).filter(|goal| !self.pursuits[*goal].verdict.is_settled()).collect()
    }

    fn explore(&mut self, entry: usize) -> Exploration {
        let open = self.open();
        let options = crate::Options {
            max_runs: self.options.max_runs,
            max_depth: self.options.max_depth,
            max_input_size: self.options.max_input_size,
            budget: self.options.budget,
            max_shrink: 0,
            ..crate::Options::default()
        };
        let Hunt { party, goals, pursuits, statistics, .. } = self;
        let function = party.subjects[entry].target().entry;
        let sights = std::cell::RefCell::new(Vec::new());
        let mut watched = Watched { tested: &mut party.subjects[entry], goals, open: open.clone(), sights: &sights };
        let (witness, progress) = (&mut party.witness, &mut party.progress);
        let settled = goals.len() - open.len();
        let mut found = 0;
        let mut go = |now: &crate::Progress| {
            for Sight { goal, inputs } in sights.borrow_mut().drain(..) {
                let quarry = &mut pursuits[goal];
                if quarry.verdict.is_settled() {
                    continue;
                }
                match witness.confirm(function, &inputs, &goals[goal]) {
                    Sighting::Seen => {
                        quarry.verdict = Verdict::Reached { entry: function, inputs };
                        found += 1;
                    }
                    Sighting::Unseen { .. } => quarry.causes.add(Reason::Unconfirmed, None),
                    Sighting::Limit { what } => quarry.causes.add(Reason::Replay { what }, None),
                    Sighting::Dead { what } => quarry.causes.add(Reason::Vm { what }, None),
                }
            }
            if found == open.len() {
                return Go::Interrupt;
            }
            let so_far = Statistics {
                runs: statistics.runs + now.statistics.runs,
                queries: statistics.queries + now.statistics.queries,
                ..*statistics
            };
            progress(&Progress { goals: goals.len(), settled: settled + found, statistics: so_far })
        };
        let exploration = crate::explore(&mut watched, party.solver, &mut Nobody, &options, &mut go);
        // What the last run saw.
        go(&crate::Progress { statistics: exploration.statistics, findings: 0 });
        statistics.runs += exploration.statistics.runs;
        statistics.queries += exploration.statistics.queries;
        exploration
    }

    pub fn finish(self) -> Vec<Pursuit> {
        let statistics = self.statistics;
        let pursuit = |quarry: Quarry| {
            let settled = quarry.verdict.is_settled();
            let causes = if settled { Vec::new() } else { quarry.causes.into_vec() };
            Pursuit { verdict: quarry.verdict, causes, statistics }
        };
        self.pursuits.into_iter().map(pursuit).collect()
    }
}

/// A subject whose runs are watched for goals.
struct Watched<'a, 'w> {
    tested: &'a mut Tested<'w>,
    goals: &'a [Goal],
    /// The goals that nobody has seen yet.
    open: Vec<usize>,
    sights: &'a std::cell::RefCell<Vec<Sight>>,
}

impl Subject for Watched<'_, '_> {
    fn run(&mut self, inputs: &[Term]) -> Run {
        let run = self.tested.run(inputs);
        if run.in_domain {
            let tested = &*self.tested;
            for goal in self.open.iter().filter(|goal| tested.was_at(&self.goals[**goal])) {
                self.sights.borrow_mut().push(Sight { goal: *goal, inputs: inputs.to_vec() });
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

/// Crashes are of no interest here.
struct Nobody;

impl Confirm for Nobody {
    fn confirm(&mut self, _: &[Term], _: &Exception) -> Confirmation {
        Confirmation::Same { text: String::new() }
    }
}
