//! The comparison of one function: exploration of its driver, and confirmation of what that finds.

use std::time::Duration;

use host::{CallResult, Stopwatch};
use search::{Defect, ExplorationProgress, Finding, Go, Verdict};
use term::{Atom, Call, Class, Exception, Mfa, Outcome, Term};

use super::Versions;
use super::driver::{DIFFERENT, INCOMPARABLE, driver_name, driver_source};
use super::effects::effects;
use crate::domain::{Domain, domain};
use crate::explore::engine::Share;
use crate::explore::explore_inputs;
use crate::explore::inputs::Inputs;
use crate::{Failure, Job, JobResult};

/// The verdicts on two versions of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComparisonVerdict {
    /// They have the same outcome for all inputs.
    Same,
    /// There are inputs for which they have not, confirmed on the VM.
    Differ,
    /// Neither is known.
    Incomplete,
}

impl ComparisonVerdict {
    /// Returns the name in reports and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            ComparisonVerdict::Same => "same",
            ComparisonVerdict::Differ => "differ",
            ComparisonVerdict::Incomplete => "incomplete",
        }
    }
}

/// Inputs for which two versions differ.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The call.
    pub call: Call,
    /// Its outcome in the old version.
    pub old: Outcome,
    /// Its outcome in the new one.
    pub new: Outcome,
}

/// The comparison of a function.
#[derive(Clone, Debug)]
pub struct VersionComparison {
    /// The function, as the new version has it.
    pub function: Mfa,
    pub verdict: ComparisonVerdict,
    /// One for each way in which outcomes differ.
    pub differences: Vec<Difference>,
    /// Why the comparison is not complete, a sentence each.
    pub reasons: Vec<String>,
    /// Facts about the inputs, a sentence each.
    pub notes: Vec<String>,
    /// Paths through both versions.
    pub paths: u64,
    pub runs: u64,
}

impl Versions {
    /// Compares the versions of the job's function.
    pub fn compare(
        &self,
        job: &Job,
        progress: &mut dyn FnMut(&ExplorationProgress) -> Go,
    ) -> Result<VersionComparison, Failure> {
        let function = job.function;
        let beside = Mfa { module: self.renamed, ..function };
        let (explored, notes) = self.explore(job, beside, progress)?;
        let mut reasons = self.own_reasons(function, beside);
        let notes = notes.into_iter().chain(explored.empty().map(str::to_owned)).collect();
        let mut differences = Vec::new();
        for finding in &explored.exploration.findings {
            match self.difference(function, finding) {
                Ok(difference) => differences.push(difference),
                Err(reason) => reasons.push(reason),
            }
        }
        reasons.extend(open_reasons(&explored));
        reasons.sort();
        reasons.dedup();
        let verdict = match (differences.is_empty(), reasons.is_empty()) {
            (false, _) => ComparisonVerdict::Differ,
            (true, true) => ComparisonVerdict::Same,
            (true, false) => ComparisonVerdict::Incomplete,
        };
        let statistics = explored.exploration.statistics;
        let (paths, runs) = (statistics.paths, statistics.runs);
        Ok(VersionComparison { function, verdict, differences, reasons, notes, paths, runs })
    }

    /// Explores the driver of a function; returns facts about its inputs, too.
    fn explore(
        &self,
        job: &Job,
        beside: Mfa,
        progress: &mut dyn FnMut(&ExplorationProgress) -> Go,
    ) -> Result<(JobResult, Vec<String>), Failure> {
        let driver = driver_name(job.function);
        self.new.add_source(driver.module, driver_source(job.function, beside))?;
        let (domain, notes) = self.domain(job, beside);
        let end = Some(Stopwatch::start().deadline(Duration::from_secs(job.settings.bounds.time)));
        let share = Share { on_vm: false, end, unsupported_end: None };
        let inputs = Inputs::through(job, &self.new, domain, driver);
        Ok((explore_inputs((job, job.search_options()), &self.new, share, inputs, progress), notes))
    }

    /// The inputs of the new version, or of the old one if only that has a spec; whatever a spec promises of results is
    /// left out, for the driver has others.
    fn domain(&self, job: &Job, beside: Mfa) -> (Domain, Vec<String>) {
        let function = job.function;
        let (new, old) = (
            domain(&self.new, function, job.settings.tested.clone()),
            domain(&self.old, Mfa { module: self.old_module, ..beside }, job.settings.tested.clone()),
        );
        let (mut chosen, note) = match (new.target.specified, old.target.specified) {
            (false, true) => (old, Some("its inputs are those of the old version's spec; the new one has none")),
            (true, false) => (new, Some("its inputs are those of the new version's spec; the old one has none")),
            (false, false) => (new, Some("it has no spec: its inputs are all terms")),
            (true, true) => (new, None),
        };
        chosen.target.function = function;
        for signature in &mut chosen.target.signatures {
            (signature.result, signature.no_return) = (None, false);
        }
        let warnings = chosen.warnings.iter().map(|warning| format!("spec: {warning}"));
        let notes = note.map(str::to_owned).into_iter().chain(warnings).collect();
        (chosen, notes)
    }

