//! The order of the members: what is asked first, what next, and what is made of their answers.
//!
//! A query is cut down to the conditions that bear on its newest one. If its answer is not known, the structural member
//! is asked with arithmetic of our own, and again with an outside solver behind that if it does not know. What
//! comes back is checked against the whole query.

use constraint::Condition;

use crate::cache::Cache;
use crate::integer::{Arithmetic, Layers, Parts};
use crate::query::{Answer, Budget, Member, Query, Unknown};
use crate::smt::{Smt, SmtError, SmtSolver};
use crate::structural::Structural;

type Outside = Parts<Layers<Arithmetic, SmtSolver>>;

/// All members, for queries over one arena.
pub struct Portfolio {
    inside: Structural<Parts<Arithmetic>>,
    outside: Option<Structural<Outside>>,
    cache: Cache,
    stats: Stats,
}

/// How a member did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub answered: u64,
    pub unknown: u64,
}

/// How queries were answered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    pub queries: u64,
    /// Answers that were known.
    pub known: u64,
    /// Without a solver outside the process.
    pub inside: Counts,
    pub outside: Counts,
    /// Slices that had to be solved again as a whole.
    pub whole: u64,
    /// Answers that did not meet their query.
    pub wrong: u64,
    /// What was first wrong with the solver outside.
    pub error: Option<SmtError>,
}

impl Stats {
    /// Of the answered queries, the share that needed no solver outside the process.
    pub fn share_inside(&self) -> f64 {
        let answered = self.known + self.inside.answered + self.outside.answered;
        if answered == 0 { 1.0 } else { 1.0 - self.outside.answered as f64 / answered as f64 }
    }
}

impl Portfolio {
    pub fn new(smt: Option<Box<dyn Smt>>) -> Portfolio {
        let outside = |smt| Parts(Layers { first: Arithmetic, second: SmtSolver::new(smt) });
        Portfolio {
            inside: Structural::new(Parts(Arithmetic)),
            outside: smt.map(|smt| Structural::new(outside(smt))),
            cache: Cache::default(),
            stats: Stats::default(),
        }
    }

    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    pub fn solve(&mut self, query: &Query<'_>, budget: &Budget) -> Answer {
        self.stats.queries += 1;
        self.cache.attend(query);
        let places = self.cache.slicer.slice(query);
        if places.len() < query.conditions.len() {
            let conditions: Vec<Condition> = places.iter().map(|at| query.conditions[*at].clone()).collect();
            match self.ask(&Query { conditions: &conditions, ..*query }, budget) {
                Answer::Inputs(inputs) if !query.is_met_by(&inputs) => self.stats.whole += 1,
                answer => return answer,
            }
        }
        self.ask(query, budget)
    }

    /// The answer of whoever knows it, and checked.
    fn ask(&mut self, query: &Query<'_>, budget: &Budget) -> Answer {
        if let Some(answer) = self.cache.get(query) {
            self.stats.known += 1;
            return answer;
        }
        let answer = match self.members(query, budget) {
            Answer::Inputs(inputs) if query.is_met_by(&inputs) => Answer::Inputs(self.cache.kept(query, inputs)),
            Answer::Inputs(_) => {
                self.stats.wrong += 1;
                Answer::Unknown(Unknown::Wrong)
            }
            answer => answer,
        };
        self.cache.put(query, &answer);
        answer
    }

    fn members(&mut self, query: &Query<'_>, budget: &Budget) -> Answer {
        let answer = count(&mut self.stats.inside, self.inside.solve(query, budget));
        match (&mut self.outside, &answer) {
            (Some(outside), Answer::Unknown(_)) => {
                let answer = count(&mut self.stats.outside, outside.solve(query, budget));
                let error = &outside.integers().0.second.error;
                self.stats.error = self.stats.error.take().or_else(|| error.clone());
                answer
            }
            _ => answer,
        }
    }
}

impl Member for Portfolio {
    fn name(&self) -> &'static str {
        "portfolio"
    }

    fn solve(&mut self, query: &Query<'_>, budget: &Budget) -> Answer {
        Portfolio::solve(self, query, budget)
    }
}

fn count(counts: &mut Counts, answer: Answer) -> Answer {
    match answer {
        Answer::Unknown(_) => counts.unknown += 1,
        _ => counts.answered += 1,
    }
    answer
}
