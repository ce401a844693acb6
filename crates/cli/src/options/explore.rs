//! The options of `hound explore`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{CodeOptions, OutputFormat, SearchOptions};

/// Find the calls that crash a function, each confirmed on the BEAM, or say that there are none
///
/// Every exported function of the sources is explored, or those named: its inputs are what its -spec allows, any()
/// without one. A finding is printed as file:line:column, the call to paste into the shell, the VM's own words, and
/// the clauses that the call goes through. The verdict is `crash`, `safe` (every path was run or proved infeasible),
/// or `incomplete` with the reasons.
#[derive(Args, Debug)]
#[command(override_usage = "hound explore [OPTIONS] SOURCE… [FUNCTION…]", after_help = EXAMPLES)]
pub struct ExploreOptions {
    /// Files (.erl, .beam, .core), directories of .beam or .erl files or module names, then functions (f/1 or m:f/1)
    #[arg(value_name = "WORD", required = true, num_args = 1..)]
    pub words: Vec<String>,

    /// How to print: text for people, json for programs (one object per line)
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub format: OutputFormat,

    #[command(flatten)]
    pub search: SearchOptions,

    /// Where runs are made; outside effects are refused everywhere [default: auto]
    #[arg(long, value_enum)]
    pub engine: Option<EngineChoice>,

    /// Only count such exceptions (repeatable): throw, error:badarg, 'error:{badmatch,_}'
    #[arg(long, value_name = "CLASS[:REASON]")]
    pub ignore: Vec<String>,

    /// Only inputs for which this function of the same module is true: valid/4
    #[arg(long, value_name = "NAME/ARITY")]
    pub pre: Option<String>,

    /// Write a test module per module under test into a folder, a test per path: eunit DIR
    #[arg(long, num_args = 2, value_names = ["KIND", "DIR"])]
    pub tests: Option<Vec<String>>,

    /// Do not look into this function (repeatable): its results are known only where they were observed
    #[arg(long, value_name = "M:F/A")]
    pub opaque: Vec<String>,

    /// Run the calls in this file first, `m:f(Args).` each, to learn what opaque functions give
    #[arg(long, value_name = "FILE")]
    pub learn: Option<PathBuf>,

    /// Take ignore lists, preconditions and bounds from this file [default: hound.toml, if it is there]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    #[command(flatten)]
    pub code: CodeOptions,
}

/// The place where a program runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum EngineChoice {
    /// On our own machine
    Machine,
    /// On the BEAM, instrumented; the machine replays each run from its events
    Beam,
    /// On our machine, and on the BEAM for functions that need what it cannot do, such as native code
    Auto,
}

impl ExploreOptions {
    /// The engine for a session.
    pub fn engine(&self) -> session::explore::Engine {
        match self.engine {
            Some(EngineChoice::Machine) => session::explore::Engine::Machine,
            Some(EngineChoice::Beam) => session::explore::Engine::Beam,
            Some(EngineChoice::Auto) | None => session::explore::Engine::Auto,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  hound explore shop.erl
  hound explore shop.erl total/1
  hound explore --ignore throw lists nth/2
  hound explore --pre valid/2 robot.erl route/2
  hound explore --tests eunit test _build/default/lib/shop/ebin
  hound explore --opaque lexer:hash/1 --learn good.calls lexer.erl parse/1

A file hound.toml says for good what the options say once:
  ignore = [\"throw\"]
  opaque = [\"lexer:hash/1\"]
  learn = \"good.calls\"
  [search]
  runs = 5000
  [module.shop]
  ignore = [\"error:badarg\"]
  [function.\"robot:route/2\"]
  ignore = [\"exit:{shutdown,_}\"]
  pre = \"valid/2\"";
