//! Results in words: text for people, JSON for programs.
//!
//! Pure: the same run gives the same bytes. What only the VM can say (its own words for an exception, its layout of
//! a large term) is part of the run that is rendered.

mod compared;
mod ending;
mod exchange;
mod explain;
mod explored;
mod html;
mod json;
mod layout;
mod notation;
mod phrases;
mod reached;
mod shell;
mod solved;
mod suite;
mod text;

pub use compared::{compared_line, compared_text, versions_line, versions_text};
pub use exchange::{Exchange, ExchangeView};
pub use explain::{explained, explained_codes, similar_codes};
pub use explored::{
    BASELINE_HEAD, BASELINE_VERSION, Baseline, BaselineEntry, KnownFindings, Paint, SHOWN_EXECUTIONS, Standing,
    TextView, WatchedRound, earlier_findings, earlier_line, execution_lines, executions_text, explored_line,
    explored_text, found_text, missing_modules, summary, summary_line, verdict_line, watched_line, watched_text,
};
pub use html::{PAGE_EXECUTIONS, PageView, html_page};
pub use json::{facts_line, failure_line, run_line, tests_line};
pub use layout::USUAL_WIDTH;
pub use reached::{reached_line, reached_text};
pub use shell::shell_word;
pub use solved::{solved_line, solved_text};
pub use suite::{Suite, SuiteError, SuiteKind};
pub use text::{Output, run_text};
