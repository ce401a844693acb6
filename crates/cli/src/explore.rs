//! `hound explore`: from the words of the command line to what is printed and written.

use report::Output;
use session::explore;
use session::library::is_path;
use session::{Failure, JobResult, Monitor, Session, mebibytes};
use term::Mfa;

use crate::allocator::limit_program;
use crate::config::Config;
use crate::exit::Exit;
use crate::jobs::jobs;
use crate::options::{ExploreOptions, OutputFormat};
use crate::screen::Screen;
use crate::suite::{Folder, Written};
use crate::{failed, interrupt};

/// Paths of a function that are kept to write tests from.
const KEPT_CASES: usize = 200;

/// Explores what the words name.
pub(crate) fn explore(options: &ExploreOptions) -> Result<(Output, Exit), Failure> {
    interrupt::listen();
    let config = Config::read(options.config.as_deref())?;
    let (opened, functions) = explore::open(&options.words, &options.code.session())?;
    let session = &opened.session;
    let mut jobs = jobs(options, &config, session, &functions)?;
    let memory = jobs.iter().map(|job| mebibytes(job.settings.bounds.memory)).max();
    limit_program(memory.unwrap_or(usize::MAX));
    let folder = Folder::of(options, &functions)?;
    let keep = if folder.is_some() { KEPT_CASES } else { 0 };
    jobs.iter_mut().for_each(|job| job.settings.keep = keep);
    let files = options
        .words
        .iter()
        .filter(|word| is_path(word))
        .map(|word| format!("{} ", report::shell_word(word)))
        .collect();
    let mut screen = Screen::exploring(jobs.len(), options.format, files);
    for (module, failure) in &opened.failures {
        screen.print(&failed(&format!("{module} was left out: "), failure, options.format));
    }
    let all = explore::explore(session, &jobs, &mut screen)?;
    screen.finish();
    let written = folder.map_or(Ok(Vec::new()), |folder| folder.write(session, &all));
    let mut output = Output::default();
    if options.format == OutputFormat::Text {
        output.out = report::summary(&all, screen.paint);
    }
    if all.len() < jobs.len() {
        let left = jobs.len() - all.len();
        output.err = format!("hound: interrupted; functions that were not explored: {left}\n");
    }
    match &written {
        Ok(files) => files.iter().for_each(|file| output.out.push_str(&written_line(options.format, file))),
        Err(failure) => output.err.push_str(&format!("hound: {failure}\n")),
    }
    // Where runs repeat, a finding that is not confirmed is a mistake of ours.
    let repeatable = all.iter().zip(&jobs).filter(|(result, job)| result.is_repeatable(job));
    let unconfirmed = repeatable.into_iter().any(|(result, _)| !result.exploration.unconfirmed.is_empty());
    let is_failed = written.is_err() || !opened.failures.is_empty() || unconfirmed;
    Ok((output, Exit::of_explored(&all, is_failed)))
}

/// Explores functions, one after the other, as the options say, without a configuration file.
pub fn explore_functions(
    options: &ExploreOptions,
    session: &Session,
    functions: &[Mfa],
    monitor: &mut dyn Monitor,
) -> Result<Vec<JobResult>, Failure> {
    let config = Config::default();
    let jobs = jobs(options, &config, session, functions)?;
    explore::explore(session, &jobs, monitor)
}

fn written_line(format: OutputFormat, written: &Written) -> String {
    let (file, tests) = (written.file.display().to_string(), written.tests);
    match format {
        OutputFormat::Json => report::tests_line(&file, tests),
        OutputFormat::Text => format!("{file}: {tests} {}\n", if tests == 1 { "test" } else { "tests" }),
    }
}
