//! The exploration of functions, one after the other, each by the engine that can do it.

mod cases;
pub(crate) mod detail;
pub(crate) mod engine;
mod environments;
mod excerpt;
mod functions;
pub(crate) mod inputs;
mod language;
mod records;
pub(crate) mod sequenced;
pub(crate) mod shown;
mod starts;
mod total_time;

use std::time::Duration;

use host::{Stopwatch, prepared};
use search::{ExplorationOptions, ExplorationProgress, Go, MachineSubject, Reason};
use term::Structs;
use term::cut::ProgramLimit;

use self::sequenced::{explore_sequences, sequence_domain};
use crate::confirm::Replay;
use crate::domain::Domain;
use crate::job::{self, CoverageDetail, Job, JobResult};
use crate::solver::solver;
use crate::store::{self, EarlierFindings, StoredFinding};
use crate::{Failure, Monitor, Session, interrupt, mebibytes};
use detail::{coverage, coverage_detail, execution_trace, keep_own_branches};
use engine::Share;
use inputs::Inputs;
use total_time::{FunctionShare, TotalTime, is_cut};

pub use cases::covering_cases;
pub use engine::Engine;
pub use functions::{SelectedFunctions, Selection, callbacks, modules, open, open_selected};
pub use starts::check_starts;

/// The plan of a command that explores several functions.
#[derive(Clone, Copy, Default, Debug)]
pub struct ExplorePlan {
    /// Findings of earlier runs are replayed, and those of this one kept.
    pub store: bool,
    /// The time that all functions share.
    pub total_time: Option<Duration>,
}

/// Runs the jobs one after the other, until the monitor or an interrupt ends it. With a total time, functions that were
/// still covering something when their share was over come last, with what is left.
pub fn explore(
    session: &Session,
    jobs: &[Job],
    plan: ExplorePlan,
    monitor: &mut dyn Monitor,
) -> Result<Vec<JobResult>, Failure> {
    let total = plan.total_time.map(TotalTime::new);
    let mut all: Vec<Option<JobResult>> = Vec::new();
    let (mut cut, mut before) = (Vec::new(), Duration::ZERO);
    for (at, job) in jobs.iter().enumerate() {
        let share = total.as_ref().map(|total| total.share(jobs.len() - at));
        let mut result = explore_one(session, job, plan, share, monitor)?;
        result.preparation = (prepared() - before).as_millis() as u64;
        before = prepared();
        let is_last = at + 1 == jobs.len();
        let is_cut = is_cut(&result) && !(is_last && cut.is_empty());
        let go_on = is_cut || monitor.explored(&result);
        cut.extend(is_cut.then_some(at));
        all.push(Some(result));
        if !go_on || interrupt::is_wanted() {
            break;
        }
    }
    let count = cut.len();
    for (done, at) in cut.into_iter().enumerate() {
        let (Some(total), Some(first)) = (&total, all[at].take()) else { continue };
        let share = total.share(count - done);
        let result = if share.is_worth(Duration::from_millis(first.millis)) && !interrupt::is_wanted() {
            explored_again(session, &jobs[at], (plan, first), share, monitor)?
        } else {
            first
        };
        monitor.explored(&result);
        all[at] = Some(result);
    }
    Ok(all.into_iter().flatten().collect())
}

/// Explores a function once more, with more time; what was found before stays found.
fn explored_again(
    session: &Session,
    job: &Job,
    (plan, first): (ExplorePlan, JobResult),
    share: FunctionShare,
    monitor: &mut dyn Monitor,
) -> Result<JobResult, Failure> {
    let before = prepared();
    let mut result = explore_one(session, job, ExplorePlan::default(), Some(share), monitor)?;
    let found = first.exploration.findings.into_iter().zip(first.details);
    let found: Vec<StoredFinding> = found.map(|(finding, detail)| StoredFinding { finding, detail }).collect();
    store::join(&mut result, &found, false);
    result.millis += first.millis;
    result.preparation = first.preparation + (prepared() - before).as_millis() as u64;
    result.earlier = first.earlier;
    if plan.store {
        store::keep(session, job, None, &result);
    }
    Ok(result)
}

fn explore_one(
    session: &Session,
    job: &Job,
    plan: ExplorePlan,
    mut share: Option<FunctionShare>,
    monitor: &mut dyn Monitor,
) -> Result<JobResult, Failure> {
    let stored = plan.store.then(|| store::read(session, job)).flatten();
    let earlier = stored.as_ref().map(|stored| store::replay(session, job, stored)).unwrap_or_default();
    let time = share.as_ref().map_or(Duration::MAX, |share| share.time);
    let mut progress = |now: &ExplorationProgress| {
        for finding in session.take_found(job.function) {
            monitor.found(job.function, &finding);
        }
        match monitor.exploring(job.function, now) {
            Go::On if interrupt::is_wanted() => Go::Interrupt,
            Go::On => share.as_mut().map_or(Go::On, |share| share.check(now)),
            go => go,
        }
    };
    let mut result = job::run_within(job, session, time, &mut progress)?;
    session.take_found(job.function);
    let only = store::join(&mut result, &earlier.still, true);
    result.earlier = EarlierFindings { only, ..earlier };
    language::note_structs(session, &mut result);
    if plan.store {
        store::keep(session, job, stored.as_ref(), &result);
    }
    Ok(result)
}

