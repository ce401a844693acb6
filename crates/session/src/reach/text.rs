//! The words of a search for targets: sources, modules and targets.

use std::path::Path;

use term::Atom;

use crate::Failure;
use crate::library::{SourcePath, is_path, source_path};
use crate::names::{function_name, module_name};
use crate::project::Project;

/// The words of a search by kind.
#[derive(Default)]
pub struct TargetWords {
    /// Files and folders.
    pub sources: Vec<SourcePath>,
    /// Modules by name alone.
    pub modules: Vec<Atom>,
    /// The targets.
    pub targets: Vec<TargetText>,
}

/// A target, as far as it is known without the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TargetText {
    /// The word.
    pub text: String,
    /// The place that it names.
    pub place: TargetPlace,
}

/// A place in the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TargetPlace {
    /// A line of a file that is one of the sources.
    FileLine { file: String, line: u32 },
    /// A line of a module.
    ModuleLine { module: Atom, line: u32 },
    /// `f/1` or `m:f/1`, and a clause counted from 1.
    Function { name: String, clause: Option<usize> },
}

impl TargetWords {
    /// Sorts the words by kind.
    pub fn read(given: &[String]) -> Result<TargetWords, Failure> {
        let mut words = TargetWords::default();
        given.iter().try_for_each(|word| words.add(word))?;
        let is_whole = |target: &TargetText| match &target.place {
            TargetPlace::ModuleLine { .. } => true,
            TargetPlace::Function { name, .. } => function_name(name).is_ok(),
            // Without a project there is nowhere else to look for the file.
            TargetPlace::FileLine { .. } => Project::around(Path::new(".")).is_none(),
        };
        let is_local = words.targets.is_empty() || !words.targets.iter().all(is_whole);
        if words.sources.is_empty() && words.modules.is_empty() && is_local {
            words.sources.push(SourcePath::Here);
        }
        Ok(words)
    }

    fn add(&mut self, word: &str) -> Result<(), Failure> {
        if is_path(word) || Path::new(word).exists() {
            self.add_source(source_path(Path::new(word))?);
        } else if let Some((place, line)) = numbered(word)? {
            self.add_line(word, place, line)?;
        } else if word.contains('/') {
            let (name, clause) = clause(word)?;
            let place = TargetPlace::Function { name: name.to_owned(), clause };
            self.targets.push(TargetText { text: word.to_owned(), place });
        } else {
            self.modules.push(module_name(word).ok_or_else(|| Failure::no_file(Path::new(word)))?);
        }
        Ok(())
    }

    fn add_source(&mut self, source: SourcePath) {
        if !self.sources.contains(&source) {
            self.sources.push(source);
        }
    }

    /// A file that is there is a source too; one that is not may be the source of a compiled module.
    fn add_line(&mut self, word: &str, place: &str, line: u32) -> Result<(), Failure> {
        let text = word.to_owned();
        if Path::new(place).is_file() {
            self.add_source(source_path(Path::new(place))?);
        }
        let place = match Path::new(place).extension() {
            Some(ending) if ["erl", "ex", "exs", "yrl", "xrl", "beam", "core"].iter().any(|known| ending == *known) => {
                TargetPlace::FileLine { file: place.to_owned(), line }
            }
            _ => {
                let module = module_name(place).ok_or_else(|| Failure::no_file(Path::new(place)))?;
                TargetPlace::ModuleLine { module, line }
            }
        };
        self.targets.push(TargetText { text, place });
        Ok(())
    }
}

/// `shop.erl:12`: what stands before the last colon, and the number behind it.
fn numbered(word: &str) -> Result<Option<(&str, u32)>, Failure> {
    let Some((place, number)) = word.rsplit_once(':') else { return Ok(None) };
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(None);
    }
    match number.parse() {
        Ok(line) if !place.is_empty() => Ok(Some((place, line))),
        _ => Err(Failure::BadTarget(format!("{word}: {number} is not the number of a line"))),
    }
}

/// `m:f/1#2`: the function's name, and the clause.
fn clause(word: &str) -> Result<(&str, Option<usize>), Failure> {
    let Some((name, number)) = word.rsplit_once('#') else { return Ok((word, None)) };
    match number.parse() {
        Ok(clause) if clause > 0 => Ok((name, Some(clause))),
        _ => Err(Failure::BadTarget(format!("{word}: clauses are numbers from 1, such as {name}#1"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(word: &str) -> TargetPlace {
        let words = TargetWords::read(&[word.to_owned()]).unwrap_or_else(|failure| panic!("{failure}"));
        words.targets.into_iter().next().expect("a place").place
    }

    #[test]
    fn lines_functions_and_clauses_are_distinguished() {
        assert_eq!(place("a/shop.erl:12"), TargetPlace::FileLine { file: "a/shop.erl".to_owned(), line: 12 });
        assert_eq!(place("shop:12"), TargetPlace::ModuleLine { module: Atom::new("shop"), line: 12 });
        let function = |name: &str, clause| TargetPlace::Function { name: name.to_owned(), clause };
        assert_eq!(place("shop:total/1"), function("shop:total/1", None));
        assert_eq!(place("total/1#3"), function("total/1", Some(3)));
    }

    #[test]
    fn no_word_makes_it_panic() {
        let pieces = ["a", "'", ":", "/", "1", "é", "#", " ", "99999999999", "x:y/1", ".erl", "0", ""];
        let mut numbers = fastrand::Rng::with_seed(7);
        for _ in 0..20_000 {
            let word: String = (0..numbers.usize(0..8)).map(|_| pieces[numbers.usize(0..pieces.len())]).collect();
            let _ = TargetWords::read(&[word]);
        }
    }
}
