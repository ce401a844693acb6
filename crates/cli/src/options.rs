//! The command line: what can be typed, and the help that explains it.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::Deserialize;
use term::{Atom, Mfa};

/// Finds inputs for Erlang code: the calls that crash a function, or the proof that there are none.
#[derive(Parser, Debug)]
#[command(name = "hound", version, max_term_width = 100)]
pub struct Options {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    Explore(Box<ExploreOptions>),
    Instrument(InstrumentOptions),
    Reach(Box<ReachOptions>),
    Run(RunOptions),
    Solve(SolveOptions),
}

/// Run one Erlang expression on our own machine, as the BEAM would
///
/// The expression is any that makes a term: calls, funs, records of the language, comprehensions. Its value or
/// exception is printed as the Erlang shell prints it, after what the program itself printed. Modules come from
/// the files given, then from Erlang's own code path (OTP, Elixir). Calls with outside effects are refused unless
/// allowed by name.
///
/// Exit code: 0 a value, 1 an exception, 2 anything else.
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
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,

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

    #[command(flatten)]
    pub code: CodeOptions,
}

/// Find the calls that crash a function, each confirmed on the BEAM, or say that there are none
///
/// Every exported function of the sources is explored, or those named: its inputs are what its -spec allows, any()
/// without one. A finding is printed as file:line:column, the call to paste into the shell, the VM's own words, and
/// the clauses that the call goes through. The verdict is `crash`, `safe` (every path was run or proved infeasible),
/// or `incomplete` with the reasons.
///
/// Exit code: 0 nothing found, 1 at least one crash, 2 the tool or its use failed, 130 interrupted before a crash was
/// found.
#[derive(Args, Debug)]
#[command(override_usage = "hound explore [OPTIONS] SOURCE… [FUNCTION…]", after_help = EXPLORE_EXAMPLES)]
pub struct ExploreOptions {
    /// Files (.erl, .beam, .core), directories of .beam or .erl files or module names, then functions (f/1 or m:f/1)
    #[arg(value_name = "WORD", required = true, num_args = 1..)]
    pub words: Vec<String>,

    /// How to print: text for people, json for programs (one object per line)
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,

    #[command(flatten)]
    pub search: SearchOptions,

    /// Where runs are made; outside effects are refused everywhere [default: auto]
    #[arg(long, value_enum)]
    pub engine: Option<Engine>,

    /// Do not report such exceptions (repeatable): throw, error:badarg, 'error:{badmatch,_}'
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

/// Find the call that gets to a place in the code, confirmed on the BEAM, or prove that there is none
///
/// A place is a line (shop.erl:12 or shop:12), a function (shop:total/1), one of its clauses (shop:total/1#2, from 1), or
/// a call of the marker in the code; without any, every marker of the sources is a target. Several targets share their
/// work. Calls begin at the exported functions, with inputs that their -spec allows, any() without one. The verdict is
/// `reached`, with the call to paste into the shell; `unreachable`, a proof that no input gets there; or `incomplete`,
/// with the reasons.
///
/// Exit code: 0 nothing reached, 1 at least one target reached, 2 the tool or its use failed, 130 interrupted before
/// anything was reached.
#[derive(Args, Debug)]
#[command(override_usage = "hound reach [OPTIONS] [SOURCE…] [TARGET…]", after_help = REACH_EXAMPLES)]
pub struct ReachOptions {
    /// Files (.erl, .beam, .core), directories or module names, and targets: FILE:LINE, MODULE:LINE, m:f/a or m:f/a#CLAUSE
    #[arg(value_name = "WORD", required = true, num_args = 1..)]
    pub words: Vec<String>,

    /// Explore first, then go for every clause and every outcome of a test that is left, in the functions named or in all
    #[arg(long)]
    pub uncovered: bool,

    /// Go for every call of this function in the sources [default: hound_target, where no other target is named]
    #[arg(long, value_name = "NAME|M:F/A")]
    pub marker: Option<String>,

