//! The natives of the `erlang` module, by topic, and of the internal modules beside it.

use crate::Entry;

/// The tables of this folder's files.
pub(crate) const TABLES: &[(&str, &[Entry])] = &[];
