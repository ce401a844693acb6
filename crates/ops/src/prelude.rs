//! The prelude: operations that look into their arguments, written again in Erlang, so that a symbolic run sees each
//! step they make.

use term::{Atom, Mfa};

/// The name of the prelude's module.
pub const MODULE: &str = "hound_prelude";

/// The prelude's source.
pub const SOURCE: &str = include_str!("../erl/hound_prelude.erl");

/// Operations and the prelude's functions that mean the same.
const REPLACED: &[(&str, &str, u8, &str)] = &[
    ("binary", "at", 2, "at"),
    ("binary", "copy", 1, "copy"),
    ("binary", "copy", 2, "copy"),
    ("binary", "decode_unsigned", 1, "decode"),
    ("binary", "decode_unsigned", 2, "decode"),
    ("binary", "encode_unsigned", 1, "encode"),
    ("binary", "encode_unsigned", 2, "encode"),
    ("binary", "first", 1, "first"),
    ("binary", "last", 1, "last"),
    ("binary", "list_to_bin", 1, "list_to_bin"),
    ("binary", "longest_common_prefix", 1, "common_prefix"),
    ("binary", "longest_common_suffix", 1, "common_suffix"),
    ("binary", "match", 2, "match"),
    ("binary", "match", 3, "match"),
    ("binary", "matches", 2, "matches"),
    ("binary", "matches", 3, "matches"),
    ("binary", "part", 2, "part"),
    ("binary", "part", 3, "part"),
    ("binary", "split", 2, "split"),
    ("binary", "split", 3, "split"),
    ("erlang", "--", 2, "minus"),
    ("erlang", "binary_part", 2, "part_of_binary"),
    ("erlang", "binary_part", 3, "part_of_binary"),
    ("erlang", "binary_to_list", 1, "to_list"),
    ("erlang", "binary_to_list", 3, "to_list"),
    ("erlang", "bitstring_to_list", 1, "bits_to_list"),
    ("erlang", "iolist_size", 1, "size_of_iolist"),
    ("erlang", "iolist_to_binary", 1, "from_iolist"),
    ("erlang", "list_to_binary", 1, "from_bytes"),
    ("erlang", "list_to_bitstring", 1, "from_bits"),
    ("erlang", "split_binary", 2, "split_at"),
    ("erlang", "subtract", 2, "subtract"),
    ("erlang", "integer_to_list", 1, "integer_to_list"),
    ("erlang", "integer_to_list", 2, "integer_to_list"),
    ("erlang", "list_to_integer", 1, "list_to_integer"),
    ("erlang", "list_to_integer", 2, "list_to_integer"),
    ("erlang", "max", 2, "max"),
    ("erlang", "min", 2, "min"),
    ("lists", "keyfind", 3, "keyfind"),
    ("lists", "keymember", 3, "keymember"),
    ("lists", "keysearch", 3, "keysearch"),
    ("lists", "member", 2, "member"),
    ("maps", "find", 2, "find"),
    ("maps", "from_keys", 2, "from_keys"),
    ("maps", "from_list", 1, "from_list"),
    ("maps", "take", 2, "take"),
];

/// The prelude's function for an operation.
pub fn replacement(function: Mfa) -> Option<Mfa> {
    let (module, name) = (function.module.name(), function.function.name());
    let found = REPLACED.iter().find(|(m, f, arity, _)| *m == module && *f == name && *arity == function.arity);
    found.map(|(_, _, arity, own)| Mfa { module: Atom::new(MODULE), function: Atom::new(own), arity: *arity })
}

/// Every operation that the prelude has a function for.
pub fn replaced() -> impl Iterator<Item = Mfa> {
    REPLACED.iter().map(|(module, function, arity, _)| Mfa {
        module: Atom::new(module),
        function: Atom::new(function),
        arity: *arity,
    })
}

/// Whether a function of the prelude calls operations whose arguments must be held to their values, because nothing was
/// asked about them.
pub fn holds_arguments(function: Mfa) -> bool {
    is_prelude(function.module) && function.function.name().starts_with("held_")
}

/// Whether a module is the prelude.
pub fn is_prelude(module: Atom) -> bool {
    module.name() == MODULE
}
