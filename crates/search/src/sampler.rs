//! The sampler of a search: observes opaque functions by calls of their own or by runs of the program.

use constraint::{Arena, Condition, Expr, Grammar, RuleId, Stimulus, Test};
use ops::opaque::{guesses, inverse};
use ops::{Gives, Returns};
use solve::opaque::{Limits, OpaqueAnswer, OpaqueQuery, Sampler};
use solve::{Answer, Budget, Executor, Query};
use term::{Mfa, Term};

use crate::subject::{ConcolicRun, TestSubject};

/// A program and a solver, with the limits of observing.
pub struct SubjectSampler<'a> {
    /// The program.
    pub subject: &'a mut dyn TestSubject,
    /// The solver.
    pub solver: &'a mut dyn Executor,
    /// The budget of each query.
    pub budget: &'a Budget,
    /// Asked before each step.
    pub go_on: &'a mut dyn FnMut() -> bool,
    /// Runs that were needed to observe a function where it cannot be called on its own.
    pub runs: Vec<(Stimulus, ConcolicRun)>,
    /// The schedule of those runs.
    pub schedule: Vec<u32>,
    /// The most of those runs.
    pub most_runs: usize,
}

/// Expressions that strategies may make in one search: the search itself needs some too.
const MOST_EXPRESSIONS: usize = 2_000_000;

impl SubjectSampler<'_> {
    /// Solves conditions; `None` if no opaque function is in them.
    pub fn solve(
        &mut self,
        inputs: &[RuleId],
        conditions: &[Condition],
        near: &[Term],
        limits: Limits,
    ) -> Option<OpaqueAnswer> {
        let outcome = self.subject.outcome_rule().filter(|_| self.subject.arena().has_opaque())?;
        let small = self.subject.arena().len() < MOST_EXPRESSIONS;
        let limits = if small {
            limits
        } else {
            Limits {
                questions: 1,
                samples: 0,
                undirected: 0,
                walk: 0,
                guesses: 0,
                trials: 0,
                joined: 0,
                cells: 0,
                pairs: 0,
            }
        };
        solve::opaque::solve(self, OpaqueQuery { inputs, outcome, conditions, near, limits })
    }
}

impl Sampler for SubjectSampler<'_> {
    fn arena(&mut self) -> &mut Arena {
        self.subject.arena_mut()
    }

    fn terms(&self) -> (&Arena, &Grammar) {
        (self.subject.arena(), self.subject.grammar())
    }

    fn solve(&mut self, inputs: &[RuleId], conditions: &[Condition], near: &[Term]) -> Option<Answer> {
        if !(self.go_on)() {
            return None;
        }
        let query = Query { arena: self.subject.arena(), grammar: self.subject.grammar(), inputs, conditions, near };
        let response = self.solver.execute(&[query], self.budget, self.go_on).pop().flatten();
        response.map(|response| response.answer)
    }

    fn observe(&mut self, function: Mfa, args: &[Term], inputs: &[Term]) -> Option<Term> {
        if !(self.go_on)() || self.subject.arena().samples.is_unsteady(function) {
            return None;
        }
        self.subject.sample(function, args);
        if self.known(function, args).is_none() && self.runs.len() < self.most_runs {
            let stimulus = Stimulus { inputs: inputs.to_vec(), schedule: self.schedule.clone() };
            let run = self.subject.run(&stimulus);
            self.runs.push((stimulus, run));
        }
        self.known(function, args)
    }

    fn guesses(&mut self, function: Mfa, args: &[Term], outcome: &Term) -> Vec<Vec<Term>> {
        let inverted = self.inverted(function, args, outcome);
        inverted.into_iter().chain(guesses(function, args, outcome, &|compiled| self.source(compiled))).collect()
    }

    fn is_unknown(&mut self, function: Mfa) -> bool {
        ops::find(function).is_none()
    }

    fn call(&mut self, function: Mfa, args: &[Term]) -> Option<Term> {
        let is_over = !(self.go_on)();
        let samples = &self.subject.arena().samples;
        if is_over || samples.is_unsteady(function) || samples.is_stateful(function) {
            return None;
        }
        self.subject.outcome(function, args)
    }

    fn certain(&mut self, function: Mfa, outcome: Expr, returns: bool) -> Vec<Condition> {
        let Some(known) = ops::find(function).filter(|known| known.returns == Returns::Always || returns) else {
            return Vec::new();
        };
        let arena = self.subject.arena_mut();
        let mut certain = Vec::new();
        let mut add = |test, holds| certain.push(Condition { test, holds });
        add(Test::Tuple(outcome, 1), true);
        let value = arena.element(outcome, 0);
        if let Some(kind) = known.gives.kind() {
            add(Test::Type(value, kind), true);
        }
        match known.gives {
            Gives::Between(low, high) => {
                let (low, high) = (arena.integer(low), arena.integer(high));
                add(Test::Less(value, low), false);
                add(Test::Less(high, value), false);
            }
            Gives::Bytes(count) => {
                let (size, bits) = (arena.bit_size(value), arena.integer(8 * i64::from(count)));
                add(Test::Same(size, bits), true);
            }
            _ => {}
        }
        certain
    }
}

impl SubjectSampler<'_> {
    /// Arguments at which a function gives a value, by the function that undoes it: as a binary or as a list, whichever the
    /// function had. That the function gives anything at all may be all that is wanted: then it need not take that very
    /// value.
    fn inverted(&mut self, function: Mfa, args: &[Term], outcome: &Term) -> Vec<Vec<Term>> {
        let (Some([value]), Some(inverse)) = (outcome.as_tuple(), inverse(function)) else { return Vec::new() };
        let Some((first, options)) = args.split_first() else { return Vec::new() };
        let mut found = Vec::new();
        for value in [value.clone(), Term::binary([]), Term::nil()] {
            let outcome = self.subject.outcome(inverse, &[value]);
            if let Some([given]) = outcome.as_ref().and_then(Term::as_tuple) {
                let given = text_like(first, given).unwrap_or_else(|| given.clone());
                found.push(std::iter::once(given).chain(options.iter().cloned()).collect());
            }
        }
        found
    }

    /// The text and the options that a pattern was compiled from.
    fn source(&self, compiled: &Term) -> Option<(Term, Term)> {
        let outcome = Term::tuple([Term::tuple([Term::atom_named("ok"), compiled.clone()])]);
        ops::re::compilers().into_iter().find_map(|function| {
            let mut points = self.subject.arena().samples.points(function);
            let (args, _) = points.find(|(_, given)| **given == outcome)?;
            Some((args.first()?.clone(), args.get(1).cloned().unwrap_or(Term::nil())))
        })
    }

    fn known(&self, function: Mfa, args: &[Term]) -> Option<Term> {
        self.subject.arena().samples.outcome(function, args).cloned()
    }
}

/// A text as a list where another one is a list, as a binary where that is a binary.
fn text_like(other: &Term, text: &Term) -> Option<Term> {
    match (other, text) {
        (Term::Nil(..) | Term::Cons(..), Term::Bits(_, bits)) if bits.is_binary() => {
            Some(Term::list(bits.to_bytes().iter().map(|byte| Term::int(i64::from(*byte)))))
        }
        (Term::Bits(..), Term::Cons(..)) => {
            let items = text.proper_list()?;
            let bytes = items.iter().map(|item| u8::try_from(item.as_i64()?).ok());
            bytes.collect::<Option<Vec<u8>>>().map(Term::binary)
        }
        _ => None,
    }
}
