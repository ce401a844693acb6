//! Queries, and the answers they can have.

use constraint::{Arena, Condition, Evaluator, Grammar, RuleId, ValueCache};
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use term::Term;

/// A question for inputs of some rules that meet conditions.
#[derive(Clone, Copy)]
pub struct Query<'a> {
    /// The expressions of the conditions.
    pub arena: &'a Arena,
    /// The grammar of the rules.
    pub grammar: &'a Grammar,
    /// The rule of each input.
    pub inputs: &'a [RuleId],
    /// All must be met. The last one is the newest: the others are met by `near`.
    pub conditions: &'a [Condition],
    /// Inputs that meet all conditions but the last: a good place to start from.
    pub near: &'a [Term],
}

/// The answer of a solver.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Answer<M = Vec<Term>> {
    /// A model: values that meet all that was asked.
    Sat(M),
    /// No values meet it: a proof.
    Unsat,
    /// Neither was found.
    Unknown(UnknownReason),
}

/// The reason why a solver does not know.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum UnknownReason {
    /// The query needs something that no solver has a rule for.
    Unsupported,
    /// The budget is used up.
    Budget,
    /// A solver's answer did not meet the query: a mistake of ours, counted apart.
    Wrong,
    /// A solver that runs as a process of its own is missing or does not answer.
    Absent,
    /// A solver broke down: a mistake of ours too.
    Broken,
    /// A solver found nothing where there are inputs: the worst mistake of ours.
    Disputed,
}

/// The work a query may take, in units of the solvers; never in seconds.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Budget {
    /// Choices of the structural solver.
    pub choices: u64,
    /// Resources of the external solver, in its own unit.
    pub rlimit: u64,
    /// Points that the walk evaluates.
    pub walk: u64,
}

impl Budget {
    /// The budget of every query at first.
    pub const FIRST: Budget = Budget { choices: 2_000, rlimit: 500_000, walk: 20_000 };
    /// The budget of those that the first one was not enough for, when nothing else is left to ask.
    pub const LAST: Budget = Budget { choices: 10_000, rlimit: 3_000_000, walk: 200_000 };
}

impl Query<'_> {
    /// Returns true if inputs meet all conditions as they were before they were simplified.
    pub fn is_met_by(&self, inputs: &[Term]) -> bool {
        self.all_hold(self.evaluator(inputs).of_originals())
    }

    /// Returns true if inputs meet all conditions as members see them: simplified. A slice of a query may lack the
    /// conditions that make the operations of the unsimplified ones defined.
    pub fn is_met_simplified_by(&self, inputs: &[Term]) -> bool {
        self.all_hold(self.evaluator(inputs))
    }

    /// An evaluator with room for a value of each condition.
    fn evaluator<'b>(&'b self, inputs: &'b [Term]) -> Evaluator<'b> {
        let values = ValueCache::with_capacity_and_hasher(self.conditions.len(), FxBuildHasher);
        Evaluator::resume(self.arena, inputs, values)
    }

    fn all_hold(&self, mut evaluator: Evaluator<'_>) -> bool {
        self.conditions.iter().all(|condition| evaluator.holds(condition) == Ok(true))
    }

    /// The answer, if it is none or meets the query; [`UnknownReason::Wrong`] otherwise.
    pub fn checked(&self, answer: Answer) -> Answer {
        match &answer {
            Answer::Sat(inputs) if !self.is_met_by(inputs) => Answer::Unknown(UnknownReason::Wrong),
            _ => answer,
        }
    }
}
