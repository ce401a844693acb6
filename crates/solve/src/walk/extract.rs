//! From a query to a problem over numbers: inputs of the right shapes are given, the numbers in them are to be found.

use constraint::{Condition, Evaluator, Expr, FloatOp, Node, Op, Test};
use rustc_hash::FxHashMap;
use term::Term;
use term::math::Math;

use super::access::AccessPath;
use super::operations::{domain, kind_of, takes};
use super::problem::{NumberProblem, Source, Variable};
use super::value::{Kind, Num};
use crate::problem::{Constraint, Expression};
use crate::query::Query;

/// A problem, and where its variables stand in the inputs.
pub struct Extraction {
    /// The problem over the numbers in the inputs.
    pub problem: NumberProblem,
    places: Vec<AccessPath>,
    /// The expressions that are asked about: opaque functions are in them.
    pub questions: Vec<Expr>,
}

/// Larger problems are not walked.
const MOST_EXPRS: usize = 1 << 12;

impl Extraction {
    /// The conditions on the numbers in inputs under which the inputs meet the query. `None` if the inputs do not meet
    /// it for other reasons than their numbers, or nothing in it is about numbers.
    pub fn of(query: &Query<'_>, inputs: &[Term]) -> Option<Extraction> {
        let values = Evaluator::new(query.arena, inputs);
        let mut reader = Reader {
            query,
            values,
            exprs: FxHashMap::default(),
            leaves: Extraction { problem: NumberProblem::default(), places: Vec::new(), questions: Vec::new() },
        };
        for condition in query.conditions {
            reader.read(condition)?;
            if reader.leaves.problem.exprs.len() > MOST_EXPRS {
                return None;
            }
        }
        let mut leaves = reader.leaves;
        leaves.problem.tighten();
        (!leaves.places.is_empty() && !leaves.problem.relations.is_empty()).then_some(leaves)
    }

    /// The inputs with other numbers in them.
    pub fn put(&self, inputs: &[Term], values: &[Num]) -> Option<Vec<Term>> {
        let mut inputs = inputs.to_vec();
        for (place, value) in self.places.iter().zip(values) {
            place.put(&mut inputs, &value.term()?)?;
        }
        Some(inputs)
    }
}

struct Reader<'a> {
    query: &'a Query<'a>,
    values: Evaluator<'a>,
    exprs: FxHashMap<Expr, Option<(usize, Kind)>>,
    leaves: Extraction,
}

