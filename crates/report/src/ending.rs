//! The endings of a run: each has a JSON name and a message.

use exec::forward::{Ending, Place, WaitingProcess};

use session::run::Evaluation;

/// The name of an ending in JSON and in documentation; it never changes.
pub(crate) fn name(ending: &Ending) -> &'static str {
    match ending {
        Ending::Value(_) => "value",
        Ending::Raised(_) => "exception",
        Ending::Refused { .. } => "refused",
        Ending::Unsupported { .. } => "unsupported",
        Ending::OutOfSteps { .. } => "step_limit",
        Ending::OutOfMemory { .. } => "memory_limit",
        Ending::Stopped { .. } => "stopped",
        Ending::Broken { .. } => "broken_module",
        Ending::Vm { .. } => "vm_failed",
        Ending::Deadlock { .. } => "deadlock",
    }
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
        Ending::Deadlock { processes } => deadlock(processes),
    }
}

/// The place where a run was stopped.
pub(crate) fn place(ending: &Ending) -> Option<&Place> {
    match ending {
        Ending::Value(_) | Ending::Raised(_) | Ending::Deadlock { .. } => None,
        Ending::Refused { at, .. }
        | Ending::Unsupported { at, .. }
        | Ending::OutOfSteps { at }
        | Ending::OutOfMemory { at }
        | Ending::Stopped { at }
        | Ending::Broken { at, .. }
        | Ending::Vm { at, .. } => Some(at),
    }
}

/// Who waits where, with the messages that it does not take.
fn deadlock(processes: &[WaitingProcess]) -> String {
    let mut text = String::from("deadlock: no process can go on");
    for process in processes {
        let name = process.name.map_or_else(|| process.pid.to_string(), |name| format!("{} ({name})", process.pid));
        text.push_str(&format!("\n  {name} waits in {}", process.at));
        if !process.messages.is_empty() {
            let messages: Vec<String> = process.messages.iter().map(ToString::to_string).collect();
            text.push_str(&format!("; messages: {}", messages.join(", ")));
        }
    }
    text
}