    /// The reasons that no exploration sees: the versions are called one after the other, in one process.
    fn own_reasons(&self, function: Mfa, beside: Mfa) -> Vec<String> {
        let old = effects(&self.new, beside, self.module).into_iter().map(|what| self.with_own_name(&what));
        let new = effects(&self.new, function, self.renamed);
        let mut reasons: Vec<String> =
            old.chain(new).map(|what| format!("calls are not compared on their own: {what}")).collect();
        let is_dynamic = reasons.iter().any(|reason| reason.contains("only a run knows"));
        if self.is_named && is_dynamic {
            reasons.push(format!("the old version has its name {} in data", self.old_module));
        }
        reasons
    }

    /// A text in which the old version has the name that its file gives it.
    fn with_own_name(&self, text: &str) -> String {
        text.replace(&self.renamed.to_string(), &self.old_module.to_string())
    }

    /// The difference that a finding shows, once both versions have shown it on the VM; or why it is none.
    fn difference(&self, function: Mfa, finding: &Finding) -> Result<Difference, String> {
        let raised = match &finding.defect {
            Defect::Crash(raised) => raised,
            Defect::Loop(_) => return Err("a call does not end".to_owned()),
            other => return Err(format!("a run ends in a {}", other.name())),
        };
        if is_incomparable(raised) {
            return Err("funs, processes and references in results are not compared".to_owned());
        }
        if !is_difference(raised) {
            return Err(format!(
                "a process ends with {}:{}",
                raised.class,
                self.with_own_name(&raised.reason.to_string())
            ));
        }
        self.confirmed(function, &finding.stimulus.inputs)
    }

    /// Calls each version in its own VM: the difference, or why that is none.
    fn confirmed(&self, function: Mfa, inputs: &[Term]) -> Result<Difference, String> {
        let call = |module: Atom| Call { module, function: function.function, args: inputs.to_vec() };
        let old = outcome(self.old.host().confirm(&call(self.old_module)));
        let call = call(self.module);
        match (old, outcome(self.new.host().confirm(&call))) {
            (Some(old), Some(new)) if !is_same(&old, &new) => Ok(Difference { call, old, new }),
            (Some(_), Some(_)) => Err(format!("{call} differs only where one version was called before the other")),
            _ => Err(format!("{call} has no outcome on the Erlang VM")),
        }
    }
}

/// The reasons why the exploration of a driver is no proof.
fn open_reasons(explored: &JobResult) -> Vec<String> {
    let exploration = &explored.exploration;
    let at = |cause: &search::Cause| cause.at.as_ref().map_or(String::new(), |at| format!(", in {at}"));
    let mut reasons: Vec<String> =
        exploration.causes.iter().map(|cause| format!("{}{}", cause.reason, at(cause))).collect();
    if !exploration.unconfirmed.is_empty() {
        reasons.push("what was found could not be confirmed on the Erlang VM".to_owned());
    }
    let is_open = !exploration.complete && exploration.causes.is_empty();
    reasons.extend(is_open.then(|| "some paths were not run".to_owned()));
    let is_odd = exploration.verdict == Verdict::Incomplete && reasons.is_empty();
    reasons.extend(is_odd.then(|| "the exploration is not complete".to_owned()));
    reasons
}

fn outcome(answer: CallResult) -> Option<Outcome> {
    match answer {
        CallResult::Ended(outcome) => Some(outcome),
        _ => None,
    }
}

/// True if values are the same, or classes and reasons.
fn is_same(old: &Outcome, new: &Outcome) -> bool {
    match (old, new) {
        (Outcome::Value(old), Outcome::Value(new)) => old == new,
        (Outcome::Raised(old), Outcome::Raised(new)) => old.class == new.class && old.reason == new.reason,
        _ => false,
    }
}

fn is_incomparable(raised: &Exception) -> bool {
    raised.class == Class::Exit && raised.reason.as_atom().is_some_and(|atom| atom.name() == INCOMPARABLE)
}

fn is_difference(raised: &Exception) -> bool {
    let tag = raised.reason.as_tuple().and_then(|items: &[Term]| items.first()?.as_atom());
    raised.class == Class::Error && tag.is_some_and(|tag| DIFFERENT.contains(&tag.name()))
}
