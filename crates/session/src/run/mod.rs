//! One expression on our machine.

mod callee;
mod coverage;
mod on_vm;

use std::fmt;

use exec::forward::{self, Crash, Ending, Limits, Machine, Place, ProcessEvent, Schedule, WaitingProcess};
use frontend::core::Name;
use host::{ExtractError, Source};
use search::Reason;
use term::{Atom, Call, Exception, Mfa, Style, Term};

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
    /// The crashes of other processes than that of the call, if no schedule was given: a schedule shows them.
    pub crashes: Vec<Crash>,
    /// Under a schedule, the processes that wait when the call has its value, and that nothing can reach.
    pub leaks: Vec<WaitingProcess>,
}

/// A run on our machine; with events and leaks, if it has a schedule.
struct MachineRun {
    run: forward::Run,
    events: Vec<ProcessEvent>,
    crashes: Vec<Crash>,
    leaks: Vec<WaitingProcess>,
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
    let mut ours = on_machine(session, &call, &settings);
    let output = session.end_run().unwrap_or_default();
    if settings.on_vm {
        on_vm::repeat(session, &call, &mut ours, settings.schedule.is_some())?;
    }
    let MachineRun { run, events, crashes, leaks } = ours;
    let ending = without_frames_of(main.module, compiled_alike(session, main.module, run.ending));
    let own: Vec<Atom> = callee(session, main)?.map(|callee| callee.module).into_iter().collect();
    let is_given = settings.schedule.is_some();
    let schedule = settings.schedule.and_then(|turns| FindingSchedule::new(&turns, &events, None, &own));
    Ok(Evaluation {
        call: expression.to_owned(),
        shown: shown(session, &ending),
        output: String::from_utf8_lossy(&output).into_owned(),
        steps: run.steps,
        coverage: run.coverage.map(|coverage| lines(session, coverage, main.module)),
        schedule,
        crashes: crashes.into_iter().filter(|crash| !is_given && crash.process != 0).collect(),
        leaks: leaks.into_iter().filter(|_| is_given && matches!(ending, Ending::Value(_))).collect(),
        ending,
    })
}

/// Makes the run on our machine, under a schedule if one is given, or if the VM is to follow.
fn on_machine(session: &Session, call: &Call, settings: &RunSettings) -> MachineRun {
    let RunSettings { limits, coverage, any_clock, .. } = *settings;
    let recorded = forward::Options { coverage, processes: true, any_clock, ..forward::Options::default() };
    let mut machine = Machine::new(limits, recorded);
    let Some(turns) = settings.schedule.clone().or_else(|| settings.on_vm.then(Vec::new)) else {
        let mut run = machine.run(&mut session.clone(), call);
        let crashes = std::mem::take(&mut run.crashes);
        return MachineRun { run, events: Vec::new(), crashes, leaks: Vec::new() };
    };
    let mut schedule = Schedule::shown(turns);
    let run = machine.run_scheduled(&mut session.clone(), call, &mut schedule);
    MachineRun { run, events: schedule.events, crashes: schedule.crashes, leaks: schedule.leaks }
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
