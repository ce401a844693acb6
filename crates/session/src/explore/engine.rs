//! The choice of the engine that explores a function: our machine, the VM, or the VM after the machine met what it cannot
//! do.

use std::time::Duration;

use host::{Deadline, Stopwatch};
use search::{ExplorationProgress, Finding, Go, Reason, Verdict};
use serde::{Deserialize, Serialize};

use super::explore_on;
use crate::job::{Job, JobResult, Settings};
use crate::{Session, interrupt, proper};

/// The place where a program runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Engine {
    /// On our own machine.
    Machine,
    /// On the BEAM, instrumented; the machine replays each run from its events.
    Beam,
    /// On our machine, and on the BEAM for functions that need what it cannot do.
    Auto,
}

/// The share of one engine in the exploration of a function.
#[derive(Clone, Copy)]
pub(crate) struct Share {
    pub on_vm: bool,
    /// The end of all time.
    pub end: Option<Deadline>,
    /// The end for runs that meet what the machine cannot do: the rest is for the VM.
    pub unsupported_end: Option<Deadline>,
}

impl Share {
    /// True if its time is over.
    pub fn is_over(&self, now: &ExplorationProgress) -> bool {
        let is_past = |end: Option<Deadline>| end.is_some_and(Deadline::is_over);
        is_past(self.end) || now.statistics.unsupported > 0 && is_past(self.unsupported_end)
    }
}

/// The machine gets one part in so many of the time where both engines take a share.
const MACHINE_SHARE: u32 = 3;

/// Explores a function as the job says; the time is for everything together.
pub(crate) fn explore(
    job: &Job,
    session: &Session,
    most: Duration,
    progress: &mut dyn FnMut(&ExplorationProgress) -> Go,
) -> JobResult {
    let Settings { bounds, engine, .. } = &job.settings;
    let (stopwatch, time) = (Stopwatch::start(), Duration::from_secs(bounds.time).min(most));
    let end = Some(stopwatch.deadline(time));
    // What stands for these functions is not instrumented.
    let is_ours = job.is_private || proper::is_candidate(session, job.function);
    let is_auto = *engine == Engine::Auto && !is_ours;
    let unsupported_end = is_auto.then(|| stopwatch.deadline(time / MACHINE_SHARE));
    let share = Share { on_vm: *engine == Engine::Beam && !is_ours, end, unsupported_end };
    let mut ours = explore_on(job, session, share, progress);
    if *engine == Engine::Beam && is_ours {
        let why = if job.is_private { "its module does not export it" } else { "it is a property of PropEr" };
        ours.not_on_vm = Some(why.to_owned());
    }
    let Some(why) = unsupported(&ours).filter(|_| is_auto && !interrupt::is_wanted()) else { return ours };
    let instrumented = job.settings.modules().try_for_each(|module| session.instrument(module).map(drop));
    let share = Share { on_vm: true, end, unsupported_end: None };
    let theirs = instrumented.map(|()| explore_on(job, session, share, progress));
    job.settings.modules().for_each(|module| session.release(module));
    match theirs {
        Ok(theirs) => merged(ours, theirs, why),
        Err(failure) => JobResult { not_on_vm: Some(failure.to_string()), ..ours },
    }
}

/// The first reason why the machine could not run the function, if there is one.
fn unsupported(explored: &JobResult) -> Option<String> {
    let reasons = explored.exploration.causes.iter().map(|cause| &cause.reason);
    reasons.filter(|reason| matches!(reason, Reason::Unsupported { .. })).map(|reason| reason.to_string()).next()
}

/// The result of the VM, with the findings that only our machine has.
fn merged(ours: JobResult, theirs: JobResult, why: String) -> JobResult {
    let mut both = JobResult { on_vm: Some(why), millis: ours.millis + theirs.millis, ..theirs };
    both.lines = both.lines.max(ours.lines);
    both.branches = both.branches.max(ours.branches);
    both.coverage.lines.extend(ours.coverage.lines);
    both.coverage.branches.extend(ours.coverage.branches);
    for (finding, detail) in ours.exploration.findings.into_iter().zip(ours.details) {
        let is_known = |known: &Finding| (&known.key, known.ranking.rank) == (&finding.key, finding.ranking.rank);
        if !both.exploration.findings.iter().any(is_known) {
            both.exploration.findings.push(finding);
            both.details.push(detail);
            both.exploration.verdict = Verdict::Crash;
        }
    }
    for ignored in ours.exploration.ignored {
        if both.exploration.ignored.iter().all(|known| known.rule != ignored.rule) {
            both.exploration.ignored.push(ignored);
        }
    }
    if both.exploration.verdict == Verdict::Safe && !both.exploration.ignored.is_empty() {
        both.exploration.verdict = Verdict::Ignored;
    }
    both
}
