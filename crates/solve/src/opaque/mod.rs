//! Conditions with opaque functions: inputs that meet them whatever the functions give where they were not observed.
//!
//! An application of a function stands for an unknown of its own. If there is no answer even then, that is a proof
//! which holds for every function. Otherwise applications are settled one by one: at a point where the function was
//! observed, together with another application of the same function, or at a new point, which the sampler observes
//! before the search goes on. First come those whose arguments nothing can change, then those that others wait for;
//! so a strategy emerges: set Y to 10, observe h(10), set X to it. Where no strategy leads, a few points more are tried:
//! undirected samples, which are counted apart.

mod guess;
mod join;
mod order;
mod rewrite;
mod sums;
#[cfg(test)]
mod tests;
mod trials;
mod walk;

use constraint::{Arena, Condition, Evaluator, Expr, Grammar, Node, RuleId, Test};
use term::{Mfa, Term};

use crate::executor::WalkStats;
use crate::query::{Answer, UnknownReason};
use order::Parts;
pub use order::{above, all_parts_of, is_met_by_sample, is_part, parts_of};
use rewrite::Settled;

/// Asks solvers, and observes opaque functions.
pub trait Sampler {
    /// The expressions, to add to.
    fn arena(&mut self) -> &mut Arena;
    /// The expressions, and the rules of inputs.
    fn terms(&self) -> (&Arena, &Grammar);
    /// The answer to a query without applications; nothing when the search is to stop.
    fn solve(&mut self, inputs: &[RuleId], conditions: &[Condition], near: &[Term]) -> Option<Answer>;
    /// Observes a function at a point: on its own, or else by a run of the program on inputs that lead there.
    fn observe(&mut self, function: Mfa, args: &[Term], inputs: &[Term]) -> Option<Term>;
    /// Returns true if nothing is known of a function: it is one of the program, or its code cannot be had.
    fn is_unknown(&mut self, function: Mfa) -> bool {
        let _ = function;
        false
    }
    /// Calls a function on its own, without adding a sample.
    fn call(&mut self, function: Mfa, args: &[Term]) -> Option<Term> {
        let _ = (function, args);
        None
    }
    /// The conditions that every outcome of a function meets, on an expression of one; more of them if it returns.
    fn certain(&mut self, function: Mfa, outcome: Expr, returns: bool) -> Vec<Condition>;
    /// Arguments like these where a function may, but need not, end with this outcome.
    fn guesses(&mut self, function: Mfa, args: &[Term], outcome: &Term) -> Vec<Vec<Term>> {
        let _ = (function, args, outcome);
        Vec::new()
    }
}

/// A query with applications of opaque functions.
#[derive(Clone, Copy)]
pub struct OpaqueQuery<'a> {
    /// The rules of the inputs.
    pub inputs: &'a [RuleId],
    /// The rule of outcomes.
    pub outcome: RuleId,
    /// The newest one last.
    pub conditions: &'a [Condition],
    /// Inputs that meet all conditions but the last.
    pub near: &'a [Term],
    /// The work it may take.
    pub limits: Limits,
}

/// The work that one query may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Questions to solvers.
    pub questions: u32,
    /// New points at which functions are observed.
    pub samples: u32,
    /// Of these, points that no strategy asks for.
    pub undirected: u32,
    /// Points that a walk may evaluate.
    pub walk: u64,
    /// New points that the sampler guesses for a wanted outcome.
    pub guesses: u32,
    /// Inputs that are tried without asking a solver, and calls of functions for these.
    pub trials: u32,
    /// Calls of functions to join what they give.
    pub joined: u32,
    /// Cells of what functions give at points that no strategy asks for: long lists are made and kept for few points only.
    pub cells: u64,
    /// Pairs of applications that a solver is asked to distinguish by their arguments.
    pub pairs: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            questions: 64,
            samples: 40,
            undirected: 24,
            walk: 600,
            guesses: 64,
            trials: 512,
            joined: 96_000,
            cells: 8_000_000,
            pairs: 6,
        }
    }
}

