//! Texts of Elixir: which names need no quotes, which lists and binaries are texts, and characters inside quotes.

use crate::{Bits, Term};

/// Operators that are atoms without quotes.
#[rustfmt::skip]
const OPERATORS: &[&str] = &[
    "+", "-", "*", "/", "++", "--", "==", "!=", "===", "!==", "<", ">", "<=", ">=", "=~", "&&", "||", "!", "<>", "|>",
    "<-", "::", "|", "=", "^", "&", "**", "+++", "---", "&&&", "|||", "<<<", ">>>", "@",
];

/// True for a name that is an atom behind a colon, a key before one, and a function behind a dot.
pub(super) fn is_plain(name: &str) -> bool {
    let stem = name.strip_suffix(['?', '!']).unwrap_or(name);
    stem.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && stem.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '@'))
}

pub(super) fn is_operator(name: &str) -> bool {
    OPERATORS.contains(&name)
}

/// Text in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '#' if chars.peek() == Some(&'{') => out.push_str("\\#"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            '\u{1b}' => out.push_str("\\e"),
            '\u{7f}' => out.push_str("\\d"),
            c if c.is_control() || is_invisible(c) => out.push_str(&format!("\\u{{{:X}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// True for characters that no one sees, or that change the order in which others are seen: Elixir refuses some of these
/// in its sources.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{ffff}')
}

/// The text of a binary that Elixir shows as a string.
pub(super) fn string(bits: &Bits) -> Option<String> {
    if !bits.is_binary() {
        return None;
    }
    let text = String::from_utf8(bits.to_bytes().to_vec()).ok()?;
    text.chars().all(is_printable).then_some(text)
}

/// The text of a list that Elixir shows as one.
pub(super) fn charlist(list: &Term) -> Option<String> {
    let mut cells = list.cells();
    let char = |cell: &Term| cell.as_i64().and_then(|point| u8::try_from(point).ok()).map(char::from);
    let printable = |c: &char| c.is_ascii() && *c != '\u{7f}' && is_printable(*c);
    let text = cells.by_ref().map(|cell| char(cell).filter(printable)).collect::<Option<String>>()?;
    (matches!(cells.rest(), Term::Nil(_)) && !text.is_empty()).then_some(text)
}

/// As `String.printable?/1` has it.
fn is_printable(c: char) -> bool {
    matches!(c, '\u{7}'..='\r' | '\u{1b}' | ' '..='\u{7f}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}
