//! A text line by line, and a place within a line.

use std::ops::{Deref, DerefMut};

use term::{Atom, Cursor, Mfa, ReadError, Term};

use super::Result;
use crate::{BlockId, Location, Operand, Reg};

/// The lines of a text that are not empty.
pub struct Lines<'a> {
    rest: std::iter::Enumerate<std::str::Split<'a, char>>,
    next: Option<Line<'a>>,
    /// Number and length of the last line that was there.
    last: (usize, usize),
}

impl<'a> Lines<'a> {
    /// The lines of a text, numbered from 1.
    pub fn new(text: &'a str) -> Self {
        let mut lines = Lines { rest: text.split('\n').enumerate(), next: None, last: (0, 0) };
        lines.advance();
        lines
    }

    fn advance(&mut self) {
        self.next = self.rest.by_ref().find(|(_, text)| !text.trim().is_empty()).map(|(number, text)| {
            let text = text.trim_end_matches('\r');
            self.last = (number + 1, text.chars().count());
            Line(Cursor::new(text, number + 1))
        });
    }

    /// Takes the next line.
    pub fn next(&mut self) -> Option<Line<'a>> {
        let line = self.next.take();
        self.advance();
        line
    }

    /// The next line if it begins like this, placed behind the beginning.
    pub fn take_if(&mut self, beginning: &str) -> Option<Line<'a>> {
        self.next.as_mut()?.accept(beginning).then(|| self.next())?
    }

    /// A place to report when the text ends too early.
    pub fn end(&self) -> ReadError {
        let (line, length) = self.last;
        ReadError { line, column: length + 1, problem: "the text ends too early".into() }
    }
}

/// A place within one line.
pub struct Line<'a>(Cursor<'a>);

impl<'a> Deref for Line<'a> {
    type Target = Cursor<'a>;

    fn deref(&self) -> &Cursor<'a> {
        &self.0
    }
}

impl DerefMut for Line<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<'a> Line<'a> {
    /// Skips this text, or fails.
    pub fn expect(&mut self, text: &str) -> Result<()> {
        if self.accept(text) { Ok(()) } else { self.error(format!("'{}' expected", text.trim())) }
    }

    /// Fails unless only blanks are left.
    pub fn end(&self) -> Result<()> {
        if self.rest().trim().is_empty() { Ok(()) } else { self.error("the end of the line expected") }
    }

