//! `hound run`: one expression on our machine.

use exec::forward::Limits;
use report::Kind;
use session::run::{Run, add_expression, execute};
use session::{Failure, Opened, mebibytes};

use crate::Printed;
use crate::options::{Format, RunOptions};
use crate::spinner::Spinner;
use crate::words::{self, Argument};

/// What to print, and the exit code.
pub fn run(options: RunOptions) -> Result<(Printed, u8), Failure> {
    let (sources, argument) = words::read(&options)?;
    let _spinner = Spinner::start(options.words.join(" ").replace(char::is_control, " "));
    let opened = Opened::new(&options.code.session(), &sources)?;
    if options.flat || options.ir {
        return crate::stages::show(&options, &opened, argument).map(|out| (Printed { out, err: String::new() }, 0));
    }
    let Argument::Expression(expression) = argument else { return Err(Failure::NoExpression) };
    let main = add_expression(&opened.session, &expression)?;
    let limits = Limits { steps: options.steps, memory: mebibytes(options.memory) };
    let run = execute(&opened.session, main, &expression, limits, options.coverage);
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
