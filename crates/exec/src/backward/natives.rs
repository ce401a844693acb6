//! What operations of the language give where they end with a value, and what that demands of their arguments.

use constraint::{Expr, FloatOp, Op, Test, Type};
use term::math::Math;
use term::{Mfa, Term};

use super::trace::Trace;
use crate::types::{type_named, type_of};

/// What an operation gives.
pub enum Given {
    Value(Expr),
    /// `true` where the test has this answer, else `false`.
    Truth(Test, bool),
    /// It is not known what; nobody could look into it.
    Some,
    /// The same, but its code may tell more.
    Anything,
    /// It never ends with a value.
    Never,
}

/// What a function gives for these arguments, if it ends with a value.
pub fn given(trace: &mut Trace<'_, '_>, function: Mfa, args: &[Expr]) -> Given {
    match (function.module.name(), function.function.name()) {
        ("erlang", name) => erlang(trace, function, name, args),
        ("math", name) => match Math::named(name, args.len()) {
            Some(math) => math_given(trace, math, args),
            None => Given::Some,
        },
        ("maps", "get") if args.len() == 2 => map_get(trace, args[0], args[1]),
        ("maps", "put") => {
            trace.demand(Test::Type(args[2], Type::Map), true);
            Given::Value(trace.arena.map_put(args[2], args[0], args[1]))
        }
        ("maps", "is_key") => {
            trace.demand(Test::Type(args[1], Type::Map), true);
            Given::Truth(Test::HasKey(args[1], args[0]), true)
        }
        _ => Given::Anything,
    }
}

fn erlang(trace: &mut Trace<'_, '_>, function: Mfa, name: &str, args: &[Expr]) -> Given {
    if let Some((test, yes)) = truth(trace, function, args) {
        return Given::Truth(test, yes);
    }
    match (name, args) {
        ("error" | "exit" | "throw" | "nif_error" | "halt" | "raise", _) if is_raise(name, args.len()) => Given::Never,
        ("+", [a, b]) => arith(trace, Op::Add, FloatOp::Add, *a, *b),
        ("-", [a, b]) => arith(trace, Op::Sub, FloatOp::Sub, *a, *b),
        ("*", [a, b]) => arith(trace, Op::Mul, FloatOp::Mul, *a, *b),
        ("/", [a, b]) => divide(trace, *a, *b),
        ("-", [a]) => arith_one(trace, Op::Neg, FloatOp::Neg, *a),
        ("abs", [a]) => arith_one(trace, Op::Abs, FloatOp::Abs, *a),
        ("div", [a, b]) => whole(trace, Op::Div, *a, *b),
        ("rem", [a, b]) => whole(trace, Op::Rem, *a, *b),
        ("band", [a, b]) => whole(trace, Op::Band, *a, *b),
        ("bor", [a, b]) => whole(trace, Op::Bor, *a, *b),
        ("bxor", [a, b]) => whole(trace, Op::Bxor, *a, *b),
        ("bsl", [a, b]) => whole(trace, Op::Bsl, *a, *b),
        ("bsr", [a, b]) => whole(trace, Op::Bsr, *a, *b),
        ("bnot", [a]) => {
            trace.demand(Test::Type(*a, Type::Integer), true);
            Given::Value(trace.arena.apply(Op::Bnot, &[*a]))
        }
        ("hd", [list]) => {
            trace.demand(Test::Cons(*list), true);
            Given::Value(trace.arena.head(*list))
        }
        ("tl", [list]) => {
            trace.demand(Test::Cons(*list), true);
            Given::Value(trace.arena.tail(*list))
        }
        ("length", [list]) => sized(trace, Op::Length, Type::ProperList, *list),
        ("tuple_size", [tuple]) => sized(trace, Op::TupleSize, Type::Tuple, *tuple),
        ("map_size", [map]) => sized(trace, Op::MapSize, Type::Map, *map),
        ("bit_size", [bits]) => sized(trace, Op::BitSize, Type::Bitstring, *bits),
        ("byte_size", [bits]) => sized(trace, Op::ByteSize, Type::Bitstring, *bits),
        ("element", [place, tuple]) => element(trace, *place, *tuple),
        ("map_get", [key, map]) => map_get(trace, *key, *map),
        ("float", [a]) => match as_float(trace, *a) {
            Some(value) => Given::Value(value),
            None => some_number(trace, &[*a]),
        },
        ("trunc", [a]) => rounded(trace, FloatOp::Trunc, *a),
        ("round", [a]) => rounded(trace, FloatOp::Round, *a),
        ("floor", [a]) => rounded(trace, FloatOp::Floor, *a),
        ("ceil", [a]) => rounded(trace, FloatOp::Ceil, *a),
        ("not", [a]) => {
            trace.demand(Test::Type(*a, Type::Boolean), true);
            let no = trace.arena.literal(Term::bool(false));
            Given::Truth(Test::Same(*a, no), true)
        }
        _ => Given::Some,
    }
}

/// `error/1,2,3`, `exit/1`, `throw/1` and their like.
fn is_raise(name: &str, arity: usize) -> bool {
    match name {
        "error" => (1..=3).contains(&arity),
        "exit" | "throw" => arity == 1,
        _ => name == "nif_error",
    }
}

