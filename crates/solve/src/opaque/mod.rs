//! Conditions with opaque functions: inputs that meet them whatever the functions do where nobody has looked.
//!
//! An application of a function stands for an unknown of its own. If there is no solution even then, that is a proof
//! which holds for every function. Otherwise applications are settled one by one: at a point where the function was
//! observed, together with another application of the same function, or at a new point, which the laboratory observes
//! before the search goes on. First come those whose arguments nothing can change, then those that others wait for;
//! so a strategy emerges: set Y to 10, look at h(10), set X to it. What such a strategy cannot reach is tried at a few
//! points more. That is luck, and counted as such.

mod luck;
mod order;
mod rewrite;
#[cfg(test)]
mod tests;
mod trials;
mod walk;

use constraint::{Arena, Condition, Evaluator, Expr, Grammar, Node, RuleId, Test};
use term::{Mfa, Term};

use crate::members::Walk;
use crate::query::{Answer, Unknown};
use order::Parts;
use rewrite::Settled;

/// Whoever can ask solvers, and observe functions.
pub trait Laboratory {
    fn arena(&mut self) -> &mut Arena;
    /// Expressions and rules.
    fn terms(&self) -> (&Arena, &Grammar);
    /// The answer to a query without applications; nothing when the search is to stop.
    fn solve(&mut self, inputs: &[RuleId], conditions: &[Condition], near: &[Term]) -> Option<Answer>;
    /// Observes a function at a point: on its own, or else by a run of the program on inputs that lead there.
    fn observe(&mut self, function: Mfa, args: &[Term], inputs: &[Term]) -> Option<Term>;
    /// What is certain of a function's outcomes, as conditions on an expression of one; all the more if it returns.
    fn certain(&mut self, function: Mfa, outcome: Expr, returns: bool) -> Vec<Condition>;
    /// Arguments like these where a function may end with this outcome: nothing is certain of it.
    fn guesses(&mut self, function: Mfa, args: &[Term], outcome: &Term) -> Vec<Vec<Term>> {
        let _ = (function, args, outcome);
        Vec::new()
    }
}

/// What is asked.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The rules of the inputs, and that of outcomes.
    pub inputs: &'a [RuleId],
    pub outcome: RuleId,
    /// The newest one last.
    pub conditions: &'a [Condition],
    pub near: &'a [Term],
    pub limits: Limits,
}

/// What one task may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Questions to solvers.
    pub questions: u32,
    /// New points at which functions are observed.
    pub samples: u32,
    /// Of these, points that no strategy asks for.
    pub gambles: u32,
    /// Points that a walk may look at.
    pub walk: u64,
    /// New points where somebody who knows the function would look.
    pub guesses: u32,
    /// Inputs that are tried without asking a solver, and calls of functions for these.
    pub trials: u32,
    /// Pairs of applications of which it is asked whether they have the same arguments.
    pub pairs: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { questions: 64, samples: 40, gambles: 24, walk: 600, guesses: 64, trials: 512, pairs: 6 }
    }
}

/// What came of it.
#[derive(Clone, Debug)]
pub enum Verdict {
    Inputs(Vec<Term>, Strategy),
    /// No inputs do: a proof.
    None,
    /// It depends on what a function does where nobody has looked; which function.
    Undecided(Mfa),
    Unknown(Unknown),
    /// The search is to stop.
    Stopped,
}

/// How inputs were found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Strategy {
    pub moves: Vec<Move>,
    /// Points at which functions were observed on the way, whether they helped or not.
    pub samples: u32,
    /// No strategy led there, but luck.
    pub gamble: bool,
    /// What the walk did, if it led there.
    pub walk: Option<Walk>,
}

/// An application was settled.
#[derive(Clone, PartialEq, Debug)]
pub struct Move {
    pub function: Mfa,
    pub args: Vec<Term>,
    pub outcome: Term,
    /// It had to be observed first.
    pub new: bool,
}

/// Whether conditions are about opaque functions.
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

