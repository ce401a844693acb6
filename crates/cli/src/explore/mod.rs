//! `hound explore`: from the words of the command line to findings and verdicts.

pub(crate) mod alike;
mod config;
mod confirm;
mod detail;
mod engine;
pub(crate) mod job;
mod opaque;
pub(crate) mod screen;
mod suite;
pub(crate) mod symbols;
pub mod targets;
pub(crate) mod types;
mod workers;

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use exec::forward::{Concretize as Mode, Limits, Machine, Options as Recording, Recorder};
use report::Explored;
use search::{Go, Reason, Strategy, Tested};
use solve::{Members, Portfolio, Stats};
use term::{Atom, Call, Mfa};

use crate::failure::Failure;
use crate::interrupt;
use crate::options::{Concretize, Engine, ExploreOptions, Format, Order, SearchOptions};
use crate::world::{Outside, Shared};
use crate::z3::Z3;
use crate::{FAILED, Printed};
use config::Config;
use engine::Turn;
use job::Job;
use screen::Screen;
use suite::{Folder, Written};
use workers::Workers;

/// How long the external solver may stay silent; its work is bounded otherwise.
const Z3_PATIENCE: Duration = Duration::from_secs(10);
/// How often a finding is tried again when processes were at it, which need not take the same turns.
const TRIES: u32 = 10;
/// Paths of a function that are kept to write tests from.
const KEPT_CASES: usize = 200;

// The defaults that the help text names.
const RUNS: u64 = 5_000;
const DEPTH: usize = 1_000;
const SIZE: usize = 10_000;
const STEPS: u64 = 1_000_000;
const MEBIBYTES: u64 = 512;
const SECONDS: u64 = 60;

/// Who follows explorations, and may end them.
pub trait Watch {
    fn on(&mut self, function: Mfa, progress: &search::Progress) -> Go;
    /// A function is done; whether there is to be another.
    fn done(&mut self, explored: &Explored, solver: &Stats) -> bool;
}

/// Explores what the words name; what to print, and the exit code.
pub(crate) fn explore(options: &ExploreOptions) -> Result<(Printed, u8), Failure> {
    interrupt::listen();
    let config = Config::read(options.config.as_deref())?;
    let (start, functions) = targets::read(options)?;
    let outside = Shared::new(start.outside);
    let jobs = job::jobs(options, &config, &outside, &functions)?;
    let folder = Folder::of(options, &functions)?;
    let mut plan = plan(options, &config, &outside, &functions)?;
    plan.keep = if folder.is_some() { KEPT_CASES } else { 0 };
    let mut screen = Screen::new(jobs.len(), options.format);
    start.failures.iter().for_each(|(module, error)| left_out(&screen, options.format, *module, error));
    let all = explore_all(&plan, &outside, &jobs, &mut screen);
    screen.finish();
    let written = folder.map_or(Ok(Vec::new()), |folder| folder.write(&outside, &all));
    let mut printed = Printed::default();
    if options.format == Format::Text {
        printed.out = report::summary(&all, screen.paint);
    }
    if all.len() < jobs.len() {
        let left = jobs.len() - all.len();
        printed.err = format!("hound: interrupted; functions that were not explored: {left}\n");
    }
    match &written {
        Ok(files) => files.iter().for_each(|file| printed.out.push_str(&told(options.format, file))),
        Err(failure) => printed.err.push_str(&format!("hound: {failure}\n")),
    }
    // Processes may take another turn the next time; everything else that is not confirmed is a mistake of ours.
    let steady = |one: &&Explored| plan.engine != Engine::Beam && one.on_vm.is_none();
    let unconfirmed = all.iter().filter(steady).any(|one| !one.exploration.unconfirmed.is_empty());
    let failed = written.is_err() || !start.failures.is_empty() || unconfirmed;
    Ok((printed, code(&all, failed)))
}

/// A finding is a finding, whatever else went wrong; without one, only an exploration to its end is a success.
fn code(all: &[Explored], failed: bool) -> u8 {
    match all.iter().any(|one| !one.exploration.findings.is_empty()) {
        true => 1,
        false if failed => FAILED,
        false if interrupt::is_wanted() => interrupt::CODE,
        false => 0,
    }
}

fn left_out(screen: &Screen, format: Format, module: Atom, error: &host::ExtractError) {
    let failure = Failure::from(error.clone());
    match format {
        Format::Json => screen.say(report::failure_line(failure.code(), &failure.to_string()), String::new()),
        Format::Text => screen.say(String::new(), format!("hound: {module} was left out: {failure}\n")),
    }
}

/// What holds for all functions.
struct Plan {
    search: SearchOptions,
    /// Paths of a function that are kept to write tests from.
    keep: usize,
    /// The modules under test.
    modules: Vec<Atom>,
    /// Functions that are not looked into.
    opaque: Vec<Mfa>,
    /// Calls to learn from.
    learn: Vec<Call>,
    engine: Engine,
}

fn plan(options: &ExploreOptions, config: &Config, outside: &Shared, functions: &[Mfa]) -> Result<Plan, Failure> {
    let learn = options.learn.as_deref().or(config.learn.as_deref());
    let (modules, engine) = (targets::modules(functions), options.engine.unwrap_or(Engine::Auto));
    if engine == Engine::Beam {
        modules.iter().try_for_each(|module| outside.borrow_mut().instrument(*module).map(drop))?;
    }
    Ok(Plan {
        search: options.search.clone().or(&config.search),
        keep: 0,
        modules,
        engine,
        opaque: symbols::opaque(&options.opaque, config, outside, functions)?,
        learn: learn.map_or(Ok(Vec::new()), symbols::calls)?,
    })
}

