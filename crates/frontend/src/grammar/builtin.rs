//! The types every module knows.

use num_bigint::BigInt;
use term::Term;

use constraint::{Grammar, MapField, RuleId, Shape};

/// The largest Unicode code point.
const MAX_CHAR: i64 = 0x10FFFF;

fn integer(low: Option<i64>, high: Option<i64>) -> Shape {
    Shape::Integer { low: low.map(BigInt::from), high: high.map(BigInt::from) }
}

fn literal(name: &str) -> Shape {
    Shape::Literal(Term::atom_named(name))
}

pub(super) fn nil() -> Shape {
    Shape::Literal(Term::nil())
}

/// The shapes of a predefined type, or `None` when there is no such type.
pub(super) fn shapes(grammar: &mut Grammar, name: &str, args: &[RuleId]) -> Option<Vec<Shape>> {
    Some(match (name, args) {
        ("any" | "term" | "dynamic", []) => vec![Shape::Any],
        ("none" | "no_return", []) => vec![],
        ("atom" | "module" | "node", []) => vec![Shape::Atom],
        ("integer", []) => vec![integer(None, None)],
        ("non_neg_integer", []) => vec![integer(Some(0), None)],
        ("pos_integer", []) => vec![integer(Some(1), None)],
        ("neg_integer", []) => vec![integer(None, Some(-1))],
        ("byte", []) => vec![integer(Some(0), Some(255))],
        ("arity", []) => vec![integer(Some(0), Some(255))],
        ("char", []) => vec![integer(Some(0), Some(MAX_CHAR))],
        ("float", []) => vec![Shape::Float],
        ("number", []) => vec![integer(None, None), Shape::Float],
        ("boolean" | "bool", []) => vec![Shape::Literal(Term::bool(false)), Shape::Literal(Term::bool(true))],
        ("timeout", []) => vec![literal("infinity"), integer(Some(0), None)],
        ("binary", []) => vec![Shape::Bits { base: 0, unit: 8 }],
        ("bitstring", []) => vec![Shape::Bits { base: 0, unit: 1 }],
        ("nonempty_binary", []) => vec![Shape::Bits { base: 8, unit: 8 }],
        ("nonempty_bitstring", []) => vec![Shape::Bits { base: 1, unit: 1 }],
        ("pid", []) => vec![Shape::Pid],
        ("port", []) => vec![Shape::Port],
        ("reference", []) => vec![Shape::Reference],
        ("identifier", []) => vec![Shape::Pid, Shape::Port, Shape::Reference],
        ("tuple", []) => vec![Shape::AnyTuple],
        ("map", []) => vec![any_map(grammar)],
        ("function" | "fun", []) => vec![any_fun(grammar)],
        ("mfa", []) => vec![mfa(grammar)],
        ("nil", []) => vec![nil()],
        _ => return lists(grammar, name, args),
    })
}

fn any(grammar: &mut Grammar) -> RuleId {
    grammar.intern(vec![Shape::Any])
}

fn any_map(grammar: &mut Grammar) -> Shape {
    let any = any(grammar);
    Shape::Map(vec![MapField { key: any, value: any, mandatory: false }])
}

fn any_fun(grammar: &mut Grammar) -> Shape {
    Shape::Fun { params: None, result: any(grammar) }
}

fn mfa(grammar: &mut Grammar) -> Shape {
    let atom = grammar.intern(vec![Shape::Atom]);
    let arity = grammar.intern(vec![integer(Some(0), Some(255))]);
    Shape::Tuple(vec![atom, atom, arity])
}

