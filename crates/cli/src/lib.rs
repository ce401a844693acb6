//! The `hound` command: flags, files, progress, exit codes, and the wiring of machine, front end and VM.

pub mod allocator;
mod config;
pub mod explore;
mod instrument;
mod interrupt;
mod jobs;
pub mod options;
mod reach;
mod run;
mod screen;
mod solve;
mod spinner;
mod stages;
mod suite;
mod words;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use session::Failure;

use crate::options::{Command, Format, Options};

/// The front end and the value printers follow the nesting of programs and terms; they grow their stack when this is
/// used up, so it is a matter of speed only.
const STACK: usize = 256 << 20;

/// Exit code of a tool or use that failed.
const FAILED: u8 = 2;

/// Reads the command line and does what it says.
pub fn main() -> ExitCode {
    let options = Options::parse();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || command(options));
    let code = worker.map(std::thread::JoinHandle::join);
    match code {
        Ok(Ok(code)) => ExitCode::from(code),
        // The panic has been printed already.
        Ok(Err(_)) => ExitCode::from(FAILED),
        Err(error) => say(&Printed::err(format!("hound: no thread could be started: {error}\n")), FAILED),
    }
}

fn command(options: Options) -> u8 {
    let (format, done) = match options.command {
        Command::Instrument(options) => (Format::Text, instrument::instrument(&options)),
        Command::Run(options) => (options.format, run::run(options)),
        Command::Explore(options) => (options.format, explore::explore(&options)),
        Command::Reach(options) => (options.format, reach::reach(&options)),
        Command::Solve(options) => (options.format(), solve::solve(&options)),
    };
    let (printed, code) = match done {
        Ok(done) => done,
        Err(failure) => (failed(&failure, format), FAILED),
    };
    print(&printed);
    code
}

/// What goes to the two standard streams.
#[derive(Default)]
pub(crate) struct Printed {
    pub out: String,
    pub err: String,
}

impl Printed {
    fn err(err: String) -> Printed {
        Printed { out: String::new(), err }
    }
}

fn failed(failure: &Failure, format: Format) -> Printed {
    match format {
        Format::Text => Printed::err(format!("hound: {failure}\n")),
        Format::Json => Printed { out: report::failure_line(failure.code(), &failure.to_string()), err: String::new() },
    }
}

fn say(printed: &Printed, code: u8) -> ExitCode {
    print(printed);
    ExitCode::from(code)
}

/// A reader that has gone away is no failure of ours.
fn print(printed: &Printed) {
    let _ = std::io::stdout().write_all(printed.out.as_bytes());
    let _ = std::io::stderr().write_all(printed.err.as_bytes());
}
