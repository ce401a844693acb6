//! Queries without applications: the settled ones replaced by their outcome, the others by unknowns.

use std::collections::hash_map::Entry;

use constraint::{Arena, Condition, Evaluator, Expr, Node, Replacements, RuleId, Test, ValueCache};
use rustc_hash::FxHashMap;
use term::{Mfa, Term};

use super::{Move, OpaqueSearch, Open};

/// An application that is settled.
#[derive(Clone, Debug)]
pub enum Settled {
    /// At a point where the function was observed.
    At { call: Expr, args: Vec<Term>, outcome: Term, new: bool },
    /// At the same point as another one.
    Beside { call: Expr, other: Expr },
}

impl Settled {
    /// The application.
    pub fn call(&self) -> Expr {
        match self {
            Settled::At { call, .. } | Settled::Beside { call, .. } => *call,
        }
    }

    fn outcome(&self) -> Option<(Expr, Term)> {
        match self {
            Settled::At { call, outcome, .. } => Some((*call, outcome.clone())),
            Settled::Beside { .. } => None,
        }
    }

    /// The move that settled it, if it was one of its own.
    pub fn shown(self, arena: &Arena) -> Option<Move> {
        let Settled::At { call, args, outcome, new } = self else { return None };
        let Node::Opaque(function, _) = *arena.node(call) else { return None };
        Some(Move { function, args, outcome, new })
    }
}

/// The applications in conditions, in the order they were made: none is part of one before it.
pub fn applications(arena: &Arena, conditions: &[Condition]) -> Vec<Expr> {
    let mut found = Vec::new();
    arena.visit(conditions.iter().flat_map(|condition| condition.test.exprs()), |expr, node| {
        found.extend(matches!(node, Node::Opaque(..)).then_some(expr));
        true
    });
    found.sort_unstable();
    found
}

/// A query without applications.
pub struct Rewritten {
    /// The rules of the inputs and of the unknowns.
    pub inputs: Vec<RuleId>,
    /// The conditions.
    pub conditions: Vec<Condition>,
    /// The values to start from.
    pub near: Vec<Term>,
}

