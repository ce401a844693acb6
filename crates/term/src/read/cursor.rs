//! A place in a text that is being read, and what is wrong there.

/// A text that cannot be read: lines and columns count from one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {problem}")]
pub struct ReadError {
    /// The line of the first character that is wrong.
    pub line: usize,
    /// Its column, in characters.
    pub column: usize,
    /// The problem, in words.
    pub problem: String,
}

/// A place in a text.
#[derive(Clone, Copy)]
pub struct Cursor<'a> {
    text: &'a str,
    /// The number of the text's first line.
    first_line: usize,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// The beginning of a text whose first line has this number.
    pub fn new(text: &'a str, first_line: usize) -> Cursor<'a> {
        Cursor { text, first_line, at: 0 }
    }

    /// The byte at which it stands.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The text from here on.
    pub fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// The next character.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Takes the next character.
    pub fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Goes on by so many bytes, which end between characters.
    pub fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Takes a text if it is next.
    pub fn accept(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        self.at += if found { text.len() } else { 0 };
        found
    }

    /// Takes the characters from here on that pass the test.
    pub fn take_while(&mut self, test: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let len = rest.find(|c| !test(c)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    /// The line and column of a byte.
    pub fn line_and_column(&self, at: usize) -> (usize, usize) {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (self.first_line + before.matches('\n').count(), before[line_start..].chars().count() + 1)
    }

    /// A problem at a byte.
    #[cold]
    pub fn error_at(&self, at: usize, problem: impl Into<String>) -> ReadError {
        let (line, column) = self.line_and_column(at);
        ReadError { line, column, problem: problem.into() }
    }

    /// A problem here.
    #[cold]
    pub fn error<T>(&self, problem: impl Into<String>) -> Result<T, ReadError> {
        Err(self.error_at(self.at, problem))
    }
}