/// Explores one function on one engine. Values of abstract types come from sequences of calls where our machine can make
/// them.
fn explore_on(
    job: &Job,
    session: &Session,
    share: Share,
    progress: &mut dyn FnMut(&ExplorationProgress) -> Go,
) -> JobResult {
    let sequences = if share.on_vm { None } else { sequence_domain(job, session) };
    let explored = sequences.and_then(|sequences| explore_sequences(job, session, share, sequences, progress));
    explored.unwrap_or_else(|| {
        let inputs = Inputs::without_calls(job, session);
        explore_inputs((job, job.search_options()), session, share, inputs, progress)
    })
}

/// Explores one function on one engine, on inputs of one domain.
pub(crate) fn explore_inputs(
    (job, mut options): (&Job, ExplorationOptions),
    session: &Session,
    share: Share,
    inputs: Inputs,
    progress: &mut dyn FnMut(&ExplorationProgress) -> Go,
) -> JobResult {
    let stopwatch = Stopwatch::start();
    let Job { function, settings, .. } = job;
    let (function, is_proper, driver) = (*function, inputs.is_proper(), inputs.driver);
    let mut world = session.until(share.end);
    let _stop = interrupt::stop_at(share.end);
    let memory = mebibytes(settings.bounds.memory);
    let _memory = ProgramLimit::new(memory);
    session.host().end = share.end;
    session.host().limit_memory(memory);
    session.take_changes();
    let (machine, recorder) = settings.machine(share.on_vm, function);
    let mut program = inputs.subject(job, (machine, recorder), &mut world);
    let others = settings.starts.iter().chain(&settings.learn).filter(|call| call.mfa() != function);
    others.for_each(|call| program.learn(call));
    if share.on_vm {
        program.run_on_vm();
    }
    let mut solver = solver(&settings.bounds, share.end);
    let mut replay = Replay { session: session.clone(), function: inputs.called(job) };
    let mut go = |now: &ExplorationProgress| match progress(now) {
        Go::On if share.is_over(now) => Go::Time,
        Go::On if settings.bounds.is_memory_used_up() => Go::Memory,
        go => go,
    };
    // A test would call what no one has written.
    options.keep = if is_proper { 0 } else { options.keep };
    let mut explore =
        |program: &mut MachineSubject<'_>| search::explore(program, &mut solver, &mut replay, &options, &mut go);
    let mut exploration = explore(&mut program);
    if !share.on_vm {
        exploration = environments::complete(exploration, &mut program, &mut explore);
    }
    inputs.left_out.iter().for_each(|reason| exploration.add(reason.clone()));
    inputs.domain.sampled.iter().for_each(|name| exploration.add(Reason::Opaque { name: name.clone() }));
    session.take_changes().into_iter().for_each(|change| exploration.add(change));
    let disputes = solver.stats().rechecks.refuted.iter().cloned();
    disputes.for_each(|what| exploration.add(Reason::Disputed { what }));
    let mut details = Vec::new();
    for finding in &mut exploration.findings {
        details.push(inputs.detail(job, session, &mut program, finding));
    }
    let executions = exploration.executions.iter();
    let traces = executions.map(|execution| execution_trace(session, &mut program, &execution.stimulus)).collect();
    let Domain { target, warnings, origin, .. } = inputs.domain;
    let (lines, branches) = coverage(session, &program, function);
    keep_own_branches(session, &program, function, &mut exploration.cases);
    let detail = match settings.decisions {
        0 => CoverageDetail::default(),
        _ => coverage_detail(session, &program, function),
    };
    let warnings = warnings.iter().map(|warning| warning.to_string()).collect();
    session.host().end = None;
    let (millis, solver) = (stopwatch.elapsed().as_millis() as u64, solver.stats().clone());
    let (on_vm, not_on_vm) = (None, None);
    let preparation = 0;
    JobResult {
        function,
        language: session.language(function.module),
        structs: Structs::default(),
        is_property: target.facts.is_property,
        is_proper,
        is_private: job.is_private,
        origin,
        any_clock: settings.any_clock,
        exploration,
        details,
        traces,
        lines,
        branches,
        coverage: detail,
        driver,
        warnings,
        millis,
        preparation,
        on_vm,
        not_on_vm,
        solver,
        earlier: EarlierFindings::default(),
    }
}
