//! Text in lines of a width: prose is broken at its spaces, Erlang between its parts, so that it can still be pasted.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The columns of a terminal, where nothing says how many there are.
pub const USUAL_WIDTH: usize = 100;
/// The least columns that lines are made for.
const LEAST: usize = 40;

/// A text to be laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    Prose,
    /// Erlang or Elixir: not broken inside of quotes.
    Code,
    /// A command: not broken at all.
    Command,
}

/// The columns that a text takes.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// Breaks a text into lines: the first one follows `first` columns, the others `indent` spaces.
pub(crate) fn wrapped(text: &str, layout: Layout, (first, indent): (usize, usize), width: usize) -> String {
    let mut lines = Lines { out: String::new(), used: first, indent, width: width.max(LEAST) };
    for (at, line) in text.lines().enumerate() {
        if at > 0 {
            lines.next();
        }
        lines.add(&pieces(line, layout));
    }
    lines.out
}

/// Lines as they are filled.
struct Lines {
    out: String,
    /// The columns of the last one.
    used: usize,
    indent: usize,
    width: usize,
}

impl Lines {
    fn next(&mut self) {
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out.push('\n');
        self.out.push_str(&" ".repeat(self.indent));
        self.used = self.indent;
    }

    /// Adds the parts of one line of a text.
    fn add(&mut self, pieces: &[&str]) {
        for (at, piece) in pieces.iter().enumerate() {
            let is_over = self.used + columns(piece.trim_end()) > self.width;
            let piece = if at > 0 && is_over { piece.trim_start() } else { piece };
            if at > 0 && is_over {
                self.next();
            }
            self.out.push_str(piece);
            self.used += columns(piece);
        }
    }
}

/// The parts of a line that are not broken, each with the space behind it.
fn pieces(line: &str, layout: Layout) -> Vec<&str> {
    let (mut pieces, mut from) = (Vec::new(), 0);
    for end in breaks(line, layout) {
        pieces.push(&line[from..end]);
        from = end;
    }
    pieces.push(&line[from..]);
    pieces
}

/// The places where a line may be broken.
fn breaks(line: &str, layout: Layout) -> Vec<usize> {
    let (mut found, mut quote) = (Vec::new(), None);
    let mut chars = line.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        let is_last = chars.peek().is_none_or(|(_, next)| *next == ' ');
        match (quote, char, layout) {
            (_, _, Layout::Command) => return Vec::new(),
            (Some(_), '\\', Layout::Code) | (None, '$', Layout::Code) => drop(chars.next()),
            (Some(open), char, _) if char == open => quote = None,
            (None, '"' | '\'', Layout::Code) => quote = Some(char),
            (None, ' ', _) | (None, ',', Layout::Code) if !is_last => found.push(at + 1),
            _ => {}
        }
    }
    found
}

/// A line with tabs as spaces, and what each character of the text became: its columns.
pub(crate) fn spaced(text: &str) -> Vec<(char, usize)> {
    let spaced = text.chars().flat_map(|char| match char {
        '\t' => vec![(' ', 1); TAB],
        char => vec![(char, char.width().unwrap_or(0))],
    });
    spaced.collect()
}

/// Columns of a tab.
const TAB: usize = 4;

/// The number of characters that a part of a line has with its tabs as spaces.
pub(crate) fn spaced_len(text: &str) -> usize {
    text.chars().map(|char| if char == '\t' { TAB } else { 1 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_breaks_at_spaces_and_keeps_its_own_lines() {
        let text = "one two three four five six seven eight nine ten\n  and its second line";
        let lines = wrapped(text, Layout::Prose, (4, 2), 40);
        assert_eq!(lines, "one two three four five six seven\n  eight nine ten\n    and its second line");
    }

    #[test]
    fn code_breaks_between_its_parts_only() {
        let text = "m:f(\"a, b c d e f g h i j k l m n o p q r s t\",[1,2,3,4,5,6,7,8,9,$,,$\",10,11,12,13,'x, y'])";
        let lines = wrapped(text, Layout::Code, (0, 4), 40);
        for line in lines.lines().skip(1) {
            assert!(line.starts_with("    ") && line.chars().count() <= 40, "{line}");
        }
        assert_eq!(lines.lines().map(str::trim_start).collect::<String>(), text);
        assert!(lines.contains("'x, y'") && lines.contains("$,,$\","), "{lines}");
    }

    #[test]
    fn what_cannot_be_broken_stays() {
        let word = "x".repeat(90);
        assert_eq!(wrapped(&word, Layout::Prose, (0, 2), 60), word);
        assert_eq!(wrapped("", Layout::Prose, (0, 2), 60), "");
    }
}
