//! Regular expressions as trees: as much of them as is needed to guess what they match. What is not understood is left
//! out, since nothing rests on a guess.
//!
//! `regex-syntax` makes the tree. Where PCRE writes something in another way, or has something that `regex-syntax`
//! lacks, [`Translation`] rewrites it first.

use regex_syntax::ParserBuilder;
use regex_syntax::ast::ClassAsciiKind;
use regex_syntax::hir::{Class, Hir, HirKind};
use term::Cursor;

/// Alternatives, each a sequence of pieces.
pub type Choice = Vec<Vec<Piece>>;

/// An item that is repeated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The item.
    pub item: Item,
    /// The fewest repetitions.
    pub least: u32,
    /// The most repetitions; without a bound if `None`.
    pub most: Option<u32>,
}

/// A part of a pattern that matches text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// Characters from and to, both included.
    Set(Vec<(u32, u32)>),
    /// The pattern inside, and the number and name it is captured by.
    Group { inside: Choice, number: Option<u32>, name: Option<String> },
    /// The same text as a group.
    Same(u32),
}

/// Nesting deeper than this is left out.
const DEEPEST: u32 = 64;
/// Repetitions that are written down and more than this are not guessed at.
const MOST_TIMES: u32 = 1_000;
/// Something that matches no text by itself.
const NO_TEXT: &str = "(?:)";
/// The characters that stand for references to groups: from here on, by number.
const REFERENCE: u32 = 0x10_f000;

/// Reads a pattern; `extended` is the option to ignore white space and remarks. `None` if it makes no sense here.
pub fn parse(pattern: &str, extended: bool) -> Option<Choice> {
    let mut translation = Translation { from: Cursor::new(pattern, 1), to: String::new(), extended };
    translation.all()?;
    let parsed = ParserBuilder::new().nest_limit(DEEPEST).build().parse(&translation.to).ok()?;
    Some(choice(&parsed))
}

/// PCRE's syntax to that of `regex-syntax`.
struct Translation<'a> {
    from: Cursor<'a>,
    to: String,
    /// White space and remarks are ignored.
    extended: bool,
}

impl Translation<'_> {
    fn until(&mut self, end: char) -> Option<String> {
        let text = self.from.take_while(|c| c != end).to_owned();
        self.from.bump().map(|_| text)
    }

    fn literal(&mut self, c: char) {
        self.to.push_str(&format!("\\x{{{:X}}}", c as u32));
    }

    fn all(&mut self) -> Option<()> {
        let mut looks = Vec::new();
        while let Some(next) = self.from.bump() {
            match next {
                '[' => self.set()?,
                '\\' => self.escape()?,
                '(' => self.group(&mut looks)?,
                ')' => self.to.push_str(if looks.pop()? { "){0}" } else { ")" }),
                '*' | '+' | '?' => self.times(&next.to_string()),
                '{' => match self.count() {
                    Some(count) => self.times(&count),
                    None => self.literal('{'),
                },
                '|' | '.' => self.to.push(next),
                '^' | '$' => self.to.push_str(NO_TEXT),
                '#' if self.extended => _ = self.from.take_while(|c| c != '\n'),
                space if self.extended && space.is_whitespace() => {}
                other => self.literal(other),
            }
        }
        Some(())
    }

    /// Greedy or not, the same texts match.
    fn times(&mut self, times: &str) {
        self.to.push_str(times);
        if matches!(self.from.peek(), Some('+' | '?')) {
            self.from.bump();
        }
    }

    /// `{2}`, `{2,}`, `{2,5}`; anything else is plain text.
    fn count(&mut self) -> Option<String> {
        let (inside, _) = self.from.rest().split_once('}')?;
        let (least, most) = inside.split_once(',').unwrap_or((inside, ""));
        least.parse().ok().filter(|least: &u32| *least <= MOST_TIMES)?;
        if !most.is_empty() {
            most.parse::<u32>().ok()?;
        }
        self.from.skip(inside.len() + 1);
        Some(format!("{{{inside}}}"))
    }

    /// After an opening parenthesis. Groups that only look around match no text, but those inside them count.
    fn group(&mut self, looks: &mut Vec<bool>) -> Option<()> {
        let mut look = false;
        if self.from.accept("?#") {
            return self.until(')').map(|_| ());
        } else if ["?=", "?!", "?<=", "?<!"].iter().any(|sign| self.from.accept(sign)) {
            look = true;
            self.to.push_str("(?:");
        } else if self.from.accept("?>") || self.from.accept("?|") || self.from.accept("?:") {
            self.to.push_str("(?:");
        } else if self.from.accept("?'") {
            let name = self.until('\'')?;
            self.to.push_str(&format!("(?P<{name}>"));
        } else if self.from.accept("?<") || self.from.accept("?P<") {
            let name = self.until('>')?;
            self.to.push_str(&format!("(?P<{name}>"));
        } else if self.from.accept("?") {
            return self.flags(looks);
        } else {
            self.to.push('(');
        }
        looks.push(look);
        Some(())
    }

    /// `i`, `x`, `-s` and the like, up to what ends them; only `x` matters here.
    fn flags(&mut self, looks: &mut Vec<bool>) -> Option<()> {
        let flags = self.from.take_while(|c| "imsxJUX-".contains(c));
        let (on, off) = flags.split_once('-').unwrap_or((flags, ""));
        self.extended = (self.extended || on.contains('x')) && !off.contains('x');
        match self.from.bump()? {
            ')' => {}
            ':' => {
                self.to.push_str("(?:");
                looks.push(false);
            }
            _ => return None,
        }
        Some(())
    }

    /// After a backslash, outside of brackets.
    fn escape(&mut self) -> Option<()> {
        let next = self.from.bump()?;
        match next {
            'b' | 'B' | 'A' | 'z' | 'Z' | 'G' | 'K' | 'E' => self.to.push_str(NO_TEXT),
            'N' => self.to.push('.'),
            'R' => self.literal('\n'),
            'Q' => {
                let plain = self.from.rest().split("\\E").next().unwrap_or_default();
                plain.chars().for_each(|c| self.literal(c));
                self.from.skip(plain.len());
                self.from.accept("\\E");
            }
            '1'..='9' => self.literal(char::from_u32(REFERENCE + next.to_digit(10)?)?),
            other => match class(other) {
                Some(class) => self.to.push_str(&format!("[{class}]")),
                None => {
                    let point = self.point(other)?;
                    self.literal(point);
                }
            },
        }
        Some(())
    }

    /// The character that an escape means.
    fn point(&mut self, escape: char) -> Option<char> {
        Some(match escape {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'f' => '\x0c',
            'v' => '\x0b',
            'e' => '\x1b',
            'a' => '\x07',
            '0' => '\0',
            'x' if self.from.accept("{") => char::from_u32(u32::from_str_radix(&self.until('}')?, 16).ok()?)?,
            'x' => {
                let digits: String = self.from.rest().chars().take(2).take_while(char::is_ascii_hexdigit).collect();
                self.from.skip(digits.len());
                char::from(u8::from_str_radix(&digits, 16).unwrap_or(0))
            }
            // Letters without a meaning here have one that is not known.
            letter if letter.is_ascii_alphanumeric() => return None,
            other => other,
        })
    }

    /// After an opening bracket.
    fn set(&mut self) -> Option<()> {
        self.to.push_str(if self.from.accept("^") { "[^" } else { "[" });
        // A dash is one unless a character stands before it and something behind it.
        let (mut first, mut range, mut ranges) = (true, false, false);
        loop {
            let point = match self.from.bump()? {
                ']' if !first => break,
                '[' if self.from.accept(":") => {
                    let name = self.until(':')?;
                    ClassAsciiKind::from_name(name.trim_start_matches('^'))?;
                    self.from.accept("]").then(|| self.to.push_str(&format!("[:{name}:]")))?;
                    None
                }
                '\\' => match self.from.bump()? {
                    'b' => Some('\x08'),
                    other => match class(other) {
                        Some(class) => {
                            self.to.push_str(class);
                            None
                        }
                        None => Some(self.point(other)?),
                    },
                },
                '-' if range && self.from.peek() != Some(']') => {
                    self.to.push('-');
                    (range, ranges) = (false, true);
                    continue;
                }
                other => Some(other),
            };
            point.into_iter().for_each(|point| self.literal(point));
            (first, range, ranges) = (false, point.is_some() && !ranges, false);
        }
        self.to.push(']');
        Some(())
    }
}

