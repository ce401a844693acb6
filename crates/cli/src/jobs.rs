//! The jobs of an exploration, by the options and the configuration.

use search::Ignore;
use session::explore::SelectedFunctions;
use session::job::Settings;
use session::resolve::{check, opaque_function, opaque_functions, precondition, precondition_option, unusable_option};
use session::silence::{SourceRules, check_line};
use session::{Failure, Job, Session, explore, learn};
use term::Mfa;

use crate::config::Config;
use report::{PAGE_EXECUTIONS, SHOWN_EXECUTIONS};

use crate::options::{ClockChoice, ExploreOptions};

/// Executions of a function that `--trace` writes.
const TRACED: usize = 10_000;

/// Decisions that `--html` shows: at most of one function, and of all together as far as each has its least.
const PAGE_DECISIONS: (usize, usize) = (500, 60_000);

/// Executions that it shows, likewise.
const PAGE_RUNS: (usize, usize) = (PAGE_EXECUTIONS, 20_000);

/// The jobs of these functions; every mistake is reported before anything is explored.
pub fn jobs(
    options: &ExploreOptions,
    config: &Config,
    session: &Session,
    SelectedFunctions { functions, properties, starts }: &SelectedFunctions,
) -> Result<Vec<Job>, Failure> {
    let ignore = ignored(options)?;
    config.check_names(|function| check(session, functions, function))?;
    config.check_lines(|line| check_line(session, functions, line))?;
    let source = SourceRules::read(session, functions)?;
    let settings = Settings { starts: starts.clone(), ..settings(options, config, session, functions)? };
    let job = |function: &Mfa| {
        let precondition = match precondition_option(session, *function, options.pre.as_deref())? {
            None => config.precondition(*function, |text| precondition(session, *function, text))?,
            given => given,
        };
        let ignore = [ignore.clone(), config.ignored(*function), source.of(*function)].concat();
        let is_property = properties.contains(function) || config.is_property(*function);
        let is_private = session.exported(*function).is_err();
        Ok(Job { function: *function, ignore, precondition, is_property, is_private, settings: settings.clone() })
    };
    functions.iter().map(job).collect()
}

fn settings(
    options: &ExploreOptions,
    config: &Config,
    session: &Session,
    functions: &[Mfa],
) -> Result<Settings, Failure> {
    let search = options.search.clone().or(&config.search);
    let file = options.learn.as_deref().or(config.learn.as_deref());
    let mut opaque = opaque_functions(&options.opaque, session, functions)?;
    opaque.extend(config.opaque(|text| opaque_function(session, functions, text))?);
    let explored = explore::modules(functions);
    let settings = Settings {
        bounds: search.bounds(),
        strategy: search.strategy(),
        concretize: search.concretize(),
        seed: search.seed.unwrap_or(0),
        any_clock: search.clock == Some(ClockChoice::Any),
        keep: 0,
        executions: executions(options, functions.len()),
        decisions: if options.html.is_some() { share(PAGE_DECISIONS, functions.len()) } else { 0 },
        tested: session.tested(&explored),
        modules: explored.iter().map(|module| (*module, session.content(*module))).collect(),
        allowed: session.allowed(),
        opaque,
        starts: Vec::new(),
        learn: file.map_or(Ok(Vec::new()), learn::calls)?,
        engine: options.engine(),
        states: if options.state { explored } else { Vec::new() },
    };
    settings.instrument(session)?;
    Ok(settings)
}

/// The executions that are shown or written.
fn executions(options: &ExploreOptions, functions: usize) -> usize {
    match (&options.trace, options.paths, &options.html) {
        (Some(_), ..) => TRACED,
        (None, true, _) => SHOWN_EXECUTIONS,
        (None, false, Some(_)) => share(PAGE_RUNS, functions),
        (None, false, None) => 0,
    }
}

/// The share of one of so many functions.
fn share((most, all): (usize, usize), functions: usize) -> usize {
    (all / functions.max(1)).clamp(most / 10, most)
}

fn ignored(options: &ExploreOptions) -> Result<Vec<Ignore>, Failure> {
    let read = |text: &String| Ignore::parse(text).map_err(|why| unusable_option("--ignore", text, &why.to_string()));
    options.ignore.iter().map(read).collect()
}
