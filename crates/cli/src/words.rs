//! What the words of a command line name: sources to load first, then what to run or to show.

use std::path::Path;

use session::Failure;
use session::names::{atom, function_name};
use session::sources::{CodeSource, is_path, source};
use term::{Atom, Mfa};

use crate::options::RunOptions;

/// What to do with the sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Expression(String),
    /// Only to show: one function.
    Function(Mfa),
    /// Only to show: a module by name.
    Module(Atom),
    /// Only to show: everything in the sources.
    Sources,
}

/// Splits the words into sources and target.
pub fn read(options: &RunOptions) -> Result<(Vec<CodeSource>, Target), Failure> {
    let (last, before) = options.words.split_last().ok_or(Failure::NoExpression)?;
    let mut sources = before.iter().map(|word| source(Path::new(word))).collect::<Result<Vec<_>, _>>()?;
    let show = options.flat || options.ir;
    if is_path(last) {
        sources.push(source(Path::new(last))?);
        return if show { Ok((sources, Target::Sources)) } else { Err(Failure::NoExpression) };
    }
    Ok((sources, if show { shown(last) } else { Target::Expression(last.clone()) }))
}

/// A function's or module's name where stages are to be shown; anything else is an expression.
fn shown(word: &str) -> Target {
    if let Ok(function) = function_name(word) {
        return Target::Function(function);
    }
    let is_name = !word.contains(['(', ':', '#', ' ']) && !word.starts_with(|c: char| c.is_ascii_digit());
    match atom(word).filter(|_| is_name) {
        Some(module) => Target::Module(module),
        None => Target::Expression(word.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_shown_and_an_expression_is_searched_for_its_call() {
        assert!(matches!(shown("lists:sort/1"), Target::Function(_)));
        assert!(matches!(shown("lists"), Target::Module(_)));
        assert!(matches!(shown("lists:sort([1])"), Target::Expression(_)));
        assert!(matches!(shown("1"), Target::Expression(_)));
    }
}
