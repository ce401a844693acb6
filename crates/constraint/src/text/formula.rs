//! The grammar of a text of conditions: constraints and the numbers in them.

use term::{Atom, Mfa, Term, number};

use super::call::{Call, Number};
use super::parse::Parser;
use super::token::Token;
use super::{Fault, Spot};
use crate::{Condition, FloatOp, Op, Test, Type};

/// More alternatives of a text are not tried one by one.
pub const MOST_ALTERNATIVES: usize = 4096;

/// A constraint: a formula over conditions.
pub enum Formula {
    Test(Condition),
    All(Vec<Formula>),
    Any(Vec<Formula>),
    Not(Box<Formula>),
}

/// Conditions that all must hold.
pub type Alternative = Vec<Condition>;

impl Formula {
    /// The alternatives that make it hold, or not hold; of too many, some.
    pub fn alternatives(&self, holds: bool) -> Vec<Alternative> {
        match self {
            Formula::Test(condition) => vec![vec![if holds { condition.clone() } else { condition.negated() }]],
            Formula::Not(inner) => inner.alternatives(!holds),
            Formula::All(parts) | Formula::Any(parts) => {
                let mut parts = parts.iter().map(|part| part.alternatives(holds));
                match matches!(self, Formula::All(_)) == holds {
                    true => parts.fold(vec![Vec::new()], |all, part| joined(&all, &part)),
                    false => parts.by_ref().flatten().collect(),
                }
            }
        }
    }
}

/// Every alternative of the one with every one of the other; of too many, one more than may be.
pub fn joined(left: &[Alternative], right: &[Alternative]) -> Vec<Alternative> {
    let pairs = left.iter().flat_map(|one| right.iter().map(|more| [&one[..], more].concat()));
    pairs.take(MOST_ALTERNATIVES + 1).collect()
}

/// A condition or a number: which of them a bracket holds shows at its end.
enum Part {
    Formula(Formula),
    /// A number that may still get a sign.
    Constant(Term),
    Number(Number),
}

