//! `hound explore`: from the words of the command line to what is printed and written.

use std::time::Duration;

use report::{Baseline, ExchangeView, Output};
use session::explore::{self, ExplorePlan, SelectedFunctions, Selection};
use session::library::is_path;
use session::{Failure, Job, JobResult, Monitor, Session, mebibytes};
use term::{Atom, Mfa};

use crate::allocator::limit_program;
use crate::config::Config;
use crate::exit::Exit;
use crate::jobs::jobs;
use crate::options::{ExploreOptions, FailOn, OutputFormat};
use crate::page::PageFolder;
use crate::reports::Reports;
use crate::screen::Screen;
use crate::suite::{Folder, Written};
use crate::traces::TraceFolder;
use crate::{baseline, failed, interrupt, reports};

/// Paths of a function that are kept to write tests from.
const KEPT_CASES: usize = 200;

/// The environment's word for `--no-store`.
const NO_STORE: &str = "HOUND_NO_STORE";

/// An exploration that has ended.
pub(crate) struct EndedExploration {
    /// The results, in the order of the functions.
    pub results: Vec<JobResult>,
    /// The end of what is printed.
    pub output: Output,
    pub exit: Exit,
    /// True if functions were left out.
    pub is_interrupted: bool,
}

/// Explores what the words name.
pub(crate) fn explore(options: &ExploreOptions) -> Result<(Output, Exit), Failure> {
    explore_all(options).map(|explored| (explored.output, explored.exit))
}

/// Explores what the words name, prints each result, and returns all.
pub(crate) fn explore_all(options: &ExploreOptions) -> Result<EndedExploration, Failure> {
    interrupt::listen();
    let config = Config::read(options.config.as_deref())?;
    let known = options.baseline.as_deref().map(baseline::read).transpose()?;
    let selection = Selection { private: options.private, properties: options.property.clone() };
    let (opened, selected) = explore::open_selected(&options.words, &options.code.session(), &selection)?;
    let session = &opened.session;
    let selected = if options.state { explore::callbacks(session, selected) } else { selected };
    let mut jobs = jobs(options, &config, session, &selected)?;
    explore::check_starts(session, &jobs)?;
    limit_memory(&jobs);
    let folder = Folder::of(options, &selected.functions)?;
    let traces = options.trace.as_deref().map(TraceFolder::make).transpose()?;
    let page = options.html.as_deref().map(PageFolder::make).transpose()?;
    let keep = if folder.is_some() { KEPT_CASES } else { 0 };
    jobs.iter_mut().for_each(|job| job.settings.keep = keep);
    let reports = Reports::of(&options.report)?;
    let mut screen = Screen::exploring(jobs.len(), files(options), options.all);
    let is_streamed = options.format.exchange().is_none();
    screen.format = is_streamed.then_some(options.format.stream());
    screen.baseline = known;
    screen.paths = options.paths;
    screen.print(&Output { err: opened.notes(), ..Output::default() });
    screen.executions = options.paths || options.trace.is_some();
    for (module, failure) in &opened.failures {
        match failure {
            Failure::NoDebugInfo(_) => screen.print(&without_code(*module)),
            failure => screen.print(&failed(&format!("{module} was left out: "), failure, options.format.stream())),
        }
    }
    let mut all = explore::explore(session, &jobs, plan(options, &config), &mut screen)?;
    screen.finish();
    screen.baseline.iter().for_each(|baseline| all.iter_mut().for_each(|one| baseline.mark(one)));
    if let Some(traces) = &traces {
        all.iter().try_for_each(|one| traces.write(one))?;
    }
    let page = page.map(|page| page.write(session, files(options), &all)).transpose();
    if !options.paths {
        all.iter_mut().for_each(|one| one.exploration.executions.clear());
    }
    let written = folder.map_or(Ok(Vec::new()), |folder| folder.write(session, &all));
    let strict = options.strict.then_some(FailOn::Incomplete);
    let fail_on = strict.or(options.fail_on).or(config.fail_on).unwrap_or(FailOn::Bug);
    let view = reports::view(fail_on);
    let reported = reports.write(&all, &view);
    let left = jobs.len() - all.len();
    let missing = report::missing_modules(&all, |module| opened.remedy(module));
    let mut output = closing(options, &screen, &all, (&view, left), missing);
    let is_warned = !output.err.is_empty() || !opened.failures.is_empty();
    let failures = [written.as_ref().err(), reported.as_ref().err()];
    failures.into_iter().flatten().for_each(|failure| output.err.push_str(&format!("hound: {failure}\n")));
    if is_streamed {
        let written = written.iter().flatten().map(|file| written_line(options.format.stream(), file));
        output.out.extend(written);
        output.out.push_str(&last_line(options.format.stream(), &screen, &all, left));
    }
    match &page {
        Ok(Some(file)) => output.err.push_str(&format!("hound: the page is {}\n", file.display())),
        Ok(None) => {}
        Err(failure) => output.err.push_str(&format!("hound: {failure}\n")),
    }
    // Where runs repeat, a finding that is not confirmed is a mistake of ours.
    let repeatable = all.iter().zip(&jobs).filter(|(result, job)| result.is_repeatable(job));
    let unconfirmed = repeatable.into_iter().any(|(result, _)| !result.exploration.unconfirmed.is_empty());
    let is_left_out = opened.failures.iter().any(|(_, failure)| !matches!(failure, Failure::NoDebugInfo(_)));
    let is_unwritten = written.is_err() || reported.is_err() || page.is_err();
    let is_failed = is_unwritten || is_left_out || unconfirmed || options.strict && is_warned;
    let exit = Exit::of_explored(&all, fail_on, is_failed);
    Ok(EndedExploration { results: all, output, exit, is_interrupted: left > 0 })
}

