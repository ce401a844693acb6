//! `hound run`: one expression on our machine, from the words of the command line to what is printed.

use std::fmt;

use exec::forward::{self, Limits, Machine};
use host::{ExtractError, Source};
use report::{Coverage, Kind, Lines, Run};
use term::{Atom, Call, Exception, Mfa, Style, Term};

use crate::Printed;
use crate::called::called;
use crate::failure::Failure;
use crate::memory::Watch;
use crate::options::{Format, RunOptions};
use crate::progress::Spinner;
use crate::start::{Start, start};
use crate::words::{self, Target};
use crate::world::Outside;

/// The shell breaks longer lines.
const SHELL_LINE: usize = 60;

/// The function that an expression becomes.
const MAIN: &str = "main";

/// What to print, and the exit code.
pub fn run(options: RunOptions) -> Result<(Printed, u8), Failure> {
    let (sources, target) = words::read(&options)?;
    let _spinner = Spinner::start(options.words.join(" ").replace(char::is_control, " "));
    let mut start = start(&options.code, &sources)?;
    if options.flat || options.ir {
        return crate::stages::show(&options, start, target).map(|out| (Printed { out, err: String::new() }, 0));
    }
    let Target::Expression(expression) = target else { return Err(Failure::NoExpression) };
    let main = take_expression(&mut start, &expression)?;
    let run = execute(&mut start.outside, main, &expression, &options);
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

/// Compiles the expression and checks the call that it ends in.
pub fn take_expression(start: &mut Start, expression: &str) -> Result<Mfa, Failure> {
    let Outside { host, library, .. } = &mut start.outside;
    let module = library.add(host, Source::Expression(expression.to_owned())).map_err(|error| match error {
        ExtractError::Compile { messages } => Failure::BadExpression(messages),
        other => Failure::from(other),
    })?;
    let main = Mfa { module, function: Atom::new(MAIN), arity: 0 };
    if let Some(callee) = callee(start, main)? {
        check(&mut start.outside, callee)?;
    }
    Ok(main)
}

/// The function that the expression calls last.
pub fn callee(start: &mut Start, main: Mfa) -> Result<Option<Mfa>, Failure> {
    let Outside { host, library, .. } = &mut start.outside;
    let module = library.module(host, main.module)?;
    let name = frontend::core::Name { function: main.function, arity: main.arity };
    match module.flat(name) {
        Some(Ok((function, _))) => Ok(called(&function)),
        Some(Err(error)) => Err(Failure::Broken("the expression".to_owned(), error.to_string())),
        None => Ok(None),
    }
}

/// Tells a name that cannot be called from one that can. Operations that need no code are not looked for.
fn check(outside: &mut Outside, callee: Mfa) -> Result<(), Failure> {
    if ops::native(callee).is_some() {
        return Ok(());
    }
    let Outside { host, library, .. } = outside;
    let module = library.module(host, callee.module)?;
    if module.exports(callee.function, callee.arity) {
        return Ok(());
    }
    Err(module.missing(callee))
}

fn execute(outside: &mut Outside, main: Mfa, expression: &str, options: &RunOptions) -> Run {
    let watch = Watch { limit: mebibytes(options.memory), call: expression.to_owned(), main, format: options.format };
    watch.start();
    let limits = Limits { steps: options.steps, memory: mebibytes(options.memory) };
    let recorded = forward::Options { coverage: options.coverage, ..forward::Options::default() };
    let call = Call { module: main.module, function: main.function, args: Vec::new() };
    let done = Machine::new(limits, recorded).run(outside, &call);
    let output = outside.end_run().unwrap_or_default();
    let ending = without_frames_of(main.module, done.ending);
    Run {
        call: expression.to_owned(),
        shown: shown(outside, &ending),
        ending,
        output: String::from_utf8_lossy(&output).into_owned(),
        steps: done.steps,
        coverage: done.coverage.map(|coverage| lines(outside, coverage, main.module)),
    }
}

fn mebibytes(count: u64) -> usize {
    usize::try_from(count.saturating_mul(1 << 20)).unwrap_or(usize::MAX)
}

/// The expression's own frame at the bottom of a stack is ours, not the program's.
fn without_frames_of(module: Atom, ending: forward::Ending) -> forward::Ending {
    let forward::Ending::Raised(raised) = ending else { return ending };
    let mut frames: Vec<Term> = raised.stack.cells().cloned().collect();
    let is_ours = |frame: &Term| frame.as_tuple().and_then(|frame| frame.first()?.as_atom()) == Some(module);
    while frames.last().is_some_and(is_ours) {
        frames.pop();
    }
    forward::Ending::Raised(Exception { stack: Term::list(frames), ..raised })
}

/// The shell's words. A VM that cannot say them leaves the short form, and it is not waited for to lay out one line.
fn shown(outside: &mut Outside, ending: &forward::Ending) -> Option<String> {
    match ending {
        forward::Ending::Value(value) if is_one_line(value) => None,
        forward::Ending::Value(value) => outside.host.format(value).ok(),
        forward::Ending::Raised(raised) => outside.host.format_exception(raised).ok(),
        _ => None,
    }
}

/// Whether the shell would print the value on one line, which our own text is.
fn is_one_line(value: &Term) -> bool {
    let mut line = ShortLine(0);
    value.write_to(&mut line, Style::Source).is_ok()
}

/// Counts characters and gives up beyond the shell's line.
struct ShortLine(usize);

impl fmt::Write for ShortLine {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.chars().count();
        if self.0 > SHELL_LINE { Err(fmt::Error) } else { Ok(()) }
    }
}

fn lines(outside: &mut Outside, coverage: forward::Coverage, without: Atom) -> Coverage {
    let mut modules = Vec::new();
    for (name, covered) in coverage.modules {
        let Some(module) = outside.library.loaded().find(|module| module.name.name() == name) else { continue };
        if module.name != without {
            let covered = covered.into_iter().collect();
            modules.push(Lines { module: name, file: module.file.clone(), covered, total: module.lines.len() });
        }
    }
    Coverage { modules }
}
