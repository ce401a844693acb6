//! Which rule an operation written in Rust has when it meets marked values.

use constraint::{FloatOp, Op};
use term::Mfa;
use term::math::Math;

use super::arith::binary;
use super::names::is_dictionary;
use crate::forward::code::Relation;
use crate::forward::link::relation_named;
use crate::forward::machine::Control;
use crate::types::{Type, type_named};

/// How an operation treats marked arguments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rule {
    Arith(Op),
    /// Of one operand; `None` gives numbers back as they are. The flag: floats are taken, too.
    ArithOne(Option<Op>, bool),
    /// `/`
    Divide,
    /// `float`
    Converted,
    /// A float becomes an integer.
    Whole(FloatOp),
    Math(Math),
    /// A float of the integers that its text has.
    Decimal,
    /// The digits of a float as an integer, so many of them behind the point.
    Scaled,
    /// Something of the shortest decimal of a float.
    Shortest(FloatOp),
    Relation(Relation),
    Type(Type),
    /// `not`, `and`, `or`, `xor`.
    Booleans,
    IsFunction,
    FunInfo,
    /// The first argument is a size.
    Sized,
    IsRecord,
    Head,
    Tail,
    Element,
    TupleSize,
    Size,
    BitSize,
    ByteSize,
    Length,
    /// The spine of the first argument is walked.
    OpenList,
    /// The elements of the tuple at this argument are moved; the other arguments before it are positions.
    OpenTuple(usize),
    /// A map is looked into, or made of others.
    Map,
    /// All entries of the map at this argument are listed.
    OpenMap(usize),
    /// The name of an atom.
    Name,
    /// The atom of a text that was asked about.
    Named,
    /// Records whether it is a list of characters.
    IsText,
    /// The second argument is held to its value, for the function that the first one names.
    Hold,
    /// The same, for a function that depends on more than it is given.
    Foreign,
    /// A pattern of binaries that were asked about is compiled.
    Compiled,
    /// What a compiled pattern was made of.
    Needles,
    Pin,
}

/// True if a symbolic run follows an operation of that name by a rule of its own, instead of holding its arguments.
pub fn has_rule(function: Mfa) -> bool {
    let control = Control::of(function)
        .is_some_and(|control| !matches!(control, Control::MakeFun | Control::Hibernate | Control::ProcessInfo));
    control || is_dictionary(function) || rule(function) != Rule::Pin
}

/// The rule of an operation.
pub fn rule(function: Mfa) -> Rule {
    let name = function.function.name();
    match function.module.name() {
        "erlang" => erlang(name, function.arity),
        "lists" if name == "reverse" => Rule::OpenList,
        "maps" => maps(name, function.arity),
        "hound_prelude" if matches!(name, "is_text" | "is_long_text") => Rule::IsText,
        "hound_prelude" if name == "held" => Rule::Hold,
        "hound_prelude" if name == "decimal" => Rule::Decimal,
        "hound_prelude" if name == "scaled" => Rule::Scaled,
        "hound_prelude" if name == "digits" => Rule::Shortest(FloatOp::Digits),
        "hound_prelude" if name == "power" => Rule::Shortest(FloatOp::Power),
        "hound_prelude" if name == "foreign" => Rule::Foreign,
        "hound_prelude" if name == "compiled" => Rule::Compiled,
        "hound_prelude" if name == "needles" => Rule::Needles,
        "math" => Math::named(name, usize::from(function.arity)).map_or(Rule::Pin, Rule::Math),
        "erts_internal" if name == "map_next" => Rule::OpenMap(1),
        _ => Rule::Pin,
    }
}

/// Which calls of an operation are samples: those of one that depends on nothing but its arguments in a way that no
/// rule describes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sampling {
    Never,
    /// The prelude does the others better.
    Marked,
    Always,
}

/// The way calls of an operation are sampled.
pub fn sampling(function: Mfa) -> Sampling {
    // Which atoms there are depends on what ran before.
    let has_state = is_dictionary(function) || function.function.name().ends_with("_existing_atom");
    match rule(function) {
        Rule::Pin if function.arity == 0 || has_state || ops::prelude::is_prelude(function.module) => Sampling::Never,
        Rule::Pin if ops::prelude::replacement(function).is_some() => Sampling::Marked,
        Rule::Pin => Sampling::Always,
        _ => Sampling::Never,
    }
}

fn erlang(name: &str, arity: u8) -> Rule {
    match arity {
        1 => one(name),
        2 => two(name),
        _ => match (name, arity) {
            ("setelement" | "insert_element", 3) => Rule::OpenTuple(1),
            ("is_record", 3) => Rule::IsRecord,
            _ => Rule::Pin,
        },
    }
}

fn one(name: &str) -> Rule {
    match name {
        "+" => Rule::ArithOne(None, true),
        "trunc" => Rule::Whole(FloatOp::Trunc),
        "round" => Rule::Whole(FloatOp::Round),
        "ceil" => Rule::Whole(FloatOp::Ceil),
        "floor" => Rule::Whole(FloatOp::Floor),
        "float" => Rule::Converted,
        "-" => Rule::ArithOne(Some(Op::Neg), true),
        "abs" => Rule::ArithOne(Some(Op::Abs), true),
        "bnot" => Rule::ArithOne(Some(Op::Bnot), false),
        "not" => Rule::Booleans,
        "hd" => Rule::Head,
        "tl" => Rule::Tail,
        "tuple_size" => Rule::TupleSize,
        "size" => Rule::Size,
        "bit_size" => Rule::BitSize,
        "byte_size" => Rule::ByteSize,
        "length" => Rule::Length,
        "list_to_tuple" => Rule::OpenList,
        "tuple_to_list" => Rule::OpenTuple(0),
        "map_size" => Rule::Map,
        "atom_to_list" => Rule::Name,
        "list_to_atom" => Rule::Named,
        _ => type_named(name).map_or(Rule::Pin, Rule::Type),
    }
}

fn two(name: &str) -> Rule {
    if let Some(op) = binary(name) {
        return Rule::Arith(op);
    }
    if let Some(relation) = relation_named(name) {
        return Rule::Relation(relation);
    }
    match name {
        "/" => Rule::Divide,
        "and" | "or" | "xor" => Rule::Booleans,
        "is_function" => Rule::IsFunction,
        "is_record" => Rule::IsRecord,
        "element" => Rule::Element,
        "++" | "append" => Rule::OpenList,
        "append_element" => Rule::OpenTuple(0),
        "delete_element" => Rule::OpenTuple(1),
        "make_tuple" => Rule::Sized,
        "fun_info" => Rule::FunInfo,
        "map_get" | "is_map_key" => Rule::Map,
        _ => Rule::Pin,
    }
}

fn maps(name: &str, arity: u8) -> Rule {
    match (name, arity) {
        ("get" | "is_key" | "remove" | "merge", 2) | ("put" | "update", 3) => Rule::Map,
        ("keys" | "values", 1) => Rule::OpenMap(0),
        _ => Rule::Pin,
    }
}
