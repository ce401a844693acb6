//! The options of `hound run`.

use clap::{Args, ValueEnum};

use super::{ClockChoice, CodeOptions, OutputFormat};

/// Run one Erlang expression on our own machine, as the BEAM would
///
/// The expression is any that makes a term: calls, funs, records of the language, comprehensions. Its value or
/// exception is printed as the Erlang shell prints it, after what the program itself printed. Modules come from
/// the files given, then from Erlang's own code path (OTP, Elixir). Calls with outside effects are refused unless
/// allowed by name.
#[derive(Args, Debug)]
#[command(override_usage = "hound run [OPTIONS] [FILE…] EXPRESSION", after_help = EXAMPLES)]
pub struct RunOptions {
    /// Files (.erl, .beam, .core) or directories of .beam files, then the expression
    ///
    /// With --flat or --ir the last word may also be a function (lists:sort/1) or a module, or be left out after
    /// one file.
    #[arg(value_name = "WORD", required = true, num_args = 1..)]
    pub words: Vec<String>,

    /// How to print: text for people, json for programs (one object per line)
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub format: OutputFormat,

    /// Print the flat program instead of running
    #[arg(long)]
    pub flat: bool,

    /// Print the control-flow graph instead of running
    #[arg(long)]
    pub ir: bool,

    /// Stop after this many steps of the machine
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    pub steps: u64,

    /// Stop when the program's data takes more than this many MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: u64,

    /// Print the lines that the run went through
    #[arg(long)]
    pub coverage: bool,

    /// Let processes take these turns, by number and t for time, or those of a finding in this file: 0,1,t,0
    #[arg(long, value_name = "TURNS|FILE")]
    pub schedule: Option<String>,

    /// When timeouts and timers strike under a schedule [default: idle]
    #[arg(long, value_enum, requires = "schedule")]
    pub clock: Option<ClockChoice>,

    /// Where to run
    #[arg(long, value_enum, default_value_t = RunEngine::Machine)]
    pub engine: RunEngine,

    #[command(flatten)]
    pub code: CodeOptions,
}

/// The place where an expression runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum RunEngine {
    /// On our own machine
    Machine,
    /// On our machine and then on the BEAM, under the same schedule, whose result counts
    Beam,
}

const EXAMPLES: &str = "\
Examples:
  hound run 'lists:sort([3,1,2])'
  hound run 'lists:map(fun(X) -> X * X end, [1,2,3])'
  hound run shop.erl 'shop:total([{apple, 3, 20}])'
  hound run --allow file:read_file/1 'file:read_file(\"README.md\")'
  hound run --schedule 0,0,2 bank.erl 'bank:race()'
  hound run --ir lists:reverse/1";