/// The class that a letter after a backslash stands for.
fn class(letter: char) -> Option<&'static str> {
    Some(match letter {
        'd' => "[:digit:]",
        'D' => "[:^digit:]",
        'w' => "[:word:]",
        'W' => "[:^word:]",
        's' => "[:space:]",
        'S' => "[:^space:]",
        'h' => "[:blank:]",
        _ => return None,
    })
}

fn choice(hir: &Hir) -> Choice {
    match hir.kind() {
        HirKind::Alternation(all) => all.iter().map(sequence).collect(),
        _ => vec![sequence(hir)],
    }
}

fn sequence(hir: &Hir) -> Vec<Piece> {
    match hir.kind() {
        HirKind::Concat(all) => all.iter().flat_map(pieces).collect(),
        _ => pieces(hir),
    }
}

/// The pieces of what stands in a sequence: none if it matches no text by itself.
fn pieces(hir: &Hir) -> Vec<Piece> {
    let item = match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => return Vec::new(),
        HirKind::Literal(text) => return String::from_utf8_lossy(&text.0).chars().map(character).collect(),
        HirKind::Repetition(repetition) => {
            let one = pieces(&repetition.sub);
            let item = match <[Piece; 1]>::try_from(one) {
                Ok([Piece { item, least: 1, most: Some(1) }]) => item,
                Ok(one) => Item::Group { inside: vec![one.to_vec()], number: None, name: None },
                Err(many) => Item::Group { inside: vec![many], number: None, name: None },
            };
            return vec![Piece { item, least: repetition.min, most: repetition.max }];
        }
        HirKind::Class(Class::Unicode(class)) => {
            Item::Set(class.ranges().iter().map(|range| (range.start() as u32, range.end() as u32)).collect())
        }
        HirKind::Class(Class::Bytes(class)) => {
            Item::Set(class.ranges().iter().map(|range| (range.start().into(), range.end().into())).collect())
        }
        HirKind::Capture(group) => {
            let name = group.name.as_deref().map(str::to_owned);
            Item::Group { inside: choice(&group.sub), number: Some(group.index), name }
        }
        HirKind::Concat(_) | HirKind::Alternation(_) => Item::Group { inside: choice(hir), number: None, name: None },
    };
    vec![Piece { item, least: 1, most: Some(1) }]
}

fn character(c: char) -> Piece {
    let item = match (c as u32).checked_sub(REFERENCE) {
        Some(number @ 1..=9) => Item::Same(number),
        _ => Item::Set(vec![(c as u32, c as u32)]),
    };
    Piece { item, least: 1, most: Some(1) }
}
