//! The prelude: operations that look into their arguments, written again in Erlang, so that a symbolic run sees each
//! step they make. One module for each part of the library that it stands for, and a few operations of its own.

use term::{Atom, Exception, Mfa, Term, decimal};

use crate::raise::{OrBadarg, badarg};
use crate::{Entry, Eval, binary};

/// The name of the module of the prelude's own operations; those of its modules in Erlang begin with it.
const MODULE: &str = "hound_prelude";

/// The modules in Erlang, by what follows that name, and their sources.
const MODULES: &[(&str, &str)] = &[
    ("binary", include_str!("../erl/hound_prelude_binary.erl")),
    ("convert", include_str!("../erl/hound_prelude_convert.erl")),
    ("erlang", include_str!("../erl/hound_prelude_erlang.erl")),
    ("ets", include_str!("../erl/hound_prelude_ets.erl")),
    ("float", include_str!("../erl/hound_prelude_float.erl")),
    ("graphemes", include_str!("../erl/hound_prelude_graphemes.erl")),
    ("io", include_str!("../erl/hound_prelude_io.erl")),
    ("lists", include_str!("../erl/hound_prelude_lists.erl")),
    ("maps", include_str!("../erl/hound_prelude_maps.erl")),
    ("match", include_str!("../erl/hound_prelude_match.erl")),
    ("string", include_str!("../erl/hound_prelude_string.erl")),
    ("unicode", include_str!("../erl/hound_prelude_unicode.erl")),
    ("unicode_util", include_str!("../erl/hound_prelude_unicode_util.erl")),
];

