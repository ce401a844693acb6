//! The exploration of functions, one after the other, each by the engine that can do it.

mod cases;
mod detail;
pub(crate) mod engine;
mod functions;

use std::time::Duration;

use exec::forward::{Options as Recording, Recorder};
use host::{Stopwatch, prepared};
use search::{ExplorationProgress, Go, MachineSubject, Reason};
use term::cut::ProgramLimit;

use crate::confirm::Replay;
use crate::domain::{Domain, domain};
use crate::job::{self, Job, JobResult};
use crate::solver::solver;
use crate::{Failure, Monitor, Session, interrupt, mebibytes};
use detail::{coverage, detail};
use engine::Share;

pub use cases::confirmed_cases;
pub use engine::Engine;
pub use functions::{modules, open};

/// Runs the jobs one after the other, until the monitor or an interrupt ends it.
pub fn explore(session: &Session, jobs: &[Job], monitor: &mut dyn Monitor) -> Result<Vec<JobResult>, Failure> {
    let (mut all, mut before) = (Vec::new(), Duration::ZERO);
    for job in jobs {
        let mut progress = |now: &ExplorationProgress| match monitor.exploring(job.function, now) {
            Go::On if interrupt::is_wanted() => Go::Interrupt,
            go => go,
        };
        let mut result = job::run(job, session, &mut progress)?;
        result.preparation = (prepared() - before).as_millis() as u64;
        before = prepared();
        let go_on = monitor.explored(&result);
        all.push(result);
        if !go_on || interrupt::is_wanted() {
            break;
        }
    }
    Ok(all)
}

/// Explores one function on one engine.
fn explore_on(
    job: &Job,
    session: &Session,
    share: Share,
    progress: &mut dyn FnMut(&ExplorationProgress) -> Go,
) -> JobResult {
    let stopwatch = Stopwatch::start();
    let Job { function, settings, .. } = job;
    let function = *function;
    let Domain { target, grammar, warnings, sampled } = domain(session, function, settings.modules().collect());
    let mut world = session.until(share.end);
    let _stop = interrupt::stop_at(share.end);
    let memory = mebibytes(settings.bounds.memory);
    let _memory = ProgramLimit::new(memory);
    session.host().end = share.end;
    session.host().limit_memory(memory);
    session.take_changes();
    let mut recorder = Recorder::default();
    recorder.concretize = settings.concretize;
    let recording =
        Recording { coverage: true, events: true, mirrors: true, processes: !share.on_vm, ..Recording::default() };
    let recording = Recording { any_clock: settings.any_clock, ..recording };
    let mut machine = settings.bounds.machine(recording);
    machine.set_opaque(settings.opaque.iter().copied().filter(|opaque| *opaque != function));
    let mut program = MachineSubject::new(machine, recorder, &mut world, grammar, target, job.precondition);
    settings.learn.iter().filter(|call| call.mfa() != function).for_each(|call| program.learn(call));
    if share.on_vm {
        program.run_on_vm();
    }
    let mut solver = solver(&settings.bounds, share.end);
    let mut replay = Replay { session: session.clone(), function };
    let mut go = |now: &ExplorationProgress| match progress(now) {
        Go::On if share.is_over(now) => Go::Time,
        Go::On if settings.bounds.is_memory_used_up() => Go::Memory,
        go => go,
    };
    let mut exploration = search::explore(&mut program, &mut solver, &mut replay, &job.search_options(), &mut go);
    sampled.into_iter().for_each(|name| exploration.add(Reason::Opaque { name }));
    session.take_changes().into_iter().for_each(|change| exploration.add(change));
    let disputes = solver.stats().rechecks.refuted.iter().cloned();
    disputes.for_each(|what| exploration.add(Reason::Disputed { what }));
    let details = exploration.findings.iter_mut().map(|finding| detail(session, &mut program, finding)).collect();
    let (lines, branches) = coverage(session, &program, function);
    let warnings = warnings.iter().map(|warning| warning.to_string()).collect();
    session.host().end = None;
    let (millis, solver) = (stopwatch.elapsed().as_millis() as u64, solver.stats().clone());
    let (on_vm, not_on_vm) = (None, None);
    let preparation = 0;
    JobResult {
        function,
        any_clock: settings.any_clock,
        exploration,
        details,
        lines,
        branches,
        warnings,
        millis,
        preparation,
        on_vm,
        not_on_vm,
        solver,
    }
}
