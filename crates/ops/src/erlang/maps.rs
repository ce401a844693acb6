//! Maps as the `erlang` module sees them.

use constraint::{Op, Type};
use term::Term;

use crate::maps::{get, is_key, map_of};
use crate::operation::size;
use crate::{Gives, MapOp, Operation, Rule};

pub(super) const OPERATIONS: &[Operation] = &[
    size(Op::MapSize, Type::Map, |args| Ok(Term::int(map_of(&args[0])?.len() as i64))),
    Operation::pure("map_get", 2, get).rule(Rule::Map(MapOp::Get)).guard(),
    Operation::pure("is_map_key", 2, is_key).rule(Rule::Map(MapOp::HasKey)).gives(Gives::Boolean).guard(),
];
