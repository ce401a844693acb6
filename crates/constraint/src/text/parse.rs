//! The grammar of a text of conditions: its lines and declarations.

use term::{Term, number};

use super::call::Call;
use super::formula::{Alternative, MOST_ALTERNATIVES, joined};
use super::token::Token;
use super::{Fault, Spot, Text};
use crate::{Arena, Condition, Grammar, Shape, Test, Type};

/// Brackets, signs and the like inside each other.
const DEEPEST: usize = 400;

/// The text of tokens.
pub fn read(tokens: &[(Token, Spot)]) -> Result<Text, Fault> {
    let mut parser = Parser::new(tokens);
    let mut constraints = Vec::new();
    while parser.at < tokens.len() {
        if parser.is_declaration() {
            parser.declaration()?;
        } else {
            constraints.push((parser.spot(), parser.formula()?));
        }
        parser.expect_end()?;
    }
    let Parser { mut text, returning, within, .. } = parser;
    text.alternatives = vec![[returning, within].concat()];
    for (spot, constraint) in constraints {
        text.alternatives = joined(&text.alternatives, &constraint.alternatives(true));
        if text.alternatives.len() > MOST_ALTERNATIVES {
            return spot
                .fault(format!("there are more than {MOST_ALTERNATIVES} ways to choose between the sides of \"or\""));
        }
    }
    text.grammar.close();
    Ok(text)
}

/// A reader of tokens, which makes the text.
pub struct Parser<'t> {
    tokens: &'t [(Token, Spot)],
    at: usize,
    depth: usize,
    pub(super) text: Text,
    /// The type of each variable, integer or float.
    pub(super) kinds: Vec<Type>,
    /// That opaque functions return integers.
    pub(super) returning: Alternative,
    /// The ranges of floats.
    within: Alternative,
}

impl<'t> Parser<'t> {
    fn new(tokens: &'t [(Token, Spot)]) -> Parser<'t> {
        let mut grammar = Grammar::default();
        let any = grammar.intern(vec![Shape::Any]);
        let outcome = grammar.intern(vec![Shape::Tuple(vec![any]), Shape::Tuple(vec![any, any])]);
        let text = Text {
            arena: Arena::new(),
            grammar,
            names: Vec::new(),
            inputs: Vec::new(),
            alternatives: Vec::new(),
            asked: Vec::new(),
            outcome,
        };
        Parser { tokens, at: 0, depth: 0, text, kinds: Vec::new(), returning: Vec::new(), within: Vec::new() }
    }
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
            Some(Token::Number(value)) => format!(", not {value}"),
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
            if self.text.names.iter().chain(&names).any(|known| *known == name) {
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
            Some(Token::Name(name)) if ["integer", "int"].contains(&name.as_str()) => Type::Integer,
            Some(Token::Name(name)) if ["float", "double", "real"].contains(&name.as_str()) => Type::Float,
            _ => return spot.fault("a variable is integer or float"),
        };
        let range = if self.eat(&["in"]).is_some() { Some(self.range(kind)?) } else { None };
        names.into_iter().for_each(|name| self.declare(name, kind, range.clone()));
        Ok(())
    }

    /// Adds a variable. A float has no range in the grammar: its ends are conditions.
    fn declare(&mut self, name: String, kind: Type, range: Option<(Term, Term)>) {
        let shape = match (kind, &range) {
            (Type::Float, _) => Shape::Float,
            (_, None) => Shape::Integer { low: None, high: None },
            (_, Some((low, high))) => Shape::Integer { low: low.as_bigint(), high: high.as_bigint() },
        };
        if let (Type::Float, Some((low, high))) = (kind, range) {
            let variable = self.text.arena.input(self.kinds.len() as u32);
            let ((low, _), (high, _)) = (self.constant(low), self.constant(high));
            let tests = [Test::Less(variable, low), Test::Less(high, variable)];
            self.within.extend(tests.map(|test| Condition { test, holds: false }));
        }
        self.text.names.push(name);
        self.text.inputs.push(self.text.grammar.intern(vec![shape]));
        self.kinds.push(kind);
    }

    /// `0..255` or `[0, 255]`, ends included.
    fn range(&mut self, kind: Type) -> Result<(Term, Term), Fault> {
        let spot = self.spot();
        let bracket = self.eat(&["["]).is_some();
        let low = self.end(kind)?;
        self.expect(if bracket { "," } else { ".." })?;
        let high = self.end(kind)?;
        if bracket {
            self.expect("]")?;
        }
        if low.compare(&high).is_gt() {
            return spot.fault("the range is empty");
        }
        Ok((low, high))
    }

    fn end(&mut self, kind: Type) -> Result<Term, Fault> {
        let spot = self.spot();
        let negative = self.eat(&["-"]).is_some();
        match self.next() {
            Some(Token::Number(Term::Float(..))) if kind == Type::Integer => {
                spot.fault("the range of an integer ends at integers")
            }
            Some(Token::Number(value)) if negative => Ok(number::neg(&value).unwrap_or(value)),
            Some(Token::Number(value)) => Ok(value),
            _ => spot.fault("an end of a range is a number"),
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
