//! Contradictions in the linear part of a problem with floats, found by combining rows over exact rationals.
//!
//! Sums and multiples of floats are rounded, so that a result is a column of its own, and rows say how far it can be
//! from what was rounded: not beyond the floats next to the ends of its interval, by a part of its size where its sign
//! is known, and by a part of the largest it can be. Operations that are not linear are columns, too; of sines and
//! cosines of one angle rows say that they lie on a circle.

use constraint::{FloatOp, Op};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;
use term::Term;
use term::cut;
use term::math::Math;

use super::interval::FloatInterval;
use super::narrow::Domain;
use super::problem::MixedProblem;
use crate::integer::interval::Interval;
use crate::linear;
use crate::problem::{Constraint, Expression};

/// A linear form over expressions of the problem.
type Form = linear::Form<BigRational>;

/// The form is at most 0, or below 0.
#[derive(Clone)]
struct Row {
    form: Form,
    strict: bool,
}

/// The operation that rounds.
#[derive(Clone, Copy, PartialEq)]
enum Rounding {
    /// Exact where it is too small for all digits.
    Sum,
    Multiple,
    Conversion,
}

/// Rows at most; beyond that nothing is said.
const MOST_ROWS: usize = 300;
/// Numbers with more bits than this mean that combining leads nowhere.
const MOST_BITS: u64 = 4096;
/// Pairs of rows that are combined at most.
const MOST_PAIRS: u32 = 2000;
/// The part of its size by which a result is off, as a power of two: rounding to nearest.
const ROUNDING: i32 = -53;
/// The same of a long integer, which is converted word by word and rounded more than once.
const CONVERSION: i32 = -48;
/// The difference of a result from the truth where it is too small for all digits.
const LEAST: i32 = -1074;
/// From here on floats are no bounds: numbers of this size are never added up.
const HUGE: f64 = 1e300;
/// The distance of sines and cosines of the C library from a circle, as a power of two: far more than it is.
const OFF_CIRCLE: i32 = -44;
/// Directions in which a circle is bounded by its tangents.
const DIRECTIONS: u32 = 16;

/// Operations in each other in which arguments are compared.
const MOST_DEPTH: u32 = 8;

/// Returns true if the linear part has no solution within these domains; `false` says nothing.
pub fn is_contradictory(problem: &MixedProblem, doms: &[Domain]) -> bool {
    let mut builder = LinearPart::new(problem, doms);
    builder.relations();
    builder.circles();
    if !builder.combines() {
        return false;
    }
    builder.bounds();
    builder.rows.len() <= MOST_ROWS && eliminated(builder.rows)
}

struct LinearPart<'a> {
    problem: &'a MixedProblem,
    doms: &'a [Domain],
    /// The form that an expression equals exactly.
    forms: Vec<Form>,
    /// The form whose rounded value an expression is.
    rounded: Vec<Option<(Form, Rounding)>>,
    rows: Vec<Row>,
}

