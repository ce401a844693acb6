//! What a solver is asked, and what it can say.

use constraint::{Arena, Condition, Evaluator, Grammar, RuleId};
use term::Term;

/// Inputs of which shapes, under which conditions?
#[derive(Clone, Copy)]
pub struct Query<'a> {
    pub arena: &'a Arena,
    pub grammar: &'a Grammar,
    /// The rule of each input.
    pub inputs: &'a [RuleId],
    /// All must be met. The last one is the newest: the others are met by `near`.
    pub conditions: &'a [Condition],
    /// Inputs that meet all conditions but the last: a good place to start from.
    pub near: &'a [Term],
}

/// The answer of a solver.
#[derive(Clone)]
pub enum Answer {
    /// A model: inputs that meet all conditions.
    Sat(Vec<Term>),
    /// No inputs meet them: a proof.
    Unsat,
    /// Neither was found.
    Unknown(Unknown),
}

/// Why a solver does not know.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Unknown {
    /// The query needs something that no member has a rule for.
    Unsupported,
    /// The budget is used up.
    Budget,
    /// A member's answer did not meet the query: a mistake of ours, counted apart.
    Wrong,
    /// A solver that runs as a process of its own is missing or does not answer.
    Absent,
    /// A member broke down: a mistake of ours too.
    Broken,
}

/// What a member may use, in units of its own work; never in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub choices: u64,
    pub rlimit: u64,
    /// Points that the walk looks at.
    pub walk: u64,
}

/// A solver.
pub trait Member {
    fn name(&self) -> &'static str;
    fn solve(&mut self, query: &Query<'_>, budget: &Budget) -> Answer;

    /// The answers to several queries, in their order. Before each is begun `go_on` is asked; what is left when it
    /// says no has no answer.
    fn solve_all(
        &mut self,
        queries: &[Query<'_>],
        budget: &Budget,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Vec<Option<Answer>> {
        queries.iter().map(|query| go_on().then(|| self.solve(query, budget))).collect()
    }
}

impl Query<'_> {
    /// Whether inputs meet all conditions.
    pub fn is_met_by(&self, inputs: &[Term]) -> bool {
        let mut evaluator = Evaluator::new(self.arena, inputs);
        self.conditions.iter().all(|condition| evaluator.holds(condition) == Ok(true))
    }
}
