//! All members together: what a query's answer is when nobody remembers it.
//!
//! The structural member is asked with arithmetic of our own, and again with an outside solver behind that if it does
//! not know for want of integers. The walk comes last; where floats are asked about it comes before the outside solver,
//! which is slow there. An answer is a function of its query: nothing that was asked before changes it, so whoever has
//! members can answer, here or in another thread, in any order.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::integer::{Arithmetic, Layers, Parts};
use crate::query::{Answer, Budget, Member, Query, Unknown};
use crate::smt::{Smt, SmtError, SmtSolver};
use crate::structural::Structural;
use crate::walk;

type Outside = Parts<Layers<Arithmetic, SmtSolver>>;

/// Whoever answers queries by asking members.
pub trait Crew {
    /// The replies, in the order of the queries. Before each query is begun `go_on` is asked; what is left when it
    /// says no has no reply.
    fn answer(&mut self, queries: &[Query<'_>], budget: &Budget, go_on: &mut dyn FnMut() -> bool)
    -> Vec<Option<Reply>>;
}

/// An answer, and what it took.
#[derive(Clone)]
pub struct Reply {
    pub answer: Answer,
    /// Whether the outside solver was asked.
    pub outside: bool,
    /// What was wrong with it.
    pub error: Option<SmtError>,
    /// What the walk did, if it was asked.
    pub walk: Option<Walk>,
}

/// What a walk did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walk {
    /// Whether the answer is its own.
    pub found: bool,
    pub evaluations: u64,
    pub steps: u64,
    pub starts: u64,
}

pub struct Members {
    inside: Structural<Parts<Arithmetic>>,
    outside: Option<Structural<Outside>>,
}

impl Members {
    pub fn new(smt: Option<Box<dyn Smt>>) -> Members {
        let outside = |smt| Parts(Layers { first: Arithmetic, second: SmtSolver::new(smt) });
        Members { inside: Structural::new(Parts(Arithmetic)), outside: smt.map(|smt| Structural::new(outside(smt))) }
    }

    pub fn reply(&mut self, query: &Query<'_>, budget: &Budget) -> Reply {
        let answer = unbroken(|| self.inside.solve(query, budget));
        let mut reply = Reply { answer, outside: false, error: None, walk: None };
        if matches!(reply.answer, Answer::Unknown(_)) && walk::has_floats(query) {
            self.walk(query, budget, &mut reply);
        }
        let is_stumped = self.inside.is_stumped();
        if let (Some(outside), Answer::Unknown(_), true) = (&mut self.outside, &reply.answer, is_stumped) {
            reply.answer = unbroken(|| outside.solve(query, budget));
            reply.outside = true;
            reply.error = outside.integers().0.second.error.take();
        }
        if matches!(reply.answer, Answer::Unknown(_)) {
            self.walk(query, budget, &mut reply);
        }
        reply
    }

    /// Asks the walk, unless it has been asked.
    fn walk(&mut self, query: &Query<'_>, budget: &Budget, reply: &mut Reply) {
        if reply.walk.is_some() || budget.walk == 0 {
            return;
        }
        let mut walked = None;
        let answer = unbroken(|| {
            let (answer, done) = self.walked(query, budget);
            walked = done;
            answer
        });
        let found = matches!(answer, Answer::Sat(_));
        let of =
            |done: walk::Walked| Walk { found, evaluations: done.evaluations, steps: done.steps, starts: done.starts };
        reply.walk = Some(walked.map_or(Walk { found, evaluations: 0, steps: 0, starts: 0 }, of));
        if found {
            reply.answer = answer;
        }
    }

    /// From the inputs that almost meet the query; where their shapes do not, from what meets all but the conditions
    /// that only the walk may decide.
    fn walked(&mut self, query: &Query<'_>, budget: &Budget) -> (Answer, Option<walk::Walked>) {
        let settings = walk::Settings::new(budget.walk);
        let (answer, done) = walk::solve(query, query.near, &settings);
        if done.is_some() {
            return (answer, done);
        }
        let conditions = walk::easy(query);
        if conditions.len() == query.conditions.len() {
            // That was asked before: who comes here does not know.
            return (answer, None);
        }
        match self.inside.solve(&Query { conditions: &conditions, ..*query }, budget) {
            Answer::Sat(inputs) => walk::solve(query, &inputs, &settings),
            _ => (answer, None),
        }
    }
}

impl Crew for Members {
    fn answer(
        &mut self,
        queries: &[Query<'_>],
        budget: &Budget,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Vec<Option<Reply>> {
        queries.iter().map(|query| go_on().then(|| self.reply(query, budget))).collect()
    }
}

/// A mistake of ours costs its query and nothing else. A member keeps nothing that a panic could leave half done: what
/// it derives from the grammar is handed back only at the end.
fn unbroken(solve: impl FnOnce() -> Answer) -> Answer {
    catch_unwind(AssertUnwindSafe(solve)).unwrap_or(Answer::Unknown(Unknown::Broken))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_answer() {
        let answer = unbroken(|| Vec::<Answer>::new().remove(0));
        assert!(matches!(answer, Answer::Unknown(Unknown::Broken)));
    }
}
