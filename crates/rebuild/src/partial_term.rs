//! Terms with unknowns at the end of a run, and their text.

use std::fmt::Write;

use rustc_hash::FxHashMap;
use term::Term;

/// A term with its unknowns.
#[derive(Clone, PartialEq, Debug)]
pub enum PartialTerm {
    /// Numbered from 0 within the answers of one run.
    Unknown(u32),
    /// A term without unknowns.
    Literal(Term),
    /// Head and tail of a list.
    Cons(Box<(PartialTerm, PartialTerm)>),
    /// The elements of a tuple.
    Tuple(Vec<PartialTerm>),
    /// Keys and their values; if it is open there may be other keys.
    Map { pairs: Vec<(PartialTerm, PartialTerm)>, open: bool },
    /// Segments: value, size if it has one of its own, and the rest of its text.
    Bits(Vec<(PartialTerm, Option<PartialTerm>, String)>),
    /// The result of an operation: its text and its arguments.
    Applied(String, Vec<PartialTerm>),
    /// What is too large to be shown.
    Cut,
}

impl PartialTerm {
    fn parts(&self) -> Vec<&PartialTerm> {
        match self {
            PartialTerm::Unknown(_) | PartialTerm::Literal(_) | PartialTerm::Cut => Vec::new(),
            PartialTerm::Cons(parts) => vec![&parts.0, &parts.1],
            PartialTerm::Tuple(items) | PartialTerm::Applied(_, items) => items.iter().collect(),
            PartialTerm::Map { pairs, .. } => pairs.iter().flat_map(|(key, value)| [key, value]).collect(),
            PartialTerm::Bits(segments) => {
                segments.iter().flat_map(|(value, size, _)| [Some(value), size.as_ref()]).flatten().collect()
            }
        }
    }
}

/// Answers as text, in which the same unknown has the same name: `X`, `Y`, `Z`, `X1`, … and `R`, `R1`, … for the rests of
/// lists.
pub fn texts(answers: &[PartialTerm]) -> Vec<String> {
    let mut names = Names::default();
    answers.iter().for_each(|answer| names.meet(answer, false));
    answers.iter().map(|answer| names.text(answer)).collect()
}

#[derive(Default)]
struct Names {
    names: FxHashMap<u32, String>,
    elements: u32,
    rests: u32,
}

impl Names {
    fn meet(&mut self, answer: &PartialTerm, rest: bool) {
        match answer {
            PartialTerm::Unknown(number) if !self.names.contains_key(number) => {
                let name = if rest { self.rest() } else { self.element() };
                self.names.insert(*number, name);
            }
            PartialTerm::Cons(parts) => {
                self.meet(&parts.0, false);
                self.meet(&parts.1, true);
            }
            other => other.parts().into_iter().for_each(|part| self.meet(part, false)),
        }
    }

    fn element(&mut self) -> String {
        self.elements += 1;
        let (letter, round) = (["X", "Y", "Z"][(self.elements as usize - 1) % 3], (self.elements - 1) / 3);
        if round == 0 { letter.to_owned() } else { format!("{letter}{round}") }
    }

    fn rest(&mut self) -> String {
        self.rests += 1;
        if self.rests == 1 { "R".to_owned() } else { format!("R{}", self.rests - 1) }
    }

    fn text(&self, answer: &PartialTerm) -> String {
        match answer {
            PartialTerm::Unknown(number) => self.names[number].clone(),
            PartialTerm::Literal(term) => term.to_string(),
            PartialTerm::Cons(_) => self.list(answer),
            PartialTerm::Tuple(items) => format!("{{{}}}", self.row(items)),
            PartialTerm::Map { pairs, open } => {
                let sign = if *open { ":=" } else { "=>" };
                let pair = |(key, value): &(PartialTerm, PartialTerm)| {
                    format!("{} {sign} {}", self.text(key), self.text(value))
                };
                format!("#{{{}}}", pairs.iter().map(pair).collect::<Vec<_>>().join(","))
            }
            PartialTerm::Bits(segments) => {
                let segment = |(value, size, rest): &(PartialTerm, Option<PartialTerm>, String)| {
                    let size = size.as_ref().map_or_else(String::new, |size| format!(":{}", self.text(size)));
                    format!("{}{size}{rest}", self.text(value))
                };
                format!("<<{}>>", segments.iter().map(segment).collect::<Vec<_>>().join(","))
            }
            PartialTerm::Applied(name, args) => format!("{name}({})", self.row(args)),
            PartialTerm::Cut => "…".to_owned(),
        }
    }

    fn row(&self, items: &[PartialTerm]) -> String {
        items.iter().map(|item| self.text(item)).collect::<Vec<_>>().join(",")
    }

    fn list(&self, mut answer: &PartialTerm) -> String {
        let mut text = String::from("[");
        while let PartialTerm::Cons(parts) = answer {
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(&self.text(&parts.0));
            answer = &parts.1;
        }
        match answer {
            PartialTerm::Literal(Term::Nil(_)) => {}
            rest => _ = write!(text, "|{}", self.text(rest)),
        }
        text.push(']');
        text
    }
}
