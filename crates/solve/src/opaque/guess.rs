//! Points that no strategy asks for: where a function may well give the wanted outcome, and a few more.

use constraint::{Condition, Evaluator, Expr, Node, Test};
use term::Term;

use super::rewrite::Settled;
use super::{LOST, OpaqueSearch, Open, Settlement};
use crate::query::Answer;

/// Questions to solvers more for each application that others are arguments of.
const OUTSIDE: u32 = 16;

impl OpaqueSearch<'_> {
    /// At points that the sampler guesses.
    pub fn at_guesses(&mut self, settled: &mut Vec<Settled>, open: &Open, inputs: &[Term]) -> Settlement {
        let Some(wanted) = &open.wanted else { return LOST };
        let guesses = self.sampler.guesses(open.function, &open.args, wanted);
        let tuple = self.arguments(settled, open.call);
        for args in guesses {
            if !self.may_be(tuple, &args) {
                continue;
            }
            if self.sampler.arena().samples.outcome(open.function, &args).is_some() {
                continue;
            }
            let there = Open { call: open.call, function: open.function, args, wanted: None };
            if self.left.guesses == 0 || self.stopped {
                return LOST;
            }
            self.left.guesses -= 1;
            let Some(outcome) = self.sampler.observe(there.function, &there.args, inputs) else { return LOST };
            if !self.fits(settled, open.call, &outcome) {
                continue;
            }
            let found = self.with(settled, there.at(outcome, true));
            if matches!(found, Settlement::Inputs(..)) || self.left.questions == 0 {
                return found;
            }
        }
        LOST
    }

    /// At points that the sampler guesses for applications whose arguments hold others, before those are settled: what these
    /// have to give follows from there, so that `f(g(X))` is undone from outside.
    pub fn guess_outside(&mut self) -> Settlement {
        for (at, call) in self.calls.clone().into_iter().enumerate().rev() {
            let arena = self.sampler.arena();
            let holds = |arg: &Expr| super::depends(arena, &[Condition { test: Test::Defined(*arg), holds: true }]);
            let is_outer = matches!(arena.node(call), Node::Opaque(_, args) if args.iter().any(holds));
            if !is_outer || self.stopped {
                continue;
            }
            self.left.questions += OUTSIDE;
            let Answer::Sat(model) = self.ask(&[], &[]) else { return LOST };
            let inputs = self.task.inputs.len();
            let Some(open) = self.open_at(&[], &model, Some(call)) else { continue };
            let open = Open { wanted: model.get(inputs + at).cloned(), ..open };
            let found = self.at_guesses(&mut Vec::new(), &open, &model[..inputs]);
            if matches!(found, Settlement::Inputs(..)) {
                return found;
            }
        }
        LOST
    }

    /// Returns true if no constant among the arguments says otherwise.
    fn may_be(&mut self, tuple: Expr, args: &[Term]) -> bool {
        let arena = self.sampler.arena();
        let same = |(own, arg): (&Expr, &Term)| arena.as_literal(*own).is_none_or(|own| own == arg);
        match arena.node(tuple) {
            Node::Tuple(own) => own.iter().zip(args).all(same),
            _ => arena.as_literal(tuple).and_then(Term::as_tuple).is_none_or(|own| own == args),
        }
    }

    /// Every application stays where it is: no less is found than by holding arguments to their values.
    pub fn keep_near(&mut self) -> Settlement {
        let mut settled = Vec::new();
        for call in self.calls.clone() {
            let near = self.task.near;
            let Node::Opaque(_, args) = self.sampler.arena().node(call).clone() else { continue };
            let mut evaluator = Evaluator::new(self.sampler.arena(), near);
            let args = args.iter().map(|arg| evaluator.value(*arg)).collect::<Result<Vec<Term>, _>>();
            let (Ok(args), Ok(outcome)) = (args, evaluator.value(call)) else { return LOST };
            settled.push(Settled::At { call, args, outcome, new: false });
        }
        self.settle(&mut settled).unproved()
    }

    /// A few points more for the first application that is not as it should be. Where there are no more, finding
    /// nothing is a proof.
    pub fn sample_undirected(&mut self) -> Settlement {
        let mut tried: Vec<Condition> = Vec::new();
        let (mut call, mut proof) = (None, true);
        self.left.questions += 2 * self.left.undirected;
        while self.left.undirected > 0 && !self.stopped {
            self.left.undirected -= 1;
            let model = match self.ask(&[], &tried) {
                Answer::Sat(model) => model,
                Answer::Unsat => return Settlement::Nothing { proof },
                Answer::Unknown(_) => return LOST,
            };
            let inputs = &model[..self.task.inputs.len()];
            let Some(open) = self.open_at(&[], &model, call) else { return LOST };
            call = Some(open.call);
            let known = self.sampler.arena().samples.outcome(open.function, &open.args).cloned();
            let new = known.is_none();
            let Some(outcome) = known.or_else(|| self.observe(&open, inputs)) else { return LOST };
            if self.is_met(inputs) {
                return Settlement::Inputs(inputs.to_vec(), vec![open.at(outcome, new)]);
            }
            match self.with(&mut Vec::new(), open.at(outcome, new)) {
                found @ Settlement::Inputs(..) => return found,
                Settlement::Nothing { proof: certain } => proof &= certain,
            }
            tried.push(self.elsewhere(&[], open.call, &open.args).0);
        }
        LOST
    }
}
