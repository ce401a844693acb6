//! One expression on our machine.

use std::fmt;

use exec::forward::{self, Ending, Limits, Machine};
use host::{ExtractError, Source};
use term::{Atom, Call, Exception, Mfa, Style, Term};

use crate::called::called;
use crate::session::Outside;
use crate::start::Start;
use crate::{Coverage, Failure, Lines};

/// The shell breaks longer lines.
const SHELL_LINE: usize = 60;

/// The function that an expression becomes.
const MAIN: &str = "main";

/// One finished run, with everything there is to say about it.
pub struct Run {
    /// The expression as it was given.
    pub call: String,
    pub ending: Ending,
    /// The value or exception as the Erlang shell shows it, where the VM was asked.
    pub shown: Option<String>,
    /// The program's output.
    pub output: String,
    pub steps: u64,
    pub coverage: Option<Coverage>,
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

/// Runs a function without parameters, that of an expression, and describes the run.
pub fn execute(outside: &mut Outside, main: Mfa, expression: &str, limits: Limits, coverage: bool) -> Run {
    let recorded = forward::Options { coverage, ..forward::Options::default() };
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

/// The expression's own frame at the bottom of a stack is ours, not the program's.
fn without_frames_of(module: Atom, ending: Ending) -> Ending {
    let Ending::Raised(raised) = ending else { return ending };
    let mut frames: Vec<Term> = raised.stack.cells().cloned().collect();
    let is_ours = |frame: &Term| frame.as_tuple().and_then(|frame| frame.first()?.as_atom()) == Some(module);
    while frames.last().is_some_and(is_ours) {
        frames.pop();
    }
    Ending::Raised(Exception { stack: Term::list(frames), ..raised })
}

/// The shell's words. A VM that cannot say them leaves the short form, and it is not waited for to lay out one line.
fn shown(outside: &mut Outside, ending: &Ending) -> Option<String> {
    match ending {
        Ending::Value(value) if is_one_line(value) => None,
        Ending::Value(value) => outside.host.format(value).ok(),
        Ending::Raised(raised) => outside.host.format_exception(raised).ok(),
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
