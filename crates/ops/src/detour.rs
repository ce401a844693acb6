//! Functions of the VM that hand some of their calls over to Erlang code of the library.

use term::{Atom, Mfa, Term};

use crate::Environment;

/// The rule by which a function hands calls over.
#[derive(Clone, Copy)]
pub struct Detour {
    /// Returns the call in whose place a call is made, if the VM does not make it itself.
    pub rule: fn(&mut dyn Environment, &[Term]) -> Handover,
    /// The part of the first argument that the rule sees.
    pub subject: Subject,
}

/// The call that takes the place of another.
pub(crate) type Handover = Option<(Mfa, Vec<Term>)>;

/// The facts that decide whether a call is handed over, besides all arguments but the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    Ignored,
    /// Its being a bitstring or not.
    Bits,
}

pub(crate) fn mfa(module: &str, function: &str, arity: u8) -> Mfa {
    Mfa { module: Atom::new(module), function: Atom::new(function), arity }
}
