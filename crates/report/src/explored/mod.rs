//! An explored function, in words: findings, verdict and reasons for people, one line of JSON for programs, tests.

mod advice;
mod baseline;
mod chart;
mod diagnostic;
mod earlier;
mod excerpt;
mod executions;
mod json;
mod known;
mod loops;
mod notes;
mod paint;
mod roots;
mod schedule;
mod table;
mod text;
mod watched;
mod wording;

pub(crate) use advice::lifted;
pub use baseline::{BASELINE_HEAD, BASELINE_VERSION, Baseline, BaselineEntry};
pub(crate) use chart::{chart, head as process_head, texts as schedule_texts};
pub(crate) use diagnostic::{finding_text, replay_command, write_schedule};
pub use earlier::{earlier_findings, earlier_line};
pub use executions::{SHOWN_EXECUTIONS, execution_lines, executions_text};
pub use json::explored_line;
pub(crate) use json::{ReasonField, reason};
pub use known::{KnownFindings, Standing};
pub(crate) use loops::{loop_phrase, loop_standing};
pub use notes::missing_modules;
pub(crate) use notes::{facts, sentences};
pub use paint::Paint;
pub(crate) use schedule::ScheduleField;
pub use table::{summary, summary_line, verdict_line};
pub(crate) use text::defect;
pub use text::{TextView, explored_text, found_text};
pub use watched::{WatchedRound, watched_line, watched_text};
