//! The operations of the `atomics` module, and those that `counters` is made of. The machine has the arrays of a run.

use crate::policy::Policy;
use crate::{ArrayKind, ArrayOp, Operation, Rule};

pub(crate) const OPERATIONS: &[Operation] = &[
    array("add", 3, ArrayOp::Add, ArrayKind::Atomics),
    array("add_get", 3, ArrayOp::AddGet, ArrayKind::Atomics),
    array("compare_exchange", 4, ArrayOp::CompareExchange, ArrayKind::Atomics),
    array("exchange", 3, ArrayOp::Exchange, ArrayKind::Atomics),
    array("get", 2, ArrayOp::Get, ArrayKind::Atomics),
    array("info", 1, ArrayOp::Info, ArrayKind::Atomics),
    array("put", 3, ArrayOp::Put, ArrayKind::Atomics),
];

pub(crate) const INTERNAL: &[Operation] = &[
    array("atomics_new", 2, ArrayOp::New, ArrayKind::Atomics),
    array("counters_add", 3, ArrayOp::Add, ArrayKind::Counters),
    array("counters_get", 2, ArrayOp::Get, ArrayKind::Counters),
    array("counters_info", 1, ArrayOp::Info, ArrayKind::Counters),
    array("counters_new", 1, ArrayOp::New, ArrayKind::Counters),
    array("counters_put", 3, ArrayOp::Put, ArrayKind::Counters),
];

const fn array(name: &'static str, arity: u8, op: ArrayOp, kind: ArrayKind) -> Operation {
    Operation::vm(name, arity, Policy::State).rule(Rule::Array(op, kind))
}