/// The answer to such a query.
#[derive(Clone, Debug)]
pub enum OpaqueAnswer {
    /// Inputs that meet all conditions, and how they were found.
    Sat(Vec<Term>, OpaqueStrategy),
    /// No inputs do: a proof.
    Unsat,
    /// It depends on what this function gives where it was not observed.
    Undecided(Mfa),
    /// A solver did not know.
    Unknown(UnknownReason),
    /// The search is to stop.
    Stopped,
}

/// The strategy by which inputs were found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OpaqueStrategy {
    /// The applications that were settled, in order.
    pub moves: Vec<Move>,
    /// Points at which functions were observed until then, useful or not.
    pub samples: u32,
    /// An undirected sample led there.
    pub undirected: bool,
    /// The work of the walk, if it led there.
    pub walk: Option<WalkStats>,
}

/// An application that was settled.
#[derive(Clone, PartialEq, Debug)]
pub struct Move {
    /// The function.
    pub function: Mfa,
    /// Its arguments.
    pub args: Vec<Term>,
    /// Its outcome for them.
    pub outcome: Term,
    /// It had to be observed first.
    pub new: bool,
}

/// Returns true if conditions are about opaque functions.
pub fn depends(arena: &Arena, conditions: &[Condition]) -> bool {
    !rewrite::applications(arena, conditions).is_empty()
}

/// The opaque function that the newest condition depends on, or else one that any does.
pub fn blamed(arena: &Arena, conditions: &[Condition]) -> Option<Mfa> {
    let newest = &conditions[conditions.len().saturating_sub(1)..];
    let own = rewrite::applications(arena, newest).last().copied();
    let call = own.or_else(|| rewrite::applications(arena, conditions).first().copied())?;
    match arena.node(call) {
        Node::Opaque(function, _) => Some(*function),
        _ => None,
    }
}

const NO_FUNCTION: Mfa = Mfa { module: term::known::NONE, function: term::known::NONE, arity: 0 };

/// The applications in conditions, each after those that its arguments wait for.
pub fn in_order(arena: &Arena, conditions: &[Condition]) -> Vec<Expr> {
    let mut left = rewrite::applications(arena, conditions);
    let parts = Parts::new(arena, &left, conditions);
    let mut ordered = Vec::with_capacity(left.len());
    while let Some(next) = parts.first(arena, &left, &left) {
        ordered.push(next);
        left.retain(|call| *call != next);
    }
    ordered
}

/// Solves a query; `None` if there is no application in it.
pub fn solve(sampler: &mut dyn Sampler, task: OpaqueQuery<'_>) -> Option<OpaqueAnswer> {
    let calls = rewrite::applications(sampler.arena(), task.conditions);
    if calls.is_empty() {
        return None;
    }
    let mut search = OpaqueSearch {
        parts: Parts::new(sampler.arena(), &calls, task.conditions),
        sampler,
        task,
        calls,
        left: task.limits,
        unknown: None,
        stopped: false,
    };
    Some(search.run())
}

struct OpaqueSearch<'a> {
    sampler: &'a mut dyn Sampler,
    task: OpaqueQuery<'a>,
    /// All applications, in the order they were made.
    calls: Vec<Expr>,
    parts: Parts,
    left: Limits,
    /// The reason why a solver did not know.
    unknown: Option<UnknownReason>,
    stopped: bool,
}

/// The result of settling some applications.
enum Settlement {
    Inputs(Vec<Term>, Vec<Settled>),
    /// No inputs; is that a proof?
    Nothing {
        proof: bool,
    },
}

const LOST: Settlement = Settlement::Nothing { proof: false };

/// An application whose value in a model is not the observed one.
struct Open {
    call: Expr,
    function: Mfa,
    args: Vec<Term>,
    /// Its outcome in the model.
    wanted: Option<Term>,
}

