//! Functions that the VM's own processes serve: a run with processes has a version for itself.

use crate::{Operation, Rule};

pub(crate) const TIMER: &[Operation] = &[
    Operation::code("do_start", 0).rule(Rule::Service).prelude("processes", "start_timer_server"),
    Operation::code("ensure_started", 0).rule(Rule::Service).prelude("processes", "ensure_timer_server"),
];

/// Names of processes that a run starts for itself.
pub const NAMES: &[&str] = &["timer_server"];

/// Nothing is logged.
pub(crate) const LOGGER: &[Operation] =
    &[Operation::code("allow", 2).rule(Rule::Service).prelude("processes", "allow_logging")];