/// Lets programs have no more memory than the jobs say.
pub(crate) fn limit_memory(jobs: &[Job]) {
    let memory = jobs.iter().map(|job| mebibytes(job.settings.bounds.memory)).max();
    limit_program(memory.unwrap_or(usize::MAX));
}

/// The end of a report: the table, what became of earlier findings, the comparison with a baseline, and warnings.
fn closing(
    options: &ExploreOptions,
    screen: &Screen,
    all: &[JobResult],
    (view, left): (&ExchangeView, usize),
    mut err: String,
) -> Output {
    let out = match (options.format.exchange(), options.format.stream()) {
        (Some(exchange), _) => exchange.report(all, view),
        (None, OutputFormat::Text) => {
            let compared = screen.baseline.as_ref().map_or(String::new(), |baseline: &Baseline| baseline.summary(all));
            report::summary(all, &screen.known, &screen.view) + &report::earlier_findings(all) + &compared
        }
        (None, OutputFormat::Json) => {
            let compared = screen.baseline.as_ref().map_or(String::new(), |baseline| baseline.summary_line(all));
            report::earlier_line(all) + &compared
        }
    };
    if left > 0 {
        err += &format!("hound: interrupted; functions that were not explored: {left}\n");
    }
    Output { out, err }
}

/// The line after which a program need not wait for more.
fn last_line(format: OutputFormat, screen: &Screen, all: &[JobResult], left: usize) -> String {
    match format {
        OutputFormat::Text => String::new(),
        OutputFormat::Json => report::summary_line(all, &screen.known, left),
    }
}

/// A module that cannot be looked into is no mistake where others call it.
fn without_code(module: Atom) -> Output {
    let text = "has no debug information: it is not explored, and the VM is asked what its functions give";
    Output { err: format!("hound: {module} {text}\n"), ..Output::default() }
}

pub(crate) fn plan(options: &ExploreOptions, config: &Config) -> ExplorePlan {
    let is_off = std::env::var_os(NO_STORE).is_some_and(|value| !value.is_empty());
    let total_time = options.search.total_time.or(config.search.total_time);
    ExplorePlan { store: !options.no_store && !is_off, total_time: total_time.map(Duration::from_secs) }
}

/// The files that were given, as words of a command.
pub(crate) fn files(options: &ExploreOptions) -> String {
    let files = options.words.iter().filter(|word| is_path(word));
    files.map(|word| format!("{} ", report::shell_word(word))).collect()
}

/// Explores functions, one after the other, as the options say, without a configuration file.
pub fn explore_functions(
    options: &ExploreOptions,
    session: &Session,
    functions: &[Mfa],
    monitor: &mut dyn Monitor,
) -> Result<Vec<JobResult>, Failure> {
    let config = Config::default();
    let selected = SelectedFunctions { functions: functions.to_vec(), ..SelectedFunctions::default() };
    let jobs = jobs(options, &config, session, &selected)?;
    explore::explore(session, &jobs, ExplorePlan::default(), monitor)
}

fn written_line(format: OutputFormat, written: &Written) -> String {
    let (file, tests) = (written.file.display().to_string(), written.tests);
    match format {
        OutputFormat::Json => report::tests_line(&file, tests),
        OutputFormat::Text => format!("{file}: {tests} {}\n", if tests == 1 { "test" } else { "tests" }),
    }
}