/// Explores functions, one after the other, as the options say.
pub fn watched(
    options: &ExploreOptions,
    outside: Outside,
    functions: &[Mfa],
    watch: &mut dyn Watch,
) -> Result<Vec<Explored>, Failure> {
    let outside = Shared::new(outside);
    let config = Config::default();
    let jobs = job::jobs(options, &config, &outside, functions)?;
    let plan = plan(options, &config, &outside, functions)?;
    Ok(explore_all(&plan, &outside, &jobs, watch))
}

fn explore_all(plan: &Plan, outside: &Shared, jobs: &[Job], watch: &mut dyn Watch) -> Vec<Explored> {
    let mut all = Vec::new();
    for job in jobs {
        let mut on = |progress: &search::Progress| watch.on(job.function, progress);
        let (explored, stats) = engine::explored(plan, job, outside, &mut on);
        let go_on = watch.done(&explored, &stats);
        all.push(explored);
        if !go_on {
            break;
        }
    }
    all
}

fn told(format: Format, written: &Written) -> String {
    let (file, tests) = (written.file.display().to_string(), written.tests);
    match format {
        Format::Json => report::tests_line(&file, tests),
        Format::Text => format!("{file}: {tests} {}\n", if tests == 1 { "test" } else { "tests" }),
    }
}

fn one(
    plan: &Plan,
    job: &Job,
    outside: &Shared,
    turn: Turn,
    progress: &mut dyn FnMut(&search::Progress) -> Go,
) -> (Explored, Stats) {
    let began = Instant::now();
    let function = job.function;
    let types::Domain { target, grammar, warnings, made } = types::domain(outside, function, plan.modules.clone());
    let end = turn.end;
    let mut world = outside.until(end);
    let mut recorder = Recorder::default();
    recorder.concretize = concretize(&plan.search);
    let recording = Recording { coverage: true, events: true, mirrors: true, ..Recording::default() };
    let mut machine = machine(&plan.search, recording);
    machine.set_opaque(plan.opaque.iter().copied().filter(|opaque| *opaque != function));
    let mut program = Tested::new(machine, recorder, &mut world, grammar, target, job.precondition);
    plan.learn.iter().filter(|call| call.mfa() != function).for_each(|call| program.learn(call));
    if turn.on_vm {
        program.run_on_vm();
    }
    let mut solver = solver(plan.search.workers, end);
    let mut replay = confirm::Replay { outside: outside.clone(), function, tries: if turn.on_vm { TRIES } else { 1 } };
    let mut go = |now: &search::Progress| match progress(now) {
        Go::On if turn.is_over(now) => Go::Time,
        go => go,
    };
    let mut exploration = search::explore(&mut program, &mut solver, &mut replay, &search_options(plan, job), &mut go);
    made.into_iter().for_each(|name| exploration.add(Reason::Opaque { name }));
    let details = exploration.findings.iter().map(|finding| detail::of(outside, &mut program, finding)).collect();
    let (lines, branches) = detail::coverage(outside, &program, function);
    let warnings = warnings.iter().map(|warning| warning.to_string()).collect();
    let millis = began.elapsed().as_millis();
    let (on_vm, not_on_vm) = (None, None);
    let explored = Explored { function, exploration, details, lines, branches, warnings, millis, on_vm, not_on_vm };
    (explored, solver.stats().clone())
}

/// All solvers, as many times as there are workers.
pub(crate) fn solver(threads: Option<NonZeroUsize>, end: Option<Instant>) -> Portfolio {
    let hire = move |halted: &Arc<AtomicBool>| {
        let halted = Arc::clone(halted);
        let is_over = move || end.is_some_and(|end| Instant::now() >= end);
        let halted = move || halted.load(Ordering::Relaxed) || interrupt::is_wanted() || is_over();
        Members::new(Some(Box::new(Z3::new("z3", Z3_PATIENCE).halted_by(halted))))
    };
    let count = threads.map_or_else(workers::usual, NonZeroUsize::get);
    Portfolio::with(Box::new(Workers::new(count, Arc::new(hire))))
}

/// A machine with the bounds of a search.
pub(crate) fn machine(search: &SearchOptions, recording: Recording) -> Machine {
    let mebibytes = search.memory.unwrap_or(MEBIBYTES);
    let memory = usize::try_from(mebibytes.saturating_mul(1 << 20)).unwrap_or(usize::MAX);
    Machine::new(Limits { steps: search.steps.unwrap_or(STEPS), memory }, recording)
}

fn concretize(search: &SearchOptions) -> Mode {
    match search.concretize {
        Some(Concretize::Unsound) => Mode::Unsound,
        Some(Concretize::Sound) => Mode::Sound,
        Some(Concretize::HigherOrder) | None => Mode::HigherOrder,
    }
}

fn search_options(plan: &Plan, job: &Job) -> search::Options {
    let search = &plan.search;
    let defaults = search::Options::default();
    let seeds = plan.learn.iter().filter(|call| call.mfa() == job.function);
    search::Options {
        strategy: match search.strategy.unwrap_or(Order::Turns) {
            Order::Turns => Strategy::Turns,
            Order::Uncovered => Strategy::Uncovered,
            Order::Latest => Strategy::Latest,
            Order::Breadth => Strategy::Breadth,
            Order::Depth => Strategy::Depth,
            Order::Generational => Strategy::Generational,
        },
        max_runs: search.runs.unwrap_or(RUNS),
        max_depth: search.depth.unwrap_or(DEPTH),
        max_input_size: search.size.unwrap_or(SIZE),
        ignore: job.ignore.clone(),
        keep: plan.keep,
        // What is held for soundness' sake alone is never let go.
        max_pins: if search.concretize == Some(Concretize::Sound) { 0 } else { defaults.max_pins },
        seeds: seeds.map(|call| call.args.clone()).collect(),
        ..defaults
    }
}
