//! The solver of a search: asks an executor only what it must, and checks what comes back.
//!
//! Queries come in batches. Each is cut down to the conditions that bear on its newest one. Answers that are known from
//! earlier batches are taken from the cache; equal queries are asked once; the rest goes to the executor, all at once.
//! Its answers are checked against the whole query and remembered in the order of the batch. So it does not matter where
//! the executor has a query answered, nor when.

use constraint::Condition;
use serde::{Deserialize, Serialize};

use crate::cache::{Cache, Key};
use crate::executor::{Executor, Response};
use crate::query::{Answer, Budget, Query, UnknownReason};
use crate::rechecker::{RecheckCounts, Rechecker};
use crate::smt::{Smt, SmtError};
use crate::solvers::Solvers;

/// Slices, a cache and checks around an executor, for queries over one arena.
pub struct Portfolio {
    executor: Box<dyn Executor>,
    cache: Cache,
    stats: Stats,
    rechecker: Option<Rechecker>,
}

/// The number of queries that a solver answered, and of those it did not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Queries with an answer.
    pub answered: u64,
    /// Queries without.
    pub unknown: u64,
}

/// Counts of the answers to queries.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Stats {
    /// All queries.
    pub queries: u64,
    /// Answers that were known, or asked for by an equal query of the same batch.
    pub known: u64,
    /// By solvers of our own.
    pub internal: Counts,
    /// By the external solver.
    pub external: Counts,
    /// By the walk; queries it did not answer count for the others.
    pub walk: Counts,
    /// Slices that had to be solved again as a whole.
    pub whole: u64,
    /// Answers that did not meet their query.
    pub wrong: u64,
    /// Unsat answers that were asked again.
    pub rechecks: RecheckCounts,
    /// The first failure of the external solver.
    pub error: Option<SmtError>,
}

/// The origin of the answer to a query of a batch.
enum Source {
    Known(Answer),
    /// The place among the queries for the executor, and true for the first that asks.
    Asked(usize, bool),
}

impl Portfolio {
    /// With solvers in this thread.
    pub fn new(smt: Option<Box<dyn Smt>>) -> Portfolio {
        Portfolio::with(Box::new(Solvers::new(smt)))
    }

    /// With an executor.
    pub fn with(executor: Box<dyn Executor>) -> Portfolio {
        Portfolio { executor, cache: Cache::default(), stats: Stats::default(), rechecker: None }
    }

    /// The same, with a sample of its unsat answers asked again.
    pub fn rechecked_by(self, rechecker: Rechecker) -> Portfolio {
        Portfolio { rechecker: Some(rechecker), ..self }
    }

