//! `hound diff`: two versions of a module, compared function by function.

use report::Output;
use search::{ExplorationProgress, Go};
use session::job::Settings;
use session::versions::{ComparisonVerdict, VersionComparison, VersionFunctions, Versions};
use session::{Failure, Job, interrupt, mebibytes};
use term::Mfa;

use crate::allocator::limit_program;
use crate::config::Config;
use crate::exit::Exit;
use crate::options::{ClockChoice, DiffOptions, OutputFormat};
use crate::revisions::VersionFile;
use crate::streams::print;

/// Compares the versions that the words name, and prints each comparison.
pub(crate) fn diff(options: &DiffOptions) -> Result<(Output, Exit), Failure> {
    crate::interrupt::listen();
    let config = Config::read(None)?;
    let (old, new) = (VersionFile::of(&options.old)?, VersionFile::of(&options.new)?);
    let versions = Versions::open(&old.source()?, &new.source()?, &options.code.session())?;
    let functions = versions.functions(&options.functions)?;
    let settings = settings(options, &config, &versions);
    limit_program(mebibytes(settings.bounds.memory));
    let mut progress = |_: &ExplorationProgress| if interrupt::is_wanted() { Go::Interrupt } else { Go::On };
    let mut all = Vec::new();
    for function in &functions.both {
        let compared = versions.compare(&job(*function, &settings), &mut progress)?;
        print(&Output { out: written(options.format, &compared), ..Output::default() });
        all.push(compared);
        if interrupt::is_wanted() {
            break;
        }
    }
    let mut output = Output { out: closing(options.format, &all, &functions), ..Output::default() };
    if all.len() < functions.both.len() {
        let left = functions.both.len() - all.len();
        output.err = format!("hound: interrupted; functions that were not compared: {left}\n");
    }
    let differs = all.iter().any(|one| one.verdict == ComparisonVerdict::Differ);
    Ok((output, Exit::of_compared(differs)))
}

fn written(format: OutputFormat, compared: &VersionComparison) -> String {
    match format {
        OutputFormat::Text => report::compared_text(compared),
        OutputFormat::Json => report::compared_line(compared),
    }
}

fn closing(format: OutputFormat, all: &[VersionComparison], functions: &VersionFunctions) -> String {
    match format {
        OutputFormat::Text => report::versions_text(all, functions),
        OutputFormat::Json => report::versions_line(all, functions),
    }
}

fn job(function: Mfa, settings: &Settings) -> Job {
    let (is_property, is_private) = (false, false);
    Job { function, ignore: Vec::new(), precondition: None, is_property, is_private, settings: settings.clone() }
}

fn settings(options: &DiffOptions, config: &Config, versions: &Versions) -> Settings {
    let (session, module) = (versions.session(), versions.module());
    let search = options.search.clone().or(&config.search);
    Settings {
        bounds: search.bounds(),
        strategy: search.strategy(),
        concretize: search.concretize(),
        any_clock: search.clock == Some(ClockChoice::Any),
        keep: 0,
        executions: 0,
        decisions: 0,
        tested: session.tested(&[module]),
        modules: vec![(module, session.content(module))],
        allowed: session.allowed(),
        opaque: Vec::new(),
        starts: Vec::new(),
        learn: Vec::new(),
        seed: search.seed.unwrap_or(0),
        engine: session::explore::Engine::Machine,
        states: Vec::new(),
    }
}
