//! The command line: what can be typed, and the help that explains it.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use term::{Atom, Mfa};

/// Finds inputs for Erlang code; today it runs any Erlang function on a machine of its own.
#[derive(Parser, Debug)]
#[command(name = "hound", version, max_term_width = 100)]
pub struct Options {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
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

    /// Allow a function with outside effects, by name (repeatable): file:read_file/1
    #[arg(long, value_name = "M:F/A", value_parser = function_name)]
    pub allow: Vec<Mfa>,

    /// Stop after this many steps of the machine
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    pub steps: u64,

    /// Stop when the program's data takes more than this many MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: u64,

    /// Print the lines that the run went through
    #[arg(long)]
    pub coverage: bool,

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
