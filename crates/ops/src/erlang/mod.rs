//! The natives of the `erlang` module, by topic, and of the internal modules beside it.

mod arithmetic;
mod compare;
mod lists;
mod tuples;
mod types;

use crate::Entry;

/// The tables of this folder's files.
pub(crate) const TABLES: &[(&str, &[Entry])] = &[
    ("erlang", arithmetic::NATIVES),
    ("erlang", compare::NATIVES),
    ("erlang", types::NATIVES),
    ("erlang", lists::NATIVES),
    ("erlang", tuples::NATIVES),
];
