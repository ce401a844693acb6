//! Functions of the VM that hand some of their calls over to Erlang code of the library.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use term::{Atom, Mfa, Term};

use crate::{Environment, re, unicode};

/// Says by the arguments whether a call is handed over, and to which call; otherwise the VM does it itself.
pub type Detour = fn(&mut dyn Environment, &[Term]) -> Option<(Mfa, Vec<Term>)>;

/// `(name, arity, rule)`.
pub(crate) type Row = (&'static str, u8, Detour);

static DETOURS: LazyLock<FxHashMap<Mfa, Detour>> = LazyLock::new(|| {
    let tables = [("re", re::DETOURS), ("unicode", unicode::DETOURS)];
    let rows = tables.iter().flat_map(|(module, rows)| rows.iter().map(|row| (mfa(module, row.0, row.1), row.2)));
    rows.collect()
});

/// The rule of a function that hands calls over.
pub fn detour(function: Mfa) -> Option<Detour> {
    DETOURS.get(&function).copied()
}

/// What decides whether a call is handed over, besides all arguments but the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    Ignored,
    /// Whether it is a bitstring.
    Bits,
}

/// How the rule of a function that hands calls over looks at its first argument.
pub fn subject(function: Mfa) -> Subject {
    if function.module.name() == "re" { Subject::Bits } else { Subject::Ignored }
}

pub(crate) fn mfa(module: &str, function: &str, arity: u8) -> Mfa {
    Mfa { module: Atom::new(module), function: Atom::new(function), arity }
}
