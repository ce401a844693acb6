//! The options of `hound baseline`.

use std::path::PathBuf;

use clap::Args;

use super::ExploreOptions;

/// Write down what is found today, so that later explorations show what is new and what is gone
///
/// It explores as `hound explore` does, with the same options, and writes the findings to a file to keep beside the
/// sources: function, kind, place in its function, cause, rank and a call each. `hound explore --baseline FILE` then
/// shows only what is not there, counts the rest and lists what is gone; its exit code stands for new findings.
#[derive(Args, Debug)]
pub struct BaselineOptions {
    /// The file to write; one that is a baseline already is replaced
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The exploration.
    #[command(flatten)]
    pub explore: ExploreOptions,
}

/// The text below the options.
pub const EXAMPLES: &str = "\
Examples:
  hound baseline hound.baseline
  hound explore --baseline hound.baseline";

/// The usage line.
pub const USAGE: &str = "hound baseline [OPTIONS] FILE [SOURCE…] [FUNCTION…]";
