//! The errors of the host itself, and of extracting a module.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// The host cannot be had, or did not answer a request that is no call.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum HostError {
    /// There is no such command.
    #[error(
        "Erlang was not found: there is no command `{}`; install Erlang/OTP 25 or later \
         (Debian and Ubuntu: `apt-get install erlang-base erlang-dev erlang-tools`)",
        erl.display()
    )]
    NoErlang { erl: PathBuf },
    /// A folder or file whose name Erlang could not be given.
    #[error("the name of {} is not UTF-8, which Erlang needs", path.display())]
    BadName { path: PathBuf },
    /// The command is there but no host came of it.
    #[error("the Erlang VM did not start: {detail}")]
    NotStarted { detail: String },
    /// The host ended while it worked on the request.
    #[error("the Erlang VM died: {detail}")]
    Died { detail: String },
    /// The host did not answer in time and was killed.
    #[error("the Erlang VM gave no answer within {millis} ms and was killed")]
    Hung { millis: u64 },
    /// The request failed inside the host.
    #[error("the Erlang VM could not do it: {detail}")]
    Failed { detail: String },
    /// Something in the request has no external form.
    #[error("the request could not be sent to the Erlang VM: {detail}")]
    NotSent { detail: String },
}

impl HostError {
    /// Fails for a path whose name is not UTF-8.
    pub(crate) fn check_name(path: &Path) -> Result<(), HostError> {
        path.to_str().map(drop).ok_or_else(|| HostError::BadName { path: path.to_path_buf() })
    }
}

/// The reason why there is no Core Erlang of a module.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ExtractError {
    /// No module of that name on the code path.
    #[error("there is no module `{module}` on the code path")]
    NoModule { module: String },
    /// A file that cannot be read.
    #[error("cannot read {}: {detail}", path.display())]
    Unreadable { path: PathBuf, detail: String },
    /// The bytes are not a compiled module.
    #[error("{what} is not a compiled module")]
    NotABeam { what: String },
    /// Compiled without debug information.
    #[error("{what} has no debug information: compile it with `+debug_info`, or give its source")]
    NoDebugInfo { what: String },
    /// The debug information is encrypted.
    #[error("the debug information of {what} is encrypted")]
    Encrypted { what: String },
    /// The language's own library is needed to read the debug information, and is not installed.
    #[error("{}", no_backend(what, backend))]
    NoBackend { what: String, backend: String },
    /// The compiler refused the source; its messages, `file:line:column: text`.
    #[error("{}", messages.join("\n"))]
    Compile { messages: Vec<String> },
    /// The host failed.
    #[error(transparent)]
    Host(#[from] HostError),
}

fn no_backend(what: &str, backend: &str) -> String {
    if backend == "elixir_erl" {
        return format!(
            "{what} is an Elixir module, and Elixir was not found: install Elixir, or put its ebin on the code path"
        );
    }
    format!("the debug information of {what} can only be read by the module `{backend}`, which is not on the code path")
}
