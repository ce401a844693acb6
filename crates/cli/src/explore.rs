//! `hound explore`: from the words of the command line to what is printed and written.

use session::explore::{self, Explored, Plan};
use session::resolve::{opaque_function, opaque_functions};
use session::{Failure, Monitor, Session, learn};
use term::{Atom, Mfa};

use crate::config::Config;
use crate::jobs::jobs;
use crate::options::{ExploreOptions, Format};
use crate::screen::Screen;
use crate::suite::{Folder, Written};
use crate::{FAILED, Printed, interrupt};

/// Paths of a function that are kept to write tests from.
const KEPT_CASES: usize = 200;

/// Explores what the words name; what to print, and the exit code.
pub(crate) fn explore(options: &ExploreOptions) -> Result<(Printed, u8), Failure> {
    interrupt::listen();
    let config = Config::read(options.config.as_deref())?;
    let (opened, functions) = explore::open(&options.words, &options.code.session())?;
    let session = &opened.session;
    let jobs = jobs(options, &config, session, &functions)?;
    let folder = Folder::of(options, &functions)?;
    let mut plan = plan(options, &config, session, &functions)?;
    plan.keep = if folder.is_some() { KEPT_CASES } else { 0 };
    let mut screen = Screen::exploring(jobs.len(), options.format);
    opened.failures.iter().for_each(|(module, error)| left_out(&screen, options.format, *module, error));
    let all = explore::explore(&plan, session, &jobs, &mut screen);
    screen.finish();
    let written = folder.map_or(Ok(Vec::new()), |folder| folder.write(session, &all));
    let mut printed = Printed::default();
    if options.format == Format::Text {
        printed.out = report::summary(&all, screen.paint);
    }
    if all.len() < jobs.len() {
        let left = jobs.len() - all.len();
        printed.err = format!("hound: interrupted; functions that were not explored: {left}\n");
    }
    match &written {
        Ok(files) => files.iter().for_each(|file| printed.out.push_str(&written_line(options.format, file))),
        Err(failure) => printed.err.push_str(&format!("hound: {failure}\n")),
    }
    // Where runs repeat, a finding that is not confirmed is a mistake of ours.
    let unconfirmed =
        all.iter().filter(|one| plan.is_repeatable(one)).any(|one| !one.exploration.unconfirmed.is_empty());
    let failed = written.is_err() || !opened.failures.is_empty() || unconfirmed;
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
        Format::Json => screen.print(report::failure_line(failure.code(), &failure.to_string()), String::new()),
        Format::Text => screen.print(String::new(), format!("hound: {module} was left out: {failure}\n")),
    }
}

fn plan(options: &ExploreOptions, config: &Config, session: &Session, functions: &[Mfa]) -> Result<Plan, Failure> {
    let search = options.search.clone().or(&config.search);
    let file = options.learn.as_deref().or(config.learn.as_deref());
    let mut opaque = opaque_functions(&options.opaque, session, functions)?;
    opaque.extend(config.opaque(|text| opaque_function(session, functions, text))?);
    let plan = Plan {
        bounds: search.bounds(),
        strategy: search.strategy(),
        concretize: search.concretize(),
        keep: 0,
        modules: explore::modules(functions),
        engine: options.engine(),
        opaque,
        learn: file.map_or(Ok(Vec::new()), learn::calls)?,
    };
    plan.instrument(session)?;
    Ok(plan)
}

/// Explores functions, one after the other, as the options say, without a configuration file.
pub fn explore_functions(
    options: &ExploreOptions,
    session: &Session,
    functions: &[Mfa],
    monitor: &mut dyn Monitor,
) -> Result<Vec<Explored>, Failure> {
    let config = Config::default();
    let jobs = jobs(options, &config, session, functions)?;
    let plan = plan(options, &config, session, functions)?;
    Ok(explore::explore(&plan, session, &jobs, monitor))
}

fn written_line(format: Format, written: &Written) -> String {
    let (file, tests) = (written.file.display().to_string(), written.tests);
    match format {
        Format::Json => report::tests_line(&file, tests),
        Format::Text => format!("{file}: {tests} {}\n", if tests == 1 { "test" } else { "tests" }),
    }
}
