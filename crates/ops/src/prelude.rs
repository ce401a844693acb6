//! The prelude: operations that look into their arguments, written again in Erlang, so that a symbolic run sees each
//! step they make.

use term::{Atom, Mfa};

/// The name of the prelude's module.
pub const MODULE: &str = "hound_prelude";

/// The prelude's source.
pub const SOURCE: &str = include_str!("../erl/hound_prelude.erl");

/// Operations and the prelude's functions that mean the same.
const REPLACED: &[(&str, &str, u8, &str)] = &[
    ("erlang", "--", 2, "minus"),
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

/// Whether a module is the prelude.
pub fn is_prelude(module: Atom) -> bool {
    module.name() == MODULE
}
