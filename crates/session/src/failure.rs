//! Every way the tool or its use can fail before there is a run: a stable code and one clear message each.

use std::fmt;
use std::path::PathBuf;

use host::{ExtractError, HostError};
use term::{Atom, Mfa};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The compiler refused a source file; its own messages, one per line, with file, line and column.
    BadSource(Vec<String>),
    /// The expression does not scan, parse or compile; messages with line and column.
    BadExpression(Vec<String>),
    NoExpression,
    /// A macro whose value does not read as a term; the text and what is wrong.
    BadMacro(String, String),
    NoFile(PathBuf),
    /// A file whose ending says nothing we know.
    NotSource(PathBuf),
    NoModule(Atom),
    /// The module is there but does not export this; what it has instead, in words.
    NoFunction(Mfa, String),
    /// A place that cannot be a target; the whole message.
    BadTarget(String),
    /// A mistake in a condition written as text; with file, line and column.
    BadCondition(String),
    /// A mistake in the configuration file; with file, line and column.
    BadConfig(String),
    NoDebugInfo(String),
    /// The module's code cannot be had for another reason.
    Broken(String, String),
    /// A file or module that is not what it should be; the whole message.
    Unusable(String),
    /// The Erlang VM does not start or does not answer.
    Host(String),
}

impl Failure {
    /// The name in JSON; never changes.
    pub fn code(&self) -> &'static str {
        match self {
            Failure::BadSource(_) => "bad_source",
            Failure::BadExpression(_) => "bad_expression",
            Failure::NoExpression => "no_expression",
            Failure::BadMacro(..) => "bad_macro",
            Failure::NoFile(_) => "no_file",
            Failure::NotSource(_) => "not_source",
            Failure::NoModule(_) => "no_module",
            Failure::NoFunction(..) => "no_function",
            Failure::BadTarget(_) => "bad_target",
            Failure::BadCondition(_) => "bad_condition",
            Failure::BadConfig(_) => "bad_config",
            Failure::NoDebugInfo(_) => "no_debug_info",
            Failure::Broken(..) => "broken_module",
            Failure::Unusable(_) => "unusable",
            Failure::Host(_) => "host_failed",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::BadSource(messages) => write!(f, "{}", messages.join("\n")),
            Failure::BadExpression(messages) => {
                let placed: Vec<String> = messages.iter().map(|message| format!("expression:{message}")).collect();
                write!(f, "{}", placed.join("\n"))
            }
            Failure::NoExpression => write!(f, "no expression to run; write one after the files: 'module:function(1)'"),
            Failure::BadMacro(text, why) => write!(f, "-D {text}: the value is not an Erlang term: {why}"),
            Failure::NoFile(path) => write!(f, "no such file or directory: {}", path.display()),
            Failure::NotSource(path) => {
                write!(f, "{}: not a .erl, .beam or .core file, nor a directory of .beam files", path.display())
            }
            Failure::NoModule(module) => {
                write!(f, "no module {module}: not among the files given and not on Erlang's code path (see --pa)")
            }
            Failure::NoFunction(mfa, instead) => write!(f, "no function {mfa}: {instead}"),
            Failure::NoDebugInfo(what) => write!(
                f,
                "{what} has no debug information, so its code cannot be had; compile it with +debug_info (erlc \
                 +debug_info, or {{erl_opts, [debug_info]}} in rebar.config), or give the .erl file"
            ),
            Failure::Broken(module, why) => write!(f, "no code for module {module}: {why}"),
            Failure::BadTarget(why)
            | Failure::BadCondition(why)
            | Failure::BadConfig(why)
            | Failure::Unusable(why)
            | Failure::Host(why) => f.write_str(why),
        }
    }
}

impl From<HostError> for Failure {
    fn from(error: HostError) -> Failure {
        Failure::Host(error.to_string())
    }
}

impl From<ExtractError> for Failure {
    fn from(error: ExtractError) -> Failure {
        match error {
            ExtractError::NoModule { module } => Failure::NoModule(Atom::new(&module)),
            ExtractError::NoDebugInfo { what } => Failure::NoDebugInfo(what),
            ExtractError::Compile { messages } => Failure::BadSource(messages),
            ExtractError::Host(error) => Failure::Host(error.to_string()),
            other => Failure::Unusable(other.to_string()),
        }
    }
}
