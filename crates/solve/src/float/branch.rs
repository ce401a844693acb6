//! Branch and prune over floats: short values first, then bisection.

use constraint::{FloatOp, Op};
use term::math::Math;
use term::{Term, cut};

use super::interval::{FloatInterval, LEAST, rank, unrank};
use super::linear;
use super::narrow::{Domain, initial, narrow};
use super::order::is_circular;
use super::problem::{MixedProblem, Number, is_met_by};
use super::short::shortest_in;
use super::shortest::explained;
use super::undefined::EDGES;
use super::whole;
use super::zeros::{sees_bits, sees_signs};
use crate::integer::int::Int;
use crate::integer::interval::Interval;
use crate::problem::Expression;
use crate::query::{Answer, Budget, UnknownReason};

/// Rounds of narrowing in one problem at most.
const MOST_STEPS: u64 = 2500;
/// Expressions looked at in all of them, if each takes so many rounds over all: a long problem is given up earlier.
const MOST_VISITS: u64 = 400_000;
const ROUNDS: u64 = 6;
/// Yet so many rounds of narrowing are always taken.
const LEAST_STEPS: u64 = 24;
/// Variables that are tried alone, with all others as they were.
const MOST_ALONE: usize = 8;
/// Rounds of narrowing for each of them.
const ALONE_STEPS: u64 = 120;
/// Rounds of narrowing in one descent.
const DIVE_STEPS: u64 = 40;
/// The first boxes in each of which a descent is tried.
const DIVES: usize = 12;
/// Values tried for one variable in a descent.
const MOST_TRIED: usize = 6;
/// Integers beyond so many bits are not looked at.
const MOST_BITS: u64 = 1 << 13;

/// Decides a problem, or says that it does not know.
pub fn solve(problem: &MixedProblem, budget: &Budget) -> Answer {
    let Some(explained) = explained(problem) else { return decide(problem, budget) };
    match decide(&explained.problem, budget) {
        Answer::Sat(found) => {
            let values = explained.values(found).filter(|values| is_met_by(problem, values));
            values.map_or(Answer::Unknown(UnknownReason::Wrong), Answer::Sat)
        }
        answer => answer,
    }
}

fn decide(problem: &MixedProblem, budget: &Budget) -> Answer {
    let Some(mut doms) = initial(problem) else { return Answer::Unknown(UnknownReason::Unsupported) };
    if narrow(problem, &mut doms).is_err() || is_circular(problem) {
        return FloatBranching::new(problem, budget).nothing();
    }
    FloatBranching::new(problem, budget).run(doms)
}

struct FloatBranching<'a> {
    problem: &'a MixedProblem,
    /// The expression of each variable.
    places: Vec<usize>,
    left: u64,
    /// Something was not looked at.
    partial: bool,
    /// Some operation sees the sign of a zero.
    sees_signs: bool,
}

