//! Tests of ExUnit: each call must give what it gave.

use constraint::CallSequence;
use exec::forward::Ending;
use search::TestCase;
use term::{Call, Class, Exception, Mfa, Notation};

use super::erlang::{is_source, is_writable};
use crate::notation::exception_name;

/// The lines of a test; nothing if an input is no source text.
pub(super) fn check(notation: Notation<'_>, function: Mfa, case: &TestCase) -> Option<Vec<String>> {
    let inputs = &case.stimulus.inputs;
    if !inputs.iter().all(is_writable) {
        return None;
    }
    let sequence = CallSequence::of(function, inputs, notation);
    let mut lines = sequence.map_or_else(
        || vec![notation.call(&Call { module: function.module, function: function.function, args: inputs.clone() })],
        |sequence| sequence.statements,
    );
    let call = lines.pop()?;
    lines.push(match &case.ending {
        Ending::Value(value) if is_source(value) => format!("assert {call} === {}", notation.term(value)),
        Ending::Value(_) => call,
        Ending::Raised(exception) => raising(notation, exception, &call),
        _ => return None,
    });
    Some(lines)
}

/// A title that says what a call does.
pub(super) fn title(notation: Notation<'_>, function: Mfa, ending: &Ending) -> String {
    let name = notation.local(function.function, function.arity);
    match ending {
        Ending::Raised(raised) => match raised.class {
            Class::Error => format!("{name} raises {}", raised_name(notation, raised).unwrap_or("an error".to_owned())),
            Class::Exit => format!("{name} exits"),
            Class::Throw => format!("{name} throws"),
        },
        _ => format!("{name} gives a value"),
    }
}

/// The exception that ExUnit rescues.
fn raised_name(notation: Notation<'_>, exception: &Exception) -> Option<String> {
    Some(exception_name(notation, exception)).filter(|name| name != "ErlangError")
}

fn raising(notation: Notation<'_>, exception: &Exception, call: &str) -> String {
    let reason = || notation.term(&exception.reason);
    let caught = match exception.class {
        Class::Error => match raised_name(notation, exception) {
            Some(name) => return format!("assert_raise {name}, fn -> {call} end"),
            None => "catch_error",
        },
        Class::Exit => "catch_exit",
        Class::Throw => "catch_throw",
    };
    match is_source(&exception.reason) {
        true => format!("assert {caught}({call}) === {}", reason()),
        false => format!("{caught}({call})"),
    }
}
