//! Maps as the `erlang` module sees them.

use constraint::{Op, Type};
use term::Term;

use crate::operation::size;
use crate::raise::{badkey, badmap};
use crate::{Eval, Gives, MapOp, Operation, Rule};

pub(super) const OPERATIONS: &[Operation] = &[
    size(Op::MapSize, Type::Map, map_size),
    Operation::pure("map_get", 2, map_get).rule(Rule::Map(MapOp::Get)).guard(),
    Operation::pure("is_map_key", 2, is_map_key).rule(Rule::Map(MapOp::HasKey)).gives(Gives::Boolean).guard(),
];

fn map_size(args: &mut [Term]) -> Eval {
    match &args[0] {
        Term::Map(_, map) => Ok(Term::int(map.len() as i64)),
        other => badmap(other.clone()),
    }
}

fn map_get(args: &mut [Term]) -> Eval {
    match &args[1] {
        Term::Map(_, map) => match map.get(&args[0]) {
            Some(value) => Ok(value.clone()),
            None => badkey(args[0].clone()),
        },
        other => badmap(other.clone()),
    }
}

fn is_map_key(args: &mut [Term]) -> Eval {
    match &args[1] {
        Term::Map(_, map) => Ok(Term::bool(map.contains(&args[0]))),
        other => badmap(other.clone()),
    }
}
