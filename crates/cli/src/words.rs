//! What the words of a command line name: sources to load first, then what to run or to show.

use std::path::{Path, PathBuf};

use term::{Atom, Mfa};

use crate::failure::Failure;
use crate::options::{self, RunOptions};

/// A file or directory to take modules from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// An .erl, .beam or .core file.
    File(PathBuf),
    Folder(PathBuf),
}

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
pub fn read(options: &RunOptions) -> Result<(Vec<Source>, Target), Failure> {
    let (last, before) = options.words.split_last().ok_or(Failure::NoExpression)?;
    let mut sources = before.iter().map(|word| source(Path::new(word))).collect::<Result<Vec<_>, _>>()?;
    let show = options.flat || options.ir;
    if is_path(last) {
        sources.push(source(Path::new(last))?);
        return if show { Ok((sources, Target::Sources)) } else { Err(Failure::NoExpression) };
    }
    Ok((sources, if show { shown(last) } else { Target::Expression(last.clone()) }))
}

/// Whether a word is meant as a file: it ends like one, or there is one of that name and it is no expression.
pub fn is_path(word: &str) -> bool {
    let ends = [".erl", ".beam", ".core"].iter().any(|ending| word.ends_with(ending));
    (ends && !word.contains('(')) || (Path::new(word).is_dir() && word.contains(['/', '\\', '.']))
}

pub fn source(path: &Path) -> Result<Source, Failure> {
    if path.is_dir() {
        return Ok(Source::Folder(path.to_path_buf()));
    }
    if !path.exists() {
        return Err(Failure::NoFile(path.to_path_buf()));
    }
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("erl" | "beam" | "core") => Ok(Source::File(path.to_path_buf())),
        _ => Err(Failure::NotSource(path.to_path_buf())),
    }
}

/// A function's or module's name where stages are to be shown; anything else is an expression.
fn shown(word: &str) -> Target {
    if let Ok(function) = options::function_name(word) {
        return Target::Function(function);
    }
    let is_name = !word.contains(['(', ':', '#', ' ']) && !word.starts_with(|c: char| c.is_ascii_digit());
    match options::atom(word).filter(|_| is_name) {
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

    #[test]
    fn endings_tell_files_from_expressions() {
        assert!(is_path("a/m.erl") && is_path("m.beam") && is_path("."));
        assert!(!is_path("m:f(\"x.erl\")") && !is_path("lists:sort([])") && !is_path("f:g(x.erl"));
    }
}
