//! The command line: what can be typed, and the help that explains it; a file for each command.

mod baseline;
mod diff;
mod doctor;
mod explain;
mod explore;
mod instrument;
mod reach;
mod run;
mod search;
mod solve;
mod walk;
mod watch;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use session::names::function_name;
use term::Mfa;

pub use baseline::BaselineOptions;
pub(crate) use baseline::{EXAMPLES as BASELINE_EXAMPLES, USAGE as BASELINE_USAGE};
pub use diff::DiffOptions;
pub use doctor::DoctorOptions;
pub use explain::{CompletionsOptions, ExplainOptions, ManOptions};
pub use explore::{EngineChoice, ExploreFormat, ExploreOptions, FailOn};
pub use instrument::{EventsOf, InstrumentOptions};
pub use reach::ReachOptions;
pub use run::{RunEngine, RunOptions};
pub use search::{ClockChoice, Concretization, SearchOptions, StrategyChoice};
pub use solve::SolveOptions;
pub use walk::WalkOptions;
pub use watch::WatchOptions;
pub(crate) use watch::{EXAMPLES as WATCH_EXAMPLES, USAGE as WATCH_USAGE};

/// Finds inputs for Erlang code: the calls that crash a function, or the proof that there are none.
#[derive(Parser, Debug)]
#[command(name = "hound", version, max_term_width = 100)]
pub struct CommandLine {
    #[command(flatten)]
    pub terminal: TerminalOptions,

    /// The command and its options.
    #[command(subcommand)]
    pub command: Command,
}

/// The options of every command about what is shown.
#[derive(Args, Clone, Copy, Debug)]
pub struct TerminalOptions {
    /// When to use colours: auto means on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto, hide_possible_values = true)]
    pub color: ColorChoice,

    /// Show only findings and what goes wrong
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Show what each exploration has cost, too, and the codes of failures
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// The use of colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ColorChoice {
    Auto,
    Always,
    Never,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    Baseline(Box<BaselineOptions>),
    Completions(CompletionsOptions),
    Diff(Box<DiffOptions>),
    Doctor(DoctorOptions),
    Explain(ExplainOptions),
    Explore(Box<ExploreOptions>),
    Instrument(InstrumentOptions),
    Man(ManOptions),
    Reach(Box<ReachOptions>),
    Run(RunOptions),
    Solve(SolveOptions),
    Watch(Box<WatchOptions>),
}

impl Command {
    /// True if it runs no program.
    pub(crate) fn is_about_itself(&self) -> bool {
        matches!(self, Command::Doctor(_) | Command::Explain(_) | Command::Completions(_) | Command::Man(_))
    }
}

/// The options about code and what it may do.
#[derive(Args, Debug)]
pub struct CodeOptions {
    /// Allow a function with outside effects, by name (repeatable): file:read_file/1
    #[arg(long, value_name = "M:F/A", value_parser = function_name)]
    pub allow: Vec<Mfa>,

    /// Look for included files there too (repeatable)
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,

    /// Define a macro for the preprocessor (repeatable)
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,

    /// Look for compiled modules there first (repeatable)
    #[arg(long, value_name = "DIR")]
    pub pa: Vec<PathBuf>,

    /// The Erlang to run: a path of an `erl`, or a name in the path of commands
    #[arg(long, value_name = "PATH", env = "HOUND_ERL", hide_env_values = true)]
    pub erl: Option<PathBuf>,

    /// Neither read nor write the cache of extracted modules
    #[arg(long)]
    pub no_cache: bool,

    /// Run nothing where the operating system lacks a wall around programs (see `hound doctor`)
    #[arg(long)]
    pub require_sandbox: bool,
}

impl CodeOptions {
    /// Returns the options of the session.
    pub fn session(&self) -> session::SessionOptions {
        session::SessionOptions {
            allow: self.allow.clone(),
            include: self.include.clone(),
            define: self.define.clone(),
            paths: self.pa.clone(),
            erl: self.erl.clone(),
            no_cache: self.no_cache,
            require_sandbox: self.require_sandbox,
        }
    }
}

/// The format of what is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OutputFormat {
    Text,
    Json,
}
