//! From a text's constraints to expressions and conditions.

use term::{Mfa, Term as Constant};

use super::parse::MOST_ALTERNATIVES;
use super::syntax::{Call, Compare, Declared, Formula, Kind, Parsed, Plain, Term, Value};
use super::{Fault, Spot, Text};
use crate::{Arena, Condition, Expr, FloatOp, Grammar, Shape, Test, Type};

/// The conditions of a syntax tree.
pub fn lowered(parsed: &Parsed) -> Result<Text, Fault> {
    let mut grammar = Grammar::default();
    let any = grammar.intern(vec![Shape::Any]);
    let outcome = grammar.intern(vec![Shape::Tuple(vec![any]), Shape::Tuple(vec![any, any])]);
    let mut text = Text {
        arena: Arena::new(),
        grammar,
        names: Vec::new(),
        inputs: Vec::new(),
        alternatives: Vec::new(),
        asked: Vec::new(),
        outcome,
    };
    let kinds = parsed.variables.iter().map(|it| it.kind).collect();
    let mut lowering = Lowering { arena: &mut text.arena, kinds, returning: Vec::new(), asked: Vec::new() };
    let mut always = Vec::new();
    for (at, declared) in parsed.variables.iter().enumerate() {
        text.names.push(declared.name.clone());
        text.inputs.push(text.grammar.intern(vec![shape(declared)]));
        always.extend(lowering.within(at as u32, declared));
    }
    let mut alternatives = vec![always];
    for constraint in &parsed.constraints {
        let here = lowering.alternatives(constraint, true)?;
        if alternatives.len().saturating_mul(here.len()) > MOST_ALTERNATIVES {
            let spot = spot_of(constraint).unwrap_or(Spot { line: 1, column: 1 });
            return spot
                .fault(format!("there are more than {MOST_ALTERNATIVES} ways to choose between the sides of \"or\""));
        }
        alternatives =
            alternatives.iter().flat_map(|one| here.iter().map(|more| [one.clone(), more.clone()].concat())).collect();
    }
    let Lowering { returning, asked, .. } = lowering;
    text.grammar.close();
    text.alternatives = alternatives.into_iter().map(|one| [returning.clone(), one].concat()).collect();
    text.asked = asked;
    Ok(text)
}

/// Some place in a formula.
fn spot_of(formula: &Formula) -> Option<Spot> {
    match formula {
        Formula::Test(_, left, right) => [left, right].into_iter().find_map(|side| match side {
            Term::Apply(_, _, spot) | Term::Asked(_, _, spot) => Some(*spot),
            _ => None,
        }),
        Formula::All(parts) | Formula::Any(parts) => parts.iter().find_map(spot_of),
        Formula::Not(inner) => spot_of(inner),
    }
}

fn shape(declared: &Declared) -> Shape {
    match (declared.kind, &declared.range) {
        (Kind::Float, _) => Shape::Float,
        (Kind::Integer, Some((Value::Integer(low), Value::Integer(high)))) => {
            Shape::Integer { low: Some(low.clone()), high: Some(high.clone()) }
        }
        (Kind::Integer, _) => Shape::Integer { low: None, high: None },
    }
}

struct Lowering<'a> {
    arena: &'a mut Arena,
    kinds: Vec<Kind>,
    /// That functions which are asked give integers.
    returning: Alternative,
    asked: Vec<(Mfa, usize, usize)>,
}

/// Conditions that all must hold.
type Alternative = Vec<Condition>;

