//! The options of `hound solve`.

use std::path::PathBuf;

use clap::Args;

use super::{CodeOptions, OutputFormat, WalkOptions};

/// Find numbers that meet a condition written as text, without any program
///
/// A line declares variables with their kind and range, or is a constraint; all constraints must hold. Operations mean
/// what they mean in Erlang: integers have any size, floats are finite, an operation that raises meets nothing. The
/// members are asked in turn: arithmetic of our own, then Z3, then the walk, a search that alone can do `sin` and the
/// like; the assignment is printed with the member that found it and what that took. A call such as erlang:phash2(x)
/// asks a function of some module, which must give integers: it is observed wherever a strategy or the walk leads.
#[derive(Args, Debug)]
#[command(override_usage = "hound solve [OPTIONS] FILE", after_help = EXAMPLES)]
pub struct SolveOptions {
    /// The condition
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// How to print: text for people, json for programs (one object)
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub format: OutputFormat,

    /// The same as --format json
    #[arg(long)]
    pub json: bool,

    /// Points that the walk may look at, for each alternative of the condition
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    pub evaluations: u64,

    /// The last resort: stop after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub time: u64,

    /// The configuration file, whose [walk] holds where no option says otherwise [default: hound.toml, if there is one]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    #[command(flatten)]
    pub walk: WalkOptions,

    #[command(flatten)]
    pub code: CodeOptions,
}

impl SolveOptions {
    /// Returns the format of the output.
    pub fn format(&self) -> OutputFormat {
        if self.json { OutputFormat::Json } else { self.format }
    }
}

const EXAMPLES: &str = "\
A condition:
  x, y: float in -10..10        % or [-10, 10]; without a range any float
  n: integer
  sin(x) == cos(y) and x > 1
  n*n rem 1000 == 889 or n band 255 =:= 16#7f
  not (x + n > 100)

There are + - * / div rem band bor bxor bnot bsl bsr, ^ for pow, == /= =:= =/= < > =< >=, and or not, abs float
trunc round floor ceil, pi, and all functions of Erlang's module math.";