/// Operations, and the prelude's modules and functions that mean the same.
const REPLACED: &[(&str, &str, u8, &str, &str)] = &[
    ("binary", "at", 2, "binary", "at"),
    ("binary", "compile_pattern", 1, "binary", "compile"),
    ("binary", "copy", 1, "binary", "copy"),
    ("binary", "copy", 2, "binary", "copy"),
    ("binary", "decode_unsigned", 1, "binary", "decode"),
    ("binary", "decode_unsigned", 2, "binary", "decode"),
    ("binary", "encode_unsigned", 1, "binary", "encode"),
    ("binary", "encode_unsigned", 2, "binary", "encode"),
    ("binary", "first", 1, "binary", "first"),
    ("binary", "last", 1, "binary", "last"),
    ("binary", "list_to_bin", 1, "binary", "list_to_bin"),
    ("binary", "longest_common_prefix", 1, "binary", "common_prefix"),
    ("binary", "longest_common_suffix", 1, "binary", "common_suffix"),
    ("binary", "match", 2, "binary", "match"),
    ("binary", "match", 3, "binary", "match"),
    ("binary", "matches", 2, "binary", "matches"),
    ("binary", "matches", 3, "binary", "matches"),
    ("binary", "part", 2, "binary", "part"),
    ("binary", "part", 3, "binary", "part"),
    ("binary", "split", 2, "binary", "split"),
    ("binary", "split", 3, "binary", "split"),
    ("erlang", "--", 2, "erlang", "minus"),
    ("erlang", "atom_to_binary", 1, "convert", "atom_to_binary"),
    ("erlang", "atom_to_binary", 2, "convert", "atom_to_binary"),
    ("erlang", "binary_part", 2, "erlang", "part_of_binary"),
    ("erlang", "binary_part", 3, "erlang", "part_of_binary"),
    ("erlang", "binary_to_atom", 1, "convert", "binary_to_atom"),
    ("erlang", "binary_to_atom", 2, "convert", "binary_to_atom"),
    ("erlang", "binary_to_float", 1, "float", "binary_to_float"),
    ("erlang", "binary_to_integer", 1, "convert", "binary_to_integer"),
    ("erlang", "binary_to_integer", 2, "convert", "binary_to_integer"),
    ("erlang", "binary_to_list", 1, "erlang", "to_list"),
    ("erlang", "binary_to_list", 3, "erlang", "to_list"),
    ("erlang", "bitstring_to_list", 1, "erlang", "bits_to_list"),
    ("erlang", "float_to_binary", 1, "float", "float_to_binary"),
    ("erlang", "float_to_binary", 2, "float", "float_to_binary"),
    ("erlang", "float_to_list", 1, "float", "float_to_list"),
    ("erlang", "float_to_list", 2, "float", "float_to_list"),
    ("erlang", "integer_to_binary", 1, "convert", "integer_to_binary"),
    ("erlang", "integer_to_binary", 2, "convert", "integer_to_binary"),
    ("erlang", "integer_to_list", 1, "convert", "integer_to_list"),
    ("erlang", "integer_to_list", 2, "convert", "integer_to_list"),
    ("erlang", "iolist_size", 1, "erlang", "size_of_iolist"),
    ("erlang", "iolist_to_binary", 1, "erlang", "from_iolist"),
    ("erlang", "list_to_atom", 1, "convert", "list_to_atom"),
    ("erlang", "list_to_binary", 1, "erlang", "from_bytes"),
    ("erlang", "list_to_bitstring", 1, "erlang", "from_bits"),
    ("erlang", "list_to_float", 1, "float", "list_to_float"),
    ("erlang", "list_to_integer", 1, "convert", "list_to_integer"),
    ("erlang", "list_to_integer", 2, "convert", "list_to_integer"),
    ("erlang", "max", 2, "erlang", "max"),
    ("erlang", "min", 2, "erlang", "min"),
    ("erlang", "split_binary", 2, "erlang", "split_at"),
    ("erlang", "subtract", 2, "erlang", "subtract"),
    ("ets", "internal_select_delete", 2, "ets", "select_delete"),
    ("ets", "match", 2, "ets", "match"),
    ("ets", "match_object", 2, "ets", "match_object"),
    ("ets", "select", 2, "ets", "select"),
    ("ets", "select_count", 2, "ets", "select_count"),
    ("ets", "select_reverse", 2, "ets", "select_reverse"),
    ("ets", "update_counter", 3, "ets", "update_counter"),
    ("ets", "update_counter", 4, "ets", "update_counter"),
    ("ets", "update_element", 3, "ets", "update_element"),
    ("io", "format", 1, "io", "format"),
    ("io", "format", 2, "io", "format"),
    ("io", "format", 3, "io", "format"),
    ("io", "fwrite", 1, "io", "fwrite"),
    ("io", "fwrite", 2, "io", "fwrite"),
    ("io", "fwrite", 3, "io", "fwrite"),
    ("io", "nl", 1, "io", "nl"),
    ("io", "put_chars", 1, "io", "put_chars"),
    ("io", "put_chars", 2, "io", "put_chars"),
    ("io", "write", 1, "io", "write"),
    ("io", "write", 2, "io", "write"),
    ("lists", "keyfind", 3, "lists", "keyfind"),
    ("lists", "keymember", 3, "lists", "keymember"),
    ("lists", "keysearch", 3, "lists", "keysearch"),
    ("lists", "member", 2, "lists", "member"),
    ("maps", "find", 2, "maps", "find"),
    ("maps", "from_keys", 2, "maps", "from_keys"),
    ("maps", "from_list", 1, "maps", "from_list"),
    ("maps", "take", 2, "maps", "take"),
    ("string", "list_to_float", 1, "string", "list_to_float"),
    ("string", "list_to_integer", 1, "string", "list_to_integer"),
    ("unicode", "bin_is_7bit", 1, "unicode", "bin_is_7bit"),
    ("unicode", "characters_to_binary", 2, "unicode", "characters_to_binary"),
    ("unicode", "characters_to_list", 2, "unicode", "characters_to_list"),
];

/// Functions of the library written in Erlang, of which the prelude has versions by the same names that ask less.
const MIRRORED: &[(&str, &str, u8)] = &[
    ("string", "to_float", 1),
    ("string", "to_integer", 1),
    ("unicode_util", "casefold", 1),
    ("unicode_util", "gc", 1),
    ("unicode_util", "lowercase", 1),
    ("unicode_util", "nfc", 1),
    ("unicode_util", "nfd", 1),
    ("unicode_util", "nfkc", 1),
    ("unicode_util", "nfkd", 1),
    ("unicode_util", "titlecase", 1),
    ("unicode_util", "uppercase", 1),
];

/// What the prelude asks of the machine.
pub(crate) const NATIVES: &[Entry] = &[
    // The value; a symbolic run holds it to what it is, for the function that is named.
    Entry::pure("held", 2, |args| Ok(args[1].clone())),
    // The same, because what the function makes of it is not for inputs to decide.
    Entry::pure("foreign", 2, |args| Ok(args[1].clone())),
    Entry::pure("is_text", 1, is_text),
    Entry::pure("is_long_text", 2, is_long_text),
    // The float nearest to an integer times ten to the power of another, or `none`.
    Entry::pure("decimal", 2, decimal),
    // The integer nearest to a float times a power of ten, of two the even one.
    Entry::pure("scaled", 2, scaled),
    // The shortest decimal that is read as a float: its digits as an integer, and the power of ten.
    Entry::pure("digits", 1, |args| Ok(Term::big(decimal::shortest(float(&args[0])?).0))),
    Entry::pure("power", 1, |args| Ok(Term::int(decimal::shortest(float(&args[0])?).1))),
    // A pattern of a list of binaries, none of them empty.
    Entry::pure("compiled", 1, binary::compile_pattern),
    // What a compiled pattern was made of, or `none`.
    Entry::pure("needles", 1, |args| Ok(needles(&args[0]).unwrap_or(Term::atom_named("none")))),
];

