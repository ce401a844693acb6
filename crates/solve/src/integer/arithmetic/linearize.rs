//! Linearization: the linear part of a problem becomes rows, the rest definitions.

mod bits;

use constraint::Op;
use rustc_hash::FxHashMap;

use super::super::int::Int;
use super::super::interval::{Empty, Interval};
use super::super::problem::IntegerProblem;
use super::definition::{Definition, DefinitionKind};
use super::form::Form;
use super::system::{RowKind, System};
use crate::problem::{Constraint, Expression};

/// `None` if the problem has an operation that is not about integers.
pub fn system(problem: &IntegerProblem) -> Option<Result<System, Empty>> {
    let mut builder = Linearizer::new(problem);
    let mut forms: Vec<Form> = Vec::with_capacity(problem.exprs.len());
    for (expr, used) in problem.exprs.iter().zip(problem.used()) {
        let form = match expr {
            Expression::Variable(at) if *at < problem.variables.len() => Ok(Form::column(*at)),
            Expression::Variable(_) => return None,
            Expression::Constant(value) => Ok(Form::constant(Int::of(value))),
            Expression::Apply(..) if !used => Ok(Form::constant(Int::ZERO)),
            Expression::Apply(op, args) => {
                let args: Vec<&Form> = args.iter().map(|at| forms.get(*at)).collect::<Option<_>>()?;
                builder.apply(*op, &args)?
            }
        };
        match form {
            Ok(form) => forms.push(form),
            Err(Empty) => return Some(Err(Empty)),
        }
    }
    for relation in &problem.relations {
        builder.relate(relation, &forms)?;
    }
    Some(Ok(builder.system))
}

struct Linearizer {
    system: System,
    /// Equal operations on equal forms share their result.
    known: FxHashMap<(DefinitionKind, Vec<Form>), Form>,
    /// Quotient and rest of a division that rounds down.
    floors: FxHashMap<(Form, Int), (Form, Form)>,
}

type Built = Result<Form, Empty>;

impl Linearizer {
    fn new(problem: &IntegerProblem) -> Linearizer {
        let mut system = System::default();
        for variable in &problem.variables {
            let interval = Interval::of(&variable.range);
            let near = variable.near.as_ref().map_or(Int::ZERO, Int::of);
            let near = interval.closest(&near);
            system.column(interval, near);
        }
        Linearizer { system, known: FxHashMap::default(), floors: FxHashMap::default() }
    }

    fn relate(&mut self, relation: &Constraint, forms: &[Form]) -> Option<()> {
        let (a, b) = relation.sides();
        let difference = forms.get(a)?.minus(forms.get(b)?);
        match relation {
            Constraint::Equal(..) => self.system.row(difference, RowKind::Zero),
            Constraint::Differ(..) => self.system.row(difference, RowKind::NotZero),
            Constraint::AtMost(..) => self.system.row(difference, RowKind::AtMostZero),
            Constraint::Less(..) => self.system.row(difference.plus_constant(&Int::ONE), RowKind::AtMostZero),
        }
        Some(())
    }

    fn apply(&mut self, op: Op, args: &[&Form]) -> Option<Built> {
        let minus = Int::from(-1);
        Some(match (op, args) {
            (Op::Neg, [a]) => Ok(a.scaled(&minus)),
            (Op::Bnot, [a]) => Ok(a.scaled(&minus).plus_constant(&minus)),
            (Op::Abs, [a]) => Ok(self.abs(a)),
            (Op::Add, [a, b]) => Ok(a.plus(&Int::ONE, b)),
            (Op::Sub, [a, b]) => Ok(a.minus(b)),
            (Op::Mul, [a, b]) => Ok(self.product(a, b)),
            (Op::Div, [a, b]) => self.quotient(a, b),
            (Op::Rem, [a, b]) => self.remainder(a, b),
            (Op::Band, [a, b]) => Ok(self.band(a, b)),
            (Op::Bor, [a, b]) => Ok(self.bor(a, b)),
            (Op::Bxor, [a, b]) => Ok(self.bxor(a, b)),
            (Op::Bsl, [a, b]) => Ok(self.shift(a, b)),
            (Op::Bsr, [a, b]) => Ok(self.shift(a, &b.scaled(&minus))),
            _ => return None,
        })
    }

    fn interval(&self, form: &Form) -> Interval {
        form.interval(&self.system.columns)
    }

    /// A definition, with a column of its own for the result.
    fn define(&mut self, kind: DefinitionKind, args: Vec<Form>) -> Form {
        let constants: Option<Vec<Int>> = args.iter().map(|arg| arg.as_constant().cloned()).collect();
        if let Some(value) = constants.and_then(|args| kind.compute(&args)) {
            return Form::constant(value);
        }
        if let Some(result) = self.known.get(&(kind, args.clone())) {
            return result.clone();
        }
        let near: Vec<Int> = args.iter().map(|arg| arg.value(&self.system.near)).collect();
        let at = self.system.column(Interval::ALL, kind.compute(&near).unwrap_or(Int::ZERO));
        let result = Form::column(at);
        self.system.definitions.push(Definition { kind, result: result.clone(), args: args.clone() });
        self.known.insert((kind, args), result.clone());
        result
    }

