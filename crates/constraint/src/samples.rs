//! Samples: calls of opaque functions as they were observed.
//!
//! The outcome of a call is one term: `{Value}` if it returned, `{Class, Reason}` if it raised.

use rustc_hash::FxHashMap;
use term::{Mfa, Outcome, Term};

use crate::{Arena, Evaluator, Expr, Node, Undefined};

/// Calls remembered of one function; then those that were not met for longest are forgotten.
const MOST_POINTS: usize = 4096;
/// Cells of what is remembered of one function.
const MOST_CELLS: u64 = 1_500_000;
/// Calls that are remembered however large they are.
const LEAST_POINTS: usize = 16;
/// Functions of which calls are remembered.
const MOST_FUNCTIONS: usize = 1024;

/// The samples of all opaque functions.
#[derive(Clone, Default)]
pub struct Samples {
    functions: FxHashMap<Mfa, Function>,
    /// Counts observations, so that of two points one was met later.
    clock: u64,
    count: u64,
}

#[derive(Clone, Default)]
struct Function {
    /// In the order they were first met, and where to find one.
    points: Vec<Point>,
    places: FxHashMap<Box<[Term]>, usize>,
    /// A number for each outcome.
    outcomes: FxHashMap<Term, u32>,
    /// The cells of all points.
    cells: u64,
    /// The same arguments gave different outcomes.
    unsteady: bool,
    /// Its outcome depends on more than its arguments.
    stateful: bool,
}

#[derive(Clone)]
struct Point {
    args: Box<[Term]>,
    outcome: Term,
    number: u32,
    cells: u64,
    /// When it was met last.
    last: u64,
}

/// The use of an observation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Learned {
    /// It is a fact that can be used.
    Fact,
    /// The function has given something else for the same arguments, now or before: nothing it gives is a fact.
    Unsteady,
}

impl Samples {
    /// Adds a call.
    pub fn learn(&mut self, function: Mfa, args: &[Term], outcome: Term) -> Learned {
        self.clock += 1;
        let clock = self.clock;
        if self.functions.len() >= MOST_FUNCTIONS && !self.functions.contains_key(&function) {
            return Learned::Fact;
        }
        let known = self.functions.entry(function).or_default();
        if known.unsteady {
            return Learned::Unsteady;
        }
        match known.places.get(args).map(|at| &mut known.points[*at]) {
            Some(point) if point.outcome == outcome => point.last = clock,
            Some(_) => {
                known.unsteady = true;
                return Learned::Unsteady;
            }
            None => {
                self.count += 1;
                known.places.insert(args.into(), known.points.len());
                let next = known.outcomes.len() as u32;
                let number = *known.outcomes.entry(outcome.clone()).or_insert(next);
                let cells = args.iter().chain([&outcome]).map(|term| cells(term, MOST_CELLS)).sum();
                known.cells += cells;
                known.points.push(Point { args: args.into(), outcome, number, cells, last: clock });
            }
        }
        if known.points.len() > MOST_POINTS {
            known.forget();
        }
        while known.cells > MOST_CELLS && known.points.len() > LEAST_POINTS {
            known.forget();
        }
        Learned::Fact
    }

    /// Records that a function's outcome depends on more than its arguments: it cannot be called on its own.
    pub fn learn_state(&mut self, function: Mfa) {
        self.functions.entry(function).or_default().stateful = true;
    }

    /// The outcome of the call, if that is a fact.
    pub fn outcome(&self, function: Mfa, args: &[Term]) -> Option<&Term> {
        let known = self.functions.get(&function).filter(|known| !known.unsteady)?;
        known.places.get(args).map(|at| &known.points[*at].outcome)
    }

    /// Returns true if the function has given different outcomes for the same arguments.
    pub fn is_unsteady(&self, function: Mfa) -> bool {
        self.functions.get(&function).is_some_and(|known| known.unsteady)
    }

    /// Returns true if the function's outcome depends on more than its arguments.
    pub fn is_stateful(&self, function: Mfa) -> bool {
        self.functions.get(&function).is_some_and(|known| known.stateful)
    }

    /// The number of different calls that were ever observed.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// All facts about a function, in the order they were first met.
    pub fn points(&self, function: Mfa) -> impl Iterator<Item = (&[Term], &Term)> {
        self.numbered_points(function).map(|(args, outcome, _)| (args, outcome))
    }

    /// The same, with a number for each outcome: small, and equal where outcomes are.
    pub fn numbered_points(&self, function: Mfa) -> impl Iterator<Item = (&[Term], &Term, usize)> {
        let known = self.functions.get(&function).filter(|known| !known.unsteady);
        let points = known.into_iter().flat_map(|known| &known.points);
        points.map(|point| (&*point.args, &point.outcome, point.number as usize))
    }

    /// The functions, in an order that is always the same.
    pub fn functions(&self) -> Vec<Mfa> {
        let mut all: Vec<Mfa> = self.functions.keys().copied().collect();
        all.sort_by_cached_key(Mfa::to_string);
        all
    }
}

impl Function {
    /// Drops the quarter that was not met for longest. Points that every run meets as it begins stay.
    fn forget(&mut self) {
        let mut ages: Vec<u64> = self.points.iter().map(|point| point.last).collect();
        ages.sort_unstable();
        let oldest = ages[ages.len() / 4];
        self.points.retain(|point| point.last > oldest);
        self.cells = self.points.iter().map(|point| point.cells).sum();
        self.outcomes.clear();
        for point in &mut self.points {
            let next = self.outcomes.len() as u32;
            point.number = *self.outcomes.entry(point.outcome.clone()).or_insert(next);
        }
        self.places = self.points.iter().enumerate().map(|(at, point)| (point.args.clone(), at)).collect();
    }
}