impl<'a> LinearPart<'a> {
    fn new(problem: &'a MixedProblem, doms: &'a [Domain]) -> LinearPart<'a> {
        let mut part = LinearPart { problem, doms, forms: Vec::new(), rounded: Vec::new(), rows: Vec::new() };
        for (at, expr) in problem.exprs.iter().enumerate() {
            let (form, rounded) = part.form(at, expr);
            match part.value(at) {
                None => part.forms.push(form),
                Some(value) => {
                    part.settled(at, &value, &form, rounded.as_ref());
                    part.forms.push(Form::constant(value));
                }
            }
            part.rounded.push(rounded);
        }
        part
    }

    fn value(&self, at: usize) -> Option<BigRational> {
        match &self.doms[at] {
            Domain::Float(span) => span.is_point().then(|| exact(span.low)).flatten(),
            Domain::Int(interval) => interval.value().map(|value| BigRational::from_integer(value.to_big())),
        }
    }

    /// An expression has one value: so has the form that it equals, or nearly so the one that it is rounded from.
    fn settled(&mut self, at: usize, value: &BigRational, form: &Form, rounded: Option<&(Form, Rounding)>) {
        match (rounded, &self.doms[at]) {
            (Some((form, by)), Domain::Float(span)) if *by != Rounding::Conversion => {
                let real = span.unrounded();
                self.between(form, bound(real.low), bound(real.high));
            }
            (None, _) if form.factor(at).is_none() => self.near(form, value, &BigRational::zero()),
            _ => {}
        }
    }

    /// The form that an expression equals; for one that is rounded also what it was before that.
    fn form(&self, at: usize, expr: &Expression<Term>) -> (Form, Option<(Form, Rounding)>) {
        let own = || Form { terms: vec![(at, BigRational::one())], constant: BigRational::zero() };
        let Expression::Apply(op, args) = expr else { return (own(), None) };
        let one = BigRational::one();
        let arg = |at: usize| &self.forms[args[at]];
        match op {
            Op::Neg | Op::Float(FloatOp::Neg) => (arg(0).scaled(&-one), None),
            Op::Add => (arg(0).plus(&one, arg(1)), None),
            Op::Sub => (arg(0).plus(&-one, arg(1)), None),
            Op::Mul => (self.product(args).unwrap_or_else(own), None),
            Op::Float(FloatOp::Of) if is_small(&self.doms[args[0]]) => (arg(0).clone(), None),
            Op::Float(op) => (own(), self.unrounded(*op, args)),
            _ => (own(), None),
        }
    }

    /// A product with a number.
    fn product(&self, args: &[usize]) -> Option<Form> {
        let arg = |at: usize| &self.forms[args[at]];
        match (arg(0).as_constant(), arg(1).as_constant()) {
            (Some(a), _) => Some(arg(1).scaled(a)),
            (_, Some(b)) => Some(arg(0).scaled(b)),
            _ => None,
        }
    }

    /// The form that an operation on floats rounds.
    fn unrounded(&self, op: FloatOp, args: &[usize]) -> Option<(Form, Rounding)> {
        let one = BigRational::one();
        let arg = |at: usize| &self.forms[args[at]];
        Some(match op {
            FloatOp::Of => (arg(0).clone(), Rounding::Conversion),
            FloatOp::Add => (arg(0).plus(&one, arg(1)), Rounding::Sum),
            FloatOp::Sub => (arg(0).plus(&-one, arg(1)), Rounding::Sum),
            FloatOp::Mul => (self.product(args)?, Rounding::Multiple),
            FloatOp::Div => {
                let by = arg(1).as_constant().filter(|by| !by.is_zero())?;
                (arg(0).scaled(&by.recip()), Rounding::Multiple)
            }
            _ => return None,
        })
    }

    /// Returns true if there is anything that intervals do not see.
    fn combines(&self) -> bool {
        let sums = self.rounded.iter().flatten().filter(|(form, _)| form.terms.len() > 1).count();
        let rows = self.rows.iter().filter(|row| row.form.terms.len() > 1).count();
        sums + rows > 1
    }

    fn relations(&mut self) {
        let one = BigRational::one();
        for relation in &self.problem.relations {
            let (a, b) = relation.sides();
            let form = self.forms[a].plus(&-one.clone(), &self.forms[b]);
            match relation {
                Constraint::Differ(..) => {}
                Constraint::Equal(..) => {
                    self.add(form.scaled(&-one.clone()), false);
                    self.add(form, false);
                }
                Constraint::AtMost(..) => self.add(form, false),
                Constraint::Less(..) => self.add(form, true),
            }
        }
    }

    fn add(&mut self, form: Form, strict: bool) {
        self.rows.push(Row { form, strict });
    }

    /// Sines and cosines of the same argument, their squares and their product.
    fn circles(&mut self) {
        let (sines, cosines) = (self.waves(Math::Sin), self.waves(Math::Cos));
        for sine in &sines {
            for cosine in &cosines {
                if self.is_same(self.operand(*sine), self.operand(*cosine)) {
                    self.circle(*sine, *cosine);
                }
            }
        }
    }

    /// The expressions that are this function of something.
    fn waves(&self, wanted: Math) -> Vec<usize> {
        let is_wave = |at: &usize| match &self.problem.exprs[*at] {
            Expression::Apply(Op::Float(FloatOp::Math(math)), _) => *math == wanted,
            _ => false,
        };
        (0..self.problem.exprs.len()).filter(is_wave).collect()
    }

    fn operand(&self, at: usize) -> usize {
        match &self.problem.exprs[at] {
            Expression::Apply(_, args) => args[0],
            _ => at,
        }
    }

    /// Returns true if two expressions are written alike.
    fn is_same(&self, a: usize, b: usize) -> bool {
        self.is_alike(a, b, MOST_DEPTH)
    }

    fn is_alike(&self, a: usize, b: usize, depth: u32) -> bool {
        let exprs = &self.problem.exprs;
        a == b
            || match (&exprs[a], &exprs[b]) {
                (Expression::Apply(one, left), Expression::Apply(other, right)) => {
                    let alike = |(a, b): (&usize, &usize)| self.is_alike(*a, *b, depth - 1);
                    depth > 0 && one == other && left.len() == right.len() && left.iter().zip(right).all(alike)
                }
                (left, right) => left == right,
            }
    }

    fn circle(&mut self, sine: usize, cosine: usize) {
        let off = power_of_two(OFF_CIRCLE);
        let around = BigRational::one() + &off;
        for direction in 0..DIRECTIONS {
            let angle = std::f64::consts::TAU * f64::from(direction) / f64::from(DIRECTIONS);
            let (Some(x), Some(y)) = (exact(angle.cos()), exact(angle.sin())) else { continue };
            let form = self.forms[sine].scaled(&y).plus(&x, &self.forms[cosine]);
            self.add(form.plus(&BigRational::one(), &Form::constant(-around.clone())), false);
        }
        let one = BigRational::one();
        for square in self.squares(sine) {
            for other in self.squares(cosine) {
                let sum = self.forms[square].plus(&one, &self.forms[other]);
                self.near(&sum, &one, &off);
            }
        }
        let half = BigRational::new(BigInt::one(), BigInt::from(2));
        for product in self.products(sine, cosine) {
            self.near(&self.forms[product].clone(), &BigRational::zero(), &(half.clone() + &off));
        }
    }

    /// The form is so far from a number at most.
    fn near(&mut self, form: &Form, number: &BigRational, off: &BigRational) {
        let one = BigRational::one();
        self.add(form.plus(&one, &Form::constant(-(number + off))), false);
        self.add(form.scaled(&-one.clone()).plus(&one, &Form::constant(number - off)), false);
    }

    /// Expressions that are the square of one.
    fn squares(&self, of: usize) -> Vec<usize> {
        let two = BigRational::from_integer(BigInt::from(2));
        let is_square = |at: &usize| match &self.problem.exprs[*at] {
            Expression::Apply(Op::Float(FloatOp::Mul), args) => args.iter().all(|arg| self.is_same(*arg, of)),
            Expression::Apply(Op::Float(FloatOp::Math(Math::Pow)), args) => {
                self.is_same(args[0], of) && self.value(args[1]).is_some_and(|by| by == two)
            }
            _ => false,
        };
        (0..self.problem.exprs.len()).filter(is_square).collect()
    }

    fn products(&self, a: usize, b: usize) -> Vec<usize> {
        let is_product = |at: &usize| match &self.problem.exprs[*at] {
            Expression::Apply(Op::Float(FloatOp::Mul), args) => {
                self.is_same(args[0], a) && self.is_same(args[1], b)
                    || self.is_same(args[0], b) && self.is_same(args[1], a)
            }
            _ => false,
        };
        (0..self.problem.exprs.len()).filter(is_product).collect()
    }

    /// The bounds of all columns that rows mention, and of what those are rounded from.
    fn bounds(&mut self) {
        let mut known = vec![false; self.forms.len()];
        let mut next = 0;
        while next < self.rows.len() && self.rows.len() <= MOST_ROWS {
            let columns: Vec<usize> = self.rows[next].form.terms.iter().map(|(at, _)| *at).collect();
            next += 1;
            for at in columns {
                if !std::mem::replace(&mut known[at], true) {
                    self.column(at);
                }
            }
        }
    }

    fn column(&mut self, at: usize) {
        let own = Form { terms: vec![(at, BigRational::one())], constant: BigRational::zero() };
        let (low, high) = ends(&self.doms[at]);
        self.between(&own, low, high);
        let Some((form, by)) = self.rounded[at].clone() else { return };
        let Domain::Float(span) = self.doms[at] else { return };
        if by != Rounding::Conversion {
            let real = span.unrounded();
            self.between(&form, bound(real.low), bound(real.high));
        }
        self.rounding(&own, &form, span, by);
    }

    fn between(&mut self, form: &Form, low: Option<BigRational>, high: Option<BigRational>) {
        let one = BigRational::one();
        if let Some(low) = low {
            self.add(form.scaled(&-one.clone()).plus(&one, &Form::constant(low)), false);
        }
        if let Some(high) = high {
            self.add(form.plus(&one, &Form::constant(-high)), false);
        }
    }

    /// The distance of a result from what it was before it was rounded.
    fn rounding(&mut self, result: &Form, form: &Form, span: FloatInterval, by: Rounding) {
        let one = BigRational::one();
        let part = power_of_two(if by == Rounding::Conversion { CONVERSION } else { ROUNDING });
        let least = if by == Rounding::Multiple { power_of_two(LEAST) } else { BigRational::zero() };
        let sign = i32::from(span.low >= 0.0) - i32::from(span.low < 0.0 && span.high <= 0.0);
        let sign = BigRational::from_integer(BigInt::from(sign));
        if !sign.is_zero() {
            // Of numbers that are not negative: (1 - part) form - least <= result <= (1 + part) form + least
            let (result, form) = (result.scaled(&sign), form.scaled(&sign));
            let upper = result.plus(&-(&one + &part), &form).plus(&one, &Form::constant(-least.clone()));
            let lower = form.scaled(&(&one - &part)).plus(&-one.clone(), &result);
            self.add(upper, false);
            self.add(lower.plus(&one, &Form::constant(-least.clone())), false);
        }
        if let Some(most) = bound(span.high.abs().max(span.low.abs())) {
            // Twice as much as rounding takes away.
            let off = most * &part * BigRational::from_integer(BigInt::from(2)) + power_of_two(LEAST);
            self.near(&result.plus(&-one, form), &BigRational::zero(), &off);
        }
    }
}

