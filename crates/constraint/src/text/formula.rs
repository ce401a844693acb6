//! The grammar of a text of conditions: constraints and the numbers in them.

use term::math::Math;
use term::{Atom, Mfa};

use super::parse::Parser;
use super::syntax::{Call, Compare, Formula, Plain, Term, Value};
use super::token::Token;
use super::{Fault, Spot};
use crate::{FloatOp, Op};

/// Either a condition or a number: which of them a bracket holds shows at its end.
enum Part {
    Formula(Formula),
    Term(Term),
}

impl Parser<'_> {
    pub(super) fn formula(&mut self) -> Result<Formula, Fault> {
        let spot = self.spot();
        match self.any()? {
            Part::Formula(formula) => Ok(formula),
            Part::Term(_) => spot.fault("this is a number; a constraint compares two"),
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
        let spot = self.spot();
        let first = inner(self)?;
        if !self.peek().is_some_and(|token| is_one_of(token, signs)) {
            return Ok(first);
        }
        let mut parts = vec![condition(first, spot)?];
        while self.eat(signs).is_some() {
            let spot = self.spot();
            parts.push(condition(inner(self)?, spot)?);
        }
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
        let left_spot = self.spot();
        let left = self.sum()?;
        let Some(sign) = self.eat(&["==", "=", "=:=", "/=", "!=", "=/=", "<", ">", "=<", "<=", ">="]) else {
            return Ok(left);
        };
        let left = number(left, left_spot)?;
        let right_spot = self.spot();
        let right = number(self.sum()?, right_spot)?;
        let compare = match sign.as_str() {
            "==" | "=" => Compare::Equal,
            "=:=" => Compare::Same,
            "/=" | "!=" => Compare::Not(Plain::Equal),
            "=/=" => Compare::Not(Plain::Same),
            "<" => Compare::Less,
            ">" => Compare::More,
            "=<" | "<=" => Compare::Not(Plain::More),
            _ => Compare::Not(Plain::Less),
        };
        Ok(Part::Formula(Formula::Test(compare, left, right)))
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
            let Some(sign) = self.eat(signs) else { return Ok(left) };
            let before = number(left, first_spot)?;
            let right_spot = self.spot();
            let right = number(inner(self)?, right_spot)?;
            let call = match sign.as_str() {
                "/" => Call::Divide,
                "+" => Call::Either(Op::Add, FloatOp::Add),
                "-" => Call::Either(Op::Sub, FloatOp::Sub),
                "*" => Call::Either(Op::Mul, FloatOp::Mul),
                name => Call::named(name).unwrap_or(Call::Divide),
            };
            left = Part::Term(Term::Apply(call, vec![before, right], spot));
        }
    }

    fn prefixed(&mut self) -> Result<Part, Fault> {
        let spot = self.spot();
        let Some(sign) = self.eat(&["-", "+", "bnot"]) else { return self.power() };
        let inner_spot = self.spot();
        let inner = number(self.deeper(Self::prefixed)?, inner_spot)?;
        Ok(Part::Term(match (sign.as_str(), inner) {
            ("-", Term::Value(Value::Integer(value))) => Term::Value(Value::Integer(-value)),
            ("-", Term::Value(Value::Float(value))) => Term::Value(Value::Float(-value)),
            ("-", inner) => Term::Apply(Call::Either(Op::Neg, FloatOp::Neg), vec![inner], spot),
            ("bnot", inner) => Term::Apply(Call::Integer(Op::Bnot), vec![inner], spot),
            (_, inner) => inner,
        }))
    }

    /// `x ^ y` is `pow(x, y)`.
    fn power(&mut self) -> Result<Part, Fault> {
        let first_spot = self.spot();
        let base = self.primary()?;
        let spot = self.spot();
        if self.eat(&["^"]).is_none() {
            return Ok(base);
        }
        let base = number(base, first_spot)?;
        let inner_spot = self.spot();
        let exponent = number(self.deeper(Self::prefixed)?, inner_spot)?;
        Ok(Part::Term(Term::Apply(Call::Math(Math::Pow), vec![base, exponent], spot)))
    }

    fn primary(&mut self) -> Result<Part, Fault> {
        let spot = self.spot();
        let wanted = format!("a number, variable or bracket is missing here{}", self.instead());
        match self.next() {
            Some(Token::Integer(value)) => Ok(Part::Term(Term::Value(Value::Integer(value)))),
            Some(Token::Float(value)) => Ok(Part::Term(Term::Value(Value::Float(value)))),
            Some(Token::Sign("(")) => {
                let inner = self.deeper(Self::any)?;
                self.expect(")")?;
                Ok(inner)
            }
            Some(Token::Name(name)) if name == "math" && self.eat(&[":"]).is_some() => {
                let spot = self.spot();
                let Some(Token::Name(name)) = self.next() else {
                    return spot.fault("the name of a function is missing");
                };
                self.call(&name, true, spot)
            }
            Some(Token::Name(module)) if self.peek() == Some(&Token::Sign(":")) => self.asked(&module, spot),
            Some(Token::Name(name)) => self.name(&name, spot),
            _ => spot.fault(wanted),
        }
    }

    fn name(&mut self, name: &str, spot: Spot) -> Result<Part, Fault> {
        if self.peek() == Some(&Token::Sign("(")) {
            return self.call(name, false, spot);
        }
        let variable = self.variables.iter().position(|known| known.name == name);
        match (variable, name) {
            (Some(variable), _) => Ok(Part::Term(Term::Variable(variable))),
            (None, "pi") => Ok(Part::Term(Term::Value(Value::Float(std::f64::consts::PI)))),
            _ => spot.fault(format!("{name} is not declared; write a line such as \"{name}: float\" before")),
        }
    }

    /// `erlang:phash2(x)`: a function of some other module.
    fn asked(&mut self, module: &str, spot: Spot) -> Result<Part, Fault> {
        self.expect(":")?;
        let name_spot = self.spot();
        let Some(Token::Name(name)) = self.next() else { return name_spot.fault("the name of a function is missing") };
        let args = self.arguments()?;
        let Ok(arity) = u8::try_from(args.len()) else { return spot.fault(format!("{name} has too many arguments")) };
        let function = Mfa { module: Atom::new(module), function: Atom::new(&name), arity };
        Ok(Part::Term(Term::Asked(function, args, spot)))
    }

    fn arguments(&mut self) -> Result<Vec<Term>, Fault> {
        self.expect("(")?;
        let mut args = Vec::new();
        while self.peek() != Some(&Token::Sign(")")) {
            if !args.is_empty() {
                self.expect(",")?;
            }
            let spot = self.spot();
            args.push(number(self.deeper(Self::any)?, spot)?);
        }
        self.expect(")")?;
        Ok(args)
    }

    fn call(&mut self, name: &str, of_math: bool, spot: Spot) -> Result<Part, Fault> {
        let args = self.arguments()?;
        if name == "pi" && args.is_empty() {
            return Ok(Part::Term(Term::Value(Value::Float(std::f64::consts::PI))));
        }
        let math = Math::ALL.iter().copied().find(|math| math.name() == name).map(Call::Math);
        let call = if of_math { math } else { Call::named(name).or(math) };
        let Some(call) = call else { return spot.fault(format!("there is no function {name}")) };
        if args.len() != call.arity() {
            return spot.fault(format!("{name} takes {} arguments, not {}", call.arity(), args.len()));
        }
        Ok(Part::Term(Term::Apply(call, args, spot)))
    }
}

fn is_one_of(token: &Token, signs: &[&str]) -> bool {
    match token {
        Token::Sign(sign) => signs.contains(sign),
        Token::Name(name) => signs.contains(&name.as_str()),
        _ => false,
    }
}

fn number(part: Part, spot: Spot) -> Result<Term, Fault> {
    match part {
        Part::Term(term) => Ok(term),
        Part::Formula(_) => spot.fault("a number is wanted here, this is a condition"),
    }
}

fn condition(part: Part, spot: Spot) -> Result<Formula, Fault> {
    match part {
        Part::Formula(formula) => Ok(formula),
        Part::Term(_) => spot.fault("a condition is wanted here, this is a number"),
    }
}
