//! The grammar of a text of conditions: its lines and declarations.

use super::syntax::{Call, Declared, Kind, Parsed, Value};
use super::token::Token;
use super::{Fault, Spot};

/// More alternatives of a text are not tried one by one.
pub const MOST_ALTERNATIVES: usize = 4096;
/// Brackets, signs and the like inside each other.
const DEEPEST: usize = 400;

/// The syntax tree of tokens.
pub fn parsed(tokens: &[(Token, Spot)]) -> Result<Parsed, Fault> {
    let mut parser = Parser { tokens, at: 0, depth: 0, variables: Vec::new() };
    let mut constraints = Vec::new();
    while parser.at < tokens.len() {
        if parser.is_declaration() {
            parser.declaration()?;
        } else {
            constraints.push(parser.formula()?);
        }
        parser.expect_end()?;
    }
    Ok(Parsed { variables: parser.variables, constraints })
}

/// A reader of tokens.
pub struct Parser<'t> {
    pub(super) tokens: &'t [(Token, Spot)],
    pub(super) at: usize,
    depth: usize,
    pub(super) variables: Vec<Declared>,
}

impl Parser<'_> {
    pub(super) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    pub(super) fn spot(&self) -> Spot {
        let last = self.tokens.last().map_or(Spot { line: 1, column: 1 }, |(_, spot)| *spot);
        self.tokens.get(self.at).map_or(last, |(_, spot)| *spot)
    }

    pub(super) fn next(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.at += 1;
        token
    }

    pub(super) fn eat(&mut self, signs: &[&str]) -> Option<String> {
        let found = match self.peek()? {
            Token::Sign(sign) if signs.contains(sign) => (*sign).to_owned(),
            Token::Name(name) if signs.contains(&name.as_str()) => name.clone(),
            _ => return None,
        };
        self.at += 1;
        Some(found)
    }

    pub(super) fn expect(&mut self, sign: &str) -> Result<(), Fault> {
        let spot = self.spot();
        match self.eat(&[sign]) {
            Some(_) => Ok(()),
            None => spot.fault(format!("{sign:?} is missing here{}", self.instead())),
        }
    }

    pub(super) fn instead(&self) -> String {
        match self.peek() {
            None | Some(Token::End) => ", the line ends".to_owned(),
            Some(Token::Name(name)) => format!(", not {name:?}"),
            Some(Token::Sign(sign)) => format!(", not {sign:?}"),
            Some(Token::Integer(value)) => format!(", not {value}"),
            Some(Token::Float(value)) => format!(", not {value:?}"),
        }
    }

    fn expect_end(&mut self) -> Result<(), Fault> {
        let spot = self.spot();
        match self.peek() {
            None => Ok(()),
            Some(Token::End | Token::Sign(";")) => {
                while matches!(self.peek(), Some(Token::End | Token::Sign(";"))) {
                    self.at += 1;
                }
                Ok(())
            }
            Some(_) => spot.fault(format!("the line should end here{}", self.instead())),
        }
    }

    /// Names and a colon that begins no `math:sin(…)`.
    fn is_declaration(&self) -> bool {
        let mut at = self.at;
        while let (Some((Token::Name(_), _)), Some((Token::Sign(","), _))) =
            (self.tokens.get(at), self.tokens.get(at + 1))
        {
            at += 2;
        }
        let colon = matches!(
            (self.tokens.get(at), self.tokens.get(at + 1)),
            (Some((Token::Name(_), _)), Some((Token::Sign(":"), _)))
        );
        let is_call = matches!(self.tokens.get(at + 3), Some((Token::Sign("("), _)));
        colon && !is_call
    }

    fn declaration(&mut self) -> Result<(), Fault> {
        let mut names = Vec::new();
        loop {
            let spot = self.spot();
            let Some(Token::Name(name)) = self.next() else { return spot.fault("the name of a variable is missing") };
            let known = self.variables.iter().map(|known| &known.name).chain(&names);
            if known.into_iter().any(|known| *known == name) {
                return spot.fault(format!("{name} has been declared already"));
            }
            if Call::named(&name).is_some() || RESERVED.contains(&name.as_str()) {
                return spot.fault(format!("{name} cannot be a variable, it has a meaning already"));
            }
            names.push(name);
            if self.eat(&[","]).is_none() {
                break;
            }
        }
        self.expect(":")?;
        let spot = self.spot();
        let kind = match self.next() {
            Some(Token::Name(name)) if ["integer", "int"].contains(&name.as_str()) => Kind::Integer,
            Some(Token::Name(name)) if ["float", "double", "real"].contains(&name.as_str()) => Kind::Float,
            _ => return spot.fault("a variable is integer or float"),
        };
        let range = if self.eat(&["in"]).is_some() { Some(self.range(kind)?) } else { None };
        let declared = |name| Declared { name, kind, range: range.clone() };
        self.variables.extend(names.into_iter().map(declared));
        Ok(())
    }

    /// `0..255` or `[0, 255]`, ends included.
    fn range(&mut self, kind: Kind) -> Result<(Value, Value), Fault> {
        let spot = self.spot();
        let bracket = self.eat(&["["]).is_some();
        let low = self.end(kind)?;
        self.expect(if bracket { "," } else { ".." })?;
        let high = self.end(kind)?;
        if bracket {
            self.expect("]")?;
        }
        if low.approx() > high.approx() {
            return spot.fault("the range is empty");
        }
        Ok((low, high))
    }

    fn end(&mut self, kind: Kind) -> Result<Value, Fault> {
        let spot = self.spot();
        let negative = self.eat(&["-"]).is_some();
        let value = match self.next() {
            Some(Token::Integer(value)) => Value::Integer(if negative { -value } else { value }),
            Some(Token::Float(value)) => Value::Float(if negative { -value } else { value }),
            _ => return spot.fault("an end of a range is a number"),
        };
        match (kind, value) {
            (Kind::Integer, Value::Float(_)) => spot.fault("the range of an integer ends at integers"),
            (_, value) => Ok(value),
        }
    }

    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.depth >= DEEPEST {
            return self.spot().fault("this is nested too deeply");
        }
        self.depth += 1;
        let read = term::deeper(|| read(self));
        self.depth -= 1;
        read
    }
}

const RESERVED: [&str; 8] = ["and", "or", "not", "andalso", "orelse", "in", "pi", "math"];