    /// Begin calls at this exported function (repeatable) [default: all exported functions of the sources]
    #[arg(long, value_name = "NAME/ARITY")]
    pub entry: Vec<String>,

    /// Only inputs for which this function of the same module is true: valid/4
    #[arg(long, value_name = "NAME/ARITY")]
    pub pre: Option<String>,

    /// Do not look into this function (repeatable): its results are known only where they were observed
    #[arg(long, value_name = "M:F/A")]
    pub opaque: Vec<String>,

    /// How to print: text for people, json for programs (one object per line)
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,

    #[command(flatten)]
    pub bounds: BoundOptions,

    #[command(flatten)]
    pub code: CodeOptions,
}

/// How far a pursuit goes.
#[derive(Args, Clone, Debug)]
pub struct BoundOptions {
    /// Stop after this many runs from an entry point
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    pub runs: u64,

    /// Flip no branch beyond this one on a path
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub depth: usize,

    /// Run no input with more than this many parts
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub size: usize,

    /// End a run after this many steps of the machine
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub steps: u64,

    /// End a run whose data takes more than this many MiB
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    pub memory: u64,

    /// The last resort: stop after this many seconds for each target
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub time: u64,

    /// Solve in this many threads; the results stay the same [default: one per processor, at most 8]
    #[arg(long, value_name = "N")]
    pub workers: Option<NonZeroUsize>,
}

impl BoundOptions {
    /// The same bounds for an exploration.
    pub fn search(&self) -> SearchOptions {
        SearchOptions {
            runs: Some(self.runs),
            depth: Some(self.depth),
            size: Some(self.size),
            steps: Some(self.steps),
            memory: Some(self.memory),
            time: Some(self.time),
            workers: self.workers,
            ..SearchOptions::default()
        }
    }
}

/// Print a program rewritten to tell its own run, and the events that a call of it tells
///
/// The flat program is printed, then the instrumented one, Core Erlang both; behind each call that was added stands the
/// event that it tells: call, exit, bind, case or exitcase, with the parameters and bound variables of the function.
/// With a call, the instrumented program runs on the Erlang VM and the call's events follow, in order: a value stands in
/// an event where only the run knows it. Then comes the symbolic run that is rebuilt from them: result and parameters as
/// patterns, the clauses selected, and the parameters of runs that select another one.
///
/// Exit code: 0 printed, 1 the call ended with an exception, 2 the tool or its use failed.
#[derive(Args, Debug)]
#[command(override_usage = "hound instrument [OPTIONS] FILE [FUNCTION | CALL]", after_help = INSTRUMENT_EXAMPLES)]
pub struct InstrumentOptions {
    /// A file (.erl, .beam, .core) or a module's name, then a function (main/1) or a call ('m:main([a])')
    #[arg(value_name = "WORD", required = true, num_args = 1..)]
    pub words: Vec<String>,

    /// After a call, print the test cases that follow from its events: terms at most this deep
    #[arg(long, value_name = "N")]
    pub depth: Option<usize>,

    /// Write the instrumented module into this folder, with the module that it tells its events to
    #[arg(short = 'o', long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    #[command(flatten)]
    pub code: CodeOptions,
}

/// Find numbers that meet a condition written as text, without any program
///
/// A line declares variables with their kind and range, or is a constraint; all constraints must hold. Operations mean
/// what they mean in Erlang: integers have any size, floats are finite, an operation that raises meets nothing. The
/// members are asked in turn: arithmetic of our own, then Z3, then the walk, a search that alone can do `sin` and the
/// like; the assignment is printed with the member that found it and what that took. A call such as erlang:phash2(x)
/// asks a function of some module, which must give integers: it is observed wherever a strategy or the walk leads.
///
/// Exit code: 0 an assignment, 1 none exists or none was found, 2 the tool or its use failed.
#[derive(Args, Debug)]
#[command(override_usage = "hound solve [OPTIONS] FILE", after_help = SOLVE_EXAMPLES)]
pub struct SolveOptions {
    /// The condition
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// How to print: text for people, json for programs (one object)
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,

