//! The result of an exploration: verdict, findings, causes, numbers.

use constraint::Stimulus;
use exec::forward::Ending;
use serde::{Deserialize, Serialize};

use crate::finding::{Finding, IgnoredCrashes, OutsideDomain, Unconfirmed};
use crate::reason::{Cause, Reason};
use crate::tree::DecisionTree;

/// The verdicts, never mixed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, strum::EnumIter)]
pub enum Verdict {
    /// At least one confirmed finding.
    Crash,
    /// Every path that inputs of the spec can take was run, or proved to be none.
    Safe,
    /// The same, but some paths end in exceptions that the user wants to be ignored.
    Ignored,
    /// Everything else.
    Incomplete,
}

/// The result of an exploration.
#[derive(Clone, Serialize, Deserialize)]
pub struct Exploration {
    pub verdict: Verdict,
    /// True if every path was run or proved to be none; a crash can be found by a complete search or before its end.
    pub complete: bool,
    /// In the order they were found.
    pub findings: Vec<Finding>,
    pub unconfirmed: Vec<Unconfirmed>,
    /// Without a spec: inputs that the function has no clause for.
    pub outside: Option<OutsideDomain>,
    /// The crashes that rules of the user cover, by rule.
    pub ignored: Vec<IgnoredCrashes>,
    /// Why the search is not complete; empty if it is.
    pub causes: Vec<Cause>,
    pub cases: Vec<TestCase>,
    /// The executions of the first paths, if they are wanted.
    pub executions: Vec<TestCase>,
    /// The tree of its paths, if it is wanted.
    #[serde(default)]
    pub decisions: DecisionTree,
    pub statistics: ExplorationStatistics,
}

impl Exploration {
    /// True if nothing is missing to a proof but runs in other environments.
    pub fn lacks_other_environments(&self) -> bool {
        self.verdict == Verdict::Incomplete && self.is_complete_here()
    }

    /// True if nothing is missing in the environment that its runs had.
    pub fn is_complete_here(&self) -> bool {
        let is_elsewhere = |cause: &Cause| matches!(cause.reason, Reason::Ordered { .. } | Reason::Schedulers { .. });
        self.unconfirmed.is_empty() && self.causes.iter().all(is_elsewhere)
    }

    /// True if a run has looked at the order of processes or references.
    pub fn depends_on_order(&self) -> bool {
        self.causes.iter().any(|cause| matches!(cause.reason, Reason::Ordered { .. }))
    }

    /// Returns the same once all other environments have shown no more than these crashes that are to be ignored.
    pub fn completed(mut self, ignored: Vec<IgnoredCrashes>) -> Exploration {
        for other in ignored {
            if self.ignored.iter().all(|known| known.rule != other.rule) {
                self.ignored.push(other);
            }
        }
        self.verdict = if self.ignored.is_empty() { Verdict::Safe } else { Verdict::Ignored };
        self.complete = true;
        self.causes.clear();
        self
    }
}

/// A path that was run. A test can repeat one that ends with a value or an exception.
#[derive(Clone, Serialize, Deserialize)]
pub struct TestCase {
    pub signature: usize,
    pub stimulus: Stimulus,
    pub ending: Ending,
    /// The branches that it took, and how.
    #[serde(default)]
    pub branches: Vec<TakenBranch>,
}

/// The number of a branch in the exploration, and whether its test held.
pub type TakenBranch = (u64, bool);

/// The counts of an exploration.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct ExplorationStatistics {
    /// Runs for new paths.
    pub runs: u64,
    /// Runs that were made for another order of events.
    pub schedules: u64,
    /// Runs of schedules that were made by chance.
    pub sampled: u64,
    /// Events of several processes in all runs.
    pub events: u64,
    /// Runs to make witnesses smaller.
    pub shrink_runs: u64,
    /// Runs of long inputs, on values alone.
    pub long_runs: u64,
    /// Runs that met something which the machine cannot do.
    pub unsupported: u64,
    /// Distinct paths.
    pub paths: u64,
    /// Runs whose inputs the precondition does not allow.
    pub outside: u64,
    /// Paths that end in an exception that the spec promises.
    pub promised: u64,
    /// Inputs that the user gave and that no clause of the spec takes.
    pub unfit_seeds: u64,
    pub queries: u64,
    pub infeasible: u64,
    pub unknown: u64,
    /// Inputs that took another path than they were made for.
    pub divergences: u64,
    /// Calls of opaque functions that were made to learn what they give.
    pub samples: u64,
    /// Inputs found by a strategy around opaque functions.
    pub strategies: u64,
    /// Of these, by an undirected sample.
    pub undirected: u64,
    /// Runs that were made to observe an opaque function.
    pub intermediate: u64,
    /// Sites where a condition was asked.
    pub sites: u64,
    /// Answers that were had there; two per site at most.
    pub answers: u64,
    pub longest_path: u64,
    /// Flips that were not tried.
    pub waiting: u64,
    /// Machine steps of all runs for new paths.
    pub steps: u64,
}

/// The state of an exploration that goes on.
#[derive(Clone, Copy, Debug)]
pub struct ExplorationProgress {
    pub statistics: ExplorationStatistics,
    pub findings: usize,
}

/// The answer of the caller: go on or stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Go {
    On,
    /// The user wants it to stop.
    Interrupt,
    /// The time is over.
    Time,
    /// Its share of the time of all functions is over.
    Share,
    /// It has covered nothing new for so long that others get the rest of its share.
    Yield,
    /// The search keeps so much that runs have no room.
    Memory,
}

impl Go {
    /// The reason that it gives to end a search.
    pub fn stop(self) -> Option<Reason> {
        match self {
            Go::On => None,
            Go::Interrupt => Some(Reason::Interrupted),
            Go::Time => Some(Reason::Time),
            Go::Share => Some(Reason::Share),
            Go::Yield => Some(Reason::Yielded),
            Go::Memory => Some(Reason::SearchMemory),
        }
    }
}

/// The check if an exploration is to go on, and the reason to end it once there is one.
pub(crate) struct StopCheck<'a> {
    /// The caller, who is asked until there is a reason.
    pub progress: &'a mut dyn FnMut(&ExplorationProgress) -> Go,
    /// The reason to end the search.
    pub reason: Option<Reason>,
}

impl StopCheck<'_> {
    /// Asks the caller; returns true if the search goes on.
    pub fn goes_on(&mut self, now: &ExplorationProgress) -> bool {
        if self.reason.is_none() {
            self.reason = (self.progress)(now).stop();
        }
        self.reason.is_none()
    }
}

impl Exploration {
    /// Something that the search could not know keeps it from being a proof.
    pub fn add(&mut self, reason: Reason) {
        self.causes.push(Cause { reason, at: None, count: 1 });
        self.complete = false;
        if matches!(self.verdict, Verdict::Safe | Verdict::Ignored) {
            self.verdict = Verdict::Incomplete;
        }
    }
}

impl Verdict {
    /// The name in reports and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Crash => "crash",
            Verdict::Safe => "safe",
            Verdict::Ignored => "ignored",
            Verdict::Incomplete => "incomplete",
        }
    }
}
