//! The options of `hound diff`.

use clap::Args;

use super::{CodeOptions, OutputFormat, SearchOptions};

/// Find inputs on which two versions of a module differ, or say that there are none
///
/// The exported functions of both versions are called with the same inputs, those of the new version's -spec. They differ
/// where values are not the same, or classes or reasons of exceptions; a real VM of its own for each version has confirmed
/// it. `same` means that every path through both was run or proved to be none, and that neither keeps state; everything
/// else is `incomplete` with the reasons. Calls of other modules go to the modules beside the new version.
#[derive(Args, Debug)]
#[command(override_usage = "hound diff [OPTIONS] OLD NEW [FUNCTION…]", after_help = EXAMPLES)]
pub struct DiffOptions {
    /// The old version: a file (.erl, .beam, .core), or REVISION:FILE as git names it
    #[arg(value_name = "OLD")]
    pub old: String,

    /// The new version, likewise
    #[arg(value_name = "NEW")]
    pub new: String,

    /// Functions to compare (f/1 or m:f/1) [default: all that both versions export]
    #[arg(value_name = "FUNCTION")]
    pub functions: Vec<String>,

    /// How to print: text for people, json for programs (one object per line)
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub format: OutputFormat,

    #[command(flatten)]
    pub search: SearchOptions,

    #[command(flatten)]
    pub code: CodeOptions,
}

const EXAMPLES: &str = "\
Examples:
  hound diff HEAD:src/shop.erl src/shop.erl
  hound diff v1.2:src/shop.erl main:src/shop.erl total/1
  hound diff old/shop.erl new/shop.erl";
