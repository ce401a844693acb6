//! What can go wrong with the host itself, and with extracting a module.

use std::fmt;
use std::path::PathBuf;

/// The host cannot be had, or did not answer a request that is no call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HostError {
    /// There is no such command.
    NoErlang { erl: PathBuf },
    /// The command is there but no host came of it.
    NotStarted { detail: String },
    /// The host ended while it worked on the request.
    Died { detail: String },
    /// The host did not answer in time and was killed.
    Hung { millis: u64 },
    /// The request failed inside the host.
    Failed { detail: String },
    /// Something in the request has no external form.
    NotSent { detail: String },
}

/// Why there is no Core Erlang of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExtractError {
    /// No module of that name on the code path.
    NoModule {
        module: String,
    },
    /// A file that cannot be read.
    Unreadable {
        path: PathBuf,
        detail: String,
    },
    /// The bytes are not a compiled module.
    NotABeam {
        what: String,
    },
    /// Compiled without debug information.
    NoDebugInfo {
        what: String,
    },
    /// The debug information is encrypted.
    Encrypted {
        what: String,
    },
    /// The language's own library is needed to read the debug information, and is not installed.
    NoBackend {
        what: String,
        backend: String,
    },
    /// The compiler refused the source; its messages, `file:line:column: text`.
    Compile {
        messages: Vec<String>,
    },
    Host(HostError),
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HostError::NoErlang { erl } => write!(
                f,
                "Erlang was not found: there is no command `{}`; install Erlang/OTP 25 or later \
                 (Debian and Ubuntu: `apt-get install erlang-base erlang-dev erlang-tools`)",
                erl.display()
            ),
            HostError::NotStarted { detail } => write!(f, "the Erlang VM did not start: {detail}"),
            HostError::Died { detail } => write!(f, "the Erlang VM died: {detail}"),
            HostError::Hung { millis } => write!(f, "the Erlang VM gave no answer within {millis} ms and was killed"),
            HostError::Failed { detail } => write!(f, "the Erlang VM could not do it: {detail}"),
            HostError::NotSent { detail } => write!(f, "the request could not be sent to the Erlang VM: {detail}"),
        }
    }
}

impl fmt::Display for ExtractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExtractError::NoModule { module } => write!(f, "there is no module `{module}` on the code path"),
            ExtractError::Unreadable { path, detail } => write!(f, "cannot read {}: {detail}", path.display()),
            ExtractError::NotABeam { what } => write!(f, "{what} is not a compiled module"),
            ExtractError::NoDebugInfo { what } => {
                write!(f, "{what} has no debug information: compile it with `+debug_info`, or give its source")
            }
            ExtractError::Encrypted { what } => write!(f, "the debug information of {what} is encrypted"),
            ExtractError::NoBackend { what, backend } => write!(f, "{}", no_backend(what, backend)),
            ExtractError::Compile { messages } => f.write_str(&messages.join("\n")),
            ExtractError::Host(error) => error.fmt(f),
        }
    }
}

fn no_backend(what: &str, backend: &str) -> String {
    if backend == "elixir_erl" {
        return format!(
            "{what} is an Elixir module, and Elixir was not found: install Elixir, or put its ebin on the code path"
        );
    }
    format!("the debug information of {what} can only be read by the module `{backend}`, which is not on the code path")
}

impl std::error::Error for HostError {}

impl std::error::Error for ExtractError {}

impl From<HostError> for ExtractError {
    fn from(error: HostError) -> Self {
        ExtractError::Host(error)
    }
}
