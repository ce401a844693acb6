//! Comparisons, and the operators of truth values.

use std::mem;

use term::Term;

use crate::raise::OrBadarg;
use crate::{Boolean, Eval, Gives, HandleView, Operation, Relation, Returns, Rule};

pub(super) const OPERATIONS: &[Operation] = &[
    relation("==", Relation::Equal, |args| truth(args[0].num_eq(&args[1]))),
    relation("/=", Relation::NotEqual, |args| truth(!args[0].num_eq(&args[1]))),
    relation("=:=", Relation::Same, |args| truth(args[0] == args[1])),
    relation("=/=", Relation::NotSame, |args| truth(args[0] != args[1])),
    relation("<", Relation::Less, |args| truth(args[0].compare(&args[1]).is_lt())).shows_handles(HandleView::Order),
    relation("=<", Relation::LessOrEqual, |args| truth(args[0].compare(&args[1]).is_le()))
        .shows_handles(HandleView::Order),
    relation(">", Relation::Greater, |args| truth(args[0].compare(&args[1]).is_gt())).shows_handles(HandleView::Order),
    relation(">=", Relation::GreaterOrEqual, |args| truth(args[0].compare(&args[1]).is_ge()))
        .shows_handles(HandleView::Order),
    Operation::pure("max", 2, |args| Ok(choose(args, |args| args[0].compare(&args[1]).is_ge())))
        .returns(Returns::Always)
        .shows_handles(HandleView::Order)
        .prelude("erlang", "max"),
    Operation::pure("min", 2, |args| Ok(choose(args, |args| args[0].compare(&args[1]).is_le())))
        .returns(Returns::Always)
        .shows_handles(HandleView::Order)
        .prelude("erlang", "min"),
    boolean("not", 1, Boolean::Not, |args| truth(!args[0].as_bool().or_badarg()?)),
    boolean("and", 2, Boolean::And, |args| both(args, |a, b| a & b)),
    boolean("or", 2, Boolean::Or, |args| both(args, |a, b| a | b)),
    boolean("xor", 2, Boolean::Xor, |args| both(args, |a, b| a ^ b)),
];

const fn relation(name: &'static str, relation: Relation, rule: fn(&mut [Term]) -> Eval) -> Operation {
    Operation::pure(name, 2, rule).rule(Rule::Relation(relation)).test()
}

const fn boolean(name: &'static str, arity: u8, boolean: Boolean, rule: fn(&mut [Term]) -> Eval) -> Operation {
    Operation::pure(name, arity, rule).rule(Rule::Boolean(boolean)).gives(Gives::Boolean).guard()
}

pub(super) fn truth(value: bool) -> Eval {
    Ok(Term::bool(value))
}

/// The first argument or else the second.
fn choose(args: &mut [Term], first: fn(&[Term]) -> bool) -> Term {
    let at = if first(args) { 0 } else { 1 };
    mem::take(&mut args[at])
}

fn both(args: &mut [Term], rule: fn(bool, bool) -> bool) -> Eval {
    let (a, b) = (args[0].as_bool().or_badarg()?, args[1].as_bool().or_badarg()?);
    truth(rule(a, b))
}
