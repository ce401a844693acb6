//! The natives of `erts_internal` and `erts_debug` that library code reaches.

use std::cmp::Ordering;
use std::rc::Rc;

use term::Term;

use crate::{Entry, Eval};

pub(super) const INTERNAL: &[Entry] = &[Entry::pure("cmp_term", 2, cmp_term)];

pub(super) const DEBUG: &[Entry] = &[Entry::pure("same", 2, |args| Ok(Term::bool(same(&args[0], &args[1]))))];

/// The exact order: an integer stands before every float. Negative, zero or positive.
fn cmp_term(args: &mut [Term]) -> Eval {
    Ok(Term::int(match args[0].compare_exact(&args[1]) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }))
}

/// Whether both are one value in memory, not merely equal ones.
fn same(a: &Term, b: &Term) -> bool {
    match (a, b) {
        (Term::Cons(_, a), Term::Cons(_, b)) => Rc::ptr_eq(a, b),
        (Term::Tuple(_, a), Term::Tuple(_, b)) => a.same(b),
        (Term::Bits(_, a), Term::Bits(_, b)) => Rc::ptr_eq(a, b),
        (Term::Map(_, a), Term::Map(_, b)) => Rc::ptr_eq(a, b),
        (Term::Big(_, a), Term::Big(_, b)) => Rc::ptr_eq(a, b),
        (Term::Fun(_, a), Term::Fun(_, b)) => Rc::ptr_eq(a, b),
        (Term::Int(..) | Term::Atom(..) | Term::Nil(_) | Term::Handle(..), _) => a == b,
        _ => false,
    }
}
