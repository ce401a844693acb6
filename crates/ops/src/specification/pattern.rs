//! The heads of match specifications.

use term::{Map, Term};

use super::{Bindings, variable};

/// A pattern.
pub enum MatchPattern {
    Any,
    Variable(u32),
    Same(Term),
    Tuple(Vec<MatchPattern>),
    Cons(Box<MatchPattern>, Box<MatchPattern>),
    /// A map that has these keys.
    Map(Vec<(Term, MatchPattern)>),
}

impl MatchPattern {
    /// Returns the pattern that a term describes.
    pub fn of(term: &Term) -> Option<MatchPattern> {
        term::deeper(|| match term {
            Term::Atom(_, atom) if atom.name() == "_" => Some(MatchPattern::Any),
            Term::Atom(_, atom) => {
                Some(variable(*atom).map_or_else(|| MatchPattern::Same(term.clone()), MatchPattern::Variable))
            }
            Term::Tuple(_, items) => {
                let parts = items.iter().map(MatchPattern::of).collect::<Option<Vec<_>>>()?;
                let is_same = parts.iter().all(|part| matches!(part, MatchPattern::Same(_)));
                Some(if is_same { MatchPattern::Same(term.clone()) } else { MatchPattern::Tuple(parts) })
            }
            Term::Cons(_, cell) => match (MatchPattern::of(&cell.head)?, MatchPattern::of(&cell.tail)?) {
                (MatchPattern::Same(_), MatchPattern::Same(_)) => Some(MatchPattern::Same(term.clone())),
                (head, tail) => Some(MatchPattern::Cons(Box::new(head), Box::new(tail))),
            },
            Term::Map(_, map) => MatchPattern::of_map(map),
            _ => Some(MatchPattern::Same(term.clone())),
        })
    }

    /// A key must not be a variable.
    fn of_map(map: &Map) -> Option<MatchPattern> {
        let entry = |(key, value): (&Term, &Term)| {
            let is_open = key.as_atom().is_some_and(|atom| atom.name() == "_" || variable(atom).is_some());
            (!is_open).then(|| Some((key.clone(), MatchPattern::of(value)?))).flatten()
        };
        map.iter().map(entry).collect::<Option<Vec<_>>>().map(MatchPattern::Map)
    }

    /// Returns true if a term matches; binds variables.
    pub fn matches(&self, term: &Term, bindings: &mut Bindings) -> bool {
        match self {
            MatchPattern::Any => true,
            MatchPattern::Variable(number) => match bindings.get(number) {
                Some(bound) => bound == term,
                None => {
                    bindings.insert(*number, term.clone());
                    true
                }
            },
            MatchPattern::Same(wanted) => wanted == term,
            MatchPattern::Tuple(parts) => term.as_tuple().is_some_and(|items| {
                let all = || parts.iter().zip(items).all(|(part, item)| part.matches(item, bindings));
                items.len() == parts.len() && term::deeper(all)
            }),
            MatchPattern::Cons(head, tail) => match term {
                Term::Cons(_, cell) => {
                    term::deeper(|| head.matches(&cell.head, bindings) && tail.matches(&cell.tail, bindings))
                }
                _ => false,
            },
            MatchPattern::Map(entries) => term.as_map().is_some_and(|map| {
                let has =
                    |(key, value): &(Term, MatchPattern)| map.get(key).is_some_and(|it| value.matches(it, bindings));
                entries.iter().all(has)
            }),
        }
    }

    /// The variables that it binds.
    pub fn variables(&self, found: &mut Vec<u32>) {
        match self {
            MatchPattern::Any | MatchPattern::Same(_) => {}
            MatchPattern::Variable(number) => found.push(*number),
            MatchPattern::Tuple(parts) => parts.iter().for_each(|part| part.variables(found)),
            MatchPattern::Cons(head, tail) => term::deeper(|| {
                head.variables(found);
                tail.variables(found);
            }),
            MatchPattern::Map(entries) => entries.iter().for_each(|(_, value)| value.variables(found)),
        }
    }

    /// The term at a place of every tuple that matches, or none if there is no such place; an error if it may be any.
    pub fn part(&self, place: usize) -> Result<Option<Term>, ()> {
        match self {
            MatchPattern::Any | MatchPattern::Variable(_) => Err(()),
            MatchPattern::Same(term) => Ok(term.as_tuple().and_then(|items| items.get(place)).cloned()),
            MatchPattern::Tuple(parts) => match parts.get(place) {
                Some(MatchPattern::Same(term)) => Ok(Some(term.clone())),
                Some(_) => Err(()),
                None => Ok(None),
            },
            MatchPattern::Cons(..) | MatchPattern::Map(_) => Ok(None),
        }
    }
}
