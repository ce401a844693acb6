//! Lists: joining, subtracting, and taking apart.

use std::mem;
use std::rc::Rc;

use constraint::{Op, Type};
use rustc_hash::FxHashMap;
use term::{Mark, Term};

use crate::operation::size;
use crate::raise::{OrBadarg, badarg};
use crate::{Eval, Gives, Operation, Rule};

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::pure("++", 2, append).rule(Rule::OpenList).gives(Gives::Elements),
    Operation::pure("append", 2, append).rule(Rule::OpenList).gives(Gives::Elements),
    Operation::pure("--", 2, subtract).prelude("erlang", "minus"),
    Operation::pure("subtract", 2, subtract).prelude("erlang", "subtract"),
    Operation::pure("hd", 1, head).rule(Rule::Head).gives(Gives::Head).guard(),
    Operation::pure("tl", 1, tail).rule(Rule::Tail).gives(Gives::Tail).guard(),
    size(Op::Length, Type::ProperList, length),
];

/// Cells that have no other owner are kept and the last of them gets the new tail; from the first shared one on they are
/// copied. The VM does not look at the right side, nor make a copy when it is the empty list; one that carries a mark is
/// put in all the same, as it stands for other lists, too.
pub(crate) fn append(args: &mut [Term]) -> Eval {
    let mut left = args[0].cells();
    left.by_ref().for_each(drop);
    if !matches!(left.rest(), Term::Nil(_)) {
        return badarg();
    }
    let right = mem::take(&mut args[1]);
    let mut list = mem::take(&mut args[0]);
    if matches!(right, Term::Nil(Mark::NONE)) {
        return Ok(list);
    }
    let mut at = &mut list;
    while take_over(at) {
        let Term::Cons(_, cell) = at else { unreachable!("only a cell can be taken over") };
        at = &mut Rc::get_mut(cell).expect("it has no other owner").tail;
    }
    let shared = mem::take(at);
    for head in shared.cells() {
        *at = Term::cons(head.clone(), Term::nil());
        let Term::Cons(_, cell) = at else { unreachable!("it is a cell") };
        at = &mut Rc::get_mut(cell).expect("it is new").tail;
    }
    *at = right;
    Ok(list)
}

/// True if this is a cell without another owner. It becomes part of another list: its mark does not hold for that.
fn take_over(list: &mut Term) -> bool {
    let Term::Cons(mark, cell) = list else { return false };
    *mark = Mark::NONE;
    Rc::get_mut(cell).is_some()
}

/// Every element of the right side removes its first equal on the left.
#[allow(clippy::mutable_key_type, reason = "what can change in a term is no part of its hash")]
pub(crate) fn subtract(args: &mut [Term]) -> Eval {
    let left = args[0].proper_list().or_badarg()?;
    let right = args[1].proper_list().or_badarg()?;
    if left.is_empty() || right.is_empty() {
        return Ok(mem::take(&mut args[0]));
    }
    let mut counts: FxHashMap<&Term, usize> = FxHashMap::default();
    for item in &right {
        *counts.entry(item).or_default() += 1;
    }
    let mut pending = right.len();
    let mut kept = Vec::with_capacity(left.len());
    for (at, item) in left.iter().enumerate() {
        match counts.get_mut(item) {
            Some(count) if *count > 0 => {
                *count -= 1;
                pending -= 1;
            }
            _ => kept.push(item.clone()),
        }
        if pending == 0 {
            kept.extend_from_slice(&left[at + 1..]);
            break;
        }
    }
    Ok(Term::list(kept))
}

fn head(args: &mut [Term]) -> Eval {
    match &args[0] {
        Term::Cons(_, cell) => Ok(cell.head.clone()),
        _ => badarg(),
    }
}

fn tail(args: &mut [Term]) -> Eval {
    match &args[0] {
        Term::Cons(_, cell) => Ok(cell.tail.clone()),
        _ => badarg(),
    }
}

fn length(args: &mut [Term]) -> Eval {
    let mut cells = args[0].cells();
    let count = cells.by_ref().count();
    match cells.rest() {
        Term::Nil(_) => Ok(Term::int(count as i64)),
        _ => badarg(),
    }
}