impl OpaqueSearch<'_> {
    /// The replacement of each application, and those that have an unknown of their own, in order.
    fn stand_ins(&mut self, settled: &[Settled]) -> (Replacements, Vec<Expr>) {
        let (mut with, mut free) = (Replacements::default(), Vec::new());
        let base = self.task.inputs.len();
        for call in self.calls.clone() {
            let arena = self.sampler.arena();
            let known = settled.iter().find(|it| it.call() == call);
            let other = match known {
                Some(Settled::At { outcome, .. }) => arena.literal(outcome.clone()),
                Some(Settled::Beside { other, .. }) => with.get(other).copied().unwrap_or(*other),
                None => {
                    free.push(call);
                    arena.input((base + free.len() - 1) as u32)
                }
            };
            with.insert(call, other);
        }
        (with, free)
    }

    /// `None` if some condition cannot be met, whatever the inputs are.
    pub fn rewritten(&mut self, settled: &[Settled], more: &[Condition]) -> Option<Rewritten> {
        let (mut with, free) = self.stand_ins(settled);
        let mut conditions = more.to_vec();
        for it in settled {
            self.tie(it, &mut with, &mut conditions);
        }
        for call in &free {
            let (Node::Opaque(function, _), Some(unknown)) = (self.sampler.arena().node(*call).clone(), with.get(call))
            else {
                continue;
            };
            // Where a call raises, that is among the conditions.
            let raises = Condition { test: Test::Tuple(*call, 1), holds: false };
            let returns = !self.task.conditions.contains(&raises);
            conditions.extend(self.sampler.certain(function, *unknown, returns));
        }
        let own = self.task.conditions;
        let arena = self.sampler.arena();
        conditions.extend(own.iter().map(|condition| arena.replaced_condition(condition, &mut with)));
        let mut kept = Vec::with_capacity(conditions.len());
        for condition in conditions {
            match truth(arena, &condition) {
                Some(true) => {}
                Some(false) => return None,
                None => kept.push(condition),
            }
        }
        let inputs = self.task.inputs.iter().copied().chain(free.iter().map(|_| self.task.outcome)).collect();
        Some(Rewritten { inputs, conditions: kept, near: self.near(&free) })
    }

    /// The arguments are those of the point, or those of the other application.
    fn tie(&mut self, settled: &Settled, with: &mut Replacements, conditions: &mut Vec<Condition>) {
        let arena = self.sampler.arena();
        let Node::Opaque(_, own) = arena.node(settled.call()).clone() else { return };
        let others: Vec<Expr> = match settled {
            Settled::At { args, .. } => args.iter().map(|arg| arena.literal(arg.clone())).collect(),
            Settled::Beside { other, .. } => match arena.node(*other).clone() {
                Node::Opaque(_, args) => args.iter().map(|arg| arena.replaced(*arg, with)).collect(),
                _ => return,
            },
        };
        for (own, other) in own.iter().zip(others) {
            let own = arena.replaced(*own, with);
            if own != other {
                conditions.push(Condition { test: Test::Same(own, other), holds: true });
            }
        }
    }

    /// The inputs to start from, and the values of the applications for them.
    fn near(&mut self, free: &[Expr]) -> Vec<Term> {
        let inputs = self.task.near;
        let mut evaluator = Evaluator::new(self.sampler.arena(), inputs);
        let outcomes = free.iter().map(|call| evaluator.value(*call).unwrap_or_else(|_| Term::tuple([Term::int(0)])));
        inputs.iter().cloned().chain(outcomes).collect()
    }

    /// The tuple of an application's arguments.
    pub fn arguments(&mut self, settled: &[Settled], call: Expr) -> Expr {
        let (mut with, _) = self.stand_ins(settled);
        tuple_of(self.sampler.arena(), call, &mut with)
    }

    /// The application to settle next: one whose value is not the observed one, or was not observed.
    pub fn next_open(&mut self, settled: &[Settled], model: &[Term]) -> Option<Open> {
        let (mut with, free) = self.stand_ins(settled);
        let (first, arena) = (self.task.inputs.len(), self.sampler.arena());
        let tuples: Vec<Expr> = free.iter().map(|call| tuple_of(arena, *call, &mut with)).collect();
        let mut evaluator = Evaluator::new(arena, model);
        let mut opens = Vec::with_capacity(free.len());
        for ((call, tuple), at) in free.iter().zip(tuples).zip(first..) {
            let Node::Opaque(function, _) = *arena.node(*call) else { continue };
            let args = evaluator.value(tuple).ok().and_then(|args| Some(args.as_tuple()?.to_vec()));
            let wanted = model.get(at).cloned();
            let wrong = args.as_ref().is_none_or(|args| arena.samples.outcome(function, args) != wanted.as_ref());
            opens.push((Open { call: *call, function, args: args.unwrap_or_default(), wanted }, wrong));
        }
        let wrong: Vec<Expr> = opens.iter().filter(|(_, wrong)| *wrong).map(|(open, _)| open.call).collect();
        let call = self.parts.first(arena, &wrong, &free)?;
        let open = opens.into_iter().find(|(open, _)| open.call == call)?.0;
        (open.args.len() == usize::from(open.function.arity)).then_some(open)
    }

    /// An application where a model has it; without one, the next to settle.
    pub fn open_at(&mut self, settled: &[Settled], model: &[Term], call: Option<Expr>) -> Option<Open> {
        let Some(call) = call else { return self.next_open(settled, model) };
        let tuple = self.arguments(settled, call);
        let arena = self.sampler.arena();
        let Node::Opaque(function, _) = *arena.node(call) else { return None };
        let args = constraint::evaluate(arena, tuple, model).ok()?;
        Some(Open { call, function, args: args.as_tuple()?.to_vec(), wanted: None })
    }

    /// Pairs of applications of one function that a model has at one point, but not with one outcome.
    #[expect(clippy::mutable_key_type, reason = "what a map caches of itself counts for nothing in a key")]
    pub fn clashes(&mut self, settled: &[Settled], model: &[Term]) -> Vec<(Expr, Expr)> {
        let (mut with, free) = self.stand_ins(settled);
        let (first, arena) = (self.task.inputs.len(), self.sampler.arena());
        let tuples: Vec<Expr> = free.iter().map(|call| tuple_of(arena, *call, &mut with)).collect();
        let mut evaluator = Evaluator::new(arena, model);
        let mut seen: FxHashMap<(Mfa, Term), (Expr, usize)> = FxHashMap::default();
        let mut pairs = Vec::new();
        for ((call, tuple), at) in free.iter().zip(tuples).zip(first..) {
            let (Node::Opaque(function, _), Ok(args)) = (arena.node(*call), evaluator.value(tuple)) else { continue };
            match seen.entry((*function, args)) {
                Entry::Vacant(place) => drop(place.insert((*call, at))),
                Entry::Occupied(place) => {
                    let (other, before) = *place.get();
                    if model.get(before) != model.get(at) {
                        pairs.push((*call, other));
                    }
                }
            }
        }
        pairs
    }

    /// The observed points of an application's function that fit the settled ones, as far as no input matters; first
    /// one for each outcome. No more than so many.
    pub fn fitting_points(&mut self, settled: &[Settled], open: &Open, most: usize) -> Vec<(Vec<Term>, Term)> {
        let mut fits = Fits::new(self, settled, open.call);
        let points = fits.arena.samples.numbered_points(open.function);
        let (mut first, mut more) = (Vec::new(), Vec::new());
        let mut known: Vec<Option<bool>> = Vec::new();
        for (args, outcome, number) in points {
            if first.len() >= most {
                break;
            }
            known.resize(known.len().max(number + 1), None);
            let place = if known[number].is_none() { &mut first } else { &mut more };
            if *known[number].get_or_insert_with(|| fits.outcome(outcome)) && place.len() < most {
                place.push((args.to_vec(), outcome.clone()));
            }
        }
        first.extend(more);
        first.truncate(most);
        first
    }

    /// Returns true if an outcome fits, in the same sense.
    pub fn fits(&mut self, settled: &[Settled], call: Expr, outcome: &Term) -> bool {
        Fits::new(self, settled, call).outcome(outcome)
    }
}