    /// Counts of the answers so far.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Solves the slices first, then as a whole the queries whose other conditions an answer does not meet.
    fn solve_batch(
        &mut self,
        queries: &[Query<'_>],
        budget: &Budget,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Vec<Option<Answer>> {
        self.cache.attend(queries);
        let slices: Vec<Vec<Condition>> = queries.iter().map(|query| self.slice(query)).collect();
        let sliced: Vec<Query<'_>> =
            queries.iter().zip(&slices).map(|(query, conditions)| Query { conditions, ..*query }).collect();
        let mut answers = self.ask(&sliced, budget, go_on);
        let unmet = (0..queries.len()).filter(|at| !is_met(&queries[*at], answers[*at].as_ref()));
        let (again, wrong): (Vec<usize>, Vec<usize>) =
            unmet.partition(|at| slices[*at].len() < queries[*at].conditions.len());
        wrong.into_iter().for_each(|at| answers[at] = self.wrong());
        let whole: Vec<Query<'_>> = again.iter().map(|at| queries[*at]).collect();
        let wholes = self.ask(&whole, budget, go_on);
        for (at, answer) in again.iter().zip(wholes) {
            answers[*at] = if is_met(&queries[*at], answer.as_ref()) { answer } else { self.wrong() };
        }
        for ((query, slice), answer) in queries.iter().zip(&slices).zip(&mut answers) {
            if matches!(answer, Some(Answer::Unsat)) && self.rechecks(slice) && self.recheck(query, slice) {
                *answer = Some(Answer::Unknown(UnknownReason::Disputed));
            }
        }
        self.stats.queries += answers.iter().flatten().count() as u64;
        self.stats.whole += again.len() as u64;
        answers
    }

    /// Asks again about an unsat answer; true if it is wrong. What is remembered may rest on the same mistake.
    fn recheck(&mut self, query: &Query<'_>, slice: &[Condition]) -> bool {
        let Some(rechecker) = &mut self.rechecker else { return false };
        let is_wrong = rechecker.refutes(query, slice);
        self.stats.rechecks.clone_from(&rechecker.counts);
        if is_wrong {
            self.cache = Cache::default();
            self.cache.attend(std::slice::from_ref(query));
        }
        is_wrong
    }

    /// Counts an answer that does not meet its query.
    fn wrong(&mut self) -> Option<Answer> {
        self.stats.wrong += 1;
        Some(Answer::Unknown(UnknownReason::Wrong))
    }

    fn slice(&mut self, query: &Query<'_>) -> Vec<Condition> {
        let places = self.cache.slicer.slice(query);
        places.iter().map(|at| query.conditions[*at].clone()).collect()
    }

    /// Takes answers from the cache, and the others from the executor.
    fn ask(&mut self, queries: &[Query<'_>], budget: &Budget, go_on: &mut dyn FnMut() -> bool) -> Vec<Option<Answer>> {
        let keys: Vec<Key> = queries.iter().map(|query| self.cache.key(query)).collect();
        let mut questions: Vec<Query<'_>> = Vec::new();
        // A batch is small: looking through it costs less than hashing it.
        let mut asked: Vec<&Key> = Vec::new();
        let mut sources = Vec::with_capacity(queries.len());
        for (query, key) in queries.iter().zip(&keys) {
            sources.push(match self.cache.get(query, key) {
                Some(answer) => Source::Known(answer),
                None => {
                    let at = asked.iter().position(|known| *known == key).unwrap_or(asked.len());
                    let is_first = at == questions.len();
                    questions.extend(is_first.then_some(*query));
                    asked.extend(is_first.then_some(key));
                    Source::Asked(at, is_first)
                }
            });
        }
        let responses =
            if questions.is_empty() { Vec::new() } else { self.executor.execute(&questions, budget, go_on) };
        let places = queries.iter().zip(&keys).zip(sources);
        places.map(|((query, key), source)| self.answer(query, key, source, &responses)).collect()
    }

    fn answer(
        &mut self,
        query: &Query<'_>,
        key: &Key,
        source: Source,
        responses: &[Option<Response>],
    ) -> Option<Answer> {
        let (response, is_first) = match source {
            Source::Known(answer) => {
                self.stats.known += 1;
                return Some(answer);
            }
            Source::Asked(at, is_first) => (responses.get(at)?.as_ref()?, is_first),
        };
        if is_first {
            self.count(response);
        } else {
            self.stats.known += 1;
        }
        let answer = match &response.answer {
            Answer::Sat(inputs) if query.is_met_simplified_by(inputs) => {
                Answer::Sat(self.cache.kept(query, inputs.clone()))
            }
            Answer::Sat(_) => self.wrong()?,
            answer => answer.clone(),
        };
        if is_first {
            self.cache.put(key, &answer);
        }
        Some(answer)
    }

    fn count(&mut self, response: &Response) {
        let Response { external, walk, .. } = *response;
        let stats = &mut self.stats;
        stats.internal.unknown += u64::from(external || walk.is_some());
        let found = walk.is_some_and(|walk| walk.found);
        stats.walk.unknown += u64::from(walk.is_some() && !found);
        stats.external.unknown += u64::from(external && found);
        let counts = match (found, external) {
            (true, _) => &mut stats.walk,
            (false, true) => &mut stats.external,
            (false, false) => &mut stats.internal,
        };
        match response.answer {
            Answer::Unknown(_) if walk.is_some() && !external => {}
            Answer::Unknown(_) => counts.unknown += 1,
            _ => counts.answered += 1,
        }
        stats.error = stats.error.take().or_else(|| response.error.clone());
    }
}

/// Returns true unless an answer has inputs that do not meet the query.
fn is_met(query: &Query<'_>, answer: Option<&Answer>) -> bool {
    !matches!(answer, Some(Answer::Sat(inputs)) if !query.is_met_by(inputs))
}

impl Executor for Portfolio {
    fn execute(
        &mut self,
        queries: &[Query<'_>],
        budget: &Budget,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Vec<Option<Response>> {
        // The cache holds the answers over one arena and one grammar.
        let basis = |query: &Query<'_>| (query.arena.id(), query.grammar.hash());
        let batches = queries.chunk_by(|a, b| basis(a) == basis(b));
        let answers = batches.flat_map(|batch| self.solve_batch(batch, budget, go_on));
        answers.map(|answer| answer.map(Response::from)).collect()
    }

    fn rechecks(&self, conditions: &[Condition]) -> bool {
        self.rechecker.as_ref().is_some_and(|rechecker| rechecker.takes(conditions))
    }

    fn refutes(&mut self, query: &Query<'_>) -> bool {
        self.recheck(query, query.conditions)
    }
}
