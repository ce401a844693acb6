//! The one interface to solvers: batches of independent queries, answered here, in other threads or by other machines.

use constraint::Condition;
use serde::{Deserialize, Serialize};

use crate::query::{Answer, Budget, Query, UnknownReason};
use crate::smt::SmtError;

/// Answers batches of independent queries.
///
/// An answer is a function of its query and budget: nothing that was asked before changes it. So an executor may answer
/// in any order and anywhere, and its responses are merged in the order of the queries. Queries are borrowed, so that one
/// that is answered in this thread is never copied; an executor that sends them elsewhere makes a
/// [`Task`](crate::Task) of each.
pub trait Executor {
    /// The responses, in the order of the queries. `go_on` is asked before each query is begun; a query that is left
    /// when it says no has no response.
    fn execute(
        &mut self,
        queries: &[Query<'_>],
        budget: &Budget,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Vec<Option<Response>>;

    /// Returns true if an unsat answer to these conditions, had without a solver, is to be asked again.
    fn rechecks(&self, conditions: &[Condition]) -> bool {
        let _ = conditions;
        false
    }

    /// Returns true if inputs meet a query that was taken to have none.
    fn refutes(&mut self, query: &Query<'_>) -> bool {
        let _ = query;
        false
    }

    /// The answer to one query.
    fn solve(&mut self, query: &Query<'_>, budget: &Budget) -> Answer {
        let response = self.execute(std::slice::from_ref(query), budget, &mut || true).pop().flatten();
        response.map_or(Answer::Unknown(UnknownReason::Broken), |response| response.answer)
    }
}

/// An answer, and the work it took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Response {
    /// The answer.
    pub answer: Answer,
    /// True if the external solver was asked.
    pub external: bool,
    /// The failure of the external solver.
    pub error: Option<SmtError>,
    /// The work of the walk, if it was asked.
    pub walk: Option<WalkStats>,
}

/// The work of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WalkStats {
    /// True if the answer is its own.
    pub found: bool,
    /// Points it evaluated.
    pub evaluations: u64,
    /// Steps to a better point.
    pub steps: u64,
    /// Points it started from.
    pub starts: u64,
}

impl From<Answer> for Response {
    /// An answer that took no work.
    fn from(answer: Answer) -> Response {
        Response { answer, external: false, error: None, walk: None }
    }
}
