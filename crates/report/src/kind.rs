//! The kinds of endings: each has a JSON name, a sentence and a message.

use exec::forward::{Ending, Place};

use session::run::Run;

/// The endings of a run without what they carry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
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

impl Kind {
    /// All kinds, in the order in which a report counts them.
    pub const ALL: [Kind; 9] = [
        Kind::Value,
        Kind::Exception,
        Kind::Refused,
        Kind::Unsupported,
        Kind::Steps,
        Kind::Memory,
        Kind::Stopped,
        Kind::Broken,
        Kind::Vm,
    ];

    pub fn of(ending: &Ending) -> Kind {
        match ending {
            Ending::Value(_) => Kind::Value,
            Ending::Raised(_) => Kind::Exception,
            Ending::Refused { .. } => Kind::Refused,
            Ending::Unsupported { .. } => Kind::Unsupported,
            Ending::OutOfSteps { .. } => Kind::Steps,
            Ending::OutOfMemory { .. } => Kind::Memory,
            Ending::Stopped { .. } => Kind::Stopped,
            Ending::Broken { .. } => Kind::Broken,
            Ending::Vm { .. } => Kind::Vm,
        }
    }

    /// The name in JSON and in documentation; never changes.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Value => "value",
            Kind::Exception => "exception",
            Kind::Refused => "refused",
            Kind::Unsupported => "unsupported",
            Kind::Steps => "step_limit",
            Kind::Memory => "memory_limit",
            Kind::Stopped => "stopped",
            Kind::Broken => "broken_module",
            Kind::Vm => "vm_failed",
        }
    }

    /// One sentence for a person who meets this ending for the first time.
    pub fn sentence(self) -> &'static str {
        match self {
            Kind::Value => "The call returned a value.",
            Kind::Exception => "The call raised an exception.",
            Kind::Refused => "The program asked for an outside effect that was not allowed.",
            Kind::Unsupported => "The program needs something that the machine does not do yet.",
            Kind::Steps => "The run used up its step budget.",
            Kind::Memory => "The run used up its memory budget.",
            Kind::Stopped => "The run was told to stop.",
            Kind::Broken => "The program called into a module whose code cannot be had.",
            Kind::Vm => "The real VM gave no answer in a call that the program needed.",
        }
    }
}

/// What happened, without where; a value or an exception in its short form.
pub(crate) fn message(run: &Run) -> String {
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

/// Where a run that was stopped stood.
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
