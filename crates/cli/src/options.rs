//! The command line: what can be typed, and the help that explains it.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
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
    Explore(ExploreOptions),
    Run(RunOptions),
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
/// Exit code: 0 nothing found, 1 at least one crash, 2 the tool or its use failed.
#[derive(Args, Debug)]
#[command(override_usage = "hound explore [OPTIONS] SOURCE… [FUNCTION…]", after_help = EXPLORE_EXAMPLES)]
pub struct ExploreOptions {
    /// Files (.erl, .beam, .core), directories of .beam files or module names, then functions (f/1 or m:f/1)
    #[arg(value_name = "WORD", required = true, num_args = 1..)]
    pub words: Vec<String>,

    /// How to print: text for people, json for programs (one object per line)
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,

    /// What to try next
    #[arg(long, value_enum, default_value_t = Order::Uncovered)]
    pub strategy: Order,

    /// Stop after this many runs of a function
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
    #[arg(long, value_name = "MIB", default_value_t = 512)]
    pub memory: u64,

    /// The last resort: stop exploring a function after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub time: u64,

    /// Do not report such exceptions (repeatable): throw, error:badarg, 'error:{badmatch,_}'
    #[arg(long, value_name = "CLASS[:REASON]")]
    pub ignore: Vec<String>,

    /// Only inputs for which this function of the same module is true: valid/4
    #[arg(long, value_name = "NAME/ARITY")]
    pub pre: Option<String>,

    /// Write an EUnit module per module under test there, a test per path
    #[arg(long, value_name = "DIR")]
    pub eunit: Option<PathBuf>,

    #[command(flatten)]
    pub code: CodeOptions,
}

/// The strategies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Order {
    /// Branches that no run has taken come first
    Uncovered,
    /// The shallowest branch first
    Breadth,
    /// The deepest branch first
    Depth,
    /// All branches of the run that covered most
    Generational,
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
  hound explore --pre valid/2 robot.erl route/2";

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
