//! All solvers, in the order in which they are asked.
//!
//! The structural solver is asked with arithmetic of our own, and again with an external solver behind that if it does
//! not know for want of integers. The walk comes last; in a query about floats it comes before the external solver,
//! which is slow there.

use std::panic::{AssertUnwindSafe, catch_unwind};

use term::cut::{self, Cut, MemoryLimit};

use crate::executor::{Executor, Response, WalkStats};
use crate::integer::{Arithmetic, Components, Fallback};
use crate::query::{Answer, Budget, Query, UnknownReason};
use crate::smt::{Smt, SmtSolver};
use crate::structural::Structural;
use crate::walk;

/// The most that one solver may allocate for one query.
const MOST_BYTES: usize = 256 << 20;

/// All solvers of one thread; as an [`Executor`] they answer in it, one query after the other.
pub struct Solvers {
    internal: Structural<Components<Arithmetic>>,
    external: Option<Structural<Components<Fallback<Arithmetic, SmtSolver>>>>,
    /// The parameters of the walk; its evaluations are those of the budget.
    walk: walk::WalkSettings,
}

impl Solvers {
    /// The solvers, with an external one for integers if there is such.
    pub fn new(smt: Option<Box<dyn Smt>>) -> Solvers {
        let external = |smt| Components(Fallback { first: Arithmetic, second: SmtSolver::new(smt) });
        let external = smt.map(|smt| Structural::new(external(smt)));
        Solvers { internal: Structural::new(Components(Arithmetic)), external, walk: walk::WalkSettings::new(0) }
    }

    /// The same with other parameters of the walk.
    pub fn walking(self, walk: walk::WalkSettings) -> Solvers {
        Solvers { walk, ..self }
    }

    /// Asks one solver after the other, until one knows.
    pub fn respond(&mut self, query: &Query<'_>, budget: &Budget) -> Response {
        let mut response = Response::from(unbroken(|| self.internal.solve(query, budget)));
        if matches!(response.answer, Answer::Unknown(_)) && walk::has_floats(query) {
            self.walk(query, budget, &mut response);
        }
        let is_stumped = self.internal.is_stumped();
        if let (Some(external), Answer::Unknown(_), true) = (&mut self.external, &response.answer, is_stumped) {
            response.answer = unbroken(|| external.solve(query, budget));
            response.external = true;
            response.error = external.integers().0.second.error.take();
        }
        if matches!(response.answer, Answer::Unknown(_)) {
            self.walk(query, budget, &mut response);
        }
        response
    }

    /// Asks the walk, unless it has been asked.
    fn walk(&mut self, query: &Query<'_>, budget: &Budget, response: &mut Response) {
        if response.walk.is_some() || budget.walk == 0 {
            return;
        }
        let mut work = None;
        let answer = unbroken(|| {
            let (answer, done) = self.walked(query, budget);
            work = done;
            answer
        });
        let found = matches!(answer, Answer::Sat(_));
        let stats = work.map_or(WalkStats { found, ..WalkStats::default() }, |work| work.stats(found));
        response.walk = Some(stats);
        if found {
            response.answer = answer;
        }
    }

    /// Walks from the inputs that almost meet the query; where their shapes do not, from inputs that meet all but the
    /// conditions that only the walk may decide.
    fn walked(&mut self, query: &Query<'_>, budget: &Budget) -> (Answer, Option<walk::Walked>) {
        let settings = walk::WalkSettings { evaluations: budget.walk, ..self.walk };
        let (answer, done) = walk::solve(query, query.near, &settings);
        if done.is_some() {
            return (answer, done);
        }
        let conditions = walk::easy(query);
        if conditions.len() == query.conditions.len() {
            // That was asked before, and is not known.
            return (answer, None);
        }
        match self.internal.solve(&Query { conditions: &conditions, ..*query }, budget) {
            Answer::Sat(inputs) => walk::solve(query, &inputs, &settings),
            _ => (answer, None),
        }
    }
}

impl Executor for Solvers {
    fn execute(
        &mut self,
        queries: &[Query<'_>],
        budget: &Budget,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Vec<Option<Response>> {
        queries.iter().map(|query| go_on().then(|| self.respond(query, budget))).collect()
    }
}

/// A mistake of ours costs its query and nothing else. A solver keeps nothing that a panic could leave half done: what
/// it derives from the grammar is handed back only at the end. So a query may be cut, too.
fn unbroken(solve: impl FnOnce() -> Answer) -> Answer {
    let _memory = MemoryLimit::new(MOST_BYTES);
    match catch_unwind(AssertUnwindSafe(|| cut::attempt(solve))) {
        Ok(Ok(answer)) => answer,
        Ok(Err(Cut::Memory)) => Answer::Unknown(UnknownReason::Budget),
        Ok(Err(Cut::Stop)) => Answer::Unknown(UnknownReason::Absent),
        Err(_) => Answer::Unknown(UnknownReason::Broken),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_answer() {
        let answer = unbroken(|| Vec::<Answer>::new().remove(0));
        assert!(matches!(answer, Answer::Unknown(UnknownReason::Broken)));
    }
}