impl Reader<'_> {
    /// `None` if the condition does not hold and numbers cannot change that.
    fn read(&mut self, condition: &Condition) -> Option<()> {
        let relation = match condition.test {
            Test::Same(a, b) | Test::Equal(a, b) | Test::Less(a, b) => self.numbers(a, b),
            Test::Defined(x) => return self.defined(condition, x),
            _ => None,
        };
        let Some(((a, left), (b, right))) = relation else {
            return (self.values.holds(condition) == Ok(true)).then_some(());
        };
        let relation = match (condition.test, condition.holds) {
            (Test::Same(..), holds) if left != right => return (!holds).then_some(()),
            (Test::Same(..) | Test::Equal(..), true) => Constraint::Equal(a, b),
            (Test::Same(..) | Test::Equal(..), false) => Constraint::Differ(a, b),
            (_, true) => Constraint::Less(a, b),
            (_, false) => Constraint::AtMost(b, a),
        };
        self.leaves.problem.relations.push(relation);
        Some(())
    }

    fn numbers(&mut self, a: Expr, b: Expr) -> Option<((usize, Kind), (usize, Kind))> {
        self.expr(a).zip(self.expr(b))
    }

    /// That an operation has a result is that it equals itself; that it has none, that its argument lies elsewhere.
    fn defined(&mut self, condition: &Condition, expr: Expr) -> Option<()> {
        let Some((at, _)) = self.expr(expr) else {
            return (self.values.holds(condition) == Ok(true)).then_some(());
        };
        if condition.holds {
            self.leaves.problem.relations.push(Constraint::Equal(at, at));
            return Some(());
        }
        let Node::Apply(op, args) = self.query.arena.node(expr) else { return None };
        let args: Vec<usize> = args.iter().map(|arg| self.expr(*arg).map(|(at, _)| at)).collect::<Option<_>>()?;
        let relations = self.failing(*op, &args)?;
        self.leaves.problem.relations.extend(relations);
        Some(())
    }

    /// Relations of arguments under which an operation has no result; there may be others.
    fn failing(&mut self, op: Op, args: &[usize]) -> Option<Vec<Constraint>> {
        let problem = &mut self.leaves.problem;
        let mut float = |value: f64| problem.constant(Num::Float(value));
        Some(match (op, args) {
            (Op::Float(FloatOp::Math(math)), [x]) => match domain(math)? {
                (low, _, true) if low.is_finite() => vec![Constraint::Less(*x, float(low))],
                (low, _, false) if low.is_finite() => vec![Constraint::AtMost(*x, float(low))],
                (_, high, _) => vec![Constraint::Less(float(high), *x)],
            },
            (Op::Float(FloatOp::Div | FloatOp::Math(Math::Fmod)), [_, y]) => vec![Constraint::Equal(*y, float(0.0))],
            (Op::Float(FloatOp::Add), [x, y]) => {
                let most = float(HUGE);
                vec![Constraint::Less(most, *x), Constraint::Less(most, *y)]
            }
            (Op::Float(FloatOp::Sub), [x, y]) => {
                vec![Constraint::Less(float(HUGE), *x), Constraint::Less(*y, float(-HUGE))]
            }
            (Op::Float(FloatOp::Mul | FloatOp::Math(Math::Pow)), [x, y]) => {
                let much = float(1e200);
                vec![Constraint::Less(much, *x), Constraint::Less(much, *y)]
            }
            (Op::Float(FloatOp::Of), [x]) => {
                let most = crate::integer::int::Int::power_of_two(1024);
                vec![Constraint::Less(problem.constant(Num::Int(most)), *x)]
            }
            (Op::Div | Op::Rem, [_, y]) => vec![Constraint::Equal(*y, problem.constant(Num::ZERO))],
            _ => return None,
        })
    }

    /// The place of an expression in the problem, if it is a number.
    fn expr(&mut self, expr: Expr) -> Option<(usize, Kind)> {
        if let Some(known) = self.exprs.get(&expr) {
            return *known;
        }
        let made = term::deeper(|| self.made(expr));
        self.exprs.insert(expr, made);
        made
    }

    fn made(&mut self, expr: Expr) -> Option<(usize, Kind)> {
        let arena = self.query.arena;
        match arena.node(expr) {
            Node::Apply(op, args) if kind_of(*op).is_some() => {
                let args: Option<Vec<(usize, Kind)>> = args.iter().map(|arg| self.expr(*arg)).collect();
                let args = args.filter(|args| args.iter().all(|(_, kind)| *kind == takes(*op)))?;
                let args = args.into_iter().map(|(at, _)| at).collect();
                let at = self.leaves.problem.expr(Expression::Apply(*op, args));
                Some((at, kind_of(*op)?))
            }
            _ => self.leaf(expr),
        }
    }

    /// A number in the inputs can change; a length or what a fun gives stays as it is.
    fn leaf(&mut self, expr: Expr) -> Option<(usize, Kind)> {
        let now = Num::of_term(&self.values.value(expr).ok()?)?;
        let kind = now.kind()?;
        let Some(place) = AccessPath::of(self.query.arena, expr, &mut self.values) else {
            return Some((self.asked(expr, kind).unwrap_or_else(|| self.leaves.problem.constant(now)), kind));
        };
        // Two expressions may name one place.
        if let Some(variable) = self.leaves.places.iter().position(|known| *known == place) {
            return Some((self.leaves.problem.expr(Expression::Variable(variable)), kind));
        }
        let (low, high) = match kind {
            Kind::Integer => place.range(self.query.grammar, self.query.inputs),
            Kind::Float => (None, None),
        };
        self.leaves.places.push(place);
        Some((self.leaves.problem.variable(Variable { kind, low, high, near: Some(now) }), kind))
    }
}

impl Reader<'_> {
    /// The oracle's value of an expression with opaque functions, which changes with the numbers in their arguments.
    fn asked(&mut self, expr: Expr, kind: Kind) -> Option<usize> {
        let arena = self.query.arena;
        let (mut opaque, mut variables) = (false, Vec::new());
        arena.visit([expr], |part, node| {
            opaque |= matches!(node, Node::Opaque(..));
            let at = if part == expr { None } else { self.expr(part) };
            if let Some((at, _)) = at
                && let Expression::Variable(variable) = self.leaves.problem.exprs[at]
            {
                variables.push(variable);
                return false;
            }
            true
        });
        if !opaque {
            return None;
        }
        variables.sort_unstable();
        variables.dedup();
        let question = self.leaves.questions.len();
        self.leaves.questions.push(expr);
        Some(self.leaves.problem.expr(Expression::Constant(Source::Oracle { question, kind, variables })))
    }
}

/// Two of these are more than the largest double.
const HUGE: f64 = 1.7e308;