const NOBODY: Mfa = Mfa { module: term::known::NONE, function: term::known::NONE, arity: 0 };

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

/// The parts of inputs in an expression, but not those in the arguments of applications.
pub fn parts_of(arena: &Arena, expr: Expr) -> Vec<Expr> {
    order::parts_of(arena, expr)
}

/// Solves a task; `None` if there is no application in it.
pub fn solve(lab: &mut dyn Laboratory, task: Task<'_>) -> Option<Verdict> {
    let calls = rewrite::applications(lab.arena(), task.conditions);
    if calls.is_empty() {
        return None;
    }
    let mut search = Search {
        parts: Parts::new(lab.arena(), &calls, task.conditions),
        lab,
        task,
        calls,
        left: task.limits,
        unknown: None,
        stopped: false,
    };
    Some(search.run())
}

struct Search<'a> {
    lab: &'a mut dyn Laboratory,
    task: Task<'a>,
    /// All applications; what was made earlier comes first.
    calls: Vec<Expr>,
    parts: Parts,
    left: Limits,
    /// What a solver did not know.
    unknown: Option<Unknown>,
    stopped: bool,
}

/// What came of settling some applications.
enum Found {
    Inputs(Vec<Term>, Vec<Settled>),
    /// Nothing; whether that is a proof.
    Nothing {
        proof: bool,
    },
}

const LOST: Found = Found::Nothing { proof: false };

/// An application whose value in a model is not what is known of it.
struct Open {
    call: Expr,
    function: Mfa,
    args: Vec<Term>,
    /// How the model has it end.
    wanted: Option<Term>,
}

