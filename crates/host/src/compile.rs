//! Compiling Core Erlang text, and putting compiled modules into the VM.

use term::{Atom, Term, etf};

use crate::error::HostError;
use crate::host::{Host, Role};
use crate::wall::Reads;

/// The time of the compiler.
pub(crate) const COMPILE_MILLIS: u64 = 300_000;

impl Host {
    /// Compiles Core Erlang text. `options` are compiler options as terms. An error is the compiler's messages.
    pub fn compile_core(&mut self, text: &str, options: &[Term]) -> Result<Vec<u8>, String> {
        let options = Term::list(options.iter().cloned());
        let request = Term::tuple([Term::atom_named("compile_core"), Term::binary(text.as_bytes()), options]);
        let answer =
            self.ask_compiler(&request, &Reads::default(), COMPILE_MILLIS).map_err(|error| error.to_string())?;
        let answer = etf::decode(&answer).map_err(|error| error.to_string())?;
        match answer.as_tuple() {
            Some([_, _, beam]) => {
                beam.as_bits().map(|bits| bits.to_bytes().into_owned()).ok_or_else(|| "no module came back".to_string())
            }
            Some([_, failure]) => Err(messages(failure).join("\n")),
            _ => Err("no module came back".to_string()),
        }
    }

    /// Loads a compiled module in place of the one of that name, for [`Host::call`] and sessions.
    pub fn load(&mut self, module: Atom, beam: &[u8]) -> Result<(), HostError> {
        self.give(Role::Replacement, module, beam);
        self.ready().inspect_err(|_| self.forget(module))
    }
}

impl Host {
    /// Loads a compiled module as the one that calls are confirmed in.
    pub fn load_original(&mut self, module: Atom, beam: &[u8]) -> Result<(), HostError> {
        self.give(Role::Original, module, beam);
        self.ready()
    }
}

/// The messages in `{compile, [Message]}`.
pub(crate) fn messages(failure: &Term) -> Vec<String> {
    let Some([_, list]) = failure.as_tuple() else { return vec![failure.to_string()] };
    let text = |term: &Term| term.as_bits().map(|bits| String::from_utf8_lossy(&bits.to_bytes()).into_owned());
    list.cells().filter_map(text).collect()
}
