//! Narrowing all expressions until nothing changes.

use constraint::{FloatOp, Op};
use term::Term;

use super::backward::backward;
use super::conversions::{float_above, float_below, floats, integer_below, integers};
use super::forward::{forward, square};
use super::fraction::fractions;
use super::interval::FloatInterval;
use super::problem::{MixedProblem, Number};
use super::undefined::failing;
use super::zeros::{bits_without_sign, has_signs};
use crate::integer::bounds;
use crate::integer::int::Int;
use crate::integer::interval::{Empty, Interval};
use crate::problem::{Constraint, Expression};

/// The values an expression can have.
#[derive(Clone, PartialEq, Debug)]
pub enum Domain {
    Int(Interval),
    Float(FloatInterval),
}

/// Bounds can creep for ever: rounds over all expressions at most.
const MOST_ROUNDS: usize = 40;

impl Domain {
    /// The domain of one number.
    pub fn of(value: &Term) -> Option<Domain> {
        match value {
            Term::Float(_, value) => Some(Domain::Float(FloatInterval::point(*value))),
            value => value.as_bigint().map(|value| Domain::Int(Interval::point(Int::of(&value)))),
        }
    }

    fn of_number(number: &Number) -> Domain {
        match number {
            Number::Float(_) => Domain::Float(FloatInterval::ALL),
            Number::Integer(variable) => Domain::Int(Interval::of(&variable.range)),
        }
    }

    /// The intersection.
    pub fn meet(&self, other: &Domain) -> Result<Domain, Empty> {
        match (self, other) {
            (Domain::Int(a), Domain::Int(b)) => a.meet(b).map(Domain::Int),
            (Domain::Float(a), Domain::Float(b)) => a.meet(*b).map(Domain::Float),
            _ => Err(Empty),
        }
    }

    /// The negated values.
    fn neg(&self) -> Domain {
        match self {
            Domain::Int(interval) => Domain::Int(interval.neg()),
            Domain::Float(span) => Domain::Float(span.neg()),
        }
    }

    /// Returns true if a number is in it.
    pub fn contains(&self, value: &Term) -> bool {
        match (self, value) {
            (Domain::Float(span), Term::Float(_, value)) => span.contains(*value),
            (Domain::Int(interval), value) => {
                value.as_bigint().is_some_and(|value| interval.contains(&Int::of(&value)))
            }
            _ => false,
        }
    }

    /// The only value there is.
    pub fn value(&self) -> Option<Term> {
        match self {
            Domain::Float(span) => span.is_point().then(|| Term::float(span.low)),
            Domain::Int(interval) => interval.value().map(|value| Term::big(value.to_big())),
        }
    }
}

/// The domains of the expressions of a problem, without its relations.
pub fn initial(problem: &MixedProblem) -> Option<Vec<Domain>> {
    let mut doms: Vec<Domain> = Vec::with_capacity(problem.exprs.len());
    for expr in &problem.exprs {
        doms.push(match expr {
            Expression::Variable(at) => Domain::of_number(&problem.variables[*at]),
            Expression::Constant(value) => Domain::of(value)?,
            Expression::Apply(Op::Float(op), _) if op.gives_float() => Domain::Float(FloatInterval::ALL),
            Expression::Apply(..) => Domain::Int(Interval::ALL),
        });
    }
    Some(doms)
}

/// Draws what follows from everything.
pub fn narrow(problem: &MixedProblem, doms: &mut [Domain]) -> Result<(), Empty> {
    let fractions = fractions(problem);
    for _ in 0..MOST_ROUNDS {
        let mut changed = false;
        for fraction in &fractions {
            changed |= fraction.narrow(doms)?;
        }
        for at in 0..doms.len() {
            changed |= compute(problem, doms, at)?;
        }
        for relation in &problem.relations {
            changed |= relate(relation, doms)?;
        }
        for (op, args) in &problem.failing {
            let of: Vec<&Domain> = args.iter().map(|at| &doms[*at]).collect();
            let left = failing(*op, &of)?;
            for (at, dom) in args.iter().zip(left) {
                changed |= keep(doms, *at, &dom)?;
            }
        }
        for at in (0..doms.len()).rev() {
            changed |= follow(problem, doms, at)?;
        }
        if !changed {
            break;
        }
    }
    Ok(())
}

/// Narrows a domain; returns true if it changed.
pub fn keep(doms: &mut [Domain], at: usize, bound: &Domain) -> Result<bool, Empty> {
    let met = doms[at].meet(bound)?;
    let changed = met != doms[at];
    doms[at] = met;
    Ok(changed)
}

fn intervals<'a>(args: &[&'a Domain]) -> Result<Vec<&'a Interval>, Empty> {
    args.iter().map(|dom| if let Domain::Int(interval) = dom { Ok(interval) } else { Err(Empty) }).collect()
}

