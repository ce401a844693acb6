//! Tests of EUnit and Common Test: each call must give what it gave.

use std::fmt::Write;

use constraint::CallSequence;
use exec::forward::Ending;
use search::TestCase;
use term::{Class, Exception, Fun, Map, Mfa, Notation, Term};

use crate::phrases::call;

/// The way in which checks are written: as tests of their own, or as expressions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    Test,
    Expression,
}

/// Nothing if an input is no source text: a call with it cannot be written.
pub(super) fn check(check: Check, function: Mfa, case: &TestCase) -> Option<String> {
    let mark = if check == Check::Test { "?_" } else { "?" };
    if !case.stimulus.inputs.iter().all(is_writable) {
        return None;
    }
    let call = match CallSequence::of(function, &case.stimulus.inputs, Notation::ERLANG) {
        Some(sequence) => format!("begin {} end", sequence.call),
        None => call(function, &case.stimulus.inputs),
    };
    match &case.ending {
        Ending::Value(value) if is_source(value) => Some(format!("{mark}assertEqual({value}, {call})")),
        Ending::Value(_) if check == Check::Test => Some(format!("?_test({call})")),
        Ending::Value(_) => Some(format!("_ = {call},\n    ok")),
        Ending::Raised(exception) => Some(format!("{mark}{}", raising(exception, &call))),
        _ => None,
    }
}

fn raising(exception: &Exception, call: &str) -> String {
    let check = match exception.class {
        Class::Error => "assertError",
        Class::Exit => "assertExit",
        Class::Throw => "assertThrow",
    };
    format!("{check}({}, {call})", pattern(&exception.reason))
}

/// The term as a pattern that matches it; anything where it has what no pattern can say.
fn pattern(term: &Term) -> String {
    match term {
        Term::Map(_, map) => map_pattern(map),
        Term::Tuple(_, items) => format!("{{{}}}", patterns(items.iter())),
        Term::Cons(..) if !is_plain(term) => match term.proper_list() {
            Some(items) => format!("[{}]", patterns(items.iter())),
            None => "_".to_owned(),
        },
        term if is_plain(term) => term.to_string(),
        _ => "_".to_owned(),
    }
}

fn patterns<'a>(terms: impl Iterator<Item = &'a Term>) -> String {
    terms.map(pattern).collect::<Vec<_>>().join(", ")
}

fn map_pattern(map: &Map) -> String {
    let mut out = String::new();
    for (key, value) in map.iter().filter(|(key, _)| is_plain(key)) {
        let comma = if out.is_empty() { "" } else { ", " };
        // Writing to a string cannot fail.
        let _ = write!(out, "{comma}{key} := {}", pattern(value));
    }
    format!("#{{{out}}}")
}

/// True if a term's text is also a pattern.
fn is_plain(term: &Term) -> bool {
    let text = term.to_string();
    is_source(term) && !text.contains("#{") && !text.contains("fun ")
}

/// True if a term's text is an expression that makes it, or one like it: a fun that is a table is written with its
/// clauses.
pub(super) fn is_writable(term: &Term) -> bool {
    term::deeper(|| match term {
        Term::Fun(_, fun) => matches!(**fun, Fun::External(_) | Fun::Table(_)),
        Term::Tuple(_, items) => items.iter().all(is_writable),
        Term::Map(_, map) => map.iter().all(|(key, value)| is_writable(key) && is_writable(value)),
        Term::Cons(..) => {
            let mut cells = term.cells();
            cells.by_ref().all(is_writable) && is_writable(cells.rest())
        }
        _ => true,
    })
}

/// True if the text of a term reads back as the term: handles and closures do not. A fun written twice is two funs.
pub(super) fn is_source(term: &Term) -> bool {
    let text = term.to_string();
    !text.contains("fun(") && Term::read(&text).is_ok_and(|read| read == *term)
}