impl Parser<'_> {
    pub(super) fn formula(&mut self) -> Result<Formula, Fault> {
        let spot = self.spot();
        match self.any()? {
            Part::Formula(formula) => Ok(formula),
            _ => spot.fault("this is a number; a constraint compares two"),
        }
    }

    fn any(&mut self) -> Result<Part, Fault> {
        self.joined(&["or", "orelse", "||"], Formula::Any, Self::all)
    }

    fn all(&mut self) -> Result<Part, Fault> {
        self.joined(&["and", "andalso", "&&"], Formula::All, Self::negation)
    }

    fn joined(
        &mut self,
        signs: &[&str],
        join: fn(Vec<Formula>) -> Formula,
        inner: fn(&mut Self) -> Result<Part, Fault>,
    ) -> Result<Part, Fault> {
        let mut spot = self.spot();
        let mut last = inner(self)?;
        let mut parts = Vec::new();
        while self.eat(signs).is_some() {
            parts.push(condition(last, spot)?);
            spot = self.spot();
            last = inner(self)?;
        }
        if parts.is_empty() {
            return Ok(last);
        }
        parts.push(condition(last, spot)?);
        Ok(Part::Formula(join(parts)))
    }

    fn negation(&mut self) -> Result<Part, Fault> {
        if self.eat(&["not", "!"]).is_none() {
            return self.comparison();
        }
        let spot = self.spot();
        let inner = self.deeper(Self::negation)?;
        Ok(Part::Formula(Formula::Not(Box::new(condition(inner, spot)?))))
    }

    fn comparison(&mut self) -> Result<Part, Fault> {
        let spot = self.spot();
        let left = self.sum()?;
        let Some(sign) = self.eat(&["==", "=", "=:=", "/=", "!=", "=/=", "<", ">", "=<", "<=", ">="]) else {
            return Ok(left);
        };
        let (a, _) = self.number(left, spot)?;
        let (b, _) = self.operand(Self::sum)?;
        let (test, holds) = match sign.as_str() {
            "==" | "=" => (Test::Equal(a, b), true),
            "=:=" => (Test::Same(a, b), true),
            "/=" | "!=" => (Test::Equal(a, b), false),
            "=/=" => (Test::Same(a, b), false),
            "<" => (Test::Less(a, b), true),
            ">" => (Test::Less(b, a), true),
            "=<" | "<=" => (Test::Less(b, a), false),
            _ => (Test::Less(a, b), false),
        };
        Ok(Part::Formula(Formula::Test(Condition { test, holds })))
    }

    fn sum(&mut self) -> Result<Part, Fault> {
        self.binary(&["+", "-", "bor", "bxor", "bsl", "bsr"], Self::product)
    }

    fn product(&mut self) -> Result<Part, Fault> {
        self.binary(&["*", "/", "div", "rem", "band"], Self::prefixed)
    }

    fn binary(&mut self, signs: &[&str], inner: fn(&mut Self) -> Result<Part, Fault>) -> Result<Part, Fault> {
        let first_spot = self.spot();
        let mut left = inner(self)?;
        loop {
            let spot = self.spot();
            let Some(call) = self.eat(signs).and_then(|sign| Call::named(&sign)) else { return Ok(left) };
            let operands = [self.number(left, first_spot)?, self.operand(inner)?];
            left = Part::Number(self.apply(call, &operands, spot)?);
        }
    }

    fn prefixed(&mut self) -> Result<Part, Fault> {
        let spot = self.spot();
        let Some(sign) = self.eat(&["-", "+", "bnot"]) else { return self.power() };
        let inner_spot = self.spot();
        let inner = self.deeper(Self::prefixed)?;
        match (sign.as_str(), inner) {
            ("-", Part::Constant(value)) => Ok(Part::Constant(number::neg(&value).unwrap_or(value))),
            ("+", inner @ Part::Constant(_)) => Ok(inner),
            (sign, inner) => {
                let inner = self.number(inner, inner_spot)?;
                let call = match sign {
                    "-" => Call::Op(Op::Neg),
                    "bnot" => Call::Op(Op::Bnot),
                    _ => return Ok(Part::Number(inner)),
                };
                self.apply(call, &[inner], spot).map(Part::Number)
            }
        }
    }

    /// `x ^ y` is `pow(x, y)`.
    fn power(&mut self) -> Result<Part, Fault> {
        let first_spot = self.spot();
        let base = self.primary()?;
        let spot = self.spot();
        if self.eat(&["^"]).is_none() {
            return Ok(base);
        }
        let operands = [self.number(base, first_spot)?, self.operand(|parser| parser.deeper(Self::prefixed))?];
        let power = Call::Floats(FloatOp::Math(term::math::Math::Pow));
        self.apply(power, &operands, spot).map(Part::Number)
    }

    fn primary(&mut self) -> Result<Part, Fault> {
        let spot = self.spot();
        let wanted = format!("a number, variable or bracket is missing here{}", self.instead());
        match self.next() {
            Some(Token::Number(value)) => Ok(Part::Constant(value)),
            Some(Token::Sign("(")) => {
                let inner = self.deeper(Self::any)?;
                self.expect(")")?;
                Ok(inner)
            }
            Some(Token::Name(name)) if name == "math" && self.eat(&[":"]).is_some() => {
                let (name, spot) = self.function_name()?;
                self.call(&name, true, spot)
            }
            Some(Token::Name(module)) if self.eat(&[":"]).is_some() => {
                let (name, _) = self.function_name()?;
                let args = self.arguments()?;
                let Ok(arity) = u8::try_from(args.len()) else {
                    return spot.fault(format!("{name} has too many arguments"));
                };
                let function = Mfa { module: Atom::new(&module), function: Atom::new(&name), arity };
                Ok(Part::Number(self.observed(function, &args, spot)))
            }
            Some(Token::Name(name)) => self.name(&name, spot),
            _ => spot.fault(wanted),
        }
    }

    fn function_name(&mut self) -> Result<(String, Spot), Fault> {
        let spot = self.spot();
        match self.next() {
            Some(Token::Name(name)) => Ok((name, spot)),
            _ => spot.fault("the name of a function is missing"),
        }
    }

    fn name(&mut self, name: &str, spot: Spot) -> Result<Part, Fault> {
        if self.peek() == Some(&Token::Sign("(")) {
            return self.call(name, false, spot);
        }
        let variable = self.text.names.iter().position(|known| known == name);
        match (variable, name) {
            (Some(at), _) => Ok(Part::Number((self.text.arena.input(at as u32), self.kinds[at]))),
            (None, "pi") => Ok(Part::Constant(Term::float(std::f64::consts::PI))),
            _ => spot.fault(format!("{name} is not declared; write a line such as \"{name}: float\" before")),
        }
    }

    fn arguments(&mut self) -> Result<Vec<Number>, Fault> {
        self.expect("(")?;
        let mut args = Vec::new();
        while self.peek() != Some(&Token::Sign(")")) {
            if !args.is_empty() {
                self.expect(",")?;
            }
            args.push(self.operand(|parser| parser.deeper(Self::any))?);
        }
        self.expect(")")?;
        Ok(args)
    }

    fn call(&mut self, name: &str, of_math: bool, spot: Spot) -> Result<Part, Fault> {
        let args = self.arguments()?;
        if name == "pi" && args.is_empty() {
            return Ok(Part::Constant(Term::float(std::f64::consts::PI)));
        }
        let call = if of_math { None } else { Call::named(name) }.or_else(|| Call::of_math(name));
        let Some(call) = call else { return spot.fault(format!("there is no function {name}")) };
        if args.len() != call.arity() {
            return spot.fault(format!("{name} takes {} arguments, not {}", call.arity(), args.len()));
        }
        self.apply(call, &args, spot).map(Part::Number)
    }

    fn operand(&mut self, inner: impl FnOnce(&mut Self) -> Result<Part, Fault>) -> Result<Number, Fault> {
        let spot = self.spot();
        let part = inner(self)?;
        self.number(part, spot)
    }

    fn number(&mut self, part: Part, spot: Spot) -> Result<Number, Fault> {
        match part {
            Part::Number(number) => Ok(number),
            Part::Constant(value) => Ok(self.constant(value)),
            Part::Formula(_) => spot.fault("a number is wanted here, this is a condition"),
        }
    }

    /// A constant as a number.
    pub(super) fn constant(&mut self, value: Term) -> Number {
        let kind = if value.is_integer() { Type::Integer } else { Type::Float };
        (self.text.arena.literal(value), kind)
    }
}

fn condition(part: Part, spot: Spot) -> Result<Formula, Fault> {
    match part {
        Part::Formula(formula) => Ok(formula),
        _ => spot.fault("a condition is wanted here, this is a number"),
    }
}
