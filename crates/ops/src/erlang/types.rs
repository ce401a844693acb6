//! Tests of a value's type.

use term::{HandleKind, Term};

use crate::raise::{OrBadarg, badarg};
use crate::{Entry, Eval};

pub(super) const NATIVES: &[Entry] = &[
    Entry::pure("is_atom", 1, |args| truth(matches!(args[0], Term::Atom(..)))),
    Entry::pure("is_binary", 1, |args| truth(args[0].as_bits().is_some_and(|bits| bits.is_binary()))),
    Entry::pure("is_bitstring", 1, |args| truth(matches!(args[0], Term::Bits(..)))),
    Entry::pure("is_boolean", 1, |args| truth(args[0].as_bool().is_some())),
    Entry::pure("is_float", 1, |args| truth(matches!(args[0], Term::Float(..)))),
    Entry::pure("is_function", 1, |args| truth(matches!(args[0], Term::Fun(..)))),
    Entry::pure("is_function", 2, is_function),
    Entry::pure("is_integer", 1, |args| truth(args[0].is_integer())),
    Entry::pure("is_list", 1, |args| truth(matches!(args[0], Term::Cons(..) | Term::Nil(_)))),
    Entry::pure("is_map", 1, |args| truth(matches!(args[0], Term::Map(..)))),
    Entry::pure("is_number", 1, |args| truth(args[0].is_number())),
    Entry::pure("is_pid", 1, |args| truth(is_handle(&args[0], HandleKind::Pid))),
    Entry::pure("is_port", 1, |args| truth(is_handle(&args[0], HandleKind::Port))),
    Entry::pure("is_reference", 1, |args| truth(is_handle(&args[0], HandleKind::Reference))),
    Entry::pure("is_tuple", 1, |args| truth(matches!(args[0], Term::Tuple(..)))),
    Entry::pure("is_record", 2, |args| is_record(&args[0], &args[1], None)),
    Entry::pure("is_record", 3, record_of_size),
];

fn truth(value: bool) -> Eval {
    Ok(Term::bool(value))
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
    // Beyond this an integer is not one word to the VM.
    const WORD: i64 = 1 << 59;
    let size = args[2].as_i64().filter(|size| (-WORD..WORD).contains(size)).or_badarg()?;
    is_record(&args[0], &args[1], Some(size))
}

fn is_record(value: &Term, tag: &Term, size: Option<i64>) -> Eval {
    let tag = tag.as_atom().or_badarg()?;
    let Some(elements) = value.as_tuple() else { return truth(false) };
    let tagged = elements.first().and_then(Term::as_atom) == Some(tag);
    truth(tagged && size.is_none_or(|size| size == elements.len() as i64))
}