/// The test that a boolean operation is, and the answer for which it gives `true`. It raises nothing.
pub fn truth(trace: &mut Trace<'_, '_>, function: Mfa, args: &[Expr]) -> Option<(Test, bool)> {
    if function.module != term::known::ERLANG {
        return None;
    }
    match (function.function.name(), args) {
        ("<", [a, b]) => Some((Test::Less(*a, *b), true)),
        (">", [a, b]) => Some((Test::Less(*b, *a), true)),
        ("=<", [a, b]) => Some((Test::Less(*b, *a), false)),
        (">=", [a, b]) => Some((Test::Less(*a, *b), false)),
        ("==", [a, b]) => Some((Test::Equal(*a, *b), true)),
        ("/=", [a, b]) => Some((Test::Equal(*a, *b), false)),
        ("=:=", [a, b]) => Some((Test::Same(*a, *b), true)),
        ("=/=", [a, b]) => Some((Test::Same(*a, *b), false)),
        ("is_function", [fun, arity]) => {
            let arity = trace.arena.as_literal(*arity)?.as_i64()?;
            Some((Test::Arity(*fun, u8::try_from(arity).ok()?), true))
        }
        (name, [value]) => type_named(name).map(|kind| (Test::Type(*value, type_of(kind)), true)),
        _ => None,
    }
}

/// The arguments are numbers, and so is what comes of them.
fn some_number(trace: &mut Trace<'_, '_>, args: &[Expr]) -> Given {
    args.iter().for_each(|arg| trace.demand(Test::Type(*arg, Type::Number), true));
    Given::Some
}

fn arith(trace: &mut Trace<'_, '_>, op: Op, float: FloatOp, a: Expr, b: Expr) -> Given {
    if trace.is(a, Type::Integer) && trace.is(b, Type::Integer) {
        return Given::Value(trace.arena.apply(op, &[a, b]));
    }
    if trace.is(a, Type::Float) || trace.is(b, Type::Float) {
        return floats(trace, float, a, b);
    }
    some_number(trace, &[a, b])
}

fn arith_one(trace: &mut Trace<'_, '_>, op: Op, float: FloatOp, a: Expr) -> Given {
    if trace.is(a, Type::Integer) {
        return Given::Value(trace.arena.apply(op, &[a]));
    }
    if trace.is(a, Type::Float) {
        return Given::Value(trace.arena.float(float, &[a]));
    }
    some_number(trace, &[a])
}

/// A number as a float, if it is certain of which kind it is.
fn as_float(trace: &mut Trace<'_, '_>, value: Expr) -> Option<Expr> {
    if trace.is(value, Type::Float) {
        return Some(value);
    }
    trace.is(value, Type::Integer).then(|| {
        let float = trace.arena.float(FloatOp::Of, &[value]);
        trace.demand(Test::Defined(float), true);
        float
    })
}

fn floats(trace: &mut Trace<'_, '_>, op: FloatOp, a: Expr, b: Expr) -> Given {
    let (Some(x), Some(y)) = (as_float(trace, a), as_float(trace, b)) else { return some_number(trace, &[a, b]) };
    let value = trace.arena.float(op, &[x, y]);
    if !op.is_total() {
        trace.demand(Test::Defined(value), true);
    }
    Given::Value(value)
}

fn divide(trace: &mut Trace<'_, '_>, a: Expr, b: Expr) -> Given {
    let zero = trace.arena.integer(0);
    trace.demand(Test::Equal(b, zero), false);
    floats(trace, FloatOp::Div, a, b)
}

fn math_given(trace: &mut Trace<'_, '_>, math: Math, args: &[Expr]) -> Given {
    let floats: Option<Vec<Expr>> = args.iter().map(|arg| as_float(trace, *arg)).collect();
    let Some(floats) = floats else { return some_number(trace, args) };
    let value = trace.arena.float(FloatOp::Math(math), &floats);
    if !FloatOp::Math(math).is_total() {
        trace.demand(Test::Defined(value), true);
    }
    Given::Value(value)
}

fn rounded(trace: &mut Trace<'_, '_>, op: FloatOp, value: Expr) -> Given {
    if trace.is(value, Type::Integer) {
        return Given::Value(value);
    }
    if trace.is(value, Type::Float) {
        return Given::Value(trace.arena.float(op, &[value]));
    }
    some_number(trace, &[value])
}

/// An operation that takes integers only.
fn whole(trace: &mut Trace<'_, '_>, op: Op, a: Expr, b: Expr) -> Given {
    trace.demand(Test::Type(a, Type::Integer), true);
    trace.demand(Test::Type(b, Type::Integer), true);
    if matches!(op, Op::Div | Op::Rem) {
        let zero = trace.arena.integer(0);
        trace.demand(Test::Same(b, zero), false);
    }
    Given::Value(trace.arena.apply(op, &[a, b]))
}

fn sized(trace: &mut Trace<'_, '_>, op: Op, kind: Type, value: Expr) -> Given {
    trace.demand(Test::Type(value, kind), true);
    Given::Value(trace.arena.apply(op, &[value]))
}

fn element(trace: &mut Trace<'_, '_>, place: Expr, tuple: Expr) -> Given {
    trace.demand(Test::Type(tuple, Type::Tuple), true);
    let known = trace.arena.as_literal(place).and_then(Term::as_i64).and_then(|place| u32::try_from(place).ok());
    match known {
        Some(0) => Given::Never,
        Some(at) => {
            let (size, least) = (trace.arena.apply(Op::TupleSize, &[tuple]), trace.arena.integer(i64::from(at)));
            trace.demand(Test::Less(size, least), false);
            Given::Value(trace.arena.element(tuple, at - 1))
        }
        None => Given::Some,
    }
}

fn map_get(trace: &mut Trace<'_, '_>, key: Expr, map: Expr) -> Given {
    trace.demand(Test::Type(map, Type::Map), true);
    trace.demand(Test::HasKey(map, key), true);
    Given::Value(trace.arena.map_value(map, key))
}
