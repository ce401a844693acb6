//! The natives of the `io` module.

use term::Term;

use crate::{Entry, Eval};

pub(crate) const NATIVES: &[Entry] = &[Entry::pure("printable_range", 0, printable_range)];

/// What a VM that was started without `+pc unicode` says.
fn printable_range(_: &mut [Term]) -> Eval {
    Ok(Term::atom_named("latin1"))
}
