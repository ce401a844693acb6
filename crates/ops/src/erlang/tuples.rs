//! Tuples: making, reading and changing them.

use std::mem;

use constraint::{Op, Type};
use term::{Mark, Term, Tuple, heap};

use crate::operation;
use crate::raise::{OrBadarg, badarg};
use crate::{Eval, Operation, Rule};

/// The VM's largest tuple.
const MAX_SIZE: usize = (1 << 24) - 1;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::pure("element", 2, element).rule(Rule::Element).guard(),
    operation::size(Op::TupleSize, Type::Tuple, |args| Ok(Term::int(args[0].as_tuple().or_badarg()?.len() as i64))),
    Operation::pure("setelement", 3, set_element).rule(Rule::OpenTuple(1, 0)),
    Operation::pure("insert_element", 3, insert_element).rule(Rule::OpenTuple(1, 1)),
    Operation::pure("delete_element", 2, delete_element).rule(Rule::OpenTuple(1, 0)),
    Operation::pure("append_element", 2, append_element).rule(Rule::OpenTuple(0, 0)),
    Operation::pure("make_tuple", 2, make_tuple).rule(Rule::Sized),
    Operation::pure("make_tuple", 3, make_tuple_with),
    Operation::pure("list_to_tuple", 1, from_list).rule(Rule::OpenList),
    Operation::pure("tuple_to_list", 1, |args| Ok(Term::list(args[0].as_tuple().or_badarg()?.iter().cloned())))
        .rule(Rule::OpenTuple(0, 0)),
];

/// The place that a position from 1 to `last` names.
fn place(position: &Term, last: usize) -> Option<usize> {
    let at = usize::try_from(position.as_i64()?).ok()?.checked_sub(1)?;
    (at < last).then_some(at)
}

fn element(args: &mut [Term]) -> Eval {
    let elements = args[1].as_tuple().or_badarg()?;
    let at = place(&args[0], elements.len()).or_badarg()?;
    Ok(elements[at].clone())
}

fn set_element(args: &mut [Term]) -> Eval {
    let Term::Tuple(_, mut tuple) = mem::take(&mut args[1]) else { return badarg() };
    let at = place(&args[0], tuple.len()).or_badarg()?;
    let value = mem::take(&mut args[2]);
    if let Some(elements) = tuple.get_mut() {
        elements[at] = value;
        return Ok(Term::Tuple(Mark::NONE, tuple));
    }
    let mut elements = tuple.to_vec();
    elements[at] = value;
    Ok(Term::tuple(elements))
}

fn append_element(args: &mut [Term]) -> Eval {
    let elements = args[0].as_tuple().or_badarg()?;
    if elements.len() >= MAX_SIZE {
        return badarg();
    }
    Ok(Term::Tuple(Mark::NONE, elements.iter().chain([&args[1]]).cloned().collect::<Tuple>()))
}

fn insert_element(args: &mut [Term]) -> Eval {
    let mut elements = args[1].as_tuple().or_badarg()?.to_vec();
    let at = place(&args[0], elements.len() + 1).or_badarg()?;
    if elements.len() >= MAX_SIZE {
        return badarg();
    }
    elements.insert(at, mem::take(&mut args[2]));
    Ok(Term::tuple(elements))
}

fn delete_element(args: &mut [Term]) -> Eval {
    let mut elements = args[1].as_tuple().or_badarg()?.to_vec();
    let at = place(&args[0], elements.len()).or_badarg()?;
    elements.remove(at);
    Ok(Term::tuple(elements))
}

fn size(value: &Term) -> Option<usize> {
    usize::try_from(value.as_i64()?).ok().filter(|size| *size <= MAX_SIZE && heap::allows(*size * size_of::<Term>()))
}

fn make_tuple(args: &mut [Term]) -> Eval {
    let size = size(&args[0]).or_badarg()?;
    Ok(Term::tuple(vec![args[1].clone(); size]))
}

/// Later entries win.
fn make_tuple_with(args: &mut [Term]) -> Eval {
    let size = size(&args[0]).or_badarg()?;
    let mut elements = vec![args[1].clone(); size];
    for entry in args[2].proper_list().or_badarg()? {
        let Some([position, value]) = entry.as_tuple() else { return badarg() };
        elements[place(position, size).or_badarg()?] = value.clone();
    }
    Ok(Term::tuple(elements))
}

fn from_list(args: &mut [Term]) -> Eval {
    let elements = args[0].proper_list().or_badarg()?;
    if elements.len() > MAX_SIZE {
        return badarg();
    }
    Ok(Term::tuple(elements))
}
