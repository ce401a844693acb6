//! Functions that undo others: what a function gives for a value is where the other one gives that value.

use term::{Atom, Mfa};

/// A module and a function.
type Name = (&'static str, &'static str);

/// Functions of one argument, each with the one that undoes it: `base64:decode(base64:encode(X))` is `X`.
const PAIRS: &[(Name, Name)] = &[
    (("erlang", "binary_to_term"), ("erlang", "term_to_binary")),
    (("base64", "decode"), ("base64", "encode")),
    (("base64", "encode"), ("base64", "decode")),
    (("base64", "decode_to_string"), ("base64", "encode_to_string")),
    (("base64", "encode_to_string"), ("base64", "decode_to_string")),
    (("base64", "mime_decode"), ("base64", "encode")),
    (("binary", "decode_hex"), ("binary", "encode_hex")),
    (("binary", "encode_hex"), ("binary", "decode_hex")),
    (("zlib", "uncompress"), ("zlib", "compress")),
    (("zlib", "compress"), ("zlib", "uncompress")),
    (("zlib", "gunzip"), ("zlib", "gzip")),
    (("zlib", "unzip"), ("zlib", "zip")),
];

/// Functions that take options behind what they undo.
const WITH_OPTIONS: &[Name] = &[("erlang", "binary_to_term"), ("base64", "decode"), ("base64", "encode")];

/// Returns the function that undoes another, where that is known: what it gives for a value is a first argument at which
/// the other one may give that value. Other arguments are options.
pub fn inverse(function: Mfa) -> Option<Mfa> {
    let name = (function.module.name(), function.function.name());
    let is_known = function.arity == 1 || function.arity == 2 && WITH_OPTIONS.contains(&name);
    let (_, (module, inverse)) = PAIRS.iter().find(|(known, _)| is_known && *known == name)?;
    Some(Mfa { module: Atom::new(module), function: Atom::new(inverse), arity: 1 })
}

/// Returns all functions with one that undoes them.
pub fn inverses() -> impl Iterator<Item = (Mfa, Mfa)> {
    PAIRS.iter().filter_map(|((module, function), _)| {
        let function = Mfa { module: Atom::new(module), function: Atom::new(function), arity: 1 };
        Some((function, inverse(function)?))
    })
}
