//! `hound explore`: from the words of the command line to findings and verdicts.

mod bar;
mod confirm;
mod detail;
mod job;
pub mod targets;
mod types;

use std::time::{Duration, Instant};

use exec::forward::{Limits, Machine, Options as Recording, Recorder};
use report::Explored;
use search::{Go, Ignore, Strategy, Tested};
use solve::{Portfolio, Stats};
use term::{Atom, Mfa};

use crate::Printed;
use crate::failure::Failure;
use crate::options::{ExploreOptions, Format, Order};
use crate::world::{Outside, Shared};
use crate::z3::Z3;
use job::Job;

/// How long the external solver may stay silent; its work is bounded otherwise.
const Z3_PATIENCE: Duration = Duration::from_secs(10);
/// Paths that are kept to write tests from.
const KEPT_CASES: usize = 200;

/// Who follows explorations, and may end them.
pub trait Watch {
    fn on(&mut self, function: Mfa, progress: &search::Progress) -> Go;
    /// A function is done; whether there is to be another.
    fn done(&mut self, explored: &Explored, solver: &Stats) -> bool;
}

/// Explores what the words name; what to print, and the exit code.
pub(crate) fn explore(options: &ExploreOptions) -> Result<(Printed, u8), Failure> {
    let (start, functions) = targets::read(options)?;
    let modules: Vec<Atom> = targets::modules(&functions);
    let mut bar = bar::Bar::new(functions.len());
    let all = watched(options, start.outside, &functions, &mut bar)?;
    bar.finish();
    if let Some(folder) = &options.eunit {
        targets::write_tests(folder, &modules, &all)?;
    }
    let found = all.iter().any(|one| !one.exploration.findings.is_empty());
    Ok((printed(options, &start.failures, &all), u8::from(found)))
}

/// Explores functions, one after the other.
pub fn watched(
    options: &ExploreOptions,
    outside: Outside,
    functions: &[Mfa],
    watch: &mut dyn Watch,
) -> Result<Vec<Explored>, Failure> {
    let outside = Shared::new(outside);
    let modules: Vec<Atom> = targets::modules(functions);
    let mut all = Vec::new();
    for job in job::jobs(options, &outside, functions)? {
        let (explored, stats) =
            one(options, &job, &outside, &modules, &mut |progress| watch.on(job.function, progress));
        let go_on = watch.done(&explored, &stats);
        all.push(explored);
        if !go_on {
            break;
        }
    }
    Ok(all)
}

fn printed(options: &ExploreOptions, failures: &[(Atom, host::ExtractError)], all: &[Explored]) -> Printed {
    let mut printed = Printed::default();
    for (module, error) in failures {
        printed.err.push_str(&format!("hound: {module} was left out: {}\n", Failure::from(error.clone())));
    }
    match options.format {
        Format::Json => all.iter().for_each(|one| printed.out.push_str(&report::explored_line(one))),
        Format::Text => {
            all.iter().for_each(|one| printed.out.push_str(&report::explored_text(one)));
            printed.out.push_str(&report::summary(all));
        }
    }
    printed
}

fn one(
    options: &ExploreOptions,
    job: &Job,
    outside: &Shared,
    modules: &[Atom],
    progress: &mut dyn FnMut(&search::Progress) -> Go,
) -> (Explored, Stats) {
    let began = Instant::now();
    let function = job.function;
    let (target, grammar, warnings) = types::Types::new(&mut outside.borrow_mut()).target(function, modules.to_vec());
    let mut world = outside.clone();
    let mut program = Tested::new(machine(options), Recorder::default(), &mut world, grammar, target, job.precondition);
    let mut solver = Portfolio::new(Some(Box::new(Z3::new("z3", Z3_PATIENCE))));
    let mut replay = confirm::Replay { outside: outside.clone(), function };
    let time = Duration::from_secs(options.time);
    let mut go = |now: &search::Progress| match progress(now) {
        Go::On if began.elapsed() > time => Go::Time,
        go => go,
    };
    let exploration =
        search::explore(&mut program, &mut solver, &mut replay, &search_options(options, &job.ignore), &mut go);
    let details = exploration.findings.iter().map(|finding| detail::of(outside, &mut program, finding)).collect();
    let (lines, branches) = detail::coverage(outside, &program, function);
    let warnings = warnings.iter().map(|warning| warning.to_string()).collect();
    let millis = began.elapsed().as_millis();
    let explored = Explored { function, exploration, details, lines, branches, warnings, millis };
    (explored, solver.stats().clone())
}

/// A machine that tells lines and clauses.
fn machine(options: &ExploreOptions) -> Machine {
    let memory = usize::try_from(options.memory.saturating_mul(1 << 20)).unwrap_or(usize::MAX);
    let recording = Recording { coverage: true, events: true, ..Recording::default() };
    Machine::new(Limits { steps: options.steps, memory }, recording)
}

fn search_options(options: &ExploreOptions, ignore: &[Ignore]) -> search::Options {
    search::Options {
        strategy: match options.strategy {
            Order::Uncovered => Strategy::Uncovered,
            Order::Breadth => Strategy::Breadth,
            Order::Depth => Strategy::Depth,
            Order::Generational => Strategy::Generational,
        },
        max_runs: options.runs,
        max_depth: options.depth,
        max_input_size: options.size,
        ignore: ignore.to_vec(),
        keep: if options.eunit.is_some() { KEPT_CASES } else { 0 },
        ..search::Options::default()
    }
}
