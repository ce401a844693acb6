//! Which engine explores a function: our machine, the VM, or the VM after the machine met what it cannot do.

use std::time::{Duration, Instant};

use search::{Go, Progress, Reason, Verdict};
use solve::Stats;

use crate::Explored;
use crate::explore::{Engine, Plan, one};
use crate::interrupt;
use crate::job::Job;
use crate::session::Shared;

/// One exploration of a function, and its share of the time.
#[derive(Clone, Copy)]
pub struct Turn {
    pub on_vm: bool,
    /// When all is over.
    pub end: Option<Instant>,
    /// When it is over for runs that meet what the machine cannot do: the rest is for the VM.
    pub patience: Option<Instant>,
}

impl Turn {
    pub fn is_over(&self, now: &Progress) -> bool {
        let is_past = |when: Option<Instant>| when.is_some_and(|when| Instant::now() >= when);
        is_past(self.end) || now.statistics.unsupported > 0 && is_past(self.patience)
    }
}

/// The share of the machine where both engines take a turn.
const SHARE: u32 = 3;

/// Explores a function as the plan says; the time is for everything together.
pub fn explored(
    plan: &Plan,
    job: &Job,
    outside: &Shared,
    progress: &mut dyn FnMut(&Progress) -> Go,
) -> (Explored, Stats) {
    let (began, time) = (Instant::now(), Duration::from_secs(plan.bounds.time));
    let end = began.checked_add(time);
    let is_auto = plan.engine == Engine::Auto;
    let patience = if is_auto { began.checked_add(time / SHARE) } else { None };
    let first = Turn { on_vm: plan.engine == Engine::Beam, end, patience };
    let (ours, stats) = one(plan, job, outside, first, progress);
    let Some(why) = unsupported(&ours).filter(|_| is_auto && !interrupt::is_wanted()) else { return (ours, stats) };
    let modules = || plan.modules.iter().copied();
    let instrumented = modules().try_for_each(|module| outside.borrow_mut().instrument(module).map(drop));
    let told = instrumented.map(|()| one(plan, job, outside, Turn { on_vm: true, end, patience: None }, progress));
    modules().for_each(|module| outside.borrow_mut().release(module));
    match told {
        Ok((theirs, stats)) => (merged(ours, theirs, why), stats),
        Err(failure) => (Explored { not_on_vm: Some(failure.to_string()), ..ours }, stats),
    }
}

/// What the machine could not do for a function, if there was something.
fn unsupported(explored: &Explored) -> Option<String> {
    let reasons = explored.exploration.causes.iter().map(|cause| &cause.reason);
    reasons.filter(|reason| matches!(reason, Reason::Unsupported { .. })).map(|reason| reason.to_string()).next()
}

/// What the VM gave, with whatever only our machine has found.
fn merged(ours: Explored, theirs: Explored, why: String) -> Explored {
    let mut both = Explored { on_vm: Some(why), millis: ours.millis + theirs.millis, ..theirs };
    both.lines = both.lines.max(ours.lines);
    both.branches = both.branches.max(ours.branches);
    for (finding, detail) in ours.exploration.findings.into_iter().zip(ours.details) {
        if both.exploration.findings.iter().all(|known| known.key != finding.key) {
            both.exploration.findings.push(finding);
            both.details.push(detail);
            both.exploration.verdict = Verdict::Crash;
        }
    }
    both
}
