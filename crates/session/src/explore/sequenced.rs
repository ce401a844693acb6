//! Explorations whose inputs are made by calls: first a proof for whatever the declarations allow, then sequences.

use frontend::grammar::Warning;
use search::{Exploration, ExplorationOptions, ExplorationProgress, Go, Reason, Verdict, limits};

use super::engine::Share;
use super::explore_inputs;
use super::inputs::Inputs;
use crate::domain::{SequenceDomain, StateChoice, declared_domain, sequences, states};
use crate::job::{Job, JobResult};
use crate::{Session, proper};

/// Returns the domain of a job's function if calls make some of its inputs.
pub(crate) fn sequence_domain(job: &Job, session: &Session) -> Option<SequenceDomain> {
    let (function, modules) = (job.function, job.settings.tested.clone());
    let is_exported =
        |name: term::Mfa| session.module(name.module).is_ok_and(|it| it.exports(name.function, name.arity));
    // A precondition is asked about values, not about the calls that make them; generators make values themselves.
    let is_other = job.precondition.is_some() || job.is_private || proper::is_candidate(session, function);
    if is_other || !is_exported(function) {
        return None;
    }
    let choice = if job.settings.states.contains(&function.module) { StateChoice::All } else { StateChoice::Open };
    states(session, function, modules.clone(), choice).or_else(|| sequences(session, function, modules, choice))
}

/// Explores a function whose inputs are made by calls; nothing if no sequence makes any.
///
/// The function is safe if it is for all values that the declarations of the types allow, be they made by calls or not.
/// Otherwise the verdict is about the sequences that were tried.
pub(super) fn explore_sequences(
    job: &Job,
    session: &Session,
    share: Share,
    sequences: SequenceDomain,
    progress: &mut dyn FnMut(&ExplorationProgress) -> Go,
) -> Option<JobResult> {
    if let Some(proof) = proof(job, session, share, progress) {
        return Some(proof);
    }
    // What was found for values that no call may make is no finding.
    session.take_found(job.function);
    let (names, options) = (sequences.names.clone(), job.search_options());
    let calls = options.max_calls;
    let inputs = Inputs::of_calls(job, session, sequences);
    let mut explored = explore_inputs((job, options), session, share, inputs, progress);
    let statistics = &explored.exploration.statistics;
    if statistics.runs > 0 && statistics.runs == statistics.outside {
        return None;
    }
    // A cause is about inputs; these are calls, and what matters is the value that they make.
    explored.exploration.findings.iter_mut().for_each(|finding| finding.cause = None);
    names.into_iter().for_each(|name| explored.exploration.add(Reason::Sequences { name, calls }));
    Some(explored)
}

/// An exploration that proves the function safe for all values that declarations allow, if a short one does.
fn proof(
    job: &Job,
    session: &Session,
    share: Share,
    progress: &mut dyn FnMut(&ExplorationProgress) -> Go,
) -> Option<JobResult> {
    let mut domain = declared_domain(session, job.function, job.settings.tested.clone());
    // A proof for more values than there are needs no warning.
    domain.warnings.retain(|warning| !matches!(warning, Warning::Representation { .. }));
    let options = job.search_options();
    let max_runs = options.max_runs.min(limits::DECLARED_RUNS);
    let options = ExplorationOptions { max_runs, more_runs: 0, most_depth: 0, ..options };
    // One finding is enough to know that there is no proof.
    let mut until = |now: &ExplorationProgress| if now.findings > 0 { Go::Interrupt } else { progress(now) };
    let inputs = Inputs::of_domain(job, session, domain);
    let explored = explore_inputs((job, options), session, share, inputs, &mut until);
    let Exploration { verdict, findings, outside, .. } = &explored.exploration;
    let is_proof = *verdict == Verdict::Safe && findings.is_empty() && outside.is_none();
    is_proof.then_some(explored)
}