/// Returns true if every integer of a domain is a float.
fn is_small(dom: &Domain) -> bool {
    matches!(dom, Domain::Int(interval) if interval.magnitude().is_some_and(|most| most.bits() <= 53))
}

fn ends(dom: &Domain) -> (Option<BigRational>, Option<BigRational>) {
    match dom {
        Domain::Float(span) => (bound(span.low), bound(span.high)),
        Domain::Int(Interval { low, high }) => {
            let whole = |end: &crate::integer::int::Int| BigRational::from_integer(end.to_big());
            (low.as_ref().map(whole), high.as_ref().map(whole))
        }
    }
}

/// The exact value of a float that is a bound.
fn bound(value: f64) -> Option<BigRational> {
    exact(value).filter(|_| value.abs() < HUGE)
}

fn exact(value: f64) -> Option<BigRational> {
    BigRational::from_float(value)
}

fn power_of_two(exponent: i32) -> BigRational {
    let power = BigRational::from_integer(BigInt::one() << exponent.unsigned_abs());
    if exponent < 0 { power.recip() } else { power }
}

/// Returns true if a contradiction remains when column by column is eliminated.
fn eliminated(rows: Vec<Row>) -> bool {
    let Some(mut rows) = tidied(rows) else { return true };
    let mut pairs = MOST_PAIRS;
    while let Some(column) = linear::cheapest(rows.iter().map(|row| &row.form)) {
        let (with, mut without): (Vec<Row>, Vec<Row>) =
            rows.into_iter().partition(|row| row.form.factor(column).is_some());
        let (above, below): (Vec<Row>, Vec<Row>) =
            with.into_iter().partition(|row| row.form.factor(column).is_some_and(Signed::is_positive));
        for (upper, lower) in above.iter().flat_map(|upper| below.iter().map(move |lower| (upper, lower))) {
            cut::work(20);
            let (Some(left), Some(row)) = (pairs.checked_sub(1), combined(column, upper, lower)) else { return false };
            pairs = left;
            without.push(row);
        }
        rows = match tidied(without) {
            None => return true,
            Some(rows) if rows.len() > MOST_ROWS => return false,
            Some(rows) => rows,
        };
    }
    false
}