impl Lowering<'_> {
    /// A float has no range in the grammar: its ends are conditions.
    fn within(&mut self, at: u32, declared: &Declared) -> Alternative {
        let (Kind::Float, Some((low, high))) = (declared.kind, &declared.range) else { return Vec::new() };
        let variable = self.arena.input(at);
        let (low, high) = (self.value(low).0, self.value(high).0);
        [Test::Less(variable, low), Test::Less(high, variable)].map(|test| Condition { test, holds: false }).to_vec()
    }

    /// The alternatives that make a formula hold, or not hold.
    fn alternatives(&mut self, formula: &Formula, holds: bool) -> Result<Vec<Alternative>, Fault> {
        match formula {
            Formula::Test(compare, left, right) => Ok(vec![vec![self.test(*compare, left, right, holds)?]]),
            Formula::Not(inner) => self.alternatives(inner, !holds),
            Formula::All(parts) if holds => self.all(parts, holds),
            Formula::Any(parts) if !holds => self.all(parts, holds),
            Formula::All(parts) | Formula::Any(parts) => {
                let alternatives =
                    parts.iter().map(|part| self.alternatives(part, holds)).collect::<Result<Vec<_>, _>>()?;
                Ok(alternatives.concat())
            }
        }
    }

    fn all(&mut self, parts: &[Formula], holds: bool) -> Result<Vec<Alternative>, Fault> {
        let mut alternatives = vec![Vec::new()];
        for part in parts {
            let here = self.alternatives(part, holds)?;
            alternatives = alternatives
                .iter()
                .flat_map(|one| here.iter().map(|more| [one.clone(), more.clone()].concat()))
                .collect();
            // The caller says what is wrong with so many.
            alternatives.truncate(MOST_ALTERNATIVES + 1);
        }
        Ok(alternatives)
    }

    fn test(&mut self, compare: Compare, left: &Term, right: &Term, holds: bool) -> Result<Condition, Fault> {
        let (a, b) = (self.term(left)?.0, self.term(right)?.0);
        let (test, straight) = match compare {
            Compare::Equal => (Test::Equal(a, b), true),
            Compare::Same => (Test::Same(a, b), true),
            Compare::Less => (Test::Less(a, b), true),
            Compare::More => (Test::Less(b, a), true),
            Compare::Not(Plain::Equal) => (Test::Equal(a, b), false),
            Compare::Not(Plain::Same) => (Test::Same(a, b), false),
            Compare::Not(Plain::Less) => (Test::Less(a, b), false),
            Compare::Not(Plain::More) => (Test::Less(b, a), false),
        };
        Ok(Condition { test, holds: straight == holds })
    }

    fn value(&mut self, value: &Value) -> (Expr, Kind) {
        match value {
            Value::Integer(value) => (self.arena.literal(Constant::big(value.clone())), Kind::Integer),
            Value::Float(value) => (self.arena.literal(Constant::float(*value)), Kind::Float),
        }
    }

    fn term(&mut self, term: &Term) -> Result<(Expr, Kind), Fault> {
        match term {
            Term::Value(value) => Ok(self.value(value)),
            Term::Variable(at) => Ok((self.arena.input(*at as u32), self.kinds[*at])),
            Term::Apply(call, args, spot) => term::deeper(|| {
                let args = args.iter().map(|arg| self.term(arg)).collect::<Result<Vec<_>, _>>()?;
                self.call(*call, &args, *spot)
            }),
            Term::Asked(function, args, spot) => term::deeper(|| {
                let args = args.iter().map(|arg| Ok(self.term(arg)?.0)).collect::<Result<Vec<_>, _>>()?;
                self.asked.push((*function, spot.line, spot.column));
                let call = self.arena.opaque(*function, args);
                let value = self.arena.element(call, 0);
                let tests = [Test::Tuple(call, 1), Test::Type(value, Type::Integer)];
                self.returning.extend(tests.map(|test| Condition { test, holds: true }));
                Ok((value, Kind::Integer))
            }),
        }
    }

    fn call(&mut self, call: Call, args: &[(Expr, Kind)], spot: Spot) -> Result<(Expr, Kind), Fault> {
        let integers = args.iter().all(|(_, kind)| *kind == Kind::Integer);
        let exprs: Vec<Expr> = args.iter().map(|(expr, _)| *expr).collect();
        match call {
            Call::Either(op, _) if integers => Ok((self.arena.apply(op, &exprs), Kind::Integer)),
            Call::Integer(op) if integers => Ok((self.arena.apply(op, &exprs), Kind::Integer)),
            Call::Integer(op) => spot.fault(format!("{} takes integers, not floats", op.name())),
            Call::Whole(_) if integers => Ok((exprs[0], Kind::Integer)),
            Call::Whole(op) => Ok((self.arena.float(op, &exprs), Kind::Integer)),
            Call::Float => Ok((self.floats(args)[0], Kind::Float)),
            Call::Either(_, op) => Ok(self.on_floats(op, args)),
            Call::Divide => Ok(self.on_floats(FloatOp::Div, args)),
            Call::Math(math) => Ok(self.on_floats(FloatOp::Math(math), args)),
        }
    }

    fn on_floats(&mut self, op: FloatOp, args: &[(Expr, Kind)]) -> (Expr, Kind) {
        let args = self.floats(args);
        (self.arena.float(op, &args), Kind::Float)
    }

    fn floats(&mut self, args: &[(Expr, Kind)]) -> Vec<Expr> {
        let float = |(expr, kind): &(Expr, Kind)| match kind {
            Kind::Float => *expr,
            Kind::Integer => self.arena.float(FloatOp::Of, &[*expr]),
        };
        args.iter().map(float).collect()
    }
}
