//! `hound run`: one expression on our machine.

use exec::forward::Limits;
use report::Kind;
use session::run::{execute, take_expression};
use session::start::start;
use session::{Failure, Run, mebibytes};

use crate::Printed;
use crate::options::{Format, RunOptions};
use crate::progress::Spinner;
use crate::words::{self, Target};

/// What to print, and the exit code.
pub fn run(options: RunOptions) -> Result<(Printed, u8), Failure> {
    let (sources, target) = words::read(&options)?;
    let _spinner = Spinner::start(options.words.join(" ").replace(char::is_control, " "));
    let mut start = start(&options.code.session(), &sources)?;
    if options.flat || options.ir {
        return crate::stages::show(&options, start, target).map(|out| (Printed { out, err: String::new() }, 0));
    }
    let Target::Expression(expression) = target else { return Err(Failure::NoExpression) };
    let main = take_expression(&mut start, &expression)?;
    let limits = Limits { steps: options.steps, memory: mebibytes(options.memory) };
    let run = execute(&mut start.outside, main, &expression, limits, options.coverage);
    let code = Kind::of(&run.ending).exit_code();
    Ok((printed(&run, options.format), code))
}

pub fn printed(run: &Run, format: Format) -> Printed {
    match format {
        Format::Json => Printed { out: report::run_line(run), err: String::new() },
        Format::Text => {
            let text = report::run_text(run);
            Printed { out: text.out, err: text.err }
        }
    }
}
