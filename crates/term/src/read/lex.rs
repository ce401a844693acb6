//! Source text as tokens.

use std::fmt;

use super::{Cursor, Result};
use crate::print::RESERVED;
use crate::{Atom, Term, number};

/// A token of Erlang source.
#[derive(Clone, PartialEq, Debug)]
pub enum Token {
    /// An integer, a float or a character.
    Number(Term),
    Atom(Atom),
    String(String),
    Variable(String),
    /// A sign, or a reserved word.
    Sign(&'static str),
    End,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Number(value) => write!(f, "{value}"),
            Token::Atom(atom) => write!(f, "{atom}"),
            Token::String(_) => f.write_str("a string"),
            Token::Variable(name) => f.write_str(name),
            Token::Sign(sign) => write!(f, "'{sign}'"),
            Token::End => f.write_str("the end of the text"),
        }
    }
}

/// Longer signs stand before those they begin with.
const SIGNS: &[&str] = &[
    "<<", ">>", "=>", "->", "=:=", "{", "}", "[", "]", "(", ")", ",", "|", "#", ":", "/", "-", "+", "*", ".", ";", "=",
];

impl<'a> Cursor<'a> {
    fn skip_blanks(&mut self) {
        loop {
            self.take_while(|c| c.is_whitespace() || c == '\u{feff}');
            if self.peek() != Some('%') {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    /// The next token and where it begins.
    pub(super) fn token(&mut self) -> Result<(Token, usize)> {
        self.skip_blanks();
        let start = self.at();
        let token = match self.peek() {
            None => Token::End,
            Some('0'..='9') => self.number(start)?,
            Some('$') => self.character(start)?,
            Some('"') => Token::String(self.quoted(start, '"')?),
            Some('\'') => self.quoted_atom(start)?,
            Some(c) if c.is_lowercase() => self.word(start)?,
            Some(c) if c.is_uppercase() || c == '_' => Token::Variable(self.name().to_owned()),
            Some(c) => self.sign(start, c)?,
        };
        Ok((token, start))
    }

    fn sign(&mut self, start: usize, c: char) -> Result<Token> {
        let Some(sign) = SIGNS.iter().find(|sign| self.rest().starts_with(**sign)) else {
            return Err(self.error_at(start, format!("no term begins with {c:?}")));
        };
        self.skip(sign.len());
        Ok(Token::Sign(sign))
    }

    fn name(&mut self) -> &'a str {
        self.take_while(|c| c.is_alphanumeric() || c == '_' || c == '@')
    }

    fn word(&mut self, start: usize) -> Result<Token> {
        let word = self.name();
        match RESERVED.iter().find(|reserved| **reserved == word) {
            Some(reserved) => Ok(Token::Sign(reserved)),
            None => self.intern(start, word),
        }
    }

    fn quoted_atom(&mut self, start: usize) -> Result<Token> {
        let name = self.quoted(start, '\'')?;
        self.intern(start, &name)
    }

    fn intern(&self, start: usize, name: &str) -> Result<Token> {
        if name.chars().count() > Atom::MAX_CHARS {
            return Err(self.error_at(start, format!("an atom longer than {} characters", Atom::MAX_CHARS)));
        }
        Ok(Token::Atom(Atom::new(name)))
    }

    fn quoted(&mut self, start: usize, quote: char) -> Result<String> {
        self.bump();
        let mut text = String::new();
        loop {
            let here = self.at();
            match self.bump() {
                None => return Err(self.error_at(start, format!("no closing {quote}"))),
                Some(c) if c == quote => return Ok(text),
                Some('\\') => {
                    let point = self.escape(here)?;
                    let problem = || self.error_at(here, format!("{point} is no character that text can hold"));
                    text.push(char::from_u32(point).ok_or_else(problem)?);
                }
                Some(c) => text.push(c),
            }
        }
    }

    fn character(&mut self, start: usize) -> Result<Token> {
        self.bump();
        let point = match self.bump() {
            None => return Err(self.error_at(start, "no character after $")),
            Some('\\') => self.escape(start)?,
            Some(c) => u32::from(c),
        };
        Ok(Token::Number(Term::int(i64::from(point))))
    }

    /// The character that an escape stands for, after its backslash.
    fn escape(&mut self, start: usize) -> Result<u32> {
        let c = self.bump().ok_or_else(|| self.error_at(start, "nothing after the backslash"))?;
        Ok(match c {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'v' => 11,
            'b' => 8,
            'f' => 12,
            'e' => 27,
            's' => 32,
            'd' => 127,
            '0'..='7' => self.octal(c),
            'x' => self.hex(start)?,
            '^' => self.control(start)?,
            _ => u32::from(c),
        })
    }

    /// One to three octal digits.
    fn octal(&mut self, first: char) -> u32 {
        let mut point = first.to_digit(8).unwrap_or(0);
        for _ in 0..2 {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(8)) else { break };
            self.bump();
            point = point * 8 + digit;
        }
        point
    }

    /// Two hexadecimal digits, or any number of them in braces.
    fn hex(&mut self, start: usize) -> Result<u32> {
        let digits = if self.peek() == Some('{') {
            self.bump();
            let digits = self.take_while(|c| c.is_ascii_hexdigit());
            if self.bump() != Some('}') {
                return Err(self.error_at(start, "no closing } after \\x{"));
            }
            digits
        } else {
            let two = self.rest().get(..2).filter(|two| two.chars().all(|c| c.is_ascii_hexdigit()));
            let two = two.ok_or_else(|| self.error_at(start, "two hexadecimal digits expected after \\x"))?;
            self.skip(2);
            two
        };
        let point = u32::from_str_radix(digits, 16).ok().filter(|&point| point <= 0x10_ffff);
        point.ok_or_else(|| self.error_at(start, format!("\\x{{{digits}}} is no character")))
    }

    fn control(&mut self, start: usize) -> Result<u32> {
        match self.bump() {
            Some(c @ '@'..='_') => Ok(u32::from(c) & 31),
            Some(c @ 'a'..='z') => Ok(u32::from(c) & 31),
            _ => Err(self.error_at(start, "no control character")),
        }
    }

    /// Digits of a base, an underscore allowed between two of them; the text without underscores.
    fn digits(&mut self, base: u32) -> String {
        let mut digits = String::new();
        loop {
            digits.push_str(self.take_while(|c| c.is_digit(base)));
            let next = self.rest().strip_prefix('_').and_then(|rest| rest.chars().next());
            if digits.is_empty() || !next.is_some_and(|c| c.is_digit(base)) {
                return digits;
            }
            self.skip(1);
        }
    }

    fn number(&mut self, start: usize) -> Result<Token> {
        let whole = self.digits(10);
        let value = match self.peek() {
            Some('#') => return self.based(start, &whole),
            Some('.') if self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) => self.float(start, whole)?,
            _ => self.integer(start, &whole, 10)?,
        };
        Ok(Token::Number(value))
    }