    /// The same as --format json
    #[arg(long)]
    pub json: bool,

    /// Points that the walk may look at, for each alternative of the condition
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    pub evaluations: u64,

    #[command(flatten)]
    pub code: CodeOptions,
}

impl SolveOptions {
    pub fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// How to search and how far. What the command line leaves open the configuration may say.
#[derive(Args, Clone, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchOptions {
    /// What to try next [default: turns]
    #[arg(long, value_enum)]
    pub strategy: Option<Order>,

    /// What becomes of results of functions that no solver can see [default: higher-order]
    #[arg(long, value_enum)]
    pub concretize: Option<Concretize>,

    /// Stop after this many runs of a function [default: 5000]
    #[arg(long, value_name = "N")]
    pub runs: Option<u64>,

    /// Flip no branch beyond this one on a path [default: 1000]
    #[arg(long, value_name = "N")]
    pub depth: Option<usize>,

    /// Run no input with more than this many parts [default: 10000]
    #[arg(long, value_name = "N")]
    pub size: Option<usize>,

    /// End a run after this many steps of the machine [default: 1000000]
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,

    /// End a run whose data takes more than this many MiB [default: 512]
    #[arg(long, value_name = "MIB")]
    pub memory: Option<u64>,

    /// The last resort: stop exploring a function after this many seconds [default: 60]
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<u64>,

    /// Solve in this many threads; the results stay the same [default: one per processor, at most 8]
    #[arg(long, value_name = "N")]
    pub workers: Option<NonZeroUsize>,
}

impl SearchOptions {
    /// These, and where they say nothing, the others.
    pub fn or(self, others: &SearchOptions) -> SearchOptions {
        SearchOptions {
            strategy: self.strategy.or(others.strategy),
            concretize: self.concretize.or(others.concretize),
            runs: self.runs.or(others.runs),
            depth: self.depth.or(others.depth),
            size: self.size.or(others.size),
            steps: self.steps.or(others.steps),
            memory: self.memory.or(others.memory),
            time: self.time.or(others.time),
            workers: self.workers.or(others.workers),
        }
    }
}

/// The strategies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Uncovered, latest, breadth and depth in turn
    Turns,
    /// Branches that no run has taken come first
    Uncovered,
    /// All branches of the latest run that covered something new
    Latest,
    /// The shallowest branch first
    Breadth,
    /// The deepest branch first
    Depth,
    /// All branches of the run that covered most
    Generational,
}

/// Where a program runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Engine {
    /// On our own machine
    Machine,
    /// On the BEAM, instrumented; the machine replays each run from its events
    Beam,
    /// On our machine, and on the BEAM for functions that need what it cannot do, such as processes
    Auto,
}

/// What becomes of results that no solver can see.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Concretize {
    /// They stay the values just observed: other inputs may go elsewhere
    Unsound,
    /// The function's arguments stay as they are once a result is tested
    Sound,
    /// They are symbols with samples, and strategies find the inputs
    HigherOrder,
}

/// Where code comes from and what it may do.
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

    /// Neither read nor write the cache of extracted modules
    #[arg(long)]
    pub no_cache: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    Text,
    Json,
}

const EXAMPLES: &str = "\
Examples:
  hound run 'lists:sort([3,1,2])'
  hound run 'lists:map(fun(X) -> X * X end, [1,2,3])'
  hound run shop.erl 'shop:total([{apple, 3, 20}])'
  hound run --allow file:read_file/1 'file:read_file(\"README.md\")'
  hound run --ir lists:reverse/1";

const EXPLORE_EXAMPLES: &str = "\
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

const REACH_EXAMPLES: &str = "\
Examples:
  hound reach shop.erl:12
  hound reach shop:total/1#2 shop.erl
  hound reach --entry order/2 --pre valid/2 shop.erl:12 shop.erl:31
  hound reach --uncovered shop.erl total/1
  hound reach shop.erl                       (every call of hound_target() in it)
  hound reach --marker shop:alarm/1 _build/default/lib/shop/ebin";

