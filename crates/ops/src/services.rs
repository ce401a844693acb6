//! Functions that the VM's own processes serve: a run with processes has a version for itself.

use crate::{Operation, Rule};

pub(crate) const TIMER: &[Operation] = &[
    Operation::code("do_start", 0).rule(Rule::Service).prelude("processes", "start_timer_server"),
    Operation::code("ensure_started", 0).rule(Rule::Service).prelude("processes", "ensure_timer_server"),
];

/// Names of processes that a run starts for itself.
pub const NAMES: &[&str] = &["timer_server"];

/// What is logged goes to no handler.
pub(crate) const LOGGER: &[Operation] = &[
    logging("allow", 2),
    logging("log", 2),
    logging("log", 3),
    logging("log", 4),
    logging("macro_log", 3),
    logging("macro_log", 4),
    logging("macro_log", 5),
    logging("emergency", 1),
    logging("emergency", 2),
    logging("emergency", 3),
    logging("alert", 1),
    logging("alert", 2),
    logging("alert", 3),
    logging("critical", 1),
    logging("critical", 2),
    logging("critical", 3),
    logging("error", 1),
    logging("error", 2),
    logging("error", 3),
    logging("warning", 1),
    logging("warning", 2),
    logging("warning", 3),
    logging("notice", 1),
    logging("notice", 2),
    logging("notice", 3),
    logging("info", 1),
    logging("info", 2),
    logging("info", 3),
    logging("debug", 1),
    logging("debug", 2),
    logging("debug", 3),
];

pub(crate) const ERROR_LOGGER: &[Operation] = &[
    reporting("error_msg", 1),
    reporting("error_msg", 2),
    reporting("error_report", 1),
    reporting("error_report", 2),
    reporting("info_msg", 1),
    reporting("info_msg", 2),
    reporting("info_report", 1),
    reporting("info_report", 2),
    reporting("warning_msg", 1),
    reporting("warning_msg", 2),
    reporting("warning_report", 1),
    reporting("warning_report", 2),
    reporting("format", 2),
];

const fn logging(name: &'static str, arity: u8) -> Operation {
    Operation::code(name, arity).rule(Rule::Service).prelude("logger", name)
}

/// Takes any term for a report or a message.
const fn reporting(name: &'static str, arity: u8) -> Operation {
    Operation::code(name, arity).rule(Rule::Service).prelude("logger", "report")
}
