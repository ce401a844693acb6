//! The endings of a run: each has a JSON name and a message.

use exec::forward::{Ending, Place, WaitingProcess};

use session::run::Evaluation;
use strum::{EnumIter, IntoStaticStr};
use term::{Notation, Term};

use crate::explored::loop_phrase;
use crate::notation::prose;

/// The name of an ending in JSON and in documentation; it never changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum EndingName {
    Value,
    Exception,
    Refused,
    Unsupported,
    StepLimit,
    MemoryLimit,
    Stopped,
    BrokenModule,
    VmFailed,
    Endless,
    Deadlock,
}

/// Returns the name of an ending.
pub(crate) fn name(ending: &Ending) -> &'static str {
    let name = match ending {
        Ending::Value(_) => EndingName::Value,
        Ending::Raised(_) => EndingName::Exception,
        Ending::Refused { .. } => EndingName::Refused,
        Ending::Unsupported { .. } => EndingName::Unsupported,
        Ending::OutOfSteps { .. } => EndingName::StepLimit,
        Ending::OutOfMemory { .. } => EndingName::MemoryLimit,
        Ending::Stopped { .. } => EndingName::Stopped,
        Ending::Broken { .. } => EndingName::BrokenModule,
        Ending::Vm { .. } => EndingName::VmFailed,
        Ending::Endless(_) => EndingName::Endless,
        Ending::Deadlock { .. } => EndingName::Deadlock,
    };
    name.into()
}

/// The message of an ending without its place; a value or an exception in its short form.
pub(crate) fn message(run: &Evaluation) -> String {
    match &run.ending {
        Ending::Value(value) => value.to_string(),
        Ending::Raised(raised) => format!("{}: {}", raised.class, raised.reason),
        Ending::Refused { function, effect, .. } => {
            format!("refused: {function} {effect}; allow it with --allow {function}")
        }
        Ending::Unsupported { function, what, .. } => format!("not supported yet: {function}: {what}"),
        Ending::OutOfSteps { .. } => format!("stopped after {} steps; raise the limit with --steps", run.steps),
        Ending::OutOfMemory { .. } => "stopped at the memory limit; raise it with --memory".to_owned(),
        Ending::Stopped { .. } => format!("stopped after {} steps, as was wanted", run.steps),
        Ending::Broken { module, why, .. } => format!("no code for module {module}: {why}"),
        Ending::Vm { function, what, .. } => format!("the Erlang VM gave no answer for {function}: {what}"),
        Ending::Endless(endless) => format!("endless loop: {}", loop_phrase(Notation::ERLANG, endless, None)),
        Ending::Deadlock { processes } => deadlock(processes),
    }
}

/// The place where a run was stopped.
pub(crate) fn place(ending: &Ending) -> Option<&Place> {
    match ending {
        Ending::Value(_) | Ending::Raised(_) | Ending::Deadlock { .. } => None,
        Ending::Endless(endless) => endless.calls.first().map(|call| &call.at),
        Ending::Refused { at, .. }
        | Ending::Unsupported { at, .. }
        | Ending::OutOfSteps { at }
        | Ending::OutOfMemory { at }
        | Ending::Stopped { at }
        | Ending::Broken { at, .. }
        | Ending::Vm { at, .. } => Some(at),
    }
}

fn deadlock(processes: &[WaitingProcess]) -> String {
    let first = "deadlock: no process can go on".to_owned();
    let rest = waiting(Notation::ERLANG, processes).into_iter().map(|line| format!("\n  {line}"));
    std::iter::once(first).chain(rest).collect()
}

/// The name of a process: that of the call, or the n-th.
pub(crate) fn process_name(number: u32) -> String {
    if number == 0 { "main".to_owned() } else { format!("P{number}") }
}

/// A term in which processes have these names.
pub(crate) fn with_process_names(notation: Notation<'_>, term: &Term) -> String {
    // Elixir's sign of a process would stand before its name.
    let mut text = notation.shown(term).replace("#PID<0.", "<0.");
    let mut from = 0;
    while let Some(start) = text[from..].find("<0.").map(|at| from + at) {
        from = start + 1;
        let Some(end) = text[start..].find(".1>").map(|at| start + at) else { break };
        if let Ok(number) = text[start + 3..end].parse() {
            text.replace_range(start..end + 3, &process_name(number));
        }
    }
    text
}

/// Which process waits where, with the messages that it does not take.
pub(crate) fn waiting(notation: Notation<'_>, processes: &[WaitingProcess]) -> Vec<String> {
    let shown = |process: &WaitingProcess| {
        let number = process_name(process.number);
        let name = process.name.map_or_else(|| number.clone(), |name| format!("{number} ({})", notation.atom(name)));
        let place = process.stack.first().map_or(String::new(), |at| format!(" in {at}"));
        let place = prose(notation.language, &place);
        let messages: Vec<String> =
            process.messages.iter().map(|message| with_process_names(notation, message)).collect();
        let messages = if messages.is_empty() { String::new() } else { format!("; messages: {}", messages.join(", ")) };
        format!("{name} waits{place}{messages}")
    };
    processes.iter().map(shown).collect()
}
