//! Explored paths as an EUnit module: what each call gave once it must give again.

use std::fmt::Write;

use search::Case;
use term::{Atom, Class, Exception, Mfa, Term};

use super::{Explored, call};

/// The test module for a module under test: its name and its source.
pub fn eunit_module(module: Atom, explored: &[Explored]) -> (String, String) {
    let name = format!("{}_hound_tests", module.name().replace(['.', '\''], "_").to_lowercase());
    let mut out = format!("%% Calls of {module} and what they give, found by hound explore.\n-module({name}).\n");
    out.push_str("-include_lib(\"eunit/include/eunit.hrl\").\n");
    for one in explored.iter().filter(|one| one.function.module == module) {
        let findings =
            one.exploration.findings.iter().map(|finding| raising(one.function, &finding.inputs, &finding.exception));
        let cases = one.exploration.cases.iter().filter_map(|case| test(one.function, case));
        for (at, body) in findings.chain(cases).enumerate() {
            let name = format!("{}_{}_{}_test_", one.function.function.name(), one.function.arity, at + 1);
            let name = Atom::new(&name);
            // Writing to a string cannot fail.
            let _ = write!(out, "\n{name}() ->\n    {body}.\n");
        }
    }
    (name, out)
}

fn test(function: Mfa, case: &Case) -> Option<String> {
    match &case.ending {
        exec::forward::Ending::Value(value) if is_source(value) => {
            Some(format!("?_assertEqual({value}, {})", call(function, &case.inputs)))
        }
        exec::forward::Ending::Value(_) => Some(format!("?_test({})", call(function, &case.inputs))),
        _ => None,
    }
}

fn raising(function: Mfa, inputs: &[Term], exception: &Exception) -> String {
    let check = match exception.class {
        Class::Error => "?_assertError",
        Class::Exit => "?_assertExit",
        Class::Throw => "?_assertThrow",
    };
    let reason = if is_source(&exception.reason) { pattern(&exception.reason) } else { "_".to_owned() };
    format!("{check}({reason}, {})", call(function, inputs))
}

/// A map in a pattern is written with `:=`; others are as they print.
fn pattern(reason: &Term) -> String {
    let text = reason.to_string();
    if text.contains("#{") || text.contains("fun ") { "_".to_owned() } else { text }
}

/// Whether the text of a term reads back as the term: handles and closures do not.
fn is_source(term: &Term) -> bool {
    Term::read(&term.to_string()).is_ok_and(|read| read == *term)
}
