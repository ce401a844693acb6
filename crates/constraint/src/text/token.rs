//! Tokens of a text of conditions.

use std::ops::{Deref, DerefMut};

use num_bigint::BigInt;
use num_traits::Num;
use term::{Cursor, Term};

use super::{Fault, Spot};

/// A token of a text.
#[derive(Clone, PartialEq, Debug)]
pub enum Token {
    Name(String),
    /// An integer or a float.
    Number(Term),
    /// An operator or a bracket.
    Sign(&'static str),
    /// A line ends here, outside of brackets.
    End,
}

/// The longest first where one begins another.
const SIGNS: [&str; 27] = [
    "=:=", "=/=", "..", "==", "/=", "!=", "=<", "<=", ">=", "&&", "||", "<", ">", "=", "+", "-", "*", "/", "(", ")",
    "[", "]", ",", ":", ";", "!", "^",
];

/// The words of a text and where they stand. A line that ends inside brackets goes on.
pub fn tokens(text: &str) -> Result<Vec<(Token, Spot)>, Fault> {
    let mut found = Vec::new();
    let mut depth = 0usize;
    for (line, content) in text.lines().enumerate() {
        let mut lexer = Lexer(Cursor::new(content, line + 1));
        while let Some((token, spot)) = lexer.next()? {
            match token {
                Token::Sign("(" | "[") => depth += 1,
                Token::Sign(")" | "]") => depth = depth.saturating_sub(1),
                _ => {}
            }
            found.push((token, spot));
        }
        if depth == 0 && found.last().is_some_and(|(token, _)| *token != Token::End) {
            found.push((Token::End, lexer.spot()));
        }
    }
    if depth > 0 {
        let lines = text.lines().count();
        let column = text.lines().last().map_or(1, |last| last.chars().count() + 1);
        return Spot { line: lines, column }.fault("a bracket is not closed");
    }
    Ok(found)
}

struct Lexer<'t>(Cursor<'t>);

impl<'t> Deref for Lexer<'t> {
    type Target = Cursor<'t>;

    fn deref(&self) -> &Cursor<'t> {
        &self.0
    }
}

impl DerefMut for Lexer<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Lexer<'_> {
    fn spot(&self) -> Spot {
        let (line, column) = self.line_and_column(self.at());
        Spot { line, column }
    }

    fn next(&mut self) -> Result<Option<(Token, Spot)>, Fault> {
        self.take_while(char::is_whitespace);
        let spot = self.spot();
        let Some(first) = self.peek() else { return Ok(None) };
        if first == '%' || first == '#' {
            return Ok(None);
        }
        if first.is_ascii_digit() {
            return self.number(spot).map(|token| Some((token, spot)));
        }
        if first.is_alphabetic() || first == '_' {
            let word = self.take_while(|c| c.is_alphanumeric() || c == '_').to_owned();
            return Ok(Some((Token::Name(word), spot)));
        }
        match SIGNS.iter().find(|sign| self.accept(sign)) {
            Some(sign) => Ok(Some((Token::Sign(sign), spot))),
            None => spot.fault(format!("{first:?} means nothing here")),
        }
    }

    fn number(&mut self, spot: Spot) -> Result<Token, Fault> {
        if self.accept("0x") {
            return whole(self.take_while(|c| c.is_ascii_hexdigit()), 16, spot);
        }
        let digits = self.digits();
        if self.rest().starts_with('#') && self.rest()[1..].starts_with(|c: char| c.is_ascii_alphanumeric()) {
            self.skip(1);
            let base = digits.parse().ok().filter(|base| (2..=36).contains(base));
            let Some(base) = base else { return spot.fault("a base is from 2 to 36") };
            let digits = self.take_while(|c| c.is_ascii_alphanumeric());
            return whole(digits, base, spot);
        }
        self.decimal(digits, spot)
    }

    fn digits(&mut self) -> String {
        self.take_while(|c| c.is_ascii_digit() || c == '_').replace('_', "")
    }

    fn decimal(&mut self, digits: String, spot: Spot) -> Result<Token, Fault> {
        let mut text = digits.clone();
        let begins = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
        if self.rest().starts_with('.') && begins(&self.rest()[1..]) {
            self.skip(1);
            text = format!("{text}.{}", self.digits());
        }
        if self.rest().starts_with(['e', 'E']) {
            let signed = self.rest()[1..].strip_prefix(['+', '-']).map_or(0, |_| 1);
            if begins(&self.rest()[1 + signed..]) {
                text += &self.rest()[..=signed].to_lowercase();
                self.skip(1 + signed);
                text += &self.digits();
            }
        }
        if text == digits {
            return whole(&digits, 10, spot);
        }
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Token::Number(Term::float(value))),
            _ => spot.fault(format!("{text} is too large for a float")),
        }
    }
}

fn whole(digits: &str, base: u32, spot: Spot) -> Result<Token, Fault> {
    match BigInt::from_str_radix(digits, base) {
        Ok(value) => Ok(Token::Number(Term::big(value))),
        Err(_) => spot.fault(format!("{digits:?} is no number of base {base}")),
    }
}
