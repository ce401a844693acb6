//! The guards and bodies of match specifications.

use term::{Atom, Map, Mfa, Term, known};

use super::Bindings;
use crate::{Environment, Native};

/// The value of a call in a body that fails.
pub const FAILED: &str = "EXIT";

/// An expression.
pub enum MatchExpression {
    Constant(Term),
    Variable(u32),
    /// `$_`
    Row,
    /// `$$`
    Bound,
    Tuple(Vec<MatchExpression>),
    Cons(Box<MatchExpression>, Box<MatchExpression>),
    Map(Vec<(MatchExpression, MatchExpression)>),
    /// All are evaluated.
    And(Vec<MatchExpression>),
    Or(Vec<MatchExpression>),
    AndAlso(Vec<MatchExpression>),
    OrElse(Vec<MatchExpression>),
    Own,
    Call(Mfa, Vec<MatchExpression>),
}

impl MatchExpression {
    /// Returns the value. A call that fails is nothing in a guard, and `'EXIT'` in a body.
    pub fn value(&self, run: &mut dyn Environment, row: &Term, bindings: &Bindings, body: bool) -> Option<Term> {
        let mut all = |parts: &[MatchExpression]| {
            let value = |part: &MatchExpression| term::deeper(|| part.value(run, row, bindings, body));
            parts.iter().map(value).collect::<Option<Vec<Term>>>()
        };
        let failed = || body.then(|| Term::atom_named(FAILED));
        match self {
            MatchExpression::Constant(term) => Some(term.clone()),
            MatchExpression::Variable(number) => bindings.get(number).cloned(),
            MatchExpression::Row => Some(row.clone()),
            MatchExpression::Bound => Some(Term::list(bindings.values().cloned().collect::<Vec<_>>())),
            MatchExpression::Tuple(parts) => all(parts).map(Term::tuple),
            MatchExpression::Cons(head, tail) => {
                let [head, tail] = [head, tail].map(|part| all(std::slice::from_ref(part)));
                Some(Term::cons(head?.pop()?, tail?.pop()?))
            }
            MatchExpression::Map(entries) => {
                let mut map = Map::new();
                for (key, value) in entries {
                    let key = key.value(run, row, bindings, body)?;
                    map.insert_mut(key, value.value(run, row, bindings, body)?);
                }
                Some(Term::map(map))
            }
            MatchExpression::And(parts) => {
                let values: Option<Vec<bool>> = all(parts)?.iter().map(Term::as_bool).collect();
                values.map(|values| Term::bool(values.into_iter().all(|it| it))).or_else(failed)
            }
            MatchExpression::Or(parts) => {
                let values: Option<Vec<bool>> = all(parts)?.iter().map(Term::as_bool).collect();
                values.map(|values| Term::bool(values.into_iter().any(|it| it))).or_else(failed)
            }
            MatchExpression::AndAlso(parts) => in_turn(parts, false, run, row, bindings, body),
            MatchExpression::OrElse(parts) => in_turn(parts, true, run, row, bindings, body),
            MatchExpression::Own => Some(run.own_pid()),
            MatchExpression::Call(function, args) => {
                let args = all(args)?;
                call(*function, args, run).or_else(failed)
            }
        }
    }
}

/// `andalso` and `orelse`: the first that is `ends`, or the last.
fn in_turn(
    parts: &[MatchExpression],
    ends: bool,
    run: &mut dyn Environment,
    row: &Term,
    bindings: &Bindings,
    body: bool,
) -> Option<Term> {
    let (last, first) = parts.split_last()?;
    for part in first {
        let value = part.value(run, row, bindings, body)?;
        match value.as_bool() {
            Some(it) if it != ends => {}
            Some(_) => return Some(value),
            None => return body.then(|| Term::atom_named(FAILED)),
        }
    }
    last.value(run, row, bindings, body)
}

fn call(function: Mfa, mut args: Vec<Term>, run: &mut dyn Environment) -> Option<Term> {
    match crate::native(function) {
        Some(Native::Pure(rule)) => rule(&mut args).ok(),
        Some(Native::Running(rule)) => rule(run, &mut args).ok(),
        None => run.ask(function, &args).ok(),
    }
}

/// The function that a name stands for in guards and bodies.
pub fn function(name: Atom, arity: usize) -> Option<Mfa> {
    let known = match arity {
        0 => &["node"][..],
        1 => UNARY,
        2 => BINARY,
        3 => &["is_record", "binary_part"],
        _ => return None,
    };
    let is_known = known.contains(&name.name());
    is_known.then_some(Mfa { module: known::ERLANG, function: name, arity: arity as u8 })
}

const UNARY: &[&str] = &[
    "is_atom",
    "is_float",
    "is_integer",
    "is_list",
    "is_number",
    "is_pid",
    "is_port",
    "is_reference",
    "is_tuple",
    "is_map",
    "is_binary",
    "is_function",
    "abs",
    "hd",
    "length",
    "node",
    "round",
    "size",
    "map_size",
    "bit_size",
    "byte_size",
    "tl",
    "trunc",
    "float",
    "+",
    "-",
    "bnot",
    "not",
];

const BINARY: &[&str] = &[
    "element",
    "map_get",
    "is_map_key",
    "binary_part",
    "+",
    "-",
    "*",
    "/",
    "div",
    "rem",
    "band",
    "bor",
    "bxor",
    "bsl",
    "bsr",
    ">",
    ">=",
    "<",
    "=<",
    "==",
    "=:=",
    "/=",
    "=/=",
    "xor",
];
