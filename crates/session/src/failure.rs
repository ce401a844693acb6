//! Every failure of the tool or its use before there is a result: a stable code and one clear message each.

use std::path::{Path, PathBuf};

use host::{ExtractError, HostError};
use strum::{IntoStaticStr, VariantNames};
use term::{Atom, Mfa};
use thiserror::Error;

use crate::near::nearest_file;

/// A failure of the tool or its use.
#[derive(Clone, Debug, PartialEq, Eq, Error, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum Failure {
    /// The compiler refused a source file; its own messages, one per line, with file, line and column.
    #[error("{}", with_advice(.0))]
    BadSource(Vec<String>),
    /// The expression does not scan, parse or compile; messages with line and column.
    #[error("{}", .0.iter().map(|message| format!("expression:{message}")).collect::<Vec<_>>().join("\n"))]
    BadExpression(Vec<String>),
    /// There is no expression.
    #[error("no expression to run; write one after the files: 'module:function(1)'")]
    NoExpression,
    /// A project whose code is not built; the whole message.
    #[error("{0}")]
    NotBuilt(String),
    /// A macro whose value does not read as a term; the text and what is wrong.
    #[error("-D {0}: the value is not an Erlang term: {1}")]
    BadMacro(String, String),
    /// There is no such file.
    #[error("no such file or directory: {}{}", .0.display(), meant(.1.as_deref()))]
    NoFile(PathBuf, Option<PathBuf>),
    /// A file whose ending is unknown.
    #[error("{}: not a .erl, .ex, .beam or .core file, nor a directory of code", .0.display())]
    NotSource(PathBuf),
    /// There is no such module.
    #[error(
        "no module {0}: not among the files given and not on Erlang's code path, which has not the current folder (see --pa)"
    )]
    NoModule(Atom),
    /// The module is there but does not export this; what it has instead, in words.
    #[error("no function {0}: {1}")]
    NoFunction(Mfa, String),
    /// A place that cannot be a target; the whole message.
    #[error("{0}")]
    BadTarget(String),
    /// A mistake in a condition written as text; with file, line and column.
    #[error("{0}")]
    BadCondition(String),
    /// A mistake in the configuration file; with file, line and column.
    #[error("{0}")]
    BadConfig(String),
    /// A module without debug information.
    #[error(
        "{0} has no debug information, so its code cannot be had; compile it with +debug_info (erlc +debug_info, or \
         {{erl_opts, [debug_info]}} in rebar.config), or give the .erl file"
    )]
    NoDebugInfo(String),
    /// The module's code cannot be had for another reason.
    #[error("no code for module {0}: {1}")]
    #[strum(serialize = "broken_module")]
    Broken(String, String),
    /// A file or module that is not what it should be; the whole message.
    #[error("{0}")]
    Unusable(String),
    /// The operating system cannot keep programs from all that they should not do; what from, in words.
    #[error(
        "this system cannot keep programs from: {0} (see `hound doctor`); without --require-sandbox only the guard does"
    )]
    NoSandbox(String),
    /// The Erlang VM does not start or does not answer.
    #[error("{0}")]
    #[strum(serialize = "host_failed")]
    Host(String),
}

impl Failure {
    /// Returns the failure that there is no such file, with the one that may have been meant.
    pub fn no_file(path: &Path) -> Failure {
        Failure::NoFile(path.to_path_buf(), nearest_file(path))
    }

    /// Returns the name in JSON; it never changes.
    pub fn code(&self) -> &'static str {
        self.into()
    }
}

/// The compiler's messages, and what helps against the first.
fn with_advice(messages: &[String]) -> String {
    const ADVICE: [(&str, &str); 3] = [
        ("can't find include file", "-I DIR adds a folder in which included files are looked for"),
        (
            "can't find include lib",
            "--pa DIR adds the ebin of an application; dependencies have to be fetched and compiled",
        ),
        (
            "undefined parse transform",
            "--pa DIR adds a folder of compiled modules, such as that of the parse transform",
        ),
    ];
    let text = messages.join("\n");
    match ADVICE.iter().find(|(problem, _)| text.contains(problem)) {
        Some((_, advice)) => format!("{text}\n{advice}"),
        None => text,
    }
}

fn meant(near: Option<&Path>) -> String {
    near.map_or(String::new(), |near| format!("; did you mean {}?", near.display()))
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
            ExtractError::Host(error) => Failure::from(error),
            other => Failure::Unusable(other.to_string()),
        }
    }
}