fn lists(grammar: &mut Grammar, name: &str, args: &[RuleId]) -> Option<Vec<Shape>> {
    Some(match (name, args) {
        ("list" | "nonempty_list", []) => {
            let any = any(grammar);
            return lists(grammar, name, &[any]);
        }
        ("maybe_improper_list" | "nonempty_maybe_improper_list", []) => {
            let any = any(grammar);
            return lists(grammar, name, &[any, any]);
        }
        ("string" | "nonempty_string", []) => {
            let item = grammar.intern(vec![integer(Some(0), Some(MAX_CHAR))]);
            return lists(grammar, &name.replace("string", "list"), &[item]);
        }
        ("list", [item]) => list(grammar, *item),
        ("nonempty_list", [item]) => nonempty_list(grammar, *item),
        ("maybe_improper_list", [item, end]) => improper(grammar, *item, *end, true),
        ("nonempty_maybe_improper_list" | "nonempty_improper_list", [item, end]) => {
            improper(grammar, *item, *end, false)
        }
        ("iolist", []) => vec![Shape::Rule(iolist(grammar))],
        ("iodata", []) => vec![Shape::Rule(iolist(grammar)), Shape::Bits { base: 0, unit: 8 }],
        _ => return None,
    })
}

fn list(grammar: &mut Grammar, item: RuleId) -> Vec<Shape> {
    let id = list_rule(grammar, item);
    vec![Shape::Rule(id)]
}

/// `[Item]` as a rule that is its own tail; found again when it was made before.
fn list_rule(grammar: &mut Grammar, item: RuleId) -> RuleId {
    let wanted = |id: RuleId| vec![nil(), Shape::Cons(item, id)];
    let known = (0..grammar.len() as u32).map(RuleId).find(|id| grammar.rule(*id).shapes == wanted(*id));
    known.unwrap_or_else(|| {
        let id = grammar.reserve();
        grammar.fill(id, wanted(id));
        id
    })
}

fn nonempty_list(grammar: &mut Grammar, item: RuleId) -> Vec<Shape> {
    let tail = list_rule(grammar, item);
    vec![Shape::Cons(item, tail)]
}

/// A list that ends in `end`, or in `[]` when it may be proper too.
fn improper(grammar: &mut Grammar, item: RuleId, end: RuleId, maybe_empty: bool) -> Vec<Shape> {
    let tail = grammar.reserve();
    let mut shapes = vec![nil(), Shape::Rule(end), Shape::Cons(item, tail)];
    grammar.fill(tail, shapes.clone());
    if maybe_empty {
        shapes.remove(1);
        shapes
    } else {
        vec![Shape::Cons(item, tail)]
    }
}

/// `maybe_improper_list(byte() | binary() | iolist(), binary() | [])`.
fn iolist(grammar: &mut Grammar) -> RuleId {
    let binary = Shape::Bits { base: 0, unit: 8 };
    let list = grammar.reserve();
    let item = grammar.intern(vec![integer(Some(0), Some(255)), binary.clone(), Shape::Rule(list)]);
    let tail = grammar.reserve();
    grammar.fill(tail, vec![nil(), binary, Shape::Cons(item, tail)]);
    grammar.fill(list, vec![nil(), Shape::Cons(item, tail)]);
    list
}

/// The value of `$c`, `-1` or `1 bsl 3` in a type.
pub(super) fn constant(form: &Term) -> Option<BigInt> {
    match form.as_tuple()? {
        [tag, _, value] if matches!(tag.as_atom()?.name(), "integer" | "char") => value.as_bigint(),
        [tag, _, op, only] if tag.as_atom()?.name() == "op" => {
            let only = constant(only)?;
            match op.as_atom()?.name() {
                "-" => Some(-only),
                "+" => Some(only),
                "bnot" => Some(!only),
                _ => None,
            }
        }
        [tag, _, op, left, right] if tag.as_atom()?.name() == "op" => {
            binary_operation(op.as_atom()?.name(), constant(left)?, constant(right)?)
        }
        _ => None,
    }
}

fn binary_operation(op: &str, left: BigInt, right: BigInt) -> Option<BigInt> {
    let shift = || u32::try_from(&right).ok().filter(|by| *by < 4096);
    let nonzero = right != BigInt::ZERO;
    match op {
        "+" => Some(left + right),
        "-" => Some(left - right),
        "*" => Some(left * right),
        "div" if nonzero => Some(left / right),
        "rem" if nonzero => Some(left % right),
        "band" => Some(left & right),
        "bor" => Some(left | right),
        "bxor" => Some(left ^ right),
        "bsl" => shift().map(|by| left << by),
        "bsr" => shift().map(|by| left >> by),
        _ => None,
    }
}
