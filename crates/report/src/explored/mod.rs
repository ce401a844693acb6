//! An explored function, in words: findings, verdict and reasons for people, one line of JSON for programs, tests.

mod chart;
mod eunit;
mod json;
mod paint;
mod schedule;
mod text;

pub(crate) use chart::chart;
pub use eunit::{SUITE_HEAD, Suite, suite_name};
pub use json::explored_line;
pub(crate) use json::{ReasonField, reason};
pub use paint::Paint;
pub(crate) use schedule::ScheduleField;
pub use text::{explored_text, summary};
pub(crate) use text::{sentences, write_schedule};