/// The number of terms in a term, bytes of a binary by the word; no more than `most` are counted.
pub fn cells(term: &Term, most: u64) -> u64 {
    let (mut count, mut open) = (0, vec![term]);
    while let Some(next) = open.pop() {
        count += 1;
        match next {
            _ if count >= most => return most,
            Term::Cons(_, cell) => open.extend([&cell.head, &cell.tail]),
            Term::Tuple(_, items) => open.extend(items.iter()),
            Term::Map(_, map) => open.extend(map.iter().flat_map(|(key, value)| [key, value])),
            Term::Bits(_, bits) => count += bits.byte_len() as u64 / 8,
            _ => {}
        }
    }
    count
}

/// The outcome of a call, as a term.
pub fn outcome_term(outcome: &Outcome) -> Term {
    match outcome {
        Outcome::Value(value) => Term::tuple([value.clone()]),
        Outcome::Raised(exception) => Term::tuple([Term::atom(exception.class.atom()), exception.reason.clone()]),
    }
}

impl Arena {
    /// The outcome of a call of an opaque function: `{Value}` or `{Class, Reason}`.
    pub fn opaque(&mut self, function: Mfa, args: Vec<Expr>) -> Expr {
        self.has_opaque = true;
        self.make(Node::Opaque(function, args.into()))
    }

    /// A number that a call gives, and of which there are no samples: nothing can be asked of it.
    pub fn number(&mut self, function: Mfa, args: Vec<Expr>) -> Expr {
        let call = self.make(Node::Opaque(function, args.into()));
        self.element(call, 0)
    }

    /// Returns true if there is an application of an opaque function in it.
    pub fn has_opaque(&self) -> bool {
        self.has_opaque
    }
}

impl Evaluator<'_> {
    /// The outcome of a call: a fact, or nothing that can be known here.
    pub(crate) fn sampled(&mut self, function: Mfa, args: &[Expr]) -> Result<Term, Undefined> {
        let args = self.values_of(args)?;
        match self.arena.samples.outcome(function, &args) {
            Some(outcome) => Ok(outcome.clone()),
            None => {
                self.missing.get_or_insert((function, args));
                Err(Undefined)
            }
        }
    }

    /// The first call of an opaque function that a value depends on and that was not observed.
    pub fn missing(&self) -> Option<&(Mfa, Vec<Term>)> {
        self.missing.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Atom;

    fn hash() -> Mfa {
        Mfa { module: Atom::new("m"), function: Atom::new("hash"), arity: 1 }
    }

    fn value(value: i64) -> Term {
        Term::tuple([Term::int(value)])
    }

    #[test]
    fn an_application_is_what_was_observed() {
        let mut arena = Arena::new();
        let x = arena.input(0);
        let call = arena.opaque(hash(), vec![x]);
        let result = arena.element(call, 0);
        arena.samples.learn(hash(), &[Term::int(42)], value(567));
        assert_eq!(crate::evaluate(&arena, result, &[Term::int(42)]), Ok(Term::int(567)));
        let inputs = [Term::int(43)];
        let mut evaluator = Evaluator::new(&arena, &inputs);
        assert_eq!(evaluator.value(result), Err(Undefined));
        assert_eq!(evaluator.missing(), Some(&(hash(), vec![Term::int(43)])));
    }

    #[test]
    fn a_function_with_two_outcomes_for_a_call_has_no_samples() {
        let mut samples = Samples::default();
        assert_eq!(samples.learn(hash(), &[Term::int(1)], value(2)), Learned::Fact);
        assert_eq!(samples.learn(hash(), &[Term::int(2)], value(2)), Learned::Fact);
        assert_eq!(samples.learn(hash(), &[Term::int(1)], value(3)), Learned::Unsteady);
        assert_eq!(samples.learn(hash(), &[Term::int(1)], value(2)), Learned::Unsteady);
        assert!(samples.outcome(hash(), &[Term::int(2)]).is_none() && samples.points(hash()).next().is_none());
    }

    #[test]
    fn points_that_every_run_meets_are_not_forgotten() {
        let mut samples = Samples::default();
        for round in 0..20_000 {
            samples.learn(hash(), &[Term::int(-1)], value(7));
            samples.learn(hash(), &[Term::int(round)], value(round));
        }
        let points: Vec<_> = samples.points(hash()).collect();
        assert!(points.len() <= MOST_POINTS && points[0].0 == [Term::int(-1)], "{}", points.len());
        assert!(samples.outcome(hash(), &[Term::int(19_999)]).is_some());
        assert!(samples.outcome(hash(), &[Term::int(0)]).is_none());
    }

    /// Lists of a hundred thousand elements.
    #[test]
    fn large_points_are_forgotten_before_they_are_many() {
        let mut samples = Samples::default();
        let long = Term::list((0..100_000).map(Term::int));
        for round in 0..100 {
            samples.learn(hash(), &[Term::int(round)], Term::tuple([long.clone()]));
        }
        assert!(samples.points(hash()).count() <= LEAST_POINTS);
        assert!(samples.outcome(hash(), &[Term::int(99)]).is_some());
    }
}
