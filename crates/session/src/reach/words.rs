//! What the words of `hound reach` name: sources to load, and places to get to.

use std::path::Path;

use term::Atom;

use crate::Failure;
use crate::names::atom;
use crate::sources::{self, CodeSource};

/// The words, each by what it is.
#[derive(Default)]
pub struct Words {
    pub sources: Vec<CodeSource>,
    /// Modules by name alone.
    pub modules: Vec<Atom>,
    /// Places, as they were written.
    pub places: Vec<Wanted>,
}

/// A place, as far as it can be told without looking at any code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    pub text: String,
    pub place: WantedPlace,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WantedPlace {
    /// A line of a file that is one of the sources.
    FileLine {
        file: String,
        line: u32,
    },
    ModuleLine {
        module: Atom,
        line: u32,
    },
    /// `f/1` or `m:f/1`, and a clause counted from 1.
    Function {
        name: String,
        clause: Option<usize>,
    },
}

impl Words {
    pub fn read(given: &[String]) -> Result<Words, Failure> {
        let mut words = Words::default();
        given.iter().try_for_each(|word| words.add(word))?;
        Ok(words)
    }

    fn add(&mut self, word: &str) -> Result<(), Failure> {
        if sources::is_path(word) || Path::new(word).exists() {
            self.add_source(sources::source(Path::new(word))?);
        } else if let Some((place, line)) = numbered(word)? {
            self.add_line(word, place, line)?;
        } else if word.contains('/') {
            let (name, clause) = clause(word)?;
            let place = WantedPlace::Function { name: name.to_owned(), clause };
            self.places.push(Wanted { text: word.to_owned(), place });
        } else {
            self.modules.push(atom(word).ok_or_else(|| Failure::NoFile(word.into()))?);
        }
        Ok(())
    }

    fn add_source(&mut self, source: CodeSource) {
        if !self.sources.contains(&source) {
            self.sources.push(source);
        }
    }

    /// A file that is there is a source too; one that is not may be the source of a compiled module.
    fn add_line(&mut self, word: &str, place: &str, line: u32) -> Result<(), Failure> {
        let text = word.to_owned();
        if Path::new(place).is_file() {
            self.add_source(sources::source(Path::new(place))?);
        }
        let place = match Path::new(place).extension() {
            Some(ending) if ["erl", "ex", "exs", "yrl", "xrl", "beam", "core"].iter().any(|known| ending == *known) => {
                WantedPlace::FileLine { file: place.to_owned(), line }
            }
            _ => {
                let module = atom(place).ok_or_else(|| Failure::NoFile(place.into()))?;
                WantedPlace::ModuleLine { module, line }
            }
        };
        self.places.push(Wanted { text, place });
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

    fn place(word: &str) -> WantedPlace {
        let words = Words::read(&[word.to_owned()]).unwrap_or_else(|failure| panic!("{failure}"));
        words.places.into_iter().next().expect("a place").place
    }

    #[test]
    fn lines_functions_and_clauses_are_told_apart() {
        assert_eq!(place("a/shop.erl:12"), WantedPlace::FileLine { file: "a/shop.erl".to_owned(), line: 12 });
        assert_eq!(place("shop:12"), WantedPlace::ModuleLine { module: Atom::new("shop"), line: 12 });
        let function = |name: &str, clause| WantedPlace::Function { name: name.to_owned(), clause };
        assert_eq!(place("shop:total/1"), function("shop:total/1", None));
        assert_eq!(place("total/1#3"), function("total/1", Some(3)));
    }

    #[test]
    fn no_word_makes_it_panic() {
        let pieces = ["a", "'", ":", "/", "1", "é", "#", " ", "99999999999", "x:y/1", ".erl", "0", ""];
        let mut numbers = fastrand::Rng::with_seed(7);
        for _ in 0..20_000 {
            let word: String = (0..numbers.usize(0..8)).map(|_| pieces[numbers.usize(0..pieces.len())]).collect();
            let _ = Words::read(&[word]);
        }
    }
}
