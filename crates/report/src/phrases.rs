//! Phrases that several reports share.

use term::{Mfa, Notation, Term};

use crate::notation::call_in;

/// A leak in words.
pub(crate) const LEAK: &str = "a process waits that nothing can reach";

/// The noun for a count: `1 target`, `2 targets`, `2 crashes`.
pub(crate) fn plural(count: usize, noun: &str) -> String {
    match count {
        1 => noun.to_owned(),
        _ if noun.ends_with("sh") => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// `1 crash`, `2 crashes`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {}", plural(usize::try_from(count).unwrap_or(usize::MAX), noun))
}

/// `shop.erl:12:3`, as far as it is known.
pub(crate) fn place(file: &str, line: u32, column: u32) -> String {
    match (line, column) {
        (0, _) => file.to_owned(),
        (line, 0) => format!("{file}:{line}"),
        (line, column) => format!("{file}:{line}:{column}"),
    }
}

/// The call in Erlang, with those that make its inputs.
pub(crate) fn call(function: Mfa, inputs: &[Term]) -> String {
    call_in(Notation::ERLANG, function, inputs)
}

/// The first characters of a text.
pub(crate) fn shortened(mut text: String, most: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        text.push('…');
    }
    text
}
