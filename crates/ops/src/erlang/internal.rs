//! The natives of `erts_internal` and `erts_debug` that library code reaches.

use std::cmp::Ordering;
use std::rc::Rc;

use term::Term;

use crate::policy::Policy;
use crate::{EtsOp, Eval, Gives, Operation, Returns, Rule};

pub(super) const INTERNAL: &[Operation] = &[
    Operation::pure("cmp_term", 2, cmp_term).gives(Gives::Between(-1, 1)).returns(Returns::Always),
    raw_table("ets_lookup_binary_info", 2),
    raw_table("ets_raw_first", 1),
    raw_table("ets_raw_next", 2),
];

/// A look into tables that only the library's own tests take.
const fn raw_table(name: &'static str, arity: u8) -> Operation {
    Operation::vm(name, arity, Policy::Session).rule(Rule::Ets(EtsOp::Raw))
}

pub(super) const DEBUG: &[Operation] = &[Operation::pure("same", 2, |args| Ok(Term::bool(same(&args[0], &args[1]))))];

/// The exact order: an integer stands before every float. Negative, zero or positive.
fn cmp_term(args: &mut [Term]) -> Eval {
    Ok(Term::int(match args[0].compare_exact(&args[1]) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }))
}

/// True if both are one value in memory, not merely equal ones.
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
