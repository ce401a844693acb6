//! Values and exceptions as the Erlang shell prints them.

use term::{Exception, Term};

use crate::error::HostError;
use crate::host::Host;

/// The time of a request.
const MILLIS: u64 = 60_000;

impl Host {
    /// Returns the value as the shell prints it.
    pub fn format(&mut self, term: &Term) -> Result<String, HostError> {
        self.text(&Term::tuple([Term::atom_named("format"), term.clone()]))
    }

    /// Returns the shell's text of the exception: `** exception error: …`.
    pub fn format_exception(&mut self, exception: &Exception) -> Result<String, HostError> {
        self.text(&about("format_exception", exception))
    }

    /// Returns Elixir's text of the exception: `** (ArithmeticError) …`.
    pub fn format_banner(&mut self, exception: &Exception) -> Result<String, HostError> {
        self.text(&about("format_banner", exception))
    }

    fn text(&mut self, request: &Term) -> Result<String, HostError> {
        let answer = self.ask(request, MILLIS)?;
        let bytes = answer.as_bits().map(|bits| bits.to_bytes());
        let bytes = bytes.ok_or_else(|| HostError::Failed { detail: "no text came back".to_string() })?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// A request about an exception.
fn about(request: &str, exception: &Exception) -> Term {
    let Exception { class, reason, stack } = exception;
    Term::tuple([Term::atom_named(request), Term::atom(class.atom()), reason.clone(), stack.clone()])
}
