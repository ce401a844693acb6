//! The words of `hound run`: sources first, then what to run or to show.

use std::path::Path;

use session::Failure;
use session::library::{SourcePath, is_path, source_path};
use session::names::{function_name, module_name};
use term::{Atom, Mfa};

use crate::options::RunOptions;

/// The last word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// An expression to run.
    Expression(String),
    /// Only to show: one function.
    Function(Mfa),
    /// Only to show: a module by name.
    Module(Atom),
    /// Only to show: everything in the sources.
    Sources,
}

/// Splits the words into sources and the last one.
pub fn read(options: &RunOptions) -> Result<(Vec<SourcePath>, Argument), Failure> {
    let (last, before) = options.words.split_last().ok_or(Failure::NoExpression)?;
    let mut sources = before.iter().map(|word| source_path(Path::new(word))).collect::<Result<Vec<_>, _>>()?;
    let show = options.flat || options.ir;
    if is_path(last) {
        sources.push(source_path(Path::new(last))?);
        return if show { Ok((sources, Argument::Sources)) } else { Err(Failure::NoExpression) };
    }
    Ok((sources, if show { shown(last) } else { Argument::Expression(last.clone()) }))
}

/// A function's or module's name where stages are to be shown; anything else is an expression.
fn shown(word: &str) -> Argument {
    if let Ok(function) = function_name(word) {
        return Argument::Function(function);
    }
    let is_name = !word.contains(['(', ':', '#', ' ']) && !word.starts_with(|c: char| c.is_ascii_digit());
    match module_name(word).filter(|_| is_name) {
        Some(module) => Argument::Module(module),
        None => Argument::Expression(word.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_shown_and_an_expression_is_searched_for_its_call() {
        assert!(matches!(shown("lists:sort/1"), Argument::Function(_)));
        assert!(matches!(shown("lists"), Argument::Module(_)));
        assert!(matches!(shown("lists:sort([1])"), Argument::Expression(_)));
        assert!(matches!(shown("1"), Argument::Expression(_)));
    }
}