    fn based(&mut self, start: usize, base: &str) -> Result<Token> {
        let base = base.parse::<u32>().ok().filter(|base| (2..=36).contains(base));
        let base = base.ok_or_else(|| self.error_at(start, "the base of a number must be from 2 to 36"))?;
        self.bump();
        let digits = self.digits(base);
        if digits.is_empty() {
            return Err(self.error_at(start, format!("no digits of base {base}")));
        }
        self.integer(start, &digits, base).map(Token::Number)
    }

    fn integer(&self, start: usize, digits: &str, base: u32) -> Result<Term> {
        number::from_digits(digits, base).ok_or_else(|| self.error_at(start, "an integer larger than the VM allows"))
    }

    fn float(&mut self, start: usize, whole: String) -> Result<Term> {
        self.bump();
        let mut text = format!("{whole}.{}", self.digits(10));
        let mut rest = self.rest().chars();
        if matches!(rest.next(), Some('e' | 'E')) {
            let second = rest.next();
            let sign = second.filter(|c| matches!(c, '+' | '-'));
            let digit = if sign.is_some() { rest.next() } else { second };
            if digit.is_some_and(|c| c.is_ascii_digit()) {
                self.skip(1 + usize::from(sign.is_some()));
                text.push('e');
                text.extend(sign);
                text.push_str(&self.digits(10));
            }
        }
        let value = text.parse::<f64>().ok().and_then(number::finite);
        value.ok_or_else(|| self.error_at(start, format!("the float {text} is too large")))
    }
}
