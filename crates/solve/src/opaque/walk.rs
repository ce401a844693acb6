//! The walk around opaque functions: numbers are moved, and the functions observed wherever that leads.

use constraint::{Condition, Evaluator, Expr, Node, Test};
use term::{Term, cut};

use super::{LOST, OpaqueSearch, Settlement, rewrite};
use crate::executor::WalkStats;
use crate::query::Query;
use crate::walk::{Extraction, WalkSettings, solve_asking};

/// The work of a call that is observed, in steps of work on terms.
const CALL: u32 = 200;

impl OpaqueSearch<'_> {
    /// Walks from the inputs that meet all but the newest condition; returns its work too.
    pub fn walk(&mut self) -> (Settlement, WalkStats) {
        let nothing = WalkStats::default();
        if self.task.limits.walk == 0 || self.stopped {
            return (LOST, nothing);
        }
        let near = self.task.near;
        let Some(leaves) = self.leaves() else { return (LOST, nothing) };
        let settings = WalkSettings { gradient: false, ..WalkSettings::new(self.task.limits.walk) };
        let mut observed = 0;
        let done = cut::attempt_until_stop(|| {
            solve_asking(&leaves, near, &settings, &mut |expr, inputs| self.observed(expr, inputs, &mut observed))
        });
        let Ok((inputs, walked)) = done else {
            self.stopped = true;
            return (LOST, nothing);
        };
        match inputs {
            Some(inputs) if self.is_met(&inputs) => (Settlement::Inputs(inputs, Vec::new()), walked.stats(true)),
            _ => (LOST, walked.stats(false)),
        }
    }

    fn leaves(&mut self) -> Option<Extraction> {
        let task = self.task;
        let (arena, grammar) = self.sampler.terms();
        let query = Query { arena, grammar, inputs: task.inputs, conditions: task.conditions, near: task.near };
        Extraction::of(&query, task.near).filter(|leaves| !leaves.questions.is_empty())
    }

    /// The value of an expression for inputs; the functions in it are observed where they were not.
    fn observed(&mut self, expr: Expr, inputs: &[Term], count: &mut u64) -> Option<Term> {
        let asked = Condition { test: Test::Defined(expr), holds: true };
        let calls = rewrite::applications(self.sampler.arena(), &[asked]);
        for call in calls {
            let arena = self.sampler.arena();
            let Node::Opaque(function, args) = arena.node(call).clone() else { continue };
            let mut evaluator = Evaluator::new(arena, inputs);
            let args = args.iter().map(|arg| evaluator.value(*arg)).collect::<Result<Vec<Term>, _>>().ok()?;
            if self.sampler.arena().samples.outcome(function, &args).is_none() {
                *count += 1;
                cut::work(CALL);
                if *count > self.task.limits.walk || self.left.cells == 0 || self.stopped {
                    return None;
                }
                match self.sampler.observe(function, &args, inputs) {
                    Some(outcome) => self.charge(&outcome),
                    None => return self.charge_lost(),
                }
            }
        }
        Evaluator::new(self.sampler.arena(), inputs).value(expr).ok()
    }
}