fn compute(problem: &MixedProblem, doms: &mut [Domain], at: usize) -> Result<bool, Empty> {
    let Expression::Apply(op, args) = &problem.exprs[at] else { return Ok(false) };
    let is_square = args.len() == 2 && args[0] == args[1];
    if let (Op::Float(op @ FloatOp::Write(_)), [arg]) = (op, &args[..])
        && !has_signs(problem, *arg)
        && let Some(bits) = bits_without_sign(*op, &doms[*arg])
    {
        return keep(doms, at, &Domain::Int(bits));
    }
    let args: Vec<&Domain> = args.iter().map(|arg| &doms[*arg]).collect();
    let result = match op {
        Op::Float(FloatOp::Mul) if is_square => square(args[0])?,
        Op::Float(op) => forward(*op, &args)?,
        op => Domain::Int(bounds::forward(*op, &intervals(&args)?)?),
    };
    keep(doms, at, &result)
}

fn follow(problem: &MixedProblem, doms: &mut [Domain], at: usize) -> Result<bool, Empty> {
    let Expression::Apply(op, args) = &problem.exprs[at] else { return Ok(false) };
    let of: Vec<&Domain> = args.iter().map(|arg| &doms[*arg]).collect();
    let left = match (op, &doms[at]) {
        (Op::Float(op), result) => backward(*op, result, &of, args.len() == 2 && args[0] == args[1])?,
        (op, Domain::Int(result)) => {
            bounds::backward(*op, result, &intervals(&of)?)?.into_iter().map(Domain::Int).collect()
        }
        _ => return Err(Empty),
    };
    let mut changed = false;
    for (arg, dom) in args.iter().zip(left) {
        changed |= keep(doms, *arg, &dom)?;
    }
    Ok(changed)
}

fn relate(relation: &Constraint, doms: &mut [Domain]) -> Result<bool, Empty> {
    let (a, b) = relation.sides();
    let (left, right) = match relation {
        Constraint::Equal(..) => (equal_to(&doms[b], &doms[a]), equal_to(&doms[a], &doms[b])),
        Constraint::Less(..) => (below(&doms[b], &doms[a], true), above(&doms[a], &doms[b], true)),
        Constraint::AtMost(..) => (below(&doms[b], &doms[a], false), above(&doms[a], &doms[b], false)),
        Constraint::Differ(..) => (other_than(&doms[b], &doms[a])?, other_than(&doms[a], &doms[b])?),
    };
    Ok(keep(doms, a, &left)? | keep(doms, b, &right)?)
}

/// The values of the kind of `like` that can equal one of `dom`.
fn equal_to(dom: &Domain, like: &Domain) -> Domain {
    match (dom, like) {
        (Domain::Int(interval), Domain::Float(_)) => Domain::Float(floats(interval)),
        (Domain::Float(span), Domain::Int(_)) => Domain::Int(integers(*span)),
        _ => dom.clone(),
    }
}

/// The values that can be below one of `dom`.
fn below(dom: &Domain, like: &Domain, strictly: bool) -> Domain {
    match (dom, like) {
        (Domain::Int(interval), Domain::Int(_)) => {
            let high = interval.high.as_ref().map(|high| if strictly { high.pred() } else { high.clone() });
            Domain::Int(Interval { low: None, high })
        }
        (Domain::Float(span), Domain::Float(_)) => {
            let high = if strictly { span.high.next_down() } else { span.high };
            Domain::Float(FloatInterval::new(f64::NEG_INFINITY, high))
        }
        (Domain::Int(interval), Domain::Float(_)) => {
            let bound = |high: &Int| {
                let at = float_below(high);
                // Only a float that is that integer can be too much.
                if strictly && at == float_above(high) { at.next_down() } else { at }
            };
            let high = interval.high.as_ref().map_or(f64::INFINITY, bound);
            Domain::Float(FloatInterval::new(f64::NEG_INFINITY, high))
        }
        (Domain::Float(span), Domain::Int(_)) => {
            let bound =
                integer_below(span.high).map(|at| if strictly && span.high.fract() == 0.0 { at.pred() } else { at });
            Domain::Int(Interval { low: None, high: bound })
        }
    }
}

/// The values that can be above one of `dom`.
fn above(dom: &Domain, like: &Domain, strictly: bool) -> Domain {
    below(&dom.neg(), like, strictly).neg()
}

/// `like` without the only value of `dom`, where that is at an end.
fn other_than(dom: &Domain, like: &Domain) -> Result<Domain, Empty> {
    let point = dom.value().and_then(|value| Domain::of(&value)).map(|dom| equal_to(&dom, like));
    match (like, point) {
        (Domain::Float(span), Some(Domain::Float(point))) if point.is_point() => {
            let low = if span.low == point.low { span.low.next_up() } else { span.low };
            let high = if span.high == point.low { span.high.next_down() } else { span.high };
            if low <= high { Ok(Domain::Float(FloatInterval::new(low, high))) } else { Err(Empty) }
        }
        (Domain::Int(interval), Some(Domain::Int(point))) => {
            point.value().map_or(Ok(like.clone()), |value| interval.without(value).map(Domain::Int))
        }
        _ => Ok(like.clone()),
    }
}
