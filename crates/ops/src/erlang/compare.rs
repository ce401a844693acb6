//! Comparisons, and the operators of truth values.

use std::mem;

use term::Term;

use crate::raise::OrBadarg;
use crate::{Entry, Eval};

pub(super) const NATIVES: &[Entry] = &[
    Entry::pure("==", 2, |args| truth(args[0].num_eq(&args[1]))),
    Entry::pure("/=", 2, |args| truth(!args[0].num_eq(&args[1]))),
    Entry::pure("=:=", 2, |args| truth(args[0] == args[1])),
    Entry::pure("=/=", 2, |args| truth(args[0] != args[1])),
    Entry::pure("<", 2, |args| truth(args[0].compare(&args[1]).is_lt())),
    Entry::pure("=<", 2, |args| truth(args[0].compare(&args[1]).is_le())),
    Entry::pure(">", 2, |args| truth(args[0].compare(&args[1]).is_gt())),
    Entry::pure(">=", 2, |args| truth(args[0].compare(&args[1]).is_ge())),
    Entry::pure("max", 2, |args| Ok(choose(args, |args| args[0].compare(&args[1]).is_ge()))),
    Entry::pure("min", 2, |args| Ok(choose(args, |args| args[0].compare(&args[1]).is_le()))),
    Entry::pure("not", 1, |args| truth(!args[0].as_bool().or_badarg()?)),
    Entry::pure("and", 2, |args| both(args, |a, b| a & b)),
    Entry::pure("or", 2, |args| both(args, |a, b| a | b)),
    Entry::pure("xor", 2, |args| both(args, |a, b| a ^ b)),
];

fn truth(value: bool) -> Eval {
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
