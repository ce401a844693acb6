//! Exceptions that the user does not want to hear of.

use serde::{Deserialize, Serialize};
use term::{Class, Exception, Term};
use thiserror::Error;

/// `error`, `error:badarg`, `error:{badmatch, _}`: a class, and a pattern of the reason unless any will do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ignore {
    text: String,
    class: Class,
    reason: Option<Term>,
}

/// Why a text is no such rule.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BadIgnore {
    #[error("`{0}` is no class of exception: error, exit or throw")]
    Class(String),
    #[error("cannot read the reason {0}")]
    Reason(String),
}

impl Ignore {
    /// Reads a rule as the user writes it.
    pub fn parse(text: &str) -> Result<Ignore, BadIgnore> {
        let (class, reason) = match text.split_once(':') {
            Some((class, reason)) => (class.trim(), Some(reason.trim())),
            None => (text.trim(), None),
        };
        let class = match class {
            "error" => Class::Error,
            "exit" => Class::Exit,
            "throw" => Class::Throw,
            other => return Err(BadIgnore::Class(other.to_owned())),
        };
        let reason = reason.map(pattern).transpose()?;
        Ok(Ignore { text: text.trim().to_owned(), class, reason })
    }

    /// The rule as the user wrote it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// True if the rule has the class and the reason of an exception.
    pub fn covers(&self, exception: &Exception) -> bool {
        self.class == exception.class && self.reason.as_ref().is_none_or(|pattern| is_meant(pattern, &exception.reason))
    }
}

fn pattern(text: &str) -> Result<Term, BadIgnore> {
    Term::read(&quoted_wildcards(text)).map_err(|error| BadIgnore::Reason(format!("{text}: {error}")))
}

/// `_` is no term; as an atom it can be read.
fn quoted_wildcards(text: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    let mut quote = None;
    for (at, char) in text.char_indices() {
        match quote {
            Some(open) if char == open && before != '\\' => quote = None,
            None if char == '\'' || char == '"' => quote = Some(char),
            _ => {}
        }
        let after = text[at + char.len_utf8()..].chars().next().unwrap_or(' ');
        let alone = !is_of_name(before) && !is_of_name(after);
        if quote.is_none() && char == '_' && alone {
            out.push_str("'_'")
        } else {
            out.push(char)
        }
        before = char;
    }
    out
}

fn is_of_name(char: char) -> bool {
    char.is_alphanumeric() || char == '_' || char == '@'
}

/// An atom also means every tuple that begins with it.
fn is_meant(pattern: &Term, reason: &Term) -> bool {
    let tagged = reason.as_tuple().and_then(<[Term]>::first);
    matches(pattern, reason) || (pattern.as_atom().is_some() && tagged.is_some_and(|tag| matches(pattern, tag)))
}

fn matches(pattern: &Term, term: &Term) -> bool {
    term::deeper(|| match (pattern, term) {
        (Term::Atom(_, any), _) if any.name() == "_" => true,
        (Term::Tuple(_, patterns), Term::Tuple(_, items)) => {
            patterns.len() == items.len() && patterns.iter().zip(items.iter()).all(|(p, item)| matches(p, item))
        }
        (Term::Cons(_, pattern), Term::Cons(_, cell)) => {
            matches(&pattern.head, &cell.head) && matches(&pattern.tail, &cell.tail)
        }
        _ => pattern == term,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers(rule: &str, class: Class, reason: &str) -> bool {
        let reason = Term::read(reason).unwrap_or_else(|e| panic!("{e}"));
        Ignore::parse(rule).unwrap_or_else(|e| panic!("{e}")).covers(&Exception { class, reason, stack: Term::nil() })
    }

    #[test]
    fn a_class_alone_covers_all_of_it() {
        assert!(covers("throw", Class::Throw, "{x, 1}"));
        assert!(!covers("throw", Class::Error, "badarg"));
    }

    #[test]
    fn an_atom_covers_itself_and_what_it_tags() {
        assert!(covers("error:badarg", Class::Error, "badarg"));
        assert!(covers("error:badmatch", Class::Error, "{badmatch, 7}"));
        assert!(!covers("error:badmatch", Class::Error, "{other, badmatch}"));
    }

    #[test]
    fn wildcards_stand_for_anything() {
        assert!(covers("error:{badmatch, {error, _}}", Class::Error, "{badmatch, {error, enoent}}"));
        assert!(!covers("error:{badmatch, {error, _}}", Class::Error, "{badmatch, ok}"));
        assert!(covers("error:{a_b, \"_\"}", Class::Error, "{a_b, \"_\"}"));
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(Ignore::parse("errors:x").map(|_| ()), Err(BadIgnore::Class("errors".into())));
        assert!(matches!(Ignore::parse("error:{a"), Err(BadIgnore::Reason(_))));
    }
}
