//! The `hound` command: flags, files, the terminal and exit codes.

pub mod allocator;
mod baseline;
mod config;
mod diff;
mod doctor;
mod exit;
pub mod explore;
mod instrument;
mod interrupt;
mod jobs;
mod manual;
pub mod options;
mod page;
mod reach;
mod reports;
mod revisions;
mod run;
mod schedule;
mod screen;
mod solve;
mod spinner;
mod stages;
mod streams;
mod suite;
mod terminal;
mod traces;
mod watch;
mod words;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use report::Output;
use session::Failure;

use crate::exit::Exit;
use crate::options::{Command, CommandLine, OutputFormat};
use crate::streams::print;

/// The front end and the value printers follow the nesting of programs and terms; they grow their stack when this is
/// used up, so it is a matter of speed only.
const STACK: usize = 256 << 20;

/// Reads the command line and does what it says.
pub fn main() -> ExitCode {
    let matches = whole_command().try_get_matches();
    let options = match matches.and_then(|matches| CommandLine::from_arg_matches(&matches)) {
        Ok(options) => options,
        Err(error) => return ExitCode::from(streams::print_usage(&error).code()),
    };
    terminal::set(options.terminal);
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || command(options));
    let exit = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(exit)) => exit,
        // The panic has been printed already.
        Ok(Err(_)) => Exit::Failed,
        Err(error) => {
            print(&Output { err: format!("hound: no thread could be started: {error}\n"), ..Output::default() });
            Exit::Failed
        }
    };
    ExitCode::from(streams::of_printed(exit).code())
}

/// The command line with its exit codes and versions. What it runs on is asked only if that is to be shown.
fn whole_command() -> clap::Command {
    let command = exit::with_exit_codes(CommandLine::command()).version(manual::version());
    let is_asked = std::env::args().nth(1).is_some_and(|word| word == "--version");
    if is_asked { command.long_version(manual::long_version()) } else { command }
}

fn command(options: CommandLine) -> Exit {
    if !options.command.is_about_itself() && !terminal::is_quiet() {
        print(&Output { err: gaps(), ..Output::default() });
    }
    let (format, done) = match options.command {
        Command::Completions(options) => (OutputFormat::Text, manual::completions(&options, whole_command())),
        Command::Doctor(options) => (options.format, doctor::doctor(&options)),
        Command::Explain(options) => (OutputFormat::Text, manual::explain(&options)),
        Command::Man(options) => (OutputFormat::Text, manual::man(&options, whole_command())),
        Command::Instrument(options) => (OutputFormat::Text, instrument::instrument(&options)),
        Command::Run(options) => (options.format, run::run(options)),
        Command::Baseline(options) => (options.explore.format.stream(), baseline::baseline(&options)),
        Command::Diff(options) => (options.format, diff::diff(&options)),
        Command::Explore(options) => (options.format.stream(), explore::explore(&options)),
        Command::Reach(options) => (options.format, reach::reach(&options)),
        Command::Watch(options) => (options.explore.format.stream(), watch::watch(&options)),
        Command::Solve(options) => (options.format(), solve::solve(&options)),
    };
    let (output, exit) = done.unwrap_or_else(|failure| (failed("", &failure, format), Exit::Failed));
    print(&output);
    exit
}

/// A note on what the operating system cannot keep programs from, if there is any such thing.
fn gaps() -> String {
    let missing = session::doctor::missing_walls();
    if missing.is_empty() {
        return String::new();
    }
    format!("hound: note: only the guard keeps programs from: {} (see `hound doctor`)\n", missing.join(", "))
}

/// A failure as it is printed, after what it is about.
fn failed(about: &str, failure: &Failure, format: OutputFormat) -> Output {
    match format {
        OutputFormat::Text => {
            let code = failure.code();
            let more =
                if terminal::is_verbose() { format!("hound: explain {code} says more\n") } else { String::new() };
            Output { err: format!("hound: {about}{failure}\n{more}"), ..Output::default() }
        }
        OutputFormat::Json => {
            Output { out: report::failure_line(failure.code(), &failure.to_string()), ..Output::default() }
        }
    }
}
