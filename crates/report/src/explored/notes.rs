//! What is said of a function besides its findings: where its inputs come from, what is ignored, what was left open.

use std::collections::BTreeSet;

use search::{Cause, Defect, IgnoredCrashes, Reason, Verdict};
use session::job::JobResult;

use super::advice::lifted;
use crate::notation::{self, prose};
use crate::phrases::{counted, plural};

/// The number of reasons that are shown; the others are counted.
const REASONS: usize = 6;
/// The same where there are findings.
const REASONS_OF_CRASH: usize = 3;

/// The number of crashes that rules of the user cover.
pub(super) fn ignored(explored: &JobResult) -> String {
    let crashes = explored.exploration.ignored.iter().map(|one| one.crashes).sum();
    counted(crashes, "ignored crash")
}

/// The facts besides findings and reasons, a sentence each.
pub(crate) fn facts(explored: &JobResult) -> Vec<String> {
    let exploration = &explored.exploration;
    let mut notes = Vec::new();
    for unconfirmed in &exploration.unconfirmed {
        let call = notation::call(explored, &unconfirmed.stimulus.inputs);
        let shown = match &unconfirmed.defect {
            Defect::Crash(raised) => format!("{}:{}", raised.class, explored.notation().shown(&raised.reason)),
            other => format!("a {}", other.name()),
        };
        notes.push(format!("not confirmed: {call} gives {shown} here; on the VM: {}", unconfirmed.got));
    }
    for IgnoredCrashes { rule, crashes, paths, inputs } in &exploration.ignored {
        let (crashes, paths) = (counted(*crashes, "crash"), counted(*paths, "path"));
        notes.push(format!("ignored by {rule}: {crashes} on {paths}, such as {}", notation::call(explored, inputs)));
    }
    if let Some(outside) = &exploration.outside {
        notes.push(format!("no spec; no clause takes {}", notation::call(explored, &outside.inputs)));
    }
    notes.extend(explored.origin.iter().map(|origin| prose(explored.language, origin)));
    notes.extend(explored.empty().map(str::to_owned));
    notes.extend(explored.on_vm.iter().map(|why| format!("explored on the BEAM: {why}")));
    notes.extend(explored.not_on_vm.iter().map(|why| format!("could not be explored on the BEAM: {why}")));
    notes.extend(explored.warnings.iter().map(|warning| format!("spec: {}", prose(explored.language, warning))));
    notes
}

/// The facts besides findings, and the reasons of a verdict, a sentence each.
pub(super) fn notes(explored: &JobResult) -> Vec<String> {
    let exploration = &explored.exploration;
    let mut notes = facts(explored);
    match exploration.verdict {
        Verdict::Safe | Verdict::Ignored if exploration.statistics.events > 0 => {
            let time =
                if explored.any_clock { "timeouts strike at any time" } else { "time passes when nothing can go on" };
            notes.push(format!("safe for every schedule, where messages arrive at once and {time}"));
        }
        Verdict::Safe | Verdict::Ignored => {}
        Verdict::Incomplete => {
            // A warning for all functions together names the modules that are missing.
            let others = exploration.causes.iter().filter(|cause| !matches!(cause.reason, Reason::Missing { .. }));
            notes.extend(reasons(explored, &others.collect::<Vec<_>>(), REASONS));
        }
        Verdict::Crash => {
            notes.extend(reasons(explored, &exploration.causes.iter().collect::<Vec<_>>(), REASONS_OF_CRASH));
        }
    }
    notes
}

/// A warning for each module that explored functions call and that is not there.
/// `remedy` says what brings a module, where that is known.
pub fn missing_modules(all: &[JobResult], remedy: impl Fn(&str) -> Option<String>) -> String {
    let warning = |module: &str| {
        let remedy = remedy(module).unwrap_or_else(|| "--pa DIR adds modules".to_owned());
        format!("hound: warning: the module {module} is not there; runs end where it is called ({remedy})\n")
    };
    missing(all).into_iter().map(warning).collect()
}

/// The modules that explored functions call and that are not there.
pub(super) fn missing(all: &[JobResult]) -> BTreeSet<&str> {
    let causes = all.iter().flat_map(|one| &one.exploration.causes);
    let missing = causes.filter_map(|cause| match &cause.reason {
        Reason::Missing { module } => Some(module.as_str()),
        _ => None,
    });
    missing.collect()
}

/// Reasons in sentences, each kind once, the first place named.
pub(crate) fn sentences(causes: &[Cause]) -> Vec<String> {
    let causes: Vec<&Cause> = causes.iter().collect();
    shown(&causes, REASONS, sentence)
}

/// The same with the code of each, and the option that lifts it.
fn reasons(explored: &JobResult, causes: &[&Cause], most: usize) -> Vec<String> {
    shown(causes, most, |reason, causes| {
        let first = &causes[0].reason;
        let sentence = prose(explored.language, &sentence(reason, causes));
        format!("{}: {sentence} ({})", first.code(), lifted(first))
    })
}

fn shown(causes: &[&Cause], most: usize, words: impl Fn(&str, &[&Cause]) -> String) -> Vec<String> {
    let mut kinds: Vec<(String, Vec<&Cause>)> = Vec::new();
    for cause in causes {
        let reason = cause.reason.to_string();
        match kinds.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, places)) => places.push(cause),
            None => kinds.push((reason, vec![cause])),
        }
    }
    let more = kinds.len().saturating_sub(most);
    let shown = kinds.iter().take(most).map(|(reason, causes)| words(reason, causes));
    let rest = (more > 0).then(|| format!("and {more} more {}", plural(more, "reason")));
    shown.chain(rest).collect()
}

fn sentence(reason: &str, causes: &[&Cause]) -> String {
    let place = causes.iter().find_map(|cause| cause.at.as_ref());
    let place = place.map_or(String::new(), |at| format!(", in {at}"));
    let others = match causes.len() - 1 {
        0 => String::new(),
        others => format!(" and {others} other {}", plural(others, "place")),
    };
    let times = match causes.iter().map(|cause| cause.count).sum::<u64>() {
        1 => String::new(),
        _ if causes.iter().any(|cause| cause.reason.ends_search()) => String::new(),
        times => format!(" ({times} times)"),
    };
    format!("{reason}{place}{others}{times}")
}
