//! The operations of the `io` module.

use term::{Atom, HandleKind, Mfa, Term};

use crate::policy::Policy;
use crate::raise::badarg;
use crate::{Environment, Eval, Gives, Operation};

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

pub(crate) const NET_KERNEL: &[Operation] =
    &[Operation::running("dflag_unicode_io", 1, |run, args| takes_unicode(run, args)).gives(Gives::Boolean)];

/// The run's own host process has a group leader that keeps the output.
const fn writing(name: &'static str, arity: u8) -> Operation {
    Operation::vm(name, arity, Policy::State).prelude("io", name)
}

/// Every process of this node takes text in Unicode.
fn takes_unicode(run: &mut dyn Environment, args: &mut [Term]) -> Eval {
    match &args[0] {
        Term::Handle(_, handle) if handle.kind == HandleKind::Pid => {
            let is_own = handle.node.name() == "nonode@nohost" && handle.creation == 0;
            let function = Mfa { module: Atom::new("net_kernel"), function: Atom::new("dflag_unicode_io"), arity: 1 };
            if is_own { Ok(Term::bool(true)) } else { run.ask(function, args) }
        }
        _ => badarg(),
    }
}

/// The answer of a VM that was started without `+pc unicode`.
fn printable_range(_: &mut [Term]) -> Eval {
    Ok(Term::atom_named("latin1"))
}
