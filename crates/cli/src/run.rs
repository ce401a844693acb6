//! `hound run`: one expression on our machine.

use exec::forward::Limits;
use report::Output;
use session::run::{Evaluation, RunSettings, add_expression, execute};
use session::{Failure, Opened, mebibytes};

use crate::allocator::limit_program;
use crate::exit::Exit;
use crate::options::{ClockChoice, OutputFormat, RunEngine, RunOptions};
use crate::schedule::turns;
use crate::spinner::Spinner;
use crate::words::{self, Argument};

/// Runs the expression, or shows stages of the front end.
pub fn run(options: RunOptions) -> Result<(Output, Exit), Failure> {
    let (sources, argument) = words::read(&options)?;
    let _spinner = Spinner::start(options.words.join(" ").replace(char::is_control, " "));
    let opened = Opened::new(&options.code.session(), &sources)?;
    if options.flat || options.ir {
        return crate::stages::show(&options, &opened, argument)
            .map(|out| (Output { out, ..Output::default() }, Exit::Value));
    }
    let Argument::Expression(expression) = argument else { return Err(Failure::NoExpression) };
    let main = add_expression(&opened.session, &expression)?;
    limit_program(mebibytes(options.memory));
    let limits = Limits { steps: options.steps, memory: mebibytes(options.memory) };
    let schedule = options.schedule.as_deref().map(turns).transpose()?;
    let on_vm = options.engine == RunEngine::Beam;
    let any_clock = options.clock == Some(ClockChoice::Any);
    let settings = RunSettings { limits, coverage: options.coverage, schedule, any_clock, on_vm };
    let run = execute(&opened.session, main, &expression, settings)?;
    Ok((output(&run, options.format), Exit::of_run(&run.ending)))
}

/// A run in a format.
pub fn output(run: &Evaluation, format: OutputFormat) -> Output {
    match format {
        OutputFormat::Json => Output { out: report::run_line(run), ..Output::default() },
        OutputFormat::Text => report::run_text(run),
    }
}
