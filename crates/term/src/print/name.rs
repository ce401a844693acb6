//! Quoting: which atoms need it, and how characters are escaped inside quotes.

use std::fmt::{self, Write};

/// Words that are no atoms without quotes. With a feature switched on `else` and `maybe` are such words, too.
#[rustfmt::skip]
pub(crate) const RESERVED: &[&str] = &[
    "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case", "catch", "cond", "div",
    "end", "fun", "if", "let", "not", "of", "or", "orelse", "receive", "rem", "try", "when", "xor",
];

/// An atom, quoted if it must be; beyond Latin-1 escaped if `latin` says so.
pub fn write_atom(out: &mut dyn Write, name: &str, latin: bool) -> fmt::Result {
    if is_plain(name) { out.write_str(name) } else { write_quoted(out, name, '\'', latin) }
}

fn is_plain(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(is_lower) && chars.all(is_name_part) && !RESERVED.contains(&name)
}

fn is_lower(c: char) -> bool {
    matches!(c, 'a'..='z' | 'ß'..='ö' | 'ø'..='ÿ')
}

fn is_name_part(c: char) -> bool {
    is_lower(c) || matches!(c, 'A'..='Z' | '0'..='9' | '_' | '@' | 'À'..='Ö' | 'Ø'..='Þ')
}

/// Text in quotes.
pub fn write_quoted(out: &mut dyn Write, text: &str, quote: char, latin: bool) -> fmt::Result {
    out.write_char(quote)?;
    for c in text.chars() {
        write_char(out, c, quote, latin)?;
    }
    out.write_char(quote)
}

fn write_char(out: &mut dyn Write, c: char, quote: char, latin: bool) -> fmt::Result {
    match c {
        '\\' => out.write_str("\\\\"),
        _ if c == quote => write!(out, "\\{c}"),
        '\n' => out.write_str("\\n"),
        '\t' => out.write_str("\\t"),
        '\r' => out.write_str("\\r"),
        '\x0b' => out.write_str("\\v"),
        '\x08' => out.write_str("\\b"),
        '\x0c' => out.write_str("\\f"),
        '\x1b' => out.write_str("\\e"),
        '\x7f' => out.write_str("\\d"),
        // Three octal digits, so that a digit may follow.
        '\0'..='\x1f' | '\u{80}'..='\u{9f}' => write!(out, "\\{:03o}", u32::from(c)),
        _ if latin && u32::from(c) > 255 => write!(out, "\\x{{{:X}}}", u32::from(c)),
        _ => out.write_char(c),
    }
}

/// An atom as the VM itself prints it inside a fun: reserved words bare, `@` quoted, and beyond ASCII every byte of
/// its UTF-8 form as a character of its own.
pub fn write_native_atom(out: &mut dyn Write, name: &str) -> fmt::Result {
    let mut chars = name.chars();
    let plain = chars.next().is_some_and(is_lower) && chars.all(|c| is_name_part(c) && c != '@');
    let quote = if plain { "" } else { "'" };
    out.write_str(quote)?;
    for c in name.chars() {
        match c {
            '\x1b' => out.write_str("\\033")?,
            '\x7f' => out.write_char(c)?,
            '\u{a0}'.. => c.encode_utf8(&mut [0; 4]).bytes().try_for_each(|byte| out.write_char(char::from(byte)))?,
            _ => write_char(out, c, '\'', false)?,
        }
    }
    out.write_str(quote)
}
