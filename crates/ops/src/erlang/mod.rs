//! The natives of the `erlang` module, by topic, and of the internal modules beside it.

mod arithmetic;
mod atoms;
mod binaries;
mod checksums;
mod compare;
mod dictionary;
mod external;
mod floats;
mod hash;
mod integers;
mod internal;
pub(crate) mod iodata;
mod lists;
mod maps;
mod text;
mod tuples;
mod types;
mod values;

use crate::Entry;

/// The tables of this folder's files.
pub(crate) const TABLES: &[(&str, &[Entry])] = &[
    ("erlang", arithmetic::NATIVES),
    ("erlang", atoms::NATIVES),
    ("erlang", binaries::NATIVES),
    ("erlang", checksums::NATIVES),
    ("erlang", compare::NATIVES),
    ("erlang", dictionary::NATIVES),
    ("erlang", external::NATIVES),
    ("erlang", floats::NATIVES),
    ("erlang", hash::NATIVES),
    ("erlang", integers::NATIVES),
    ("erlang", iodata::NATIVES),
    ("erlang", lists::NATIVES),
    ("erlang", maps::NATIVES),
    ("erlang", tuples::NATIVES),
    ("erlang", types::NATIVES),
    ("erlang", values::NATIVES),
    ("erts_internal", internal::INTERNAL),
    ("erts_debug", internal::DEBUG),
];
