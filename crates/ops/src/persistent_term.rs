//! The operations of the `persistent_term` module. The machine has the terms of a run, the VM its own.

use crate::policy::Policy;
use crate::{Operation, PersistentOp, Rule};

pub(crate) const OPERATIONS: &[Operation] = &[
    persistent("erase", 1, PersistentOp::Erase),
    persistent("get", 0, PersistentOp::All),
    persistent("get", 1, PersistentOp::Get),
    persistent("get", 2, PersistentOp::Get),
    persistent("put", 2, PersistentOp::Put),
];

const fn persistent(name: &'static str, arity: u8, op: PersistentOp) -> Operation {
    Operation::vm(name, arity, Policy::State).rule(Rule::Persistent(op))
}