    /// Letters and underscores.
    pub fn word(&mut self) -> &'a str {
        self.take_while(|c| c.is_ascii_alphanumeric() || c == '_')
    }

    /// Reads decimal digits.
    pub fn number<N: std::str::FromStr>(&mut self) -> Result<N> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        match rest[..end].parse() {
            Ok(number) => {
                self.skip(end);
                Ok(number)
            }
            Err(_) if end == 0 => self.error("a number expected"),
            Err(_) => self.error("the number is too large"),
        }
    }

    /// Reads a text in double quotes, its escapes resolved.
    pub fn quoted(&mut self) -> Result<String> {
        self.expect("\"")?;
        let mut text = String::new();
        let mut chars = self.rest().char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.skip(at + 1);
                    return Ok(text);
                }
                '\\' => text.push(match chars.next() {
                    Some((_, 'n')) => '\n',
                    Some((_, 'r')) => '\r',
                    Some((_, other)) => other,
                    None => break,
                }),
                other => text.push(other),
            }
        }
        self.error("a closing '\"' is missing")
    }

    /// Reads `%` and a number.
    pub fn register(&mut self) -> Result<Reg> {
        self.expect("%")?;
        Ok(Reg(self.number()?))
    }

    /// Reads a register, or `_` for a value that is not wanted.
    pub fn out(&mut self) -> Result<Option<Reg>> {
        if self.accept("_") { Ok(None) } else { self.register().map(Some) }
    }

    /// Reads `b` and a number.
    pub fn block(&mut self) -> Result<BlockId> {
        self.expect("b")?;
        Ok(BlockId(self.number()?))
    }

    /// Reads a register or a literal.
    pub fn operand(&mut self) -> Result<Operand> {
        if self.rest().starts_with('%') { self.register().map(Operand::Reg) } else { self.term().map(Operand::Literal) }
    }

    /// Items with commas between them, behind an opening parenthesis and up to the closing one.
    pub fn row<T>(&mut self, item: impl Fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        if self.accept(")") {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.accept(")") {
                return Ok(items);
            }
            self.expect(", ")?;
        }
    }

    /// Reads `module:function/arity`.
    pub fn mfa(&mut self) -> Result<Mfa> {
        let module = self.atom()?;
        self.expect(":")?;
        let function = self.atom()?;
        self.expect("/")?;
        Ok(Mfa { module, function, arity: self.number()? })
    }

    /// Reads a term that must be an atom.
    pub fn atom(&mut self) -> Result<Atom> {
        let start = self.at();
        match self.term()?.as_atom() {
            Some(atom) => Ok(atom),
            None => Err(self.error_at(start, "an atom expected")),
        }
    }

    /// Reads a term as Erlang writes it.
    pub fn term(&mut self) -> Result<Term> {
        let rest = self.rest();
        let end = term_end(rest);
        match Term::read(&rest[..end]) {
            Ok(term) => {
                self.skip(end);
                Ok(term)
            }
            Err(error) => {
                let offset: usize = rest.chars().take(error.column.saturating_sub(1)).map(char::len_utf8).sum();
                Err(self.error_at(self.at() + offset, error.problem))
            }
        }
    }

    /// ` @line:column`, if there is one.
    pub fn location(&mut self) -> Result<Location> {
        if !self.rest().starts_with(" @") {
            return Ok(Location::NONE);
        }
        self.skip(1);
        self.place()
    }

    /// `@line:column` or `@file:line:column`.
    pub fn place(&mut self) -> Result<Location> {
        self.expect("@")?;
        let start = self.at();
        let first: u32 = self.number()?;
        self.expect(":")?;
        let second = self.number()?;
        if !self.accept(":") {
            return Ok(Location { file: 0, line: first, column: second });
        }
        match u16::try_from(first) {
            Ok(file) => Ok(Location { file, line: second, column: self.number()? }),
            Err(_) => Err(self.error_at(start, "the number is too large")),
        }
    }

    /// The location and then nothing more.
    pub fn last_location(&mut self) -> Result<Location> {
        let location = self.location()?;
        self.end()?;
        Ok(location)
    }
}

/// Where the term at the start of a text ends: quotes and brackets are skipped, other signs end it.
fn term_end(text: &str) -> usize {
    if let Some(name) = text.strip_prefix("fun ") {
        return text.len() - name.len() + fun_end(name);
    }
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0usize);
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'\'' | b'"') => at = quote_end(bytes, at + 1, quote),
            b'$' => at = char_end(bytes, at + 1),
            b'[' | b'{' | b'(' if depth > 0 || bytes[at] != b'(' => depth += 1,
            b'<' => depth += 1,
            b']' | b'}' | b')' | b'>' if depth > 0 && !arrow(bytes, at) => depth -= 1,
            b' ' | b',' | b':' | b'/' | b'(' | b')' if depth == 0 => return at,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// The last byte of a quoted text that begins at `at`.
fn quote_end(bytes: &[u8], mut at: usize, quote: u8) -> usize {
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at
}

/// The last byte of the character behind a `$`.
fn char_end(bytes: &[u8], at: usize) -> usize {
    if bytes.get(at) == Some(&b'\\') { at + 1 } else { at }
}

/// True if this `>` belongs to `=>`.
fn arrow(bytes: &[u8], at: usize) -> bool {
    bytes[at] == b'>' && at > 0 && bytes[at - 1] == b'='
}

/// The end of `m:f/2`.
fn fun_end(text: &str) -> usize {
    let module = term_end(text);
    let function = text[module..].strip_prefix(':').map_or(module, |rest| module + 1 + term_end(rest));
    let Some(arity) = text[function..].strip_prefix('/') else { return function };
    function + 1 + arity.find(|c: char| !c.is_ascii_digit()).unwrap_or(arity.len())
}
