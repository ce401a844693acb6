//! The values of operations of the language that end with one, and the demands of that on their arguments.

use constraint::{Expr, FloatOp, Op, Test, Type};
use ops::{Boolean, Comparison, Control, MapOp, Rule};
use term::math::Math;
use term::{Mfa, Term, known};

use super::trace::Trace;

/// The value of an operation.
pub enum Given {
    Value(Expr),
    /// `true` where the test has this answer, else `false`.
    Truth(Test, bool),
    /// It is not known, and there is no code to look into.
    Some,
    /// It is not known, but its code may say more.
    Anything,
    /// It never ends with a value.
    Never,
}

/// Returns the value of a function for these arguments, if it ends with one.
pub fn given(trace: &mut Trace<'_, '_>, function: Mfa, args: &[Expr]) -> Given {
    let rule = ops::rule(function);
    if let Some((test, yes)) = truth(trace, rule, args) {
        return Given::Truth(test, yes);
    }
    match (rule, args) {
        (Rule::Control(Control::Error | Control::Exit | Control::Throw | Control::NifError), _) => Given::Never,
        (Rule::Arith(op), [a, b]) => match op.on_floats() {
            Some(float) => arith(trace, op, float, *a, *b),
            None => whole(trace, op, *a, *b),
        },
        (Rule::Unary(op), [a]) => match op.on_floats() {
            Some(float) => arith_one(trace, op, float, *a),
            None => {
                trace.demand(Test::Type(*a, Type::Integer), true);
                Given::Value(trace.arena.apply(op, &[*a]))
            }
        },
        (Rule::Divide, [a, b]) => divide(trace, *a, *b),
        (Rule::Math(math), args) => math_given(trace, math, args),
        (Rule::Head, [list]) => {
            trace.demand(Test::Cons(*list), true);
            Given::Value(trace.arena.head(*list))
        }
        (Rule::Tail, [list]) => {
            trace.demand(Test::Cons(*list), true);
            Given::Value(trace.arena.tail(*list))
        }
        (Rule::Size(op, kind), [value]) => {
            trace.demand(Test::Type(*value, kind), true);
            Given::Value(trace.arena.apply(op, &[*value]))
        }
        (Rule::Element, [place, tuple]) => element(trace, *place, *tuple),
        (Rule::Map(MapOp::Get), [key, map]) => map_get(trace, *key, *map),
        (Rule::Map(MapOp::HasKey), [key, map]) if function.module == known::MAPS => {
            trace.demand(Test::Type(*map, Type::Map), true);
            Given::Truth(Test::HasKey(*map, *key), true)
        }
        (Rule::Map(MapOp::Put), [key, value, map]) => {
            trace.demand(Test::Type(*map, Type::Map), true);
            Given::Value(trace.arena.map_put(*map, *key, *value))
        }
        (Rule::Float, [a]) => match as_float(trace, *a) {
            Some(value) => Given::Value(value),
            None => some_number(trace, &[*a]),
        },
        (Rule::Integer(op), [a]) => rounded(trace, op, *a),
        (Rule::Boolean(Boolean::Not), [a]) => {
            trace.demand(Test::Type(*a, Type::Boolean), true);
            let no = trace.arena.literal(Term::bool(false));
            Given::Truth(Test::Same(*a, no), true)
        }
        // The functions of `erlang` are not written in Erlang.
        _ if function.module == known::ERLANG => Given::Some,
        _ => Given::Anything,
    }
}

/// Returns the test that a boolean operation is, and the answer for which it gives `true`. It raises nothing.
pub fn truth(trace: &Trace<'_, '_>, rule: Rule, args: &[Expr]) -> Option<(Test, bool)> {
    match (rule, args) {
        (Rule::Relation(relation), [a, b]) => {
            let (comparison, exchanged, holds) = relation.parts();
            let (a, b) = if exchanged { (*b, *a) } else { (*a, *b) };
            let test = match comparison {
                Comparison::Same => Test::Same(a, b),
                Comparison::Equal => Test::Equal(a, b),
                Comparison::Less => Test::Less(a, b),
            };
            Some((test, holds))
        }
        (Rule::IsFunction, [fun, arity]) => {
            let arity = trace.arena.as_literal(*arity)?.as_i64()?;
            Some((Test::Arity(*fun, u8::try_from(arity).ok()?), true))
        }
        (Rule::Type(kind), [value]) => Some((Test::Type(*value, kind), true)),
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
