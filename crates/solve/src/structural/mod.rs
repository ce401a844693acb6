//! The structural member: it decides shapes itself and leaves integers to an integer solver.
//!
//! Conditions are posted to a [`store`](store::Store), which draws what follows from them: which terms are the same,
//! which shapes of their rules are left, which integers stand in which relation. What nothing decides is chosen, the
//! likeliest first, and taken back on a contradiction. `Answer::Unsat` is said only when every choice failed and
//! none left anything out.

mod accept;
mod bits;
mod bits_choice;
mod choice;
mod closure;
mod complete_maps;
mod domains;
mod encode;
mod expand;
mod floats;
mod funs;
mod ground;
mod lengths;
mod map_choice;
mod map_operations;
mod maps;
mod names;
mod numeric;
mod orders;
mod previous;
mod production;
mod propagators;
mod size_choice;
mod smallest;
mod store;

pub use accept::{accepts, fields_accept};
pub use smallest::smallest;

use constraint::GrammarHash;
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use term::{Term, cut};

use choice::{Choice, Refinement};
use domains::Domains;
use encode::Encoder;
use numeric::{NumericConstraints, Solution};
use store::{Conflict, Context, NodeId, Step, Store};

use crate::float;
use crate::integer::IntegerSolver;
use crate::query::{Answer, Budget, Query, UnknownReason};

/// The structural member, over an integer solver.
pub struct Structural<S> {
    integers: S,
    /// Domains of the grammar of the latest query.
    domains: Option<(GrammarHash, Domains)>,
    /// True if the integer solver did not know something in the latest query.
    is_stumped: bool,
}

/// Cells that lengths may make in one query.
const CELLS: u64 = 1 << 20;
/// Nodes of all stores to go back to.
const KEPT: usize = 1 << 20;
/// Looks at undecided conditions in one query.
const EXAMINATIONS: u64 = 1 << 24;

impl<S: IntegerSolver> Structural<S> {
    /// A solver that leaves integers to another.
    pub fn new(integers: S) -> Structural<S> {
        Structural { integers, domains: None, is_stumped: false }
    }

    /// Returns true if a better integer solver could make a difference to the latest answer: one that knows no less,
    /// and says the same where this one knew, leads a search alike until then.
    pub fn is_stumped(&self) -> bool {
        self.is_stumped
    }

    /// The integer solver.
    pub fn integers(&mut self) -> &mut S {
        &mut self.integers
    }

    fn context(&mut self, query: &Query<'_>) -> Context {
        let domains = match self.domains.take() {
            Some((known, domains)) if known == query.grammar.hash() => domains,
            _ => Domains::new(query.grammar),
        };
        Context { domains, cut: None, cells: CELLS, examinations: EXAMINATIONS }
    }

    /// Solves a query.
    pub fn solve(&mut self, query: &Query<'_>, budget: &Budget) -> Answer {
        let cx = self.context(query);
        // Who breaks down may have known less than it seemed.
        self.is_stumped = true;
        let integers = &mut self.integers;
        let mut search = Backtracking { query, budget, cx, integers, frames: Vec::new(), tried: 0, is_stumped: false };
        let answer = search.run();
        self.is_stumped = search.is_stumped;
        self.domains = Some((query.grammar.hash(), search.cx.domains));
        answer
    }
}

/// Steps of work of a round of propagation for each node.
const NODE_WORK: u32 = 50;

/// A store to go back to, and what is still to be tried there.
struct ChoicePoint {
    store: Store,
    solution: Solution,
    choice: std::vec::IntoIter<Vec<Refinement>>,
}

struct Backtracking<'a, S> {
    query: &'a Query<'a>,
    budget: &'a Budget,
    cx: Context,
    integers: &'a mut S,
    frames: Vec<ChoicePoint>,
    tried: u64,
    is_stumped: bool,
}

