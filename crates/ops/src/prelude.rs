//! The prelude: operations that look into their arguments, written again in Erlang, so that a symbolic run sees each
//! step they make. One module for each part of the library that it stands for, and a few operations of its own.

use constraint::FloatOp;
use term::{Atom, Exception, Mfa, Term, decimal};

pub use crate::binary::{needles, pattern_compiler};
use crate::raise::{OrBadarg, badarg};
use crate::{Eval, Operation, Rule, all, binary, find};

/// The name of the module of the prelude's own operations; those of its modules in Erlang begin with it.
pub(crate) const MODULE: &str = "hound_prelude";

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
    ("logger", include_str!("../erl/hound_prelude_logger.erl")),
    ("maps", include_str!("../erl/hound_prelude_maps.erl")),
    ("match", include_str!("../erl/hound_prelude_match.erl")),
    ("processes", include_str!("../erl/hound_prelude_processes.erl")),
    ("string", include_str!("../erl/hound_prelude_string.erl")),
    ("unicode", include_str!("../erl/hound_prelude_unicode.erl")),
    ("unicode_util", include_str!("../erl/hound_prelude_unicode_util.erl")),
];

/// The operations that the prelude asks of the machine.
pub(crate) const OPERATIONS: &[Operation] = &[
    // The value; a symbolic run holds it to what it is, for the function that is named.
    Operation::pure("held", 2, |args| Ok(args[1].clone())).rule(Rule::Hold),
    // The same, because what the function makes of it is not for inputs to decide.
    Operation::pure("foreign", 2, |args| Ok(args[1].clone())).rule(Rule::Foreign),
    Operation::pure("is_text", 1, is_text).rule(Rule::IsText),
    Operation::pure("is_long_text", 2, is_long_text).rule(Rule::IsText),
    // The float nearest to an integer times ten to the power of another, or `none`.
    Operation::pure(FloatOp::Decimal.name(), 2, decimal).rule(Rule::Decimal),
    // The integer nearest to a float times a power of ten, of two the even one.
    Operation::pure(FloatOp::Scaled(0).name(), 2, scaled).rule(Rule::Scaled),
    // The shortest decimal that is read as a float: its digits as an integer, and the power of ten.
    shortest(FloatOp::Digits, |args| Ok(Term::big(decimal::shortest(float(&args[0])?).0))),
    shortest(FloatOp::Power, |args| Ok(Term::int(decimal::shortest(float(&args[0])?).1))),
    // A pattern of a list of binaries, none of them empty.
    Operation::pure("compiled", 1, binary::compile_pattern).rule(Rule::Compiled),
    // What a compiled pattern was made of, or `none`.
    Operation::pure("needles", 1, |args| Ok(needles(&args[0]).unwrap_or(Term::atom_named("none")))).rule(Rule::Needles),
];

const fn shortest(op: FloatOp, rule: fn(&mut [Term]) -> Eval) -> Operation {
    Operation::pure(op.name(), 1, rule).rule(Rule::Shortest(op))
}

/// A compiled pattern of binaries.
pub fn compiled(needles: &Term) -> Eval {
    binary::compile_pattern(&mut [needles.clone()])
}

fn is_character(term: &Term) -> bool {
    term.as_i64().and_then(|point| u32::try_from(point).ok()).and_then(char::from_u32).is_some()
}

/// True if it is a list of characters.
fn is_text(args: &mut [Term]) -> Eval {
    let mut cells = args[0].cells();
    let all = cells.by_ref().all(is_character);
    Ok(Term::bool(all && matches!(cells.rest(), Term::Nil(_))))
}

/// True if it is a list of more cells than that, so many of which hold characters.
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

impl Operation {
    /// Returns the prelude's version of the function.
    pub fn twin(&self) -> Option<Mfa> {
        self.prelude.map(|(module, name)| own(module, name, self.arity))
    }
}

/// Returns the prelude's version of a function written in Erlang.
pub fn mirror(function: Mfa) -> Option<Mfa> {
    find(function).filter(|operation| operation.policy.is_none() && operation.rule != Rule::Service)?.twin()
}

/// Returns every function that the prelude has a version of, and that version.
pub fn replaced() -> impl Iterator<Item = (Mfa, Mfa)> {
    all()
        .filter(|operation| operation.rule != Rule::Service)
        .filter_map(|operation| Some((operation.mfa(), operation.twin()?)))
}

/// True if a function of the prelude calls operations whose arguments must be held to their values, because nothing was
/// asked about them.
pub fn holds_arguments(function: Mfa) -> bool {
    is_prelude(function.module) && function.function.name().starts_with("held_")
}

/// True if a function of the prelude finds places in a table.
pub fn is_table(function: Mfa) -> bool {
    function.module.name() == "hound_prelude_graphemes"
}

/// Returns true if a module is one of the prelude's.
pub fn is_prelude(module: Atom) -> bool {
    is_prelude_name(module.name())
}

pub(crate) fn is_prelude_name(module: &str) -> bool {
    module.starts_with(MODULE)
}

/// The source of a module of the prelude.
pub fn source(module: Atom) -> Option<&'static str> {
    let name = module.name().strip_prefix(MODULE)?.strip_prefix('_')?;
    MODULES.iter().find(|(of, _)| *of == name).map(|(_, source)| *source)
}
