//! The result of a job: everything that a report needs.

use exec::forward::Ending;
use search::{Exploration, TestCase, Verdict};
use serde::{Deserialize, Serialize};
use solve::Stats;
use term::{Language, Mfa, Notation, Structs, Term};

use super::{Job, MarkedLine, SpecLines};
use crate::explore::Engine;
use crate::schedule::FindingSchedule;
use crate::store::EarlierFindings;

/// The result of exploring one function.
#[derive(Clone, Serialize, Deserialize)]
pub struct JobResult {
    /// The function.
    pub function: Mfa,
    /// The language of its module.
    #[serde(default)]
    pub language: Language,
    /// The structs in its findings and tests.
    #[serde(default)]
    pub structs: Structs,
    /// True if it has to give `true` for all inputs.
    pub is_property: bool,
    /// True if it is a property of PropEr, whose inputs are seeds of its generators.
    pub is_proper: bool,
    /// True if its module does not export it.
    pub is_private: bool,
    /// The place where the spec was found, in words, if it is not the function's own.
    pub origin: Option<String>,
    /// True if timeouts and timers could strike at any time.
    pub any_clock: bool,
    /// Findings, verdict, reasons and counts.
    pub exploration: Exploration,
    /// The details of each finding, in the order of the exploration's.
    pub details: Vec<FindingDetail>,
    /// The paths of the executions that are to be shown, in the order of the exploration's.
    pub traces: Vec<ExecutionTrace>,
    /// Lines, covered and all.
    pub lines: (usize, usize),
    /// Branches, covered and all.
    pub branches: (usize, usize),
    /// The same one by one, if they are to be shown.
    #[serde(default)]
    pub coverage: CoverageDetail,
    /// The function that makes inputs by calls and then calls the function, if there is one.
    pub driver: Option<Mfa>,
    /// The parts of the spec that were not understood.
    pub warnings: Vec<String>,
    /// Wall-clock time of the search, in milliseconds.
    pub millis: u64,
    /// The time before and within it for extracting code and starting VMs, in milliseconds; the search is not charged.
    pub preparation: u64,
    /// The reason why it was explored on the BEAM although the options left the choice open.
    pub on_vm: Option<String>,
    /// The reason why it could not be explored on the BEAM although it should have been.
    pub not_on_vm: Option<String>,
    /// The counts of answers to its queries.
    pub solver: Stats,
    /// The findings of earlier runs, if they were replayed.
    pub earlier: EarlierFindings,
}

/// The lines and branches of a function and of those of its module that it can reach.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct CoverageDetail {
    /// The file of the function, and the line where it begins; empty and 0 if unknown.
    pub file: String,
    pub line: u32,
    /// Lines, each with true if a run came there.
    pub lines: Vec<(u32, bool)>,
    /// Branches of the functions that runs called.
    pub branches: Vec<CoveredBranch>,
}

/// A branch of a function, with the outcomes that runs had.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CoveredBranch {
    /// The function, or what was lifted out of it.
    pub function: Mfa,
    /// Its index in the function.
    pub index: usize,
    pub line: u32,
    pub column: u32,
    /// True if a run had `false` there, and if one had `true`.
    pub taken: [bool; 2],
}

/// The path of an execution.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExecutionTrace {
    /// The clauses that it goes through, a phrase each.
    pub path: Vec<String>,
    /// Its path condition, a text each.
    pub conditions: Vec<String>,
}

/// The facts about a finding that the search does not know.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FindingDetail {
    /// The source file; empty if unknown.
    pub file: String,
    /// The line; 0 if unknown.
    pub line: u32,
    /// The column; 0 if unknown.
    pub column: u32,
    /// The clauses that the call goes through, a phrase each.
    pub path: Vec<String>,
    /// The opaque functions it depends on.
    pub opaque: Vec<String>,
    /// The strategy that found inputs around them.
    pub strategy: String,
    /// The values that they gave.
    pub samples: Vec<String>,
    /// The call that shows it and its arguments as they are written, if that is not the call of the function.
    pub call: Option<(String, Vec<String>)>,
    /// The schedule, if there is more than one process.
    pub schedule: Option<FindingSchedule>,
    /// The place in its function, which other edits of the file do not change: `m:f/1 line 3`.
    pub place: String,
    /// The exception or the value in the words of the function's language, if that is not Erlang.
    #[serde(default)]
    pub native: Option<String>,
    /// True if an earlier run has found it and this one has not.
    pub is_earlier: bool,
    /// Its standing against a baseline, if there is one.
    pub novelty: Option<Novelty>,
    /// The line of the source where it fails.
    #[serde(default)]
    pub failing: Option<MarkedLine>,
    /// The clause of the spec that allows its inputs.
    #[serde(default)]
    pub spec: Option<SpecLines>,
    /// The call with its records as the source writes them, if it has any.
    #[serde(default)]
    pub record_call: Option<String>,
}

/// The standing of a finding against a baseline.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Novelty {
    New,
    Known,
}

impl JobResult {
    /// Returns the notation of its language.
    pub fn notation(&self) -> Notation<'_> {
        Notation { language: self.language, structs: &self.structs }
    }

    /// Returns why there was nothing to find, if no input is allowed at all.
    pub fn empty(&self) -> Option<&'static str> {
        let Exploration { verdict, statistics, .. } = &self.exploration;
        match (verdict, statistics.runs) {
            (Verdict::Safe, 0) => Some("its spec allows no input"),
            (Verdict::Safe, runs) if runs == statistics.outside => Some("no input meets the precondition"),
            _ => None,
        }
    }

    /// True if every finding must be confirmed: runs on the VM need not repeat.
    pub fn is_repeatable(&self, job: &Job) -> bool {
        job.settings.engine != Engine::Beam && self.on_vm.is_none()
    }

    /// Returns the witnesses of findings, each once, to write tests from. What another schedule could change, or only
    /// another process shows, is no test.
    pub fn finding_tests(&self) -> impl Iterator<Item = TestCase> {
        let is_sure = move |detail: &FindingDetail| {
            detail
                .schedule
                .as_ref()
                .is_none_or(|schedule| schedule.in_call && self.exploration.statistics.schedules == 0)
        };
        let findings = self.exploration.findings.iter().zip(&self.details).filter(|_| !self.is_proper);
        let findings = findings.filter(move |(_, detail)| is_sure(detail));
        each_once(findings.filter_map(|(finding, _)| {
            let ending = Ending::Raised(finding.defect.exception()?.clone());
            let (signature, stimulus) = (finding.signature, finding.stimulus.clone());
            Some(TestCase { signature, stimulus, ending, branches: Vec::new() })
        }))
    }

    /// Returns a call for each path that was kept, each once.
    pub fn path_tests(&self) -> impl Iterator<Item = TestCase> {
        each_once(self.exploration.cases.iter().cloned())
    }
}

fn each_once(cases: impl Iterator<Item = TestCase>) -> impl Iterator<Item = TestCase> {
    let mut seen: Vec<Vec<Term>> = Vec::new();
    cases.filter(move |case| {
        let new = !seen.contains(&case.stimulus.inputs);
        seen.extend(new.then(|| case.stimulus.inputs.clone()));
        new
    })
}
