//! All members together: what a query's answer is when nobody remembers it.
//!
//! The structural member is asked with arithmetic of our own, and again with an outside solver behind that if it does
//! not know. An answer is a function of its query: nothing that was asked before changes it, so whoever has members can
//! answer, here or in another thread, in any order.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::integer::{Arithmetic, Layers, Parts};
use crate::query::{Answer, Budget, Member, Query, Unknown};
use crate::smt::{Smt, SmtError, SmtSolver};
use crate::structural::Structural;

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
        let inside = unbroken(|| self.inside.solve(query, budget));
        match (&mut self.outside, &inside) {
            (Some(outside), Answer::Unknown(_)) => {
                let answer = unbroken(|| outside.solve(query, budget));
                Reply { answer, outside: true, error: outside.integers().0.second.error.take() }
            }
            _ => Reply { answer: inside, outside: false, error: None },
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
