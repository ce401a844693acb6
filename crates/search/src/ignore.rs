//! Defects that the user does not want to hear of.

use std::fmt;
use std::path::Path;

use exec::forward::Place;
use serde::{Deserialize, Serialize};
use term::{Atom, Class, Mfa, Term};
use thiserror::Error;

use crate::finding::{Defect, FindingKey, elixir_struct};
use crate::subject::EntryPoint;

/// `error`, `error:badarg`, `error:{badmatch, _}`, `error:%ArgumentError{}`, `leak`, `any`: a kind of defect, and a pattern
/// of an exception's reason unless any will do; everywhere, in one function or at one line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ignore {
    text: String,
    kind: IgnoredKind,
    within: Within,
}

/// The defects that a rule is about.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum IgnoredKind {
    Any,
    Exception(Class, Option<ReasonPattern>),
    /// All other defects, by name.
    Named(String),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum ReasonPattern {
    Term(Term),
    /// An Elixir exception, by its module.
    Struct(Atom),
}

/// The places that a rule is about.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Within {
    Everywhere,
    Function(Mfa),
    Line(LineName),
}

/// The names of defects that are no exceptions.
const OTHERS: [&str; 5] = ["contract", "deadlock", "leak", "loop", "property"];

/// Why a text is no such rule.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BadIgnore {
    #[error("`{0}` is no class of exception: error, exit or throw; nor contract, deadlock, leak, loop or any")]
    Class(String),
    #[error("cannot read the reason {0}")]
    Reason(String),
    #[error("`{0}` has no reason: write {0} alone")]
    NoReason(String),
}

impl Ignore {
    /// Reads a rule as the user writes it.
    pub fn parse(text: &str) -> Result<Ignore, BadIgnore> {
        let (class, reason) = match text.split_once(':') {
            Some((class, reason)) => (class.trim(), Some(reason.trim())),
            None => (text.trim(), None),
        };
        let exception = match class {
            "error" => Some(Class::Error),
            "exit" => Some(Class::Exit),
            "throw" => Some(Class::Throw),
            _ => None,
        };
        let kind = match (exception, class) {
            (Some(class), _) => IgnoredKind::Exception(class, reason.map(pattern).transpose()?),
            (None, name) if reason.is_some() && (name == "any" || OTHERS.contains(&name)) => {
                return Err(BadIgnore::NoReason(name.to_owned()));
            }
            (None, "any") => IgnoredKind::Any,
            (None, name) if OTHERS.contains(&name) => IgnoredKind::Named(name.to_owned()),
            (None, other) => return Err(BadIgnore::Class(other.to_owned())),
        };
        Ok(Ignore { text: text.trim().to_owned(), kind, within: Within::Everywhere })
    }

    /// The same for defects in one function and its funs.
    pub fn within(self, function: Mfa) -> Ignore {
        Ignore { text: format!("{} in {function}", self.text), within: Within::Function(function), ..self }
    }

    /// The same for defects at one line.
    pub fn at(self, line: LineName) -> Ignore {
        Ignore { text: format!("{} at {line}", self.text), within: Within::Line(line), ..self }
    }

    /// The rule as the user wrote it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// True if the rule has the kind and the place of a defect, and the reason of an exception.
    pub fn covers(&self, defect: &Defect, trace: &[Place], entry_point: &EntryPoint) -> bool {
        self.has_kind(defect) && self.has_place(defect, trace, entry_point)
    }

    fn has_kind(&self, defect: &Defect) -> bool {
        match (&self.kind, defect.exception()) {
            (IgnoredKind::Any, _) => true,
            (IgnoredKind::Named(name), _) => *name == defect.name(),
            (IgnoredKind::Exception(..), None) => false,
            (IgnoredKind::Exception(class, reason), Some(exception)) => {
                let is_meant = |pattern: &ReasonPattern| pattern.is_meant(&exception.reason);
                *class == exception.class && reason.as_ref().is_none_or(is_meant)
            }
        }
    }

    fn has_place(&self, defect: &Defect, trace: &[Place], entry_point: &EntryPoint) -> bool {
        let place = || FindingKey::of(defect, trace, entry_point);
        match &self.within {
            Within::Everywhere => true,
            Within::Function(function) => {
                *function == entry_point.function || place().0.function.is_some_and(|at| is_part_of(at, *function))
            }
            Within::Line(line) => place().1.is_some_and(|at| line.is_of(&at.file) && line.line == at.line),
        }
    }
}

/// True for a function itself and for funs that were taken out of it.
fn is_part_of(function: Mfa, outer: Mfa) -> bool {
    let is_lifted = || function.function.name().starts_with(&format!("-{}/{}-", outer.function.name(), outer.arity));
    function == outer || function.module == outer.module && is_lifted()
}

/// A line of a file whose name may be the end of a path: `shop.erl:12`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LineName {
    file: String,
    /// The line, from 1 on.
    pub line: u32,
}

impl LineName {
    /// Reads a file and a line.
    pub fn parse(text: &str) -> Option<LineName> {
        let (file, line) = text.trim().rsplit_once(':')?;
        let line = line.parse().ok().filter(|line| *line > 0)?;
        (!file.is_empty()).then(|| LineName { file: file.to_owned(), line })
    }

    /// True if a path ends with the name of its file, folder by folder.
    pub fn is_of(&self, path: &str) -> bool {
        Path::new(path).ends_with(self.file.trim_start_matches("./"))
    }
}

impl fmt::Display for LineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

