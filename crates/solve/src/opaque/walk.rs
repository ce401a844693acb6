//! The walk around opaque functions: numbers are moved, and the functions observed wherever that leads.

use constraint::{Condition, Evaluator, Expr, Node, Test};
use term::Term;

use super::{Found, LOST, Search, rewrite};
use crate::members::Walk;
use crate::query::Query;
use crate::walk::{Leaves, Settings, Walked, solve_asking};

impl Search<'_> {
    /// Starts from the inputs that meet all but the newest condition; says also what that took.
    pub fn walk(&mut self) -> (Found, Walk) {
        let nothing = Walk { found: false, evaluations: 0, steps: 0, starts: 0 };
        if self.task.limits.walk == 0 || self.stopped {
            return (LOST, nothing);
        }
        let near = self.task.near;
        let Some(leaves) = self.leaves() else { return (LOST, nothing) };
        let settings = Settings { gradient: false, ..Settings::new(self.task.limits.walk) };
        let mut observed = 0;
        let (inputs, walked) =
            solve_asking(&leaves, near, &settings, &mut |expr, inputs| self.observed(expr, inputs, &mut observed));
        let Walked { evaluations, steps, starts, .. } = walked;
        match inputs {
            Some(inputs) if self.is_met(&inputs) => {
                (Found::Inputs(inputs, Vec::new()), Walk { found: true, evaluations, steps, starts })
            }
            _ => (LOST, Walk { found: false, evaluations, steps, starts }),
        }
    }

    fn leaves(&mut self) -> Option<Leaves> {
        let task = self.task;
        let (arena, grammar) = self.lab.terms();
        let query = Query { arena, grammar, inputs: task.inputs, conditions: task.conditions, near: task.near };
        Leaves::of(&query, task.near).filter(|leaves| !leaves.questions.is_empty())
    }

    /// What an expression is for inputs; the functions in it are observed where nobody has.
    fn observed(&mut self, expr: Expr, inputs: &[Term], count: &mut u64) -> Option<Term> {
        let asked = Condition { test: Test::Defined(expr), holds: true };
        let calls = rewrite::applications(self.lab.arena(), &[asked]);
        for call in calls {
            let arena = self.lab.arena();
            let Node::Opaque(function, args) = arena.node(call).clone() else { continue };
            let mut evaluator = Evaluator::new(arena, inputs);
            let args = args.iter().map(|arg| evaluator.value(*arg)).collect::<Result<Vec<Term>, _>>().ok()?;
            if self.lab.arena().samples.outcome(function, &args).is_none() {
                *count += 1;
                if *count > self.task.limits.walk || self.stopped {
                    return None;
                }
                self.lab.observe(function, &args, inputs)?;
            }
        }
        Evaluator::new(self.lab.arena(), inputs).value(expr).ok()
    }
}