/// What a compiled pattern was made of.
pub fn needles(pattern: &Term) -> Option<Term> {
    binary::compiled_needles(pattern)
}

/// A compiled pattern of binaries.
pub fn compiled(needles: &Term) -> Eval {
    binary::compile_pattern(&mut [needles.clone()])
}

fn is_character(term: &Term) -> bool {
    term.as_i64().and_then(|point| u32::try_from(point).ok()).and_then(char::from_u32).is_some()
}

/// Whether it is a list of characters.
fn is_text(args: &mut [Term]) -> Eval {
    let mut cells = args[0].cells();
    let all = cells.by_ref().all(is_character);
    Ok(Term::bool(all && matches!(cells.rest(), Term::Nil(_))))
}

/// Whether it is a list of more cells than that, so many of which hold characters.
fn is_long_text(args: &mut [Term]) -> Eval {
    let count = args[1].as_i64().and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX);
    let mut cells = args[0].cells();
    let found = cells.by_ref().take(count).filter(|cell| is_character(cell)).count();
    Ok(Term::bool(found == count && matches!(cells.rest(), Term::Cons(..))))
}

fn float(term: &Term) -> Result<f64, Box<Exception>> {
    if let Term::Float(_, value) = term { Ok(*value) } else { badarg() }
}

fn decimal(args: &mut [Term]) -> Eval {
    let [Some(mantissa), Some(exponent)] = [&args[0], &args[1]].map(Term::as_bigint) else { return badarg() };
    Ok(decimal::of_decimal(&mantissa, &exponent).map_or(Term::atom_named("none"), Term::float))
}

fn scaled(args: &mut [Term]) -> Eval {
    let power = args[1].as_i64().filter(|power| i16::try_from(*power).is_ok()).or_badarg()?;
    Ok(Term::big(decimal::scaled(float(&args[0])?, power)))
}

fn own(module: &str, function: &str, arity: u8) -> Mfa {
    Mfa { module: Atom::new(&format!("{MODULE}_{module}")), function: Atom::new(function), arity }
}

/// The prelude's function for an operation.
pub fn replacement(function: Mfa) -> Option<Mfa> {
    let (module, name) = (function.module.name(), function.function.name());
    let found = REPLACED.iter().find(|(m, f, arity, ..)| *m == module && *f == name && *arity == function.arity);
    found.map(|(_, _, arity, of, name)| own(of, name, *arity))
}

/// The prelude's version of a function written in Erlang.
pub fn mirror(function: Mfa) -> Option<Mfa> {
    let (module, name) = (function.module.name(), function.function.name());
    let found = MIRRORED.iter().find(|(m, f, arity)| *m == module && *f == name && *arity == function.arity);
    found.map(|(module, name, arity)| own(module, name, *arity))
}

/// Every operation or function that the prelude has a version of, and that version.
pub fn replaced() -> impl Iterator<Item = (Mfa, Mfa)> {
    let mfa = |module, function, arity| Mfa { module: Atom::new(module), function: Atom::new(function), arity };
    let operations = REPLACED.iter().map(move |(m, f, arity, of, name)| (mfa(m, f, *arity), own(of, name, *arity)));
    let functions = MIRRORED.iter().map(move |(m, f, arity)| (mfa(m, f, *arity), own(m, f, *arity)));
    operations.chain(functions)
}

/// Whether a function of the prelude calls operations whose arguments must be held to their values, because nothing was
/// asked about them.
pub fn holds_arguments(function: Mfa) -> bool {
    is_prelude(function.module) && function.function.name().starts_with("held_")
}

/// Whether a function of the prelude finds places in a table.
pub fn is_table(function: Mfa) -> bool {
    function.module.name() == "hound_prelude_graphemes"
}

/// Whether a module is one of the prelude's.
pub fn is_prelude(module: Atom) -> bool {
    module.name().starts_with(MODULE)
}

/// The source of a module of the prelude.
pub fn source(module: Atom) -> Option<&'static str> {
    let name = module.name().strip_prefix(MODULE)?.strip_prefix('_')?;
    MODULES.iter().find(|(of, _)| *of == name).map(|(_, source)| *source)
}