fn pattern(text: &str) -> Result<ReasonPattern, BadIgnore> {
    if let Some(module) = elixir_module(text) {
        return Ok(ReasonPattern::Struct(module));
    }
    let term = Term::read(&quoted_wildcards(text)).map_err(|error| BadIgnore::Reason(format!("{text}: {error}")));
    term.map(ReasonPattern::Term)
}

/// `%Shop.Error{}`, or `Shop.Error` alone.
fn elixir_module(text: &str) -> Option<Atom> {
    let name = text.strip_prefix('%').map_or(Some(text), |rest| rest.strip_suffix("{}"))?.trim();
    let is_alias = |part: &str| {
        let is_first = part.chars().next().is_some_and(char::is_uppercase);
        is_first && part.chars().all(|char| char.is_alphanumeric() || char == '_')
    };
    name.split('.').all(is_alias).then(|| Atom::new(&format!("Elixir.{}", name.trim_start_matches("Elixir."))))
}

impl ReasonPattern {
    /// An atom also means every tuple that begins with it, and the struct of a module of that name.
    fn is_meant(&self, reason: &Term) -> bool {
        let module = elixir_struct(reason);
        match self {
            ReasonPattern::Struct(name) => module == Some(*name),
            ReasonPattern::Term(pattern) => {
                let tagged = reason.as_tuple().and_then(<[Term]>::first);
                let is_atom = |atom| tagged.is_some_and(|tag| matches(pattern, tag)) || module == Some(atom);
                matches(pattern, reason) || pattern.as_atom().is_some_and(is_atom)
            }
        }
    }
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
    use crate::subject::EntryFacts;
    use term::Exception;

    use super::*;

    fn read(text: &str) -> Term {
        Term::read(text).unwrap_or_else(|e| panic!("{e}"))
    }

    fn rule(text: &str) -> Ignore {
        Ignore::parse(text).unwrap_or_else(|e| panic!("{e}"))
    }

    fn name(function: &str, arity: u8) -> Mfa {
        Mfa { module: Atom::new("m"), function: Atom::new(function), arity }
    }

    fn covered(rule: &Ignore, class: Class, reason: Term, stack: &str) -> bool {
        let entry_point = EntryPoint {
            function: name("f", 1),
            signatures: Vec::new(),
            specified: true,
            modules: vec![Atom::new("m")],
            facts: EntryFacts::default(),
        };
        rule.covers(&Defect::Crash(Exception { class, reason, stack: read(stack) }), &[], &entry_point)
    }

    fn covers(text: &str, class: Class, reason: &str) -> bool {
        covered(&rule(text), class, read(reason), "[]")
    }

    #[test]
    fn a_class_alone_covers_all_of_it() {
        assert!(covers("throw", Class::Throw, "{x, 1}"));
        assert!(!covers("throw", Class::Error, "badarg"));
        assert!(covers("any", Class::Exit, "normal"));
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
    fn structs_are_named_by_their_module() {
        let raised = "#{'__struct__' => 'Elixir.Shop.Error', '__exception__' => true, message => <<>>}";
        for text in ["error:Shop.Error", "error:%Shop.Error{}", "error:'Elixir.Shop.Error'", "error:Elixir.Shop.Error"]
        {
            assert!(covers(text, Class::Error, raised), "{text}");
            assert!(!covers(text, Class::Throw, raised) && !covers(text, Class::Error, "#{}"), "{text}");
        }
        assert!(!covers("error:ArgumentError", Class::Error, raised) && !covers("error:Shop", Class::Error, raised));
    }

    #[test]
    fn other_defects_have_names() {
        let entry_point = EntryPoint {
            function: name("f", 1),
            signatures: vec![],
            specified: true,
            modules: vec![],
            facts: EntryFacts::default(),
        };
        let is_covered = |text: &str| rule(text).covers(&Defect::Contract(Term::nil()), &[], &entry_point);
        assert!(is_covered("contract") && is_covered("any") && !is_covered("leak") && !is_covered("error"));
    }

    #[test]
    fn places_narrow_a_rule() {
        let stack = |function: &str| format!("[{{m, {function}, 2, [{{file, \"src/m.erl\"}}, {{line, 7}}]}}]");
        let is_at = |line: &str, function: &str| {
            let at = rule("any").at(LineName::parse(line).unwrap_or_else(|| panic!("{line}")));
            covered(&at, Class::Error, read("x"), &stack(function))
        };
        assert!(is_at("m.erl:7", "g") && is_at("src/m.erl:7", "g") && is_at("./src/m.erl:7", "g"));
        assert!(!is_at("m.erl:8", "g") && !is_at("am.erl:7", "g") && !is_at("lib/m.erl:7", "g"));
        let is_in =
            |outer: Mfa, function: &str| covered(&rule("any").within(outer), Class::Error, read("x"), &stack(function));
        assert!(is_in(name("g", 2), "g") && is_in(name("g", 3), "'-g/3-fun-0-'") && is_in(name("f", 1), "g"));
        assert!(!is_in(name("g", 1), "g") && !is_in(name("h", 2), "g") && !is_in(name("g", 3), "'-gg/3-fun-0-'"));
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(Ignore::parse("errors:x").map(|_| ()), Err(BadIgnore::Class("errors".into())));
        assert_eq!(Ignore::parse("leak:x").map(|_| ()), Err(BadIgnore::NoReason("leak".into())));
        assert!(matches!(Ignore::parse("error:{a"), Err(BadIgnore::Reason(_))));
        assert!(matches!(Ignore::parse("error:%argument{}"), Err(BadIgnore::Reason(_))));
        assert!(["m.erl", "m.erl:0", ":3", "m.erl:x"].iter().all(|text| LineName::parse(text).is_none()));
    }
}
