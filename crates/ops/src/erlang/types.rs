//! Tests of a value's type.

use constraint::Type;
use term::{HandleKind, Term};

use super::compare::truth;
use super::text::word;
use crate::policy::Policy;
use crate::raise::{OrBadarg, badarg};
use crate::{Eval, Gives, Operation, Rule};

pub(super) const OPERATIONS: &[Operation] = &[
    test("is_atom", Type::Atom, |args| truth(matches!(args[0], Term::Atom(..)))),
    test("is_binary", Type::Binary, |args| truth(args[0].as_bits().is_some_and(|bits| bits.is_binary()))),
    test("is_bitstring", Type::Bitstring, |args| truth(matches!(args[0], Term::Bits(..)))),
    test("is_boolean", Type::Boolean, |args| truth(args[0].as_bool().is_some())),
    test("is_float", Type::Float, |args| truth(matches!(args[0], Term::Float(..)))),
    test("is_function", Type::Function, |args| truth(matches!(args[0], Term::Fun(..)))),
    test("is_integer", Type::Integer, |args| truth(args[0].is_integer())),
    test("is_list", Type::List, |args| truth(matches!(args[0], Term::Cons(..) | Term::Nil(_)))),
    test("is_map", Type::Map, |args| truth(matches!(args[0], Term::Map(..)))),
    test("is_number", Type::Number, |args| truth(args[0].is_number())),
    test("is_pid", Type::Pid, |args| truth(is_handle(&args[0], HandleKind::Pid))),
    test("is_port", Type::Port, |args| truth(is_handle(&args[0], HandleKind::Port))),
    test("is_reference", Type::Reference, |args| truth(is_handle(&args[0], HandleKind::Reference))),
    test("is_tuple", Type::Tuple, |args| truth(matches!(args[0], Term::Tuple(..)))),
    Operation::pure("is_function", 2, is_function).rule(Rule::IsFunction).gives(Gives::Boolean).guard(),
    Operation::pure("is_record", 2, |args| is_record(&args[0], &args[1], None))
        .rule(Rule::IsRecord)
        .gives(Gives::Boolean)
        .guard(),
    Operation::pure("is_record", 3, record_of_size).rule(Rule::IsRecord).gives(Gives::Boolean).guard(),
    Operation::vm("is_alive", 0, Policy::Session).gives(Gives::Boolean),
    Operation::vm("is_builtin", 3, Policy::Session).gives(Gives::Boolean),
];

const fn test(name: &'static str, kind: Type, rule: fn(&mut [Term]) -> Eval) -> Operation {
    Operation::pure(name, 1, rule).rule(Rule::Type(kind)).test()
}

fn is_handle(value: &Term, kind: HandleKind) -> bool {
    matches!(value, Term::Handle(_, handle) if handle.kind == kind)
}

/// An arity may be any integer that is not negative, however large.
fn is_function(args: &mut [Term]) -> Eval {
    let fits = match (&args[0], &args[1]) {
        (_, Term::Int(_, arity)) if *arity < 0 => return badarg(),
        (Term::Fun(_, fun), Term::Int(_, arity)) => i64::from(fun.arity()) == *arity,
        (_, Term::Int(..)) => false,
        (_, Term::Big(_, arity)) if arity.sign() == num_bigint::Sign::Plus => false,
        _ => return badarg(),
    };
    truth(fits)
}

fn record_of_size(args: &mut [Term]) -> Eval {
    if !matches!(args[1], Term::Atom(..)) {
        return badarg();
    }
    let size = word(&args[2]).or_badarg()?;
    is_record(&args[0], &args[1], Some(size))
}

fn is_record(value: &Term, tag: &Term, size: Option<i64>) -> Eval {
    let tag = tag.as_atom().or_badarg()?;
    let Some(elements) = value.as_tuple() else { return truth(false) };
    let tagged = elements.first().and_then(Term::as_atom) == Some(tag);
    truth(tagged && size.is_none_or(|size| size == elements.len() as i64))
}