impl Search<'_> {
    fn run(&mut self) -> Verdict {
        let samples = self.left.samples;
        let mut walked = None;
        let found = self.settle(&mut Vec::new());
        let (found, gamble) = match found {
            Found::Nothing { proof: false } if !self.stopped => match self.keep_near() {
                Found::Nothing { .. } => match self.walk() {
                    (Found::Nothing { .. }, _) => match self.gamble() {
                        Found::Nothing { proof: false } => (self.trials(), true),
                        found => (found, true),
                    },
                    (found, points) => {
                        walked = Some(points);
                        (found, true)
                    }
                },
                found => (found, false),
            },
            found => (found, false),
        };
        match found {
            _ if self.stopped => Verdict::Stopped,
            Found::Inputs(inputs, settled) => {
                let moves = settled.into_iter().filter_map(|it| it.shown(self.lab.arena())).collect();
                Verdict::Inputs(inputs, Strategy { moves, samples: samples - self.left.samples, gamble, walk: walked })
            }
            Found::Nothing { proof: true } => Verdict::None,
            Found::Nothing { proof: false } => match self.unknown {
                Some(why) => Verdict::Unknown(why),
                None => Verdict::Undecided(blamed(self.lab.arena(), self.task.conditions).unwrap_or(NOBODY)),
            },
        }
    }

    fn ask(&mut self, settled: &[Settled], more: &[Condition]) -> Answer {
        if self.left.questions == 0 || self.stopped {
            return Answer::Unknown(Unknown::Budget);
        }
        self.left.questions -= 1;
        let Some(query) = self.rewritten(settled, more) else { return Answer::Unsat };
        match self.lab.solve(&query.inputs, &query.conditions, &query.near) {
            Some(answer) => answer,
            None => {
                self.stopped = true;
                Answer::Unknown(Unknown::Budget)
            }
        }
    }

    /// Whether inputs meet all conditions, by what is known of the functions.
    fn is_met(&mut self, inputs: &[Term]) -> bool {
        let conditions = self.task.conditions;
        let mut evaluator = Evaluator::new(self.lab.arena(), inputs);
        conditions.iter().all(|condition| evaluator.holds(condition) == Ok(true))
    }

    /// Goes on from what is settled, without luck.
    fn settle(&mut self, settled: &mut Vec<Settled>) -> Found {
        let model = match self.ask(settled, &[]) {
            Answer::Sat(model) => model,
            Answer::Unsat => return Found::Nothing { proof: true },
            Answer::Unknown(why) => {
                // Later it is only one of many ways that is not known.
                self.unknown = self.unknown.or(settled.is_empty().then_some(why));
                return LOST;
            }
        };
        let inputs = &model[..self.task.inputs.len()];
        if self.is_met(inputs) {
            return Found::Inputs(inputs.to_vec(), settled.clone());
        }
        if let Some((call, other)) = self.forced_pair(settled, &model) {
            return self.with(settled, Settled::Beside { call, other });
        }
        let Some(open) = self.next_open(settled, &model) else { return LOST };
        let known = self.lab.arena().samples.outcome(open.function, &open.args).cloned();
        let there = known.as_ref().map(|outcome| self.with(settled, open.at(outcome.clone(), false)));
        if let Some(found @ Found::Inputs(..)) = there {
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
            if !self.parts.linked(self.lab.arena(), call, other) {
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

    fn with(&mut self, settled: &mut Vec<Settled>, next: Settled) -> Found {
        settled.push(next);
        let found = self.settle(settled);
        settled.pop();
        found
    }

    /// Nothing can change the arguments.
    fn is_forced(&mut self, settled: &[Settled], open: &Open) -> bool {
        let other = self.elsewhere(settled, open.call, &open.args);
        self.lab.arena().as_literal(other.1).is_some() || matches!(self.ask(settled, &[other.0]), Answer::Unsat)
    }

    /// The arguments are not these, as a condition; and the tuple of the arguments.
    fn elsewhere(&mut self, settled: &[Settled], call: Expr, args: &[Term]) -> (Condition, Expr) {
        let tuple = self.arguments(settled, call);
        let point = self.lab.arena().literal(Term::tuple(args.to_vec()));
        (Condition { test: Test::Same(tuple, point), holds: false }, tuple)
    }

    fn at_new_point(&mut self, settled: &mut Vec<Settled>, open: &Open, inputs: &[Term]) -> Found {
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
        self.lab.observe(open.function, &open.args, inputs)
    }

    /// At the points where the function was observed, as far as what it gave there fits.
    fn at_known_points(&mut self, settled: &mut Vec<Settled>, open: &Open) -> Found {
        // Each takes a question, but for the one that is passed over.
        let most = self.left.questions as usize + 1;
        let points = self.fitting_points(settled, open, most);
        for (args, outcome) in points {
            if args == open.args {
                continue;
            }
            let found = self.with(settled, Settled::At { call: open.call, args, outcome, new: false });
            if matches!(found, Found::Inputs(..)) || self.left.questions == 0 {
                return found.unproved();
            }
        }
        LOST
    }

    /// At the same point as another application of the function that is not settled.
    fn beside(&mut self, settled: &mut Vec<Settled>, open: &Open) -> Found {
        for other in self.parts.beside(open.call) {
            let same = matches!(self.lab.arena().node(other), Node::Opaque(function, _) if *function == open.function);
            let free = !settled.iter().any(|it| it.call() == other);
            if same && free && other != open.call {
                let (call, other) = (open.call.max(other), open.call.min(other));
                let found = self.with(settled, Settled::Beside { call, other });
                if matches!(found, Found::Inputs(..)) {
                    return found;
                }
            }
        }
        LOST
    }
}

impl Found {
    fn or(self, other: impl FnOnce() -> Found) -> Found {
        match self {
            Found::Inputs(..) => self,
            Found::Nothing { .. } => other(),
        }
    }

    /// Something was chosen on the way, so that finding nothing proves nothing.
    fn unproved(self) -> Found {
        match self {
            Found::Inputs(..) => self,
            Found::Nothing { .. } => LOST,
        }
    }
}

impl Open {
    fn at(&self, outcome: Term, new: bool) -> Settled {
        Settled::At { call: self.call, args: self.args.clone(), outcome, new }
    }
}