impl<'a> FloatBranching<'a> {
    fn new(problem: &'a MixedProblem, budget: &Budget) -> FloatBranching<'a> {
        let mut places = vec![usize::MAX; problem.variables.len()];
        for (at, expr) in problem.exprs.iter().enumerate() {
            if let Expression::Variable(variable) = expr {
                places[*variable] = at;
            }
        }
        let most = MOST_VISITS / (ROUNDS * problem.exprs.len() as u64 + 1);
        let sees_signs = sees_signs(problem);
        let left = MOST_STEPS.min(budget.choices).min(most.max(LEAST_STEPS));
        FloatBranching { problem, places, left, partial: false, sees_signs }
    }

    /// There is nothing, unless the sign of a zero made something of it.
    fn nothing(&self) -> Answer {
        if sees_bits(self.problem) || self.partial {
            Answer::Unknown(UnknownReason::Unsupported)
        } else {
            Answer::Unsat
        }
    }

    fn run(&mut self, root: Vec<Domain>) -> Answer {
        if let Some(values) = self.as_it_was(&root) {
            return Answer::Sat(values);
        }
        if linear::is_contradictory(self.problem, &root) || whole::is_contradictory(self.problem, &root) {
            return self.nothing();
        }
        if let Some(values) = self.by_whole_part(&root) {
            return Answer::Sat(values);
        }
        match self.explore(root, u64::MAX) {
            Answer::Unsat => self.nothing(),
            answer => answer,
        }
    }

    /// Everything in a box, half by half, as long as that does not take too many steps.
    fn explore(&mut self, root: Vec<Domain>, most: u64) -> Answer {
        let end = self.left.saturating_sub(most);
        let mut boxes = vec![root];
        let mut round = 0;
        while let Some(mut doms) = boxes.pop() {
            cut::work(100);
            if self.left <= end {
                return Answer::Unknown(UnknownReason::Budget);
            }
            if !self.narrowed(&mut doms) {
                continue;
            }
            let found = match FloatBranching::is_dive(round) {
                true => self.dive(&doms, round),
                false => self.met_by(&self.preferred(&doms)),
            };
            if let Some(values) = found {
                return Answer::Sat(values);
            }
            round += 1;
            match self.halves(&doms) {
                Some([first, second]) => boxes.extend([second, first]),
                // Where signs are seen, zeros of the other sign were not all tried.
                None => self.partial |= self.sees_signs || self.is_far(&doms),
            }
        }
        Answer::Unsat
    }

    /// A solution that was not found in many boxes is unlikely: the others are searched with less effort.
    fn is_dive(round: usize) -> bool {
        round < DIVES || round.is_power_of_two()
    }

    fn narrowed(&mut self, doms: &mut [Domain]) -> bool {
        self.left = self.left.saturating_sub(1);
        narrow(self.problem, doms).is_ok()
    }

    fn near(&self, variable: usize) -> Option<Term> {
        match &self.problem.variables[variable] {
            Number::Float(near) => near.map(Term::float),
            Number::Integer(number) => number.near.clone().map(Term::big),
        }
    }

    /// The preferred value of each variable in its domain.
    fn preferred(&self, doms: &[Domain]) -> Vec<Term> {
        let best = |variable: usize| {
            let dom = &doms[self.places[variable]];
            self.near(variable).filter(|near| dom.contains(near)).unwrap_or_else(|| match dom {
                Domain::Float(span) => Term::float(shortest_in(*span)),
                Domain::Int(interval) => Term::big(interval.closest(&Int::ZERO).to_big()),
            })
        };
        (0..self.places.len()).map(best).collect()
    }

    /// The values, if they meet the problem; where signs are seen, also with another sign of a zero.
    fn met_by(&self, values: &[Term]) -> Option<Vec<Term>> {
        if is_met_by(self.problem, values) {
            return Some(values.to_vec());
        }
        let zero = |value: &Term| matches!(value, Term::Float(_, zero) if *zero == 0.0);
        let flipped = |at: usize| {
            let mut values = values.to_vec();
            values[at] = FloatOp::Neg.compute(&values[at..=at])?;
            is_met_by(self.problem, &values).then_some(values)
        };
        (0..values.len()).filter(|at| self.sees_signs && zero(&values[*at])).find_map(flipped)
    }

    /// All as it was but for one variable.
    fn as_it_was(&mut self, root: &[Domain]) -> Option<Vec<Term>> {
        let near = self.preferred(root);
        if let Some(values) = self.met_by(&near) {
            return Some(values);
        }
        let count = self.places.len();
        if !(2..=MOST_ALONE).contains(&count) {
            return None;
        }
        (0..count).find_map(|moving| {
            let mut doms = root.to_vec();
            for (at, value) in near.iter().enumerate().filter(|(at, _)| *at != moving) {
                doms[self.places[at]] = doms[self.places[at]].meet(&Domain::of(value)?).ok()?;
            }
            match self.explore(doms, ALONE_STEPS) {
                Answer::Sat(values) => Some(values),
                _ => None,
            }
        })
    }

    /// Relations on the fraction of a float depend on its whole part: that is chosen first.
    fn by_whole_part(&mut self, root: &[Domain]) -> Option<Vec<Term>> {
        use FloatOp::{Ceil, Floor, Round, Trunc};
        let is_open = |at: &usize| {
            let is_whole = matches!(
                self.problem.exprs[*at],
                Expression::Apply(Op::Float(Trunc | Floor | Round | Ceil | FloatOp::Math(Math::Floor)), _)
            );
            is_whole && root[*at].value().is_none()
        };
        let at = (0..root.len()).find(is_open)?;
        let small = match &root[at] {
            Domain::Int(interval) => Domain::Int(Interval::point(interval.closest(&Int::ZERO))),
            Domain::Float(span) => Domain::Float(FloatInterval::point(shortest_in(*span).trunc())),
        };
        let mut doms = root.to_vec();
        doms[at] = doms[at].meet(&small).ok()?;
        match self.explore(doms, ALONE_STEPS) {
            Answer::Sat(values) => Some(values),
            _ => None,
        }
    }

    /// Gives the variables values one after the other, each one that the others leave, and another if that fails.
    fn dive(&mut self, doms: &[Domain], round: usize) -> Option<Vec<Term>> {
        let count = self.places.len();
        let end = self.left.saturating_sub(DIVE_STEPS + count as u64);
        // What was asked last is about what was looked at last.
        let order: Vec<usize> = if round.is_multiple_of(2) { (0..count).rev().collect() } else { (0..count).collect() };
        self.descend(doms, &order, round / 2, end)
    }

    fn descend(&mut self, doms: &[Domain], order: &[usize], round: usize, end: u64) -> Option<Vec<Term>> {
        let values = self.preferred(doms);
        if let Some(values) = self.met_by(&values) {
            return Some(values);
        }
        let at = order.iter().position(|variable| doms[self.places[*variable]].value().is_none())?;
        let (variable, rest) = (order[at], &order[at + 1..]);
        let at = self.places[variable];
        let mut candidates = self.candidates(variable, &doms[at]);
        let shift = round % candidates.len().max(1);
        candidates.rotate_left(shift);
        for value in candidates.into_iter().take(MOST_TRIED) {
            if self.left <= end {
                return None;
            }
            let mut next = doms.to_vec();
            next[at] = Domain::of(&value)?;
            if self.narrowed(&mut next)
                && let Some(found) = self.descend(&next, rest, round, end)
            {
                return Some(found);
            }
        }
        None
    }

    /// Values of a variable to try, the best first.
    fn candidates(&self, variable: usize, dom: &Domain) -> Vec<Term> {
        let mut values: Vec<Term> = self.near(variable).into_iter().collect();
        match dom {
            Domain::Float(span) => {
                let middle = middle(*span);
                let upper = FloatInterval::new(span.low.next_up().min(span.high), span.high);
                let floats = [
                    shortest_in(*span),
                    span.high,
                    span.low,
                    1.0,
                    shortest_in(upper),
                    -1.0,
                    2.5,
                    middle,
                    shortest_around(middle),
                ];
                values.extend(floats.into_iter().chain(EDGES).map(Term::float));
            }
            Domain::Int(interval) => {
                let small = interval.closest(&Int::ZERO);
                let mut ints = vec![small.clone(), small.succ(), small.pred()];
                ints.extend(interval.low.iter().flat_map(|low| [low.clone(), low.succ()]));
                ints.extend(interval.high.iter().flat_map(|high| [high.clone(), high.pred()]));
                let far = [6, 20, 40, 54, 60, 1024].map(Int::power_of_two);
                ints.extend(far.iter().flat_map(|far| [far.clone(), far.neg()]));
                values.extend(ints.iter().map(|value| Term::big(value.to_big())));
            }
        }
        let mut kept: Vec<Term> = Vec::with_capacity(values.len());
        for value in values {
            if dom.contains(&value) && !kept.contains(&value) {
                kept.push(value);
            }
        }
        kept
    }

    /// Two halves of the widest variable; `None` if each has one value.
    fn halves(&self, doms: &[Domain]) -> Option<[Vec<Domain>; 2]> {
        let open = self.places.iter().filter(|at| doms[**at].value().is_none());
        let at = *open.max_by_key(|at| (width(&doms[**at]), std::cmp::Reverse(**at)))?;
        let [first, second] = match &doms[at] {
            Domain::Float(span) => halves_of(*span).map(Domain::Float),
            Domain::Int(interval) => halves_of_integers(interval).map(Domain::Int),
        };
        let with = |dom: Domain| {
            let mut doms = doms.to_vec();
            doms[at] = dom;
            doms
        };
        Some([with(first), with(second)])
    }

    /// Returns true if an integer is too large for its expressions to be computed.
    fn is_far(&self, doms: &[Domain]) -> bool {
        doms.iter().any(|dom| match dom {
            Domain::Int(interval) => interval.magnitude().is_none_or(|most| most.bits() > MOST_BITS),
            Domain::Float(_) => false,
        })
    }
}

fn width(dom: &Domain) -> u64 {
    match dom {
        Domain::Float(span) => {
            let width = i128::from(rank(span.high)) - i128::from(rank(span.low));
            u64::from(128 - width.leading_zeros())
        }
        Domain::Int(interval) => interval.width().map_or(1 << 12, |width| width.bits()),
    }
}

/// The float that has as many below as above it in the span.
fn middle(span: FloatInterval) -> f64 {
    let middle = (i128::from(rank(span.low)) + i128::from(rank(span.high))) / 2;
    unrank(middle as i64).clamp(span.low, span.high)
}

fn shortest_around(value: f64) -> f64 {
    let room = value.abs() / 8.0;
    shortest_in(FloatInterval::new((value - room).max(-f64::MAX), (value + room).min(f64::MAX)))
}

fn halves_of(span: FloatInterval) -> [FloatInterval; 2] {
    if span.low < 0.0 && span.high >= 0.0 {
        return [FloatInterval::new(0.0, span.high), FloatInterval::new(span.low, -LEAST)];
    }
    let middle = middle(span);
    let middle = if middle < span.high { middle } else { span.low };
    [FloatInterval::new(span.low, middle), FloatInterval::new(middle.next_up(), span.high)]
}

fn halves_of_integers(interval: &Interval) -> [Interval; 2] {
    let middle = match (&interval.low, &interval.high) {
        (Some(low), Some(high)) => low.add(high).floor_div(&Int::from(2)),
        (Some(low), None) => low.abs().mul(&Int::from(2)).add(&Int::from(64)),
        (None, Some(high)) => high.abs().mul(&Int::from(2)).add(&Int::from(64)).neg(),
        (None, None) => Int::from(-1),
    };
    let below = Interval { low: interval.low.clone(), high: Some(middle.clone()) };
    let above = Interval { low: Some(middle.succ()), high: interval.high.clone() };
    // What is near comes first.
    if middle.is_negative() { [above, below] } else { [below, above] }
}