const INSTRUMENT_EXAMPLES: &str = "\
Examples:
  hound instrument shop.erl
  hound instrument shop.erl total/1
  hound instrument shop.erl 'shop:total([{apple, 3, 20}])'
  hound instrument --depth 3 shop.erl 'shop:total([{apple, 3, 20}])'
  hound instrument -o ebin shop.erl";

const SOLVE_EXAMPLES: &str = "\
A condition:
  x, y: float in -10..10        % or [-10, 10]; without a range any float
  n: integer
  sin(x) == cos(y) and x > 1
  n*n rem 1000 == 889 or n band 255 =:= 16#7f
  not (x + n > 100)

There are + - * / div rem band bor bxor bnot bsl bsr, ^ for pow, == /= =:= =/= < > =< >=, and or not, abs float
trunc round floor ceil, pi, and all functions of Erlang's module math.";

/// `lists:sort/1`, with quoted atoms where names need it.
pub fn function_name(text: &str) -> Result<Mfa, String> {
    let wanted = || format!("{text:?} is not a function's name; write module:function/arity, such as lists:sort/1");
    let (path, arity) = text.rsplit_once('/').ok_or_else(wanted)?;
    let (module, function) = split_path(path).ok_or_else(wanted)?;
    let arity = arity.parse().map_err(|_| wanted())?;
    Ok(Mfa { module: atom(module).ok_or_else(wanted)?, function: atom(function).ok_or_else(wanted)?, arity })
}

/// The colon that is not inside quotes.
fn split_path(path: &str) -> Option<(&str, &str)> {
    let mut quoted = false;
    let colon = path.char_indices().find(|&(_, c)| {
        quoted ^= c == '\'';
        c == ':' && !quoted
    })?;
    Some((&path[..colon.0], &path[colon.0 + 1..]))
}

/// An atom as source text, quotes optional.
pub fn atom(text: &str) -> Option<Atom> {
    let inner = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or(text);
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '@' || c == '.';
    let fits = !inner.is_empty() && (inner.len() < text.len() || inner.chars().all(plain) || is_operator(inner));
    fits.then(|| Atom::new(inner))
}

/// Operators are functions too: `erlang:+/2`.
fn is_operator(text: &str) -> bool {
    text.chars().all(|c| "+-*/=<>:!".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_named_as_erlang_names_them() {
        assert_eq!(function_name("lists:sort/1").unwrap().to_string(), "lists:sort/1");
        assert_eq!(function_name("'Elixir.Enum':map/2").unwrap().to_string(), "'Elixir.Enum':map/2");
        assert_eq!(function_name("Elixir.Enum:map/2").unwrap().to_string(), "'Elixir.Enum':map/2");
        assert_eq!(function_name("'a:b':c/0").unwrap().to_string(), "'a:b':c/0");
        assert_eq!(function_name("erlang:+/2").unwrap().to_string(), "erlang:'+'/2");
    }

    #[test]
    fn other_text_is_not_a_function() {
        for text in ["", "lists", "lists:sort", "lists/1", "lists:sort/x", "lists:sort/256", ":f/1", "m:/1", "m:f g/1"]
        {
            assert!(function_name(text).is_err(), "{text}");
        }
    }

    #[test]
    fn no_text_makes_it_panic() {
        let pieces = ["a", "'", ":", "/", "1", "é", "\\", " ", "256", "x:y/1", "\u{0}", "//", "''"];
        let mut numbers = fastrand::Rng::with_seed(7);
        for _ in 0..20_000 {
            let text: String = (0..numbers.usize(0..8)).map(|_| pieces[numbers.usize(0..pieces.len())]).collect();
            if let Ok(function) = function_name(&text) {
                assert_eq!(function_name(&function.to_string()), Ok(function), "{text}");
            }
        }
    }
}
