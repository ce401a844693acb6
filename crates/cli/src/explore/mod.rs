//! `hound explore`: from the words of the command line to what is printed and written.

mod config;
mod jobs;
pub(crate) mod screen;
mod suite;

use session::explore::{Engine, Plan, Watch, explore_all};
use session::session::{Outside, Shared};
use session::{Explored, Failure, functions, symbols};
use term::{Atom, Mfa};

use crate::interrupt;
use crate::options::{ExploreOptions, Format};
use crate::{FAILED, Printed};
use config::Config;
use jobs::jobs;
use screen::Screen;
use suite::{Folder, Written};

/// Paths of a function that are kept to write tests from.
const KEPT_CASES: usize = 200;

/// Explores what the words name; what to print, and the exit code.
pub(crate) fn explore(options: &ExploreOptions) -> Result<(Printed, u8), Failure> {
    interrupt::listen();
    let config = Config::read(options.config.as_deref())?;
    let (start, functions) = functions::read(&options.words, &options.code.session())?;
    let outside = Shared::new(start.outside);
    let jobs = jobs(options, &config, &outside, &functions)?;
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
        false if session::interrupt::is_wanted() => interrupt::CODE,
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

fn plan(options: &ExploreOptions, config: &Config, outside: &Shared, functions: &[Mfa]) -> Result<Plan, Failure> {
    let search = options.search.clone().or(&config.search);
    let learn = options.learn.as_deref().or(config.learn.as_deref());
    let mut opaque = symbols::opaque(&options.opaque, outside, functions)?;
    opaque.extend(config.opaque(|text| symbols::named(outside, functions, text))?);
    let plan = Plan {
        bounds: search.bounds(),
        strategy: search.strategy(),
        concretize: search.concretize(),
        keep: 0,
        modules: functions::modules(functions),
        engine: options.engine(),
        opaque,
        learn: learn.map_or(Ok(Vec::new()), symbols::calls)?,
    };
    plan.prepare(outside)?;
    Ok(plan)
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
    let jobs = jobs(options, &config, &outside, functions)?;
    let plan = plan(options, &config, &outside, functions)?;
    Ok(explore_all(&plan, &outside, &jobs, watch))
}

fn told(format: Format, written: &Written) -> String {
    let (file, tests) = (written.file.display().to_string(), written.tests);
    match format {
        Format::Json => report::tests_line(&file, tests),
        Format::Text => format!("{file}: {tests} {}\n", if tests == 1 { "test" } else { "tests" }),
    }
}
