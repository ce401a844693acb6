//! The kinds of endings: each has a JSON name, a sentence and a message.

use exec::forward::{Ending, Place};

use session::run::Evaluation;

/// The endings of a run without what they carry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndingKind {
    Value,
    Exception,
    Refused,
    Unsupported,
    Steps,
    Memory,
    Stopped,
    Broken,
    Vm,
}

impl EndingKind {
    /// All kinds, in the order in which a report counts them.
    pub const ALL: [EndingKind; 9] = [
        EndingKind::Value,
        EndingKind::Exception,
        EndingKind::Refused,
        EndingKind::Unsupported,
        EndingKind::Steps,
        EndingKind::Memory,
        EndingKind::Stopped,
        EndingKind::Broken,
        EndingKind::Vm,
    ];

    /// Returns the kind of an ending.
    pub fn of(ending: &Ending) -> EndingKind {
        match ending {
            Ending::Value(_) => EndingKind::Value,
            Ending::Raised(_) => EndingKind::Exception,
            Ending::Refused { .. } => EndingKind::Refused,
            Ending::Unsupported { .. } => EndingKind::Unsupported,
            Ending::OutOfSteps { .. } => EndingKind::Steps,
            Ending::OutOfMemory { .. } => EndingKind::Memory,
            Ending::Stopped { .. } => EndingKind::Stopped,
            Ending::Broken { .. } => EndingKind::Broken,
            Ending::Vm { .. } => EndingKind::Vm,
        }
    }

    /// Returns the name in JSON and in documentation; it never changes.
    pub fn name(self) -> &'static str {
        match self {
            EndingKind::Value => "value",
            EndingKind::Exception => "exception",
            EndingKind::Refused => "refused",
            EndingKind::Unsupported => "unsupported",
            EndingKind::Steps => "step_limit",
            EndingKind::Memory => "memory_limit",
            EndingKind::Stopped => "stopped",
            EndingKind::Broken => "broken_module",
            EndingKind::Vm => "vm_failed",
        }
    }

    /// Returns one sentence for a person who meets this ending for the first time.
    pub fn sentence(self) -> &'static str {
        match self {
            EndingKind::Value => "The call returned a value.",
            EndingKind::Exception => "The call raised an exception.",
            EndingKind::Refused => "The program asked for an outside effect that was not allowed.",
            EndingKind::Unsupported => "The program needs something that the machine does not do yet.",
            EndingKind::Steps => "The run used up its step budget.",
            EndingKind::Memory => "The run used up its memory budget.",
            EndingKind::Stopped => "The run was asked to stop.",
            EndingKind::Broken => "The program called into a module whose code cannot be had.",
            EndingKind::Vm => "The real VM gave no answer in a call that the program needed.",
        }
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
    }
}

/// The place where a run was stopped.
pub(crate) fn place(ending: &Ending) -> Option<&Place> {
    match ending {
        Ending::Value(_) | Ending::Raised(_) => None,
        Ending::Refused { at, .. }
        | Ending::Unsupported { at, .. }
        | Ending::OutOfSteps { at }
        | Ending::OutOfMemory { at }
        | Ending::Stopped { at }
        | Ending::Broken { at, .. }
        | Ending::Vm { at, .. } => Some(at),
    }
}
