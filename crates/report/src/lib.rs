//! How a run ended, in words: one enum for every ending, rendered as text for people and as JSON Lines for programs.
//!
//! Pure: the same run gives the same bytes. What only the VM can say (its own words for an exception, its layout of
//! a large term) is part of the [`Run`] that is rendered.

mod coverage;
mod ending;
mod json;
mod text;

pub use coverage::{Coverage, Lines};
pub use ending::{Ending, Kind, Place};
pub use json::{failure_line, run_line};
pub use text::{Text, run_text};

/// One finished run, with everything there is to say about it.
pub struct Run {
    /// The expression as it was given.
    pub call: String,
    pub ending: Ending,
    /// Where a run that was stopped stood.
    pub place: Option<Place>,
    /// The value or exception as the Erlang shell shows it, where the VM was asked.
    pub shown: Option<String>,
    /// What the program printed.
    pub output: String,
    pub steps: u64,
    pub coverage: Option<Coverage>,
}