impl<S: IntegerSolver> Backtracking<'_, S> {
    fn run(&mut self) -> Answer {
        let mut next = self.start().map(|store| (store, Solution::default())).ok();
        loop {
            let Some((store, solution)) = next.or_else(|| self.back()) else {
                return self.cx.cut.map_or(Answer::Unsat, Answer::Unknown);
            };
            cut::work(100);
            if self.tried > self.budget.choices {
                return Answer::Unknown(UnknownReason::Budget);
            }
            match self.advance(store, solution) {
                Ok(Some(inputs)) => match self.checked(inputs) {
                    // What was left out may have been what these inputs fail.
                    Answer::Unknown(_) if self.cx.cut.is_some() => next = None,
                    answer => return answer,
                },
                Ok(None) | Err(Conflict) => next = None,
            }
        }
    }

    fn start(&mut self) -> Step<Store> {
        let mut store = Store::default();
        for (at, rule) in self.query.inputs.iter().enumerate() {
            let dom = self.cx.domains.of_rule(*rule);
            let input = store.fresh(&mut self.cx, &[dom], self.query.near.get(at).cloned())?;
            store.inputs.push(input);
        }
        let mut encoder = Encoder { arena: self.query.arena, nodes: FxHashMap::default() };
        for condition in self.query.conditions {
            encoder.encode(&mut store, &mut self.cx, condition)?;
            store.close(&mut self.cx)?;
        }
        Ok(store)
    }

    /// The next alternative of the latest choice that has one.
    fn back(&mut self) -> Option<(Store, Solution)> {
        loop {
            let frame = self.frames.last_mut()?;
            let Some(posts) = frame.choice.next() else {
                self.frames.pop();
                continue;
            };
            // A choice in a large store costs as much as several in a small one.
            self.tried += 1 + frame.store.len() as u64 / 64;
            if self.tried > self.budget.choices {
                return Some((Store::default(), Solution::default()));
            }
            let is_last = frame.choice.len() == 0;
            let (mut store, solution) = match is_last.then(|| self.frames.pop()).flatten() {
                Some(frame) => (frame.store, frame.solution),
                None => {
                    let frame = self.frames.last()?;
                    (frame.store.clone(), frame.solution.clone())
                }
            };
            if posts.iter().try_for_each(|post| store.apply(&mut self.cx, post)).is_ok() {
                return Some((store, solution));
            }
        }
    }

    /// Draws all consequences; then there are inputs, or a choice to make.
    fn advance(&mut self, mut store: Store, mut solution: Solution) -> Step<Option<Vec<Term>>> {
        store.propagate(&mut self.cx)?;
        if !store.is_finite() {
            return Err(Conflict);
        }
        self.solve_integers(&mut store, &mut solution)?;
        match store.choice(&mut self.cx, &solution)? {
            Some(choice) => {
                self.push(store, solution, choice);
                Ok(None)
            }
            None => match store.ground(&mut self.cx, &solution)? {
                Ok(inputs) => Ok(Some(inputs)),
                Err(clash) => {
                    self.push(store, solution, clash.choice());
                    Ok(None)
                }
            },
        }
    }

    fn push(&mut self, store: Store, solution: Solution, choice: Choice) {
        if self.frames.iter().map(|frame| frame.store.len()).sum::<usize>() > KEPT {
            return self.cx.leave_out(UnknownReason::Budget);
        }
        if choice.leaves_out {
            self.cx.leave_out(UnknownReason::Unsupported);
        }
        self.frames.push(ChoicePoint { store, solution, choice: choice.alternatives.into_iter() });
    }

    fn solve_integers(&mut self, store: &mut Store, solution: &mut Solution) -> Step {
        loop {
            let Some(asked) = store.ask(&mut self.cx)? else {
                solution.clear();
                return Ok(());
            };
            // Bounds on lengths may have decided something.
            if store.has_work() {
                store.propagate(&mut self.cx)?;
                continue;
            }
            let mut floats = FxHashMap::default();
            let found = self.solve_floats(&asked, &mut floats)?;
            if let Some(still) =
                (!solution.is_empty() && asked.floats.is_empty()).then(|| asked.still(solution)).flatten()
            {
                *solution = still;
                return Ok(());
            }
            return match self.integers.solve(&asked.problem, self.budget) {
                Answer::Sat(mut values) => {
                    found.into_iter().for_each(|(at, value)| values[at] = value);
                    *solution = self.cx.some(asked.solution(&values), UnknownReason::Wrong)?;
                    solution.floats = floats;
                    Ok(())
                }
                Answer::Unsat => Err(Conflict),
                Answer::Unknown(why) => {
                    self.is_stumped = true;
                    self.cx.give_up(why)
                }
            };
        }
    }

    /// Values of floats, and of the integers that hang together with them.
    fn solve_floats(
        &mut self,
        asked: &NumericConstraints,
        floats: &mut FxHashMap<NodeId, f64>,
    ) -> Step<Vec<(usize, BigInt)>> {
        let mut found = Vec::new();
        let mut unknown = None;
        for part in &asked.floats {
            match float::solve(&part.problem, self.budget) {
                Answer::Sat(values) => {
                    let all = part.problem.evaluated(&values).unwrap_or_default();
                    floats.extend(part.nodes.iter().filter_map(|(id, at)| match all.get(*at) {
                        Some(Term::Float(_, value)) => Some((*id, *value)),
                        _ => None,
                    }));
                    let integer = |(to, at): &(usize, usize)| Some((*to, values.get(*at)?.as_bigint()?));
                    found.extend(part.integers.iter().filter_map(integer));
                }
                Answer::Unsat => return Err(Conflict),
                Answer::Unknown(why) => unknown = unknown.or(Some(why)),
            }
        }
        unknown.map_or(Ok(found), |why| self.cx.give_up(why))
    }

    fn checked(&self, inputs: Vec<Term>) -> Answer {
        let rules = self.query.inputs.iter().zip(&inputs);
        let fits = rules.into_iter().all(|(rule, input)| accepts(self.query.grammar, *rule, input));
        if fits && self.query.is_met_simplified_by(&inputs) {
            Answer::Sat(inputs)
        } else {
            Answer::Unknown(UnknownReason::Wrong)
        }
    }
}

impl Store {
    /// Draws all consequences of everything known.
    fn propagate(&mut self, cx: &mut Context) -> Step {
        loop {
            // A round looks at all that the store has; one with maps is slow.
            cut::work(u32::try_from(self.len()).unwrap_or(u32::MAX).saturating_mul(NODE_WORK));
            self.close(cx)?;
            let decided = self.decide(cx)?;
            let restless = self.has_work();
            self.close(cx)?;
            self.propagate_measures(cx)?;
            self.propagate_joins(cx)?;
            if !self.names.is_empty() {
                self.propagate_names(cx)?;
            }
            let acted = !self.maps.is_empty() && self.propagate_maps(cx)?;
            let ordered = self.propagate_orders()?;
            if !decided && !acted && !ordered && !restless && !self.has_work() {
                return Ok(());
            }
        }
    }
}
