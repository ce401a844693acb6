//! Every way a run can end, with its sentence, its JSON name and its exit code.

use std::fmt;

use term::{Exception, Mfa, Term};

/// How a run ended.
pub enum Ending {
    /// The call returned this.
    Value(Term),
    /// The call raised this.
    Exception(Exception),
    /// The program called a function with outside effects, here with what it touches, that was not allowed.
    Refused { function: Mfa, touches: String },
    /// The program needs something that the machine does not do yet.
    Unsupported { what: String },
    /// The step budget is used up.
    Steps { limit: u64 },
    /// The memory budget is used up.
    Memory { limit: u64 },
    /// The program called into a module whose code cannot be had.
    Broken { module: String, why: String },
    /// The real VM failed in the middle of a call that the program needed.
    Host { why: String },
}

/// The endings without what they carry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Value,
    Exception,
    Refused,
    Unsupported,
    Steps,
    Memory,
    Broken,
    Host,
}

/// A place in the program: the function, and its line where that is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub function: Mfa,
    pub file: String,
    pub line: u32,
}

impl Kind {
    /// All kinds, in the order in which a report counts them.
    pub const ALL: [Kind; 8] = [
        Kind::Value,
        Kind::Exception,
        Kind::Refused,
        Kind::Unsupported,
        Kind::Steps,
        Kind::Memory,
        Kind::Broken,
        Kind::Host,
    ];

    /// The name in JSON and in documentation.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Value => "value",
            Kind::Exception => "exception",
            Kind::Refused => "refused",
            Kind::Unsupported => "unsupported",
            Kind::Steps => "step_limit",
            Kind::Memory => "memory_limit",
            Kind::Broken => "broken_module",
            Kind::Host => "host_failed",
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
            Kind::Broken => "The program called into a module whose code cannot be had.",
            Kind::Host => "The real VM failed in a call that the program needed.",
        }
    }

    /// 0 nothing found, 1 found, 2 the tool or its use failed.
    pub fn exit_code(self) -> u8 {
        match self {
            Kind::Value => 0,
            Kind::Exception => 1,
            _ => 2,
        }
    }
}

impl Ending {
    pub fn kind(&self) -> Kind {
        match self {
            Ending::Value(_) => Kind::Value,
            Ending::Exception(_) => Kind::Exception,
            Ending::Refused { .. } => Kind::Refused,
            Ending::Unsupported { .. } => Kind::Unsupported,
            Ending::Steps { .. } => Kind::Steps,
            Ending::Memory { .. } => Kind::Memory,
            Ending::Broken { .. } => Kind::Broken,
            Ending::Host { .. } => Kind::Host,
        }
    }
}

/// What stopped the run, without where; a value or an exception in its short form.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Value(value) => write!(f, "{value}"),
            Ending::Exception(raised) => write!(f, "{}: {}", raised.class.atom(), raised.reason),
            Ending::Refused { function, touches } => {
                write!(f, "refused: {function} {touches}; allow it with --allow {function}")
            }
            Ending::Unsupported { what } => write!(f, "not supported yet: {what}"),
            Ending::Steps { limit } => write!(f, "stopped after {limit} steps; raise the limit with --steps"),
            Ending::Memory { limit } => write!(f, "stopped at {limit} MiB of memory; raise the limit with --memory"),
            Ending::Broken { module, why } => write!(f, "no code for module {module}: {why}"),
            Ending::Host { why } => write!(f, "the Erlang VM failed: {why}"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.function)?;
        match (self.file.as_str(), self.line) {
            ("", _) | (_, 0) => Ok(()),
            (file, line) => write!(f, " ({file}:{line})"),
        }
    }
}
