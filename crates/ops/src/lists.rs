//! The natives of the `lists` module.

use std::mem;
use std::rc::Rc;

use term::{Term, Tuple};

use crate::raise::{OrBadarg, badarg};
use crate::{Eval, Gives, Operation, Rule};

pub(crate) const OPERATIONS: &[Operation] = &[
    Operation::pure("keyfind", 3, keyfind).prelude("lists", "keyfind"),
    Operation::pure("keymember", 3, keymember).prelude("lists", "keymember"),
    Operation::pure("keysearch", 3, keysearch).prelude("lists", "keysearch"),
    Operation::pure("member", 2, member).prelude("lists", "member"),
    Operation::pure("reverse", 2, reverse).rule(Rule::OpenList).gives(Gives::Elements),
    Operation::code("reverse", 1).gives(Gives::Elements),
];

/// The VM takes no position that is not one of its small integers.
const LAST_POSITION: i64 = (1 << 59) - 1;

fn member(args: &mut [Term]) -> Eval {
    let mut cells = args[1].cells();
    if cells.any(|item| *item == args[0]) {
        return Ok(Term::bool(true));
    }
    match cells.rest() {
        Term::Nil(_) => Ok(Term::bool(false)),
        _ => badarg(),
    }
}

/// Turns the cells round in place where they have no other owner.
fn reverse(args: &mut [Term]) -> Eval {
    let mut rest = mem::take(&mut args[0]);
    let mut done = mem::take(&mut args[1]);
    while let Term::Cons(mark, mut cell) = rest {
        match Rc::get_mut(&mut cell) {
            Some(own) => {
                rest = mem::replace(&mut own.tail, done);
                done = Term::Cons(mark, cell);
            }
            None => {
                done = Term::cons(cell.head.clone(), done);
                rest = cell.tail.clone();
            }
        }
    }
    match rest {
        Term::Nil(_) => Ok(done),
        _ => badarg(),
    }
}

fn keyfind(args: &mut [Term]) -> Eval {
    Ok(find_key(args)?.unwrap_or(Term::bool(false)))
}

fn keymember(args: &mut [Term]) -> Eval {
    Ok(Term::bool(find_key(args)?.is_some()))
}

fn keysearch(args: &mut [Term]) -> Eval {
    Ok(match find_key(args)? {
        Some(tuple) => Term::tuple([Term::atom_named("value"), tuple]),
        None => Term::bool(false),
    })
}

/// The first tuple whose element at the position equals the key numerically; whatever else is in the list is passed over.
fn find_key(args: &[Term]) -> Result<Option<Term>, Box<term::Exception>> {
    let [key, position, list] = args else { return badarg() };
    let position = position.as_i64().filter(|position| (1..=LAST_POSITION).contains(position)).or_badarg()?;
    let at = position as usize - 1;
    let holds = |tuple: &Tuple| tuple.get(at).is_some_and(|element| element.num_eq(key));
    let mut cells = list.cells();
    let found = cells.find(|item| matches!(item, Term::Tuple(_, tuple) if holds(tuple)));
    match (found, cells.rest()) {
        (Some(tuple), _) => Ok(Some(tuple.clone())),
        (None, Term::Nil(_)) => Ok(None),
        _ => badarg(),
    }
}
