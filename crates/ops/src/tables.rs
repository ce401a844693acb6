//! The tables of all library modules.

use crate::{Operation, atomics, binary, crypto, erlang, ets, io, lists, maps, math, persistent_term, prelude, re};
use crate::{services, string, unicode};

/// A library module and records of it.
pub(crate) type Table = (&'static str, &'static [Operation]);

const LIBRARY: &[Table] = &[
    ("atomics", atomics::OPERATIONS),
    ("erts_internal", atomics::INTERNAL),
    ("binary", binary::OPERATIONS),
    ("crypto", crypto::OPERATIONS),
    ("error_logger", services::ERROR_LOGGER),
    ("ets", ets::OPERATIONS),
    ("io", io::OPERATIONS),
    ("net_kernel", io::NET_KERNEL),
    ("lists", lists::OPERATIONS),
    ("logger", services::LOGGER),
    ("maps", maps::OPERATIONS),
    ("erts_internal", maps::INTERNAL),
    ("math", math::OPERATIONS),
    ("persistent_term", persistent_term::OPERATIONS),
    (prelude::MODULE, prelude::OPERATIONS),
    ("re", re::OPERATIONS),
    ("string", string::OPERATIONS),
    ("timer", services::TIMER),
    ("unicode", unicode::OPERATIONS),
    ("unicode_util", unicode::UTIL),
];

/// Every table; those of `erlang` come first.
pub(crate) const ALL: [&[Table]; 2] = [erlang::TABLES, LIBRARY];
