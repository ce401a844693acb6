//! Constants as terms of the datatype. Maps, bitstrings, funs and identifiers are numbers, one for each distinct one.

use num_rational::BigRational;
use num_traits::{One, Signed};
use rustc_hash::FxHashMap;
use term::{Atom, HandleKind, Term};

use crate::commands::{integer, real};
use crate::encode::{ClaimEncoder, list};

/// Parts of a constant that are spelled out; of a larger one only the kind is known.
const MOST_PARTS: usize = 600;

/// The constants of a script.
#[derive(Default)]
pub struct Literals {
    texts: FxHashMap<Term, String>,
    terms: FxHashMap<String, Term>,
    /// Atoms in the order of their names, each with its place in that order.
    pub atoms: Vec<(Atom, BigRational)>,
    /// Constants that are known by a number, and their texts.
    pub numbered: Vec<(Term, String)>,
}

impl Literals {
    /// The place of an atom among the others.
    fn atom(&mut self, atom: Atom) -> BigRational {
        let at = match self.atoms.binary_search_by(|(known, _)| known.cmp(&atom)) {
            Ok(at) => return self.atoms[at].1.clone(),
            Err(at) => at,
        };
        let (below, above) = (at.checked_sub(1).map(|at| &self.atoms[at].1), self.atoms.get(at).map(|it| &it.1));
        let place = match (below, above) {
            (None, None) => BigRational::from_integer(0.into()),
            (Some(below), None) => below + BigRational::one(),
            (None, Some(above)) => above - BigRational::one(),
            (Some(below), Some(above)) => (below + above) / BigRational::from_integer(2.into()),
        };
        self.atoms.insert(at, (atom, place.clone()));
        place
    }

    /// The constant of a text.
    pub fn term(&self, text: &str) -> Option<&Term> {
        self.terms.get(text)
    }

    /// All constants that occur by themselves, and their texts.
    pub fn iter(&self) -> impl Iterator<Item = (&Term, &String)> {
        self.texts.iter()
    }

    /// The number of a constant.
    fn number(&mut self, term: &Term) -> usize {
        let known = self.numbered.iter().position(|(known, _)| known == term);
        known.unwrap_or_else(|| {
            self.numbered.push((term.clone(), String::new()));
            self.numbered.len() - 1
        })
    }
}

impl ClaimEncoder<'_> {
    /// A constant.
    pub fn literal(&mut self, term: &Term) -> String {
        if let Some(known) = self.literals.texts.get(term) {
            return known.clone();
        }
        let mut left = MOST_PARTS;
        let text = match self.spelled(term, &mut left) {
            Some(text) => self.named(&text),
            None => self.unspelled(term),
        };
        if let Some(items) = term.proper_list() {
            self.script.assert(&format!("(and (proper {text}) (= (len {text}) {}))", items.len()));
        }
        self.literals.texts.insert(term.clone(), text.clone());
        self.literals.terms.insert(text.clone(), term.clone());
        text
    }

    /// A constant of which only the kind is known.
    fn unspelled(&mut self, term: &Term) -> String {
        let text = self.script.declare("T");
        let tester = match term {
            Term::Tuple(..) => "istup",
            Term::Cons(..) => "iscons",
            _ => return text,
        };
        self.script.assert(&format!("({tester} {text})"));
        text
    }

    fn spelled(&mut self, term: &Term, left: &mut usize) -> Option<String> {
        *left = left.checked_sub(1)?;
        Some(match term {
            Term::Int(..) | Term::Big(..) => format!("(mkint {})", integer(&term.as_bigint()?)),
            Term::Float(_, value) => format!("(mkflt {})", real(*value)),
            Term::Atom(_, atom) => format!("(mkatm {})", rational(&self.literals.atom(*atom))),
            Term::Nil(_) => String::from("mknil"),
            Term::Cons(..) => {
                let mut cells = term.cells();
                let mut heads = Vec::new();
                for head in cells.by_ref() {
                    heads.push(term::deeper(|| self.spelled(head, left))?);
                }
                let rest = term::deeper(|| self.spelled(cells.rest(), left))?;
                heads.iter().rev().fold(rest, |tail, head| format!("(mkcons {head} {tail})"))
            }
            Term::Tuple(_, items) => {
                let items: Option<Vec<String>> =
                    items.iter().map(|item| term::deeper(|| self.spelled(item, left))).collect();
                format!("(mktup {})", list(&items?))
            }
            Term::Map(..) => self.numbered(term, "mkmap", ""),
            Term::Bits(..) => self.numbered(term, "mkbin", ""),
            Term::Fun(_, fun) => self.numbered(term, "mkfun", &format!(" {}", fun.arity())),
            Term::Handle(_, handle) => {
                let maker = match handle.kind {
                    HandleKind::Reference => "mkref",
                    HandleKind::Port => "mkprt",
                    HandleKind::Pid => "mkpid",
                };
                self.numbered(term, maker, "")
            }
        })
    }

    fn numbered(&mut self, term: &Term, maker: &str, more: &str) -> String {
        let number = self.literals.number(term);
        let text = format!("({maker} {number}{more})");
        self.literals.numbered[number].1.clone_from(&text);
        text
    }
}

/// A fraction.
pub fn rational(value: &BigRational) -> String {
    let magnitude = format!("(/ {}.0 {}.0)", value.numer().magnitude(), value.denom());
    if value.is_negative() { format!("(- {magnitude})") } else { magnitude }
}
