//! Words of a text of conditions.

use num_bigint::BigInt;
use num_traits::Num;

use super::{Fault, Spot};

#[derive(Clone, PartialEq, Debug)]
pub enum Token {
    Name(String),
    Integer(BigInt),
    Float(f64),
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
        let mut reader = Reader { line: line + 1, all: content, at: 0 };
        while let Some((token, spot)) = reader.next()? {
            match token {
                Token::Sign("(" | "[") => depth += 1,
                Token::Sign(")" | "]") => depth = depth.saturating_sub(1),
                _ => {}
            }
            found.push((token, spot));
        }
        if depth == 0 && found.last().is_some_and(|(token, _)| *token != Token::End) {
            found.push((Token::End, reader.spot()));
        }
    }
    if depth > 0 {
        let lines = text.lines().count();
        let column = text.lines().last().map_or(1, |last| last.chars().count() + 1);
        return Spot { line: lines, column }.fault("a bracket is not closed");
    }
    Ok(found)
}

struct Reader<'t> {
    line: usize,
    all: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn spot(&self) -> Spot {
        Spot { line: self.line, column: self.all[..self.at].chars().count() + 1 }
    }

    fn rest(&self) -> &str {
        &self.all[self.at..]
    }

    fn next(&mut self) -> Result<Option<(Token, Spot)>, Fault> {
        let blank = self.rest().len() - self.rest().trim_start().len();
        self.at += blank;
        let spot = self.spot();
        let Some(first) = self.rest().chars().next() else { return Ok(None) };
        if first == '%' || first == '#' {
            return Ok(None);
        }
        if first.is_ascii_digit() {
            return self.number(spot).map(|token| Some((token, spot)));
        }
        if first.is_alphabetic() || first == '_' {
            let word = self.take(|c| c.is_alphanumeric() || c == '_');
            return Ok(Some((Token::Name(word), spot)));
        }
        match SIGNS.iter().find(|sign| self.rest().starts_with(**sign)) {
            Some(sign) => {
                self.at += sign.len();
                Ok(Some((Token::Sign(sign), spot)))
            }
            None => spot.fault(format!("{first:?} means nothing here")),
        }
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let len = self.rest().find(|c| !wanted(c)).unwrap_or(self.rest().len());
        let taken = self.rest()[..len].to_owned();
        self.at += len;
        taken
    }

    fn number(&mut self, spot: Spot) -> Result<Token, Fault> {
        if let Some(rest) = self.rest().strip_prefix("0x") {
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_hexdigit()).len();
            self.at += 2;
            let digits = self.rest()[..digits].to_owned();
            self.at += digits.len();
            return whole(&digits, 16, spot);
        }
        let digits = self.digits();
        if self.rest().starts_with('#') && self.rest()[1..].starts_with(|c: char| c.is_ascii_alphanumeric()) {
            self.at += 1;
            let base = digits.parse().ok().filter(|base| (2..=36).contains(base));
            let Some(base) = base else { return spot.fault("a base is from 2 to 36") };
            let digits = self.take(|c| c.is_ascii_alphanumeric());
            return whole(&digits, base, spot);
        }
        self.decimal(digits, spot)
    }

    fn digits(&mut self) -> String {
        self.take(|c| c.is_ascii_digit() || c == '_').replace('_', "")
    }

    fn decimal(&mut self, digits: String, spot: Spot) -> Result<Token, Fault> {
        let mut text = digits.clone();
        let begins = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
        if self.rest().starts_with('.') && begins(&self.rest()[1..]) {
            self.at += 1;
            text = format!("{text}.{}", self.digits());
        }
        if self.rest().starts_with(['e', 'E']) {
            let signed = self.rest()[1..].strip_prefix(['+', '-']).map_or(0, |_| 1);
            if begins(&self.rest()[1 + signed..]) {
                text += &self.rest()[..=signed].to_lowercase();
                self.at += 1 + signed;
                text += &self.digits();
            }
        }
        if text == digits {
            return whole(&digits, 10, spot);
        }
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Token::Float(value)),
            _ => spot.fault(format!("{text} is too large for a float")),
        }
    }
}

fn whole(digits: &str, base: u32, spot: Spot) -> Result<Token, Fault> {
    match BigInt::from_str_radix(digits, base) {
        Ok(value) => Ok(Token::Integer(value)),
        Err(_) => spot.fault(format!("{digits:?} is no number of base {base}")),
    }
}