/// The sum of two rows in which the column cancels; `None` if its numbers are too long.
fn combined(column: usize, upper: &Row, lower: &Row) -> Option<Row> {
    let (up, down) = (upper.form.factor(column)?, -lower.form.factor(column)?.clone());
    let form = upper.form.scaled(&up.recip()).plus(&down.recip(), &lower.form);
    let is_short = |number: &BigRational| number.numer().bits() + number.denom().bits() <= MOST_BITS;
    let fits = is_short(&form.constant) && form.terms.iter().all(|(_, factor)| is_short(factor));
    fits.then_some(Row { form, strict: upper.strict || lower.strict })
}

/// Of rows with the same direction the strongest; `None` is a contradiction.
fn tidied(rows: Vec<Row>) -> Option<Vec<Row>> {
    let mut kept: Vec<Row> = Vec::new();
    let mut known: FxHashMap<Vec<(usize, BigRational)>, usize> = FxHashMap::default();
    for Row { form, strict } in rows {
        let Some((_, first)) = form.terms.first() else {
            if form.constant.is_positive() || strict && form.constant.is_zero() {
                return None;
            }
            continue;
        };
        let form = form.scaled(&first.abs().recip());
        let at = *known.entry(form.terms.clone()).or_insert(kept.len());
        match kept.get_mut(at) {
            Some(other) if other.form.constant == form.constant => other.strict |= strict,
            Some(other) if other.form.constant < form.constant => *other = Row { form, strict },
            Some(_) => {}
            None => kept.push(Row { form, strict }),
        }
    }
    Some(kept)
}