    fn abs(&mut self, a: &Form) -> Form {
        let interval = self.interval(a);
        if interval.is_at_least(0) {
            a.clone()
        } else if interval.is_at_most(0) {
            a.scaled(&Int::from(-1))
        } else {
            self.define(DefinitionKind::Op(Op::Abs), vec![a.clone()])
        }
    }

    fn product(&mut self, a: &Form, b: &Form) -> Form {
        match (a.as_constant(), b.as_constant()) {
            (Some(a), _) => b.scaled(a),
            (_, Some(b)) => a.scaled(b),
            _ if a == b => self.define(DefinitionKind::Square, vec![a.clone()]),
            _ => self.define(DefinitionKind::Op(Op::Mul), vec![a.clone(), b.clone()]),
        }
    }

    fn quotient(&mut self, a: &Form, b: &Form) -> Built {
        match b.as_constant() {
            Some(by) if by.is_zero() => Err(Empty),
            Some(by) if by.is_negative() => Ok(self.truncated(a, &by.neg()).0.scaled(&Int::from(-1))),
            Some(by) => Ok(self.truncated(a, by).0),
            None => Ok(self.define(DefinitionKind::Op(Op::Div), vec![a.clone(), b.clone()])),
        }
    }

    fn remainder(&mut self, a: &Form, b: &Form) -> Built {
        match b.as_constant() {
            Some(by) if by.is_zero() => Err(Empty),
            Some(by) => Ok(self.truncated(a, &by.abs()).1),
            None => Ok(self.define(DefinitionKind::Op(Op::Rem), vec![a.clone(), b.clone()])),
        }
    }

    /// Quotient and remainder by a positive constant, rounding towards zero.
    fn truncated(&mut self, a: &Form, by: &Int) -> (Form, Form) {
        let interval = self.interval(a);
        if by.is_one() {
            return (a.clone(), Form::constant(Int::ZERO));
        }
        if interval.is_at_least(0) {
            return self.floor(a, by);
        }
        if interval.is_at_most(0) {
            let (quotient, rest) = self.floor(&a.scaled(&Int::from(-1)), by);
            return (quotient.scaled(&Int::from(-1)), rest.scaled(&Int::from(-1)));
        }
        let key = (DefinitionKind::Op(Op::Rem), vec![a.clone(), Form::constant(by.clone())]);
        let near = a.value(&self.system.near);
        let rest = match self.known.get(&key) {
            Some(rest) => rest.clone(),
            None => {
                let bounds = Interval::around_zero(by.pred());
                let rest = Form::column(self.system.column(bounds, near.rem(by)));
                let sign = Definition { kind: DefinitionKind::Signed, result: rest.clone(), args: vec![a.clone()] };
                self.system.definitions.push(sign);
                self.known.insert(key, rest.clone());
                rest
            }
        };
        let key = (DefinitionKind::Op(Op::Div), vec![a.clone(), Form::constant(by.clone())]);
        if let Some(quotient) = self.known.get(&key) {
            return (quotient.clone(), rest);
        }
        let quotient = Form::column(self.system.column(Interval::ALL, near.div(by)));
        self.system.row(a.minus(&rest).plus(&by.neg(), &quotient), RowKind::Zero);
        self.known.insert(key, quotient.clone());
        (quotient, rest)
    }

    /// Quotient and rest by a positive constant, rounding down. What the constant divides needs no division.
    fn floor(&mut self, a: &Form, by: &Int) -> (Form, Form) {
        let (multiple, rest) = a.split(by);
        let (quotient, rest) = self.floor_of_rest(&rest, by);
        (quotient.plus(&Int::ONE, &multiple), rest)
    }

    fn floor_of_rest(&mut self, a: &Form, by: &Int) -> (Form, Form) {
        let interval = self.interval(a);
        if let (Some(low), Some(high)) = (&interval.low, &interval.high)
            && low.floor_div(by) == high.floor_div(by)
        {
            let quotient = low.floor_div(by);
            let rest = a.clone().plus_constant(&quotient.mul(by).neg());
            return (Form::constant(quotient), rest);
        }
        let key = (a.clone(), by.clone());
        if let Some(known) = self.floors.get(&key) {
            return known.clone();
        }
        let near = a.value(&self.system.near);
        let quotient = Form::column(self.system.column(Interval::ALL, near.floor_div(by)));
        let rest = Form::column(self.system.column(Interval::between(Int::ZERO, by.pred()), near.floor_mod(by)));
        self.system.row(a.minus(&rest).plus(&by.neg(), &quotient), RowKind::Zero);
        self.floors.insert(key, (quotient.clone(), rest.clone()));
        (quotient, rest)
    }
}
