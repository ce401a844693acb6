//! The operations of the `erlang` module, by topic, and of the internal modules beside it.

mod arithmetic;
mod atoms;
mod binaries;
mod checksums;
mod compare;
mod control;
mod dictionary;
mod external;
mod floats;
mod hash;
mod integers;
mod internal;
mod internal_hash;
pub(crate) mod iodata;
mod lists;
mod maps;
mod processes;
pub(crate) mod text;
mod tuples;
mod types;
mod values;

pub use internal_hash::key_hash;
use term::{Atom, Mfa, Term, known};

use crate::tables::Table;
use crate::{Environment, Eval};

/// The tables of this folder's files.
pub(crate) const TABLES: &[Table] = &[
    ("erlang", arithmetic::OPERATIONS),
    ("erlang", atoms::OPERATIONS),
    ("erlang", binaries::OPERATIONS),
    ("erlang", checksums::OPERATIONS),
    ("erlang", compare::OPERATIONS),
    ("erlang", control::OPERATIONS),
    ("erlang", dictionary::OPERATIONS),
    ("erlang", external::OPERATIONS),
    ("erlang", floats::OPERATIONS),
    ("erlang", hash::OPERATIONS),
    ("erlang", integers::OPERATIONS),
    ("erlang", iodata::OPERATIONS),
    ("erlang", lists::OPERATIONS),
    ("erlang", maps::OPERATIONS),
    ("erlang", processes::OPERATIONS),
    ("erts_internal", processes::INTERNAL),
    ("erlang", tuples::OPERATIONS),
    ("erlang", types::OPERATIONS),
    ("erlang", values::OPERATIONS),
    ("erts_internal", internal::INTERNAL),
    ("erts_debug", internal::DEBUG),
];

/// Asks the VM for the value of a function of `erlang`.
fn ask(run: &mut dyn Environment, function: &str, args: &[Term]) -> Eval {
    run.ask(Mfa { module: known::ERLANG, function: Atom::new(function), arity: args.len() as u8 }, args)
}
