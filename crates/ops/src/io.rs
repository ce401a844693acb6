//! The operations of the `io` module.

use term::Term;

use crate::policy::Policy;
use crate::{Eval, Operation};

pub(crate) const OPERATIONS: &[Operation] = &[
    Operation::pure("printable_range", 0, printable_range),
    writing("format", 1),
    writing("format", 2),
    writing("format", 3),
    writing("fwrite", 1),
    writing("fwrite", 2),
    writing("fwrite", 3),
    writing("nl", 1),
    writing("put_chars", 1),
    writing("put_chars", 2),
    writing("write", 1),
    writing("write", 2),
    Operation::vm("nl", 0, Policy::State),
    Operation::vm("put_chars", 3, Policy::State),
];

/// The run's own host process has a group leader that keeps the output.
const fn writing(name: &'static str, arity: u8) -> Operation {
    Operation::vm(name, arity, Policy::State).prelude("io", name)
}

/// The answer of a VM that was started without `+pc unicode`.
fn printable_range(_: &mut [Term]) -> Eval {
    Ok(Term::atom_named("latin1"))
}
