//! How a run ended, in words: a name, a sentence and an exit code for every ending, text for people, JSON for programs.
//!
//! Pure: the same run gives the same bytes. What only the VM can say (its own words for an exception, its layout of
//! a large term) is part of the [`Run`] that is rendered.

mod coverage;
mod explored;
mod json;
mod kind;
mod reached;
mod solved;
mod text;

pub use coverage::{Coverage, Lines};
pub use exec::forward::{Ending, Place};
pub use explored::{Detail, Explored, Paint, SUITE_HEAD, Suite, explored_line, explored_text, suite_name, summary};
pub use json::{failure_line, run_line, tests_line};
pub use kind::Kind;
pub use reached::{Proof, Reached, Tally, reached_line, reached_text};
pub use solved::{Solved, Verdict, WalkCounts, solved_line, solved_text};
pub use text::{Text, run_text};

/// One finished run, with everything there is to say about it.
pub struct Run {
    /// The expression as it was given.
    pub call: String,
    pub ending: Ending,
    /// The value or exception as the Erlang shell shows it, where the VM was asked.
    pub shown: Option<String>,
    /// What the program printed.
    pub output: String,
    pub steps: u64,
    pub coverage: Option<Coverage>,
}