impl OpaqueSearch<'_> {
    fn run(&mut self) -> OpaqueAnswer {
        let samples = self.left.samples;
        let mut walked = None;
        let found = self.settle(&mut Vec::new());
        let (found, undirected) = match found {
            Settlement::Nothing { proof: false } if !self.stopped => {
                match self.guess_outside().or(|| self.keep_near()) {
                    Settlement::Nothing { .. } => match self.walk() {
                        (Settlement::Nothing { .. }, _) => match self.sample_undirected() {
                            Settlement::Nothing { proof: false } => (self.trials().or(|| self.join()), true),
                            found => (found, true),
                        },
                        (found, points) => {
                            walked = Some(points);
                            (found, true)
                        }
                    },
                    found => (found, false),
                }
            }
            found => (found, false),
        };
        match found {
            _ if self.stopped => OpaqueAnswer::Stopped,
            Settlement::Inputs(inputs, settled) => {
                let moves = settled.into_iter().filter_map(|it| it.shown(self.sampler.arena())).collect();
                OpaqueAnswer::Sat(
                    inputs,
                    OpaqueStrategy { moves, samples: samples - self.left.samples, undirected, walk: walked },
                )
            }
            Settlement::Nothing { proof: true } => OpaqueAnswer::Unsat,
            Settlement::Nothing { proof: false } => match self.unknown {
                Some(why) => OpaqueAnswer::Unknown(why),
                None => {
                    OpaqueAnswer::Undecided(blamed(self.sampler.arena(), self.task.conditions).unwrap_or(NO_FUNCTION))
                }
            },
        }
    }

    fn ask(&mut self, settled: &[Settled], more: &[Condition]) -> Answer {
        if self.left.questions == 0 || self.stopped {
            return Answer::Unknown(UnknownReason::Budget);
        }
        self.left.questions -= 1;
        let Some(query) = self.rewritten(settled, more) else { return Answer::Unsat };
        match self.sampler.solve(&query.inputs, &query.conditions, &query.near) {
            Some(answer) => answer,
            None => {
                self.stopped = true;
                Answer::Unknown(UnknownReason::Budget)
            }
        }
    }

    /// Returns true if inputs meet all conditions, by the samples of the functions.
    fn is_met(&mut self, inputs: &[Term]) -> bool {
        let conditions = self.task.conditions;
        let mut evaluator = Evaluator::new(self.sampler.arena(), inputs);
        conditions.iter().all(|condition| evaluator.holds(condition) == Ok(true))
    }

    /// Goes on from the applications that are settled, by strategy alone.
    fn settle(&mut self, settled: &mut Vec<Settled>) -> Settlement {
        let model = match self.ask(settled, &[]) {
            Answer::Sat(model) => model,
            Answer::Unsat => return Settlement::Nothing { proof: true },
            Answer::Unknown(why) => {
                // Later it is only one of many paths that is not known.
                self.unknown = self.unknown.or(settled.is_empty().then_some(why));
                return LOST;
            }
        };
        let inputs = &model[..self.task.inputs.len()];
        if self.is_met(inputs) {
            return Settlement::Inputs(inputs.to_vec(), settled.clone());
        }
        if let Some((call, other)) = self.forced_pair(settled, &model) {
            return self.with(settled, Settled::Beside { call, other });
        }
        let Some(open) = self.next_open(settled, &model) else { return LOST };
        let known = self.sampler.arena().samples.outcome(open.function, &open.args).cloned();
        let there = known.as_ref().map(|outcome| self.with(settled, open.at(outcome.clone(), false)));
        if let Some(found @ Settlement::Inputs(..)) = there {
            return found;
        }
        if self.is_forced(settled, &open) {
            return there.unwrap_or_else(|| self.at_new_point(settled, &open, inputs));
        }
        let found = self.at_known_points(settled, &open).or(|| self.beside(settled, &open));
        let found = found.or(|| if known.is_none() { self.at_new_point(settled, &open, inputs) } else { LOST });
        found.or(|| self.at_guesses(settled, &open, inputs)).unproved()
    }

    /// Two applications that a model has at one point with different outcomes, and whose arguments cannot differ: to
    /// have them as one leaves nothing out.
    fn forced_pair(&mut self, settled: &[Settled], model: &[Term]) -> Option<(Expr, Expr)> {
        for (call, other) in self.clashes(settled, model) {
            if self.left.pairs == 0 {
                return None;
            }
            if !self.parts.linked(self.sampler.arena(), call, other) {
                continue;
            }
            self.left.pairs -= 1;
            let (own, others) = (self.arguments(settled, call), self.arguments(settled, other));
            let apart = Condition { test: Test::Same(own, others), holds: false };
            if own == others || matches!(self.ask(settled, &[apart]), Answer::Unsat) {
                return Some((call, other));
            }
        }
        None
    }

    fn with(&mut self, settled: &mut Vec<Settled>, next: Settled) -> Settlement {
        settled.push(next);
        let found = self.settle(settled);
        settled.pop();
        found
    }

    /// Nothing can change the arguments.
    fn is_forced(&mut self, settled: &[Settled], open: &Open) -> bool {
        let other = self.elsewhere(settled, open.call, &open.args);
        self.sampler.arena().as_literal(other.1).is_some() || matches!(self.ask(settled, &[other.0]), Answer::Unsat)
    }

    /// The arguments are not these, as a condition; and the tuple of the arguments.
    fn elsewhere(&mut self, settled: &[Settled], call: Expr, args: &[Term]) -> (Condition, Expr) {
        let tuple = self.arguments(settled, call);
        let point = self.sampler.arena().literal(Term::tuple(args.to_vec()));
        (Condition { test: Test::Same(tuple, point), holds: false }, tuple)
    }

    fn at_new_point(&mut self, settled: &mut Vec<Settled>, open: &Open, inputs: &[Term]) -> Settlement {
        match self.observe(open, inputs) {
            Some(outcome) => self.with(settled, open.at(outcome, true)),
            None => LOST,
        }
    }

    fn observe(&mut self, open: &Open, inputs: &[Term]) -> Option<Term> {
        if self.left.samples == 0 || self.stopped {
            return None;
        }
        self.left.samples -= 1;
        self.sampler.observe(open.function, &open.args, inputs)
    }

    /// At the points where the function was observed, as far as its outcome there fits.
    fn at_known_points(&mut self, settled: &mut Vec<Settled>, open: &Open) -> Settlement {
        // Each takes a question, but for the one that is passed over.
        let most = self.left.questions as usize + 1;
        let points = self.fitting_points(settled, open, most);
        for (args, outcome) in points {
            if args == open.args {
                continue;
            }
            let found = self.with(settled, Settled::At { call: open.call, args, outcome, new: false });
            if matches!(found, Settlement::Inputs(..)) || self.left.questions == 0 {
                return found.unproved();
            }
        }
        LOST
    }

    /// At the same point as another application of the function that is not settled.
    fn beside(&mut self, settled: &mut Vec<Settled>, open: &Open) -> Settlement {
        for other in self.parts.beside(open.call) {
            let same =
                matches!(self.sampler.arena().node(other), Node::Opaque(function, _) if *function == open.function);
            let free = !settled.iter().any(|it| it.call() == other);
            if same && free && other != open.call {
                let (call, other) = (open.call.max(other), open.call.min(other));
                let found = self.with(settled, Settled::Beside { call, other });
                if matches!(found, Settlement::Inputs(..)) {
                    return found;
                }
            }
        }
        LOST
    }
}

impl Settlement {
    fn or(self, other: impl FnOnce() -> Settlement) -> Settlement {
        match self {
            Settlement::Inputs(..) => self,
            Settlement::Nothing { .. } => other(),
        }
    }

    /// A choice was made before, so that finding nothing proves nothing.
    fn unproved(self) -> Settlement {
        match self {
            Settlement::Inputs(..) => self,
            Settlement::Nothing { .. } => LOST,
        }
    }
}

impl Open {
    fn at(&self, outcome: Term, new: bool) -> Settled {
        Settled::At { call: self.call, args: self.args.clone(), outcome, new }
    }
}