/// The conditions on nothing but one application and others that are settled.
struct Fits<'a> {
    arena: &'a Arena,
    conditions: Vec<&'a Condition>,
    known: Vec<(Expr, Term)>,
    call: Expr,
}

impl<'a> Fits<'a> {
    fn new(search: &'a mut OpaqueSearch<'_>, settled: &[Settled], call: Expr) -> Fits<'a> {
        let known: Vec<(Expr, Term)> = settled.iter().filter_map(Settled::outcome).collect();
        let closed = search.parts.closed(call, |other| known.iter().any(|(it, _)| it == other));
        let all = search.task.conditions;
        // The newest one is new to most outcomes.
        let conditions = closed.into_iter().rev().map(|at| &all[at]).collect();
        Fits { conditions, arena: search.sampler.arena(), known, call }
    }

    fn outcome(&mut self, outcome: &Term) -> bool {
        let own = [(self.call, outcome.clone())].into_iter();
        let values = self.known.iter().cloned().chain(own).map(|(call, outcome)| (call, Ok(outcome)));
        let mut evaluator = Evaluator::resume(self.arena, &[], ValueCache::from_iter(values));
        let failed = self.conditions.iter().position(|condition| evaluator.holds(condition) != Ok(true));
        // Where one outcome fails others fail as well: that condition is the first to be asked then.
        if let Some(at) = failed {
            self.conditions[..=at].rotate_right(1);
        }
        failed.is_none()
    }
}

/// The tuple of an application's arguments, with the replacements of others.
fn tuple_of(arena: &mut Arena, call: Expr, with: &mut Replacements) -> Expr {
    let Node::Opaque(_, args) = arena.node(call).clone() else { return call };
    let args = args.iter().map(|arg| arena.replaced(*arg, with)).collect();
    arena.tuple(args)
}

/// Returns whether a condition on constants holds; `None` if it is on others.
fn truth(arena: &Arena, condition: &Condition) -> Option<bool> {
    if let Test::Same(a, b) | Test::Equal(a, b) = condition.test
        && a == b
    {
        return Some(condition.holds);
    }
    let constant = condition.test.exprs().all(|expr| arena.as_literal(expr).is_some());
    constant.then(|| constraint::holds(arena, condition, &[]) == Ok(true))
}
