//! A query as data: everything its answer depends on, in a form that another thread or machine can read.

use constraint::{Formula, Grammar, GrammarHash, RuleId, is_portable};
use serde::{Deserialize, Serialize};
use term::Term;

use crate::executor::Response;
use crate::query::{Budget, Query};
use crate::solvers::Solvers;

/// A query as data. Its grammar, which many queries share, is sent apart and named by its hash.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// The hash of the grammar.
    pub grammar: GrammarHash,
    inputs: Vec<RuleId>,
    formula: Formula,
    near: Vec<Term>,
    budget: Budget,
}

impl Task {
    /// The task of a query; `None` if a term in it is not portable.
    pub fn new(query: &Query<'_>, budget: &Budget) -> Option<Task> {
        Some(Task {
            grammar: query.grammar.hash(),
            inputs: query.inputs.to_vec(),
            formula: Formula::new(query.arena, query.conditions)?,
            near: query.near.iter().all(is_portable).then(|| query.near.to_vec())?,
            budget: *budget,
        })
    }

    /// Solves the task, over the grammar that its hash names; `None` if the task makes no sense with it.
    pub fn solve(self, grammar: &Grammar, solvers: &mut Solvers) -> Option<Response> {
        let known = |rule: &RuleId| (rule.0 as usize) < grammar.len();
        let (arena, conditions) = self.formula.open()?;
        if self.grammar != grammar.hash() || !self.inputs.iter().all(known) {
            return None;
        }
        let query = Query { arena: &arena, grammar, inputs: &self.inputs, conditions: &conditions, near: &self.near };
        let response = solvers.respond(&query, &self.budget);
        Some(Response { answer: query.checked(response.answer), ..response })
    }
}
