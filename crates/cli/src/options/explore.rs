//! The options of `hound explore`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use search::FindingRank;
use serde::Deserialize;

use super::{CodeOptions, OutputFormat, SearchOptions};
use report::Exchange;

/// Find the calls that crash a function, each confirmed on the BEAM, or say that there are none
///
/// Every exported function of the sources is explored, or those named: its inputs are what its -spec allows, any()
/// without one, and those that its code asks for first. Exported functions prop_x/0 that give a property of PropEr are
/// explored with what its generators make. A finding is printed as file:line:column, the call to paste into the shell, the VM's own words, and
/// the clauses that the call goes through. Its rank is `bug`, `doubtful` (the blame lies on a part of the input that no
/// spec narrows) or `declared` (raised on purpose); those that are no bugs are a line each. The verdict is `crash`, `safe` (every path was run or proved infeasible),
/// or `incomplete` with the reasons.
#[derive(Args, Debug)]
#[command(override_usage = "hound explore [OPTIONS] [SOURCE…] [FUNCTION…] [CALL…]", after_help = EXAMPLES)]
pub struct ExploreOptions {
    /// Files (.erl, .ex, .beam, .core), directories of code or module names, then functions (f/1, m:f/1 or M.f/1) and
    /// calls whose inputs are run first ('m:f(33, [a])') [default: the project around the current directory]
    #[arg(value_name = "WORD", num_args = 0..)]
    pub words: Vec<String>,

    /// How to print
    #[arg(long, value_enum, default_value_t = ExploreFormat::Text)]
    pub format: ExploreFormat,

    /// Write a report for another tool into a file, too (repeatable): sarif, junit or github
    #[arg(long, num_args = 2, value_names = ["FORMAT", "FILE"], action = clap::ArgAction::Append)]
    pub report: Vec<String>,

    /// Print findings of every rank in full, not only bugs
    #[arg(long)]
    pub all: bool,

    /// The findings that exit code 1 stands for [default: bug]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub fail_on: Option<FailOn>,

    /// Fail on whatever is not proved, too (--fail-on incomplete), and on warnings: modules that are left out or not there
    #[arg(long, conflicts_with = "fail_on")]
    pub strict: bool,

    /// Explore modules by sequences of calls: callbacks (gen_server, gen_statem) in states that init/1 and the calls before
    /// make, and other functions on values of the types that new or init give
    #[arg(long)]
    pub state: bool,

    /// Show only findings that this file of `hound baseline` does not have, and what is gone; exit code 1 is for new ones
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Neither replay the findings of earlier runs first nor keep those of this one
    #[arg(long)]
    pub no_store: bool,

    #[command(flatten)]
    pub search: SearchOptions,

    /// Where runs are made; outside effects are refused everywhere [default: auto]
    #[arg(long, value_enum)]
    pub engine: Option<EngineChoice>,

    /// Only count such findings (repeatable): throw, error:badarg, 'error:{badmatch,_}', error:ArgumentError, loop, leak, any
    #[arg(long, value_name = "CLASS[:REASON]")]
    pub ignore: Vec<String>,

    /// Only inputs for which this function of the same module is true: valid/4
    #[arg(long, value_name = "NAME/ARITY")]
    pub pre: Option<String>,

    /// Explore this function as a property (repeatable): whatever is not `true` is a finding; of others none is explored
    /// unless it is named
    #[arg(long, value_name = "M:F/A")]
    pub property: Vec<String>,

    /// Functions that are not exported, too
    #[arg(long)]
    pub private: bool,

    /// Write a test module per module under test into a folder, a test for each finding and each branch: eunit, ct or
    /// exunit DIR. What was changed there by hand stays
    #[arg(long, num_args = 2, value_names = ["KIND", "DIR"])]
    pub tests: Option<Vec<String>>,

    /// Print every execution: input, value or exception, and the clauses that it goes through; 1,000 of a function
    #[arg(long)]
    pub paths: bool,

    /// Write the executions of each function into a file in this folder, a JSON object each: see docs/TRACES.md
    #[arg(long, value_name = "DIR")]
    pub trace: Option<PathBuf>,

    /// Write a page with findings, sources, coverage and paths into this folder: DIR/index.html (see docs/PAGE.md)
    #[arg(long, value_name = "DIR")]
    pub html: Option<PathBuf>,

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

/// The format of what is printed of an exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ExploreFormat {
    /// For people
    Text,
    /// For programs: one object per line
    Json,
    /// For scanners of code: SARIF 2.1.0
    Sarif,
    /// For runners of tests: the XML of JUnit
    Junit,
    /// For GitHub: annotations of a change
    Github,
}

impl ExploreFormat {
    /// The format of results as they come, and of what goes wrong.
    pub fn stream(self) -> OutputFormat {
        match self {
            ExploreFormat::Json => OutputFormat::Json,
            _ => OutputFormat::Text,
        }
    }

    /// The format of another tool, which is printed at the end.
    pub fn exchange(self) -> Option<Exchange> {
        match self {
            ExploreFormat::Text | ExploreFormat::Json => None,
            ExploreFormat::Sarif => Some(Exchange::Sarif),
            ExploreFormat::Junit => Some(Exchange::Junit),
            ExploreFormat::Github => Some(Exchange::Github),
        }
    }

    /// The format of another tool with this name.
    pub fn of_exchange(name: &str) -> Option<Exchange> {
        ExploreFormat::from_str(name, false).ok()?.exchange()
    }
}

/// The findings that make an exploration fail; each includes those before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailOn {
    /// A finding that breaks a promise of the program
    Bug,
    /// One that is blamed on a part of the input that no spec narrows
    Doubtful,
    /// Any finding, exceptions that are raised on purpose included
    Any,
    /// A function that is neither safe nor crashes
    Incomplete,
}

impl FailOn {
    /// The least interesting rank that counts.
    pub fn rank(self) -> FindingRank {
        match self {
            FailOn::Bug => FindingRank::Bug,
            FailOn::Doubtful => FindingRank::Doubtful,
            FailOn::Any | FailOn::Incomplete => FindingRank::Declared,
        }
    }
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
  hound explore                                       the project that you are in
  hound explore shop.erl
  hound explore shop.erl total/1
  hound explore shop.erl 'shop:total([{apple, 3}])'   begin with these inputs
  hound explore --ignore throw lists nth/2
  hound explore --pre valid/2 robot.erl route/2
  hound explore --property round_trip/1 codec.erl
  hound explore --state counter_server.erl
  hound explore --tests eunit test _build/default/lib/shop/ebin
  hound explore --opaque lexer:hash/1 --learn good.calls lexer.erl parse/1

A file hound.toml says for good what the options say once:
  fail-on = \"doubtful\"
  ignore = [\"throw\"]
  opaque = [\"lexer:hash/1\"]
  learn = \"good.calls\"
  [search]
  runs = 5000
  [module.shop]
  ignore = [\"error:badarg\"]
  [function.\"robot:route/2\"]
  ignore = [\"exit:{shutdown,_}\"]
  pre = \"valid/2\"
  [function.\"codec:round_trip/1\"]
  property = true
  [line.\"shop.erl:12\"]
  ignore = [\"any\"]";
