//! What is asked, and what is made of the answers; who answers is a [`Crew`].
//!
//! Queries come in batches. Each is cut down to the conditions that bear on its newest one. What is known from earlier
//! batches needs nobody; equal queries are asked once; the rest goes to the crew, all at once. What comes back is
//! checked against the whole query and remembered in the order of the batch. So it does not matter who in the crew
//! answers what, nor when.

use constraint::Condition;

use crate::cache::{Cache, Key};
use crate::members::{Crew, Members, Reply};
use crate::query::{Answer, Budget, Member, Query, Unknown};
use crate::smt::{Smt, SmtError};

/// All members, for queries over one arena.
pub struct Portfolio {
    crew: Box<dyn Crew>,
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
    /// Answers that were known, or asked for by an equal query of the same batch.
    pub known: u64,
    /// Without a solver outside the process.
    pub inside: Counts,
    pub outside: Counts,
    /// By walking; what was not found that way counts for the others.
    pub walk: Counts,
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
        let answered = self.known + self.inside.answered + self.walk.answered + self.outside.answered;
        if answered == 0 { 1.0 } else { 1.0 - self.outside.answered as f64 / answered as f64 }
    }
}

/// Where the answer to a query of a batch comes from.
enum Source {
    Known(Answer),
    /// The place among the questions, and whether it is the first that asks.
    Asked(usize, bool),
}

impl Portfolio {
    /// With members in this thread.
    pub fn new(smt: Option<Box<dyn Smt>>) -> Portfolio {
        Portfolio::with(Box::new(Members::new(smt)))
    }

    pub fn with(crew: Box<dyn Crew>) -> Portfolio {
        Portfolio { crew, cache: Cache::default(), stats: Stats::default() }
    }

    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// The slices first, then as a whole what other conditions hold back.
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
        let is_met = |at: usize| match &answers[at] {
            Some(Answer::Sat(inputs)) if slices[at].len() < queries[at].conditions.len() => {
                queries[at].is_met_by(inputs)
            }
            _ => true,
        };
        let again: Vec<usize> = (0..queries.len()).filter(|at| !is_met(*at)).collect();
        let whole: Vec<Query<'_>> = again.iter().map(|at| queries[*at]).collect();
        let wholes = self.ask(&whole, budget, go_on);
        again.iter().zip(wholes).for_each(|(at, answer)| answers[*at] = answer);
        self.stats.queries += answers.iter().flatten().count() as u64;
        self.stats.whole += again.len() as u64;
        answers
    }

    fn slice(&mut self, query: &Query<'_>) -> Vec<Condition> {
        let places = self.cache.slicer.slice(query);
        places.iter().map(|at| query.conditions[*at].clone()).collect()
    }

    /// The answer of whoever knows it, and checked.
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
        let replies = if questions.is_empty() { Vec::new() } else { self.crew.answer(&questions, budget, go_on) };
        let places = queries.iter().zip(&keys).zip(sources);
        places.map(|((query, key), source)| self.answer(query, key, source, &replies)).collect()
    }

    fn answer(&mut self, query: &Query<'_>, key: &Key, source: Source, replies: &[Option<Reply>]) -> Option<Answer> {
        let (reply, is_first) = match source {
            Source::Known(answer) => {
                self.stats.known += 1;
                return Some(answer);
            }
            Source::Asked(at, is_first) => (replies.get(at)?.as_ref()?, is_first),
        };
        if is_first {
            self.count(reply);
        } else {
            self.stats.known += 1;
        }
        let answer = match &reply.answer {
            Answer::Sat(inputs) if query.is_met_by(inputs) => Answer::Sat(self.cache.kept(query, inputs.clone())),
            Answer::Sat(_) => {
                self.stats.wrong += 1;
                Answer::Unknown(Unknown::Wrong)
            }
            answer => answer.clone(),
        };
        if is_first {
            self.cache.put(key, &answer);
        }
        Some(answer)
    }

    fn count(&mut self, reply: &Reply) {
        let stats = &mut self.stats;
        stats.inside.unknown += u64::from(reply.outside || reply.walk.is_some());
        let found = reply.walk.is_some_and(|walk| walk.found);
        stats.walk.unknown += u64::from(reply.walk.is_some() && !found);
        stats.outside.unknown += u64::from(reply.outside && found);
        let counts = match (found, reply.outside) {
            (true, _) => &mut stats.walk,
            (false, true) => &mut stats.outside,
            (false, false) => &mut stats.inside,
        };
        match reply.answer {
            Answer::Unknown(_) if reply.walk.is_some() && !reply.outside => {}
            Answer::Unknown(_) => counts.unknown += 1,
            _ => counts.answered += 1,
        }
        stats.error = stats.error.take().or_else(|| reply.error.clone());
    }
}

impl Member for Portfolio {
    fn name(&self) -> &'static str {
        "portfolio"
    }

    fn solve(&mut self, query: &Query<'_>, budget: &Budget) -> Answer {
        let answers = self.solve_batch(&[*query], budget, &mut || true);
        answers.into_iter().flatten().next().unwrap_or(Answer::Unknown(Unknown::Broken))
    }

    fn solve_all(
        &mut self,
        queries: &[Query<'_>],
        budget: &Budget,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Vec<Option<Answer>> {
        // What is remembered is remembered of one grammar.
        let batches = queries.chunk_by(|a, b| a.grammar.stamp() == b.grammar.stamp());
        batches.flat_map(|batch| self.solve_batch(batch, budget, go_on)).collect()
    }
}
