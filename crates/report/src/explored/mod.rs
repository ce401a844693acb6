//! An explored function, in words: findings, verdict and reasons for people, one line of JSON for programs, tests.

mod baseline;
mod chart;
mod earlier;
mod executions;
mod json;
mod known;
mod loops;
mod paint;
mod roots;
mod schedule;
mod text;

pub use baseline::{BASELINE_HEAD, BASELINE_VERSION, Baseline, BaselineEntry};
pub(crate) use chart::chart;
pub use earlier::{earlier_findings, earlier_line};
pub use executions::{SHOWN_EXECUTIONS, execution_lines, executions_text};
pub use json::explored_line;
pub(crate) use json::{ReasonField, reason};
pub use known::{KnownFindings, Standing};
pub(crate) use loops::loop_phrase;
pub use paint::Paint;
pub(crate) use schedule::ScheduleField;
pub use text::{TextView, explored_text, found_text, missing_modules, summary};
pub(crate) use text::{defect, finding_text, sentences, write_schedule};
