//! One expression on our machine.

mod callee;
mod coverage;

use std::fmt;

use exec::forward::{self, Ending, Limits, Machine, Place, ProcessEvent, Schedule};
use frontend::core::Name;
use host::{ExtractError, NotPerformed, Source};
use search::Reason;
use term::{Atom, Call, Class, Exception, Mfa, Style, Term};

use crate::confirm::{got, passages, uncaught};
use crate::{Failure, FindingSchedule, Session};
use callee::last_callee;

pub use coverage::ModuleCoverage;

/// The shell breaks longer lines.
const SHELL_LINE: usize = 60;

/// The function that an expression becomes.
const MAIN: &str = "main";

/// One finished run, with everything there is to say about it.
pub struct Evaluation {
    /// The expression as it was given.
    pub call: String,
    /// The end of the run.
    pub ending: Ending,
    /// The value or exception as the Erlang shell shows it, where the VM was asked.
    pub shown: Option<String>,
    /// The program's output.
    pub output: String,
    /// The steps that it took.
    pub steps: u64,
    /// The lines that it ran, by module, if they were wanted.
    pub coverage: Option<Vec<ModuleCoverage>>,
    /// The schedule, if it was given one and has more than one process.
    pub schedule: Option<FindingSchedule>,
}

/// The bounds of a run, and what is wanted of it.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// The bounds.
    pub limits: Limits,
    /// True if the lines that it runs are wanted.
    pub coverage: bool,
    /// The processes that take the first turns, by number, if a schedule is given.
    pub schedule: Option<Vec<u32>>,
    /// True if timeouts and timers strike at any time: only a schedule says when.
    pub any_clock: bool,
    /// True if the end is to be that on the VM, under the same schedule.
    pub on_vm: bool,
}

/// Compiles the expression, checks the call that it ends in, and returns the function that it becomes.
pub fn add_expression(session: &Session, expression: &str) -> Result<Mfa, Failure> {
    let module = session.add(Source::Expression(expression.to_owned())).map_err(|error| match error {
        ExtractError::Compile { messages } => Failure::BadExpression(messages),
        other => Failure::from(other),
    })?;
    let main = Mfa { module, function: Atom::new(MAIN), arity: 0 };
    // Operations that need no code are not looked for.
    if let Some(callee) = callee(session, main)?.filter(|callee| ops::native(*callee).is_none()) {
        session.exported(callee)?;
    }
    Ok(main)
}

/// Returns the function that the expression calls last.
pub fn callee(session: &Session, main: Mfa) -> Result<Option<Mfa>, Failure> {
    let module = session.module(main.module)?;
    match module.flat(Name { function: main.function, arity: main.arity }) {
        Some(Ok((function, _))) => Ok(last_callee(&function)),
        Some(Err(error)) => Err(Failure::Broken("the expression".to_owned(), error.to_string())),
        None => Ok(None),
    }
}

/// Runs a function without parameters, that of an expression, and describes the run.
pub fn execute(session: &Session, main: Mfa, expression: &str, settings: RunSettings) -> Result<Evaluation, Failure> {
    let call = Call { module: main.module, function: main.function, args: Vec::new() };
    let (mut done, events) = on_machine(session, &call, &settings);
    let output = session.end_run().unwrap_or_default();
    if settings.on_vm {
        done.ending = vm_ending(session, &call, &events, done.ending)?;
    }
    let ending = without_frames_of(main.module, compiled_alike(session, main.module, done.ending));
    let own: Vec<Atom> = callee(session, main)?.map(|callee| callee.module).into_iter().collect();
    let schedule = settings.schedule.and_then(|turns| FindingSchedule::new(&turns, &events, None, &own));
    Ok(Evaluation {
        call: expression.to_owned(),
        shown: shown(session, &ending),
        ending,
        output: String::from_utf8_lossy(&output).into_owned(),
        steps: done.steps,
        coverage: done.coverage.map(|coverage| lines(session, coverage, main.module)),
        schedule,
    })
}

/// Makes the run on our machine; with its events, if it has a schedule.
fn on_machine(session: &Session, call: &Call, settings: &RunSettings) -> (forward::Run, Vec<ProcessEvent>) {
    let RunSettings { limits, coverage, any_clock, .. } = *settings;
    let recorded = forward::Options { coverage, processes: true, any_clock, ..forward::Options::default() };
    let mut machine = Machine::new(limits, recorded);
    let Some(turns) = settings.schedule.clone() else {
        return (machine.run(&mut session.clone(), call), Vec::new());
    };
    let mut schedule = Schedule::shown(turns);
    let done = machine.run_scheduled(&mut session.clone(), call, &mut schedule);
    (done, schedule.events)
}

/// The end of a call on the VM, under the schedule of the machine's run, which ended so.
fn vm_ending(session: &Session, call: &Call, events: &[ProcessEvent], ours: Ending) -> Result<Ending, Failure> {
    session.guard()?;
    let turns = passages(events);
    let performed = session.perform(call, &turns).map_err(|error| match error {
        NotPerformed::Strayed(why) => Failure::Host(format!("the VM does not follow the schedule: {why}")),
        NotPerformed::Ended(result) => Failure::Host(format!("the VM ended the call: {}", got(*result, &[]))),
    })?;
    // An exit that another process gets as a message is no crash.
    let counts = |raised: &Exception| raised.class != Class::Exit || !matches!(ours, Ending::Value(_));
    let crash = performed.crashes.iter().map(uncaught).find(counts).map(Ending::Raised);
    let ending = match performed.outcome {
        Some(Err(raised)) => Some(Ending::Raised(raised)),
        Some(Ok(value)) => crash.or(Some(Ending::Value(value))),
        None => crash,
    };
    match (ending, ours) {
        (Some(ending), _) => Ok(ending),
        (None, deadlock @ Ending::Deadlock { .. }) => Ok(deadlock),
        (None, _) => Err(Failure::Host("the VM does not come to an end".to_owned())),
    }
}

/// The end of a run, unless it went through a function that the compiler may have changed.
fn compiled_alike(session: &Session, own: Atom, ending: Ending) -> Ending {
    let changed = session.take_changes().into_iter().find_map(|reason| match reason {
        Reason::Compiled { function, change } if function.module != own => Some((function, change)),
        _ => None,
    });
    match (changed, &ending) {
        (Some((function, change)), Ending::Value(_) | Ending::Raised(_)) => {
            let at = Place { function, file: String::new(), line: 0, column: 0 };
            Ending::Unsupported { function, what: format!("its compiled form may differ: {change}"), at }
        }
        _ => ending,
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

/// The result as the shell shows it. A VM that gives no text leaves the short form; one line needs no layout.
fn shown(session: &Session, ending: &Ending) -> Option<String> {
    match ending {
        Ending::Value(value) if is_one_line(value) => None,
        Ending::Value(value) => session.host().format(value).ok(),
        Ending::Raised(raised) => session.host().format_exception(raised).ok(),
        _ => None,
    }
}

/// True if the shell would print the value on one line, which our own text is.
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

fn lines(session: &Session, coverage: forward::Coverage, without: Atom) -> Vec<ModuleCoverage> {
    let mut modules = Vec::new();
    for (name, covered) in coverage.modules {
        let Some(module) = session.loaded(&name) else { continue };
        if module.name != without {
            let covered = covered.into_iter().collect();
            modules.push(ModuleCoverage {
                module: name,
                file: module.file.clone(),
                covered,
                total: module.lines.len(),
            });
        }
    }
    modules
}
