//! Explored paths as an EUnit module: each call must give what it gave.

use constraint::CallSequence;
use std::collections::BTreeMap;
use std::fmt::Write;

use exec::forward::Ending;
use search::TestCase;
use session::JobResult;
use term::{Atom, Class, Exception, Fun, Map, Mfa, Term};

use crate::phrases::call;

/// The first words of each of our files; a file with others is not ours.
pub const SUITE_HEAD: &str = "%% Written by hound explore";

/// Returns the name of the module that tests another one.
pub fn suite_name(module: Atom) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "_@.".contains(c) { c } else { '_' };
    format!("{}_hound_tests", module.name().chars().map(plain).collect::<String>())
}

/// A test module that is being written.
pub struct Suite {
    module: Atom,
    tests: Vec<String>,
    /// Tests of each function so far.
    counts: BTreeMap<(String, u8), usize>,
}

impl Suite {
    /// Returns a test module without tests.
    pub fn new(module: Atom) -> Suite {
        Suite { module, tests: Vec::new(), counts: BTreeMap::new() }
    }

    /// Returns the number of tests.
    pub fn count(&self) -> usize {
        self.tests.len()
    }

    /// Adds a test, if the call can be written as source.
    pub fn add(&mut self, explored: &JobResult, case: &TestCase) {
        let function = explored.function;
        let Some(body) = body(function, case) else { return };
        let count = self.counts.entry((function.function.name().to_owned(), function.arity)).or_default();
        *count += 1;
        let name = Atom::new(&format!("{}_{}_{count}_test_", function.function.name(), function.arity));
        self.tests.push(format!("\n{name}() ->\n    {body}.\n"));
    }

    /// Returns the Erlang source.
    pub fn text(&self) -> String {
        let (module, name) = (self.module, Atom::new(&suite_name(self.module)));
        let mut out = format!("{SUITE_HEAD}: calls of {module} and what they give.\n-module({name}).\n");
        out.push_str("-include_lib(\"eunit/include/eunit.hrl\").\n");
        self.tests.iter().for_each(|test| out.push_str(test));
        out
    }
}

/// Nothing if an input is no source text: a call with it cannot be written.
fn body(function: Mfa, case: &TestCase) -> Option<String> {
    if !case.stimulus.inputs.iter().all(is_writable) {
        return None;
    }
    let call = match CallSequence::of(function, &case.stimulus.inputs, term::Notation::ERLANG) {
        Some(sequence) => format!("begin {} end", sequence.call),
        None => call(function, &case.stimulus.inputs),
    };
    match &case.ending {
        Ending::Value(value) if is_source(value) => Some(format!("?_assertEqual({value}, {call})")),
        Ending::Value(_) => Some(format!("?_test({call})")),
        Ending::Raised(exception) => Some(raising(exception, &call)),
        _ => None,
    }
}

fn raising(exception: &Exception, call: &str) -> String {
    let check = match exception.class {
        Class::Error => "?_assertError",
        Class::Exit => "?_assertExit",
        Class::Throw => "?_assertThrow",
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
fn is_writable(term: &Term) -> bool {
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
fn is_source(term: &Term) -> bool {
    let text = term.to_string();
    !text.contains("fun(") && Term::read(&text).is_ok_and(|read| read == *term)
}
