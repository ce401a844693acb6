//! The answers that are known: of equal queries, and of sets of conditions that no inputs meet.

use std::collections::VecDeque;

use constraint::{ArenaId, Condition, GrammarHash, RuleId};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

use crate::query::{Answer, Query};
use crate::slice::Slicer;

/// Answers kept at most, of either kind; the oldest go first.
const MOST: usize = 1 << 14;
/// Conditions remembered at most; then everything is forgotten.
const MOST_CONDITIONS: usize = 1 << 19;

/// Everything that an answer depends on besides arena and grammar: of the inputs only those that conditions are about.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Key {
    /// The rules of the inputs.
    rules: u32,
    conditions: Vec<u32>,
    near: Vec<Term>,
}

/// Answers to queries over one arena and one grammar; another of either empties it.
#[derive(Default)]
pub struct Cache {
    /// Conditions are known by their expressions, which mean something else in another arena.
    basis: Option<(ArenaId, GrammarHash)>,
    /// Slices, and the inputs that conditions are about.
    pub slicer: Slicer,
    /// The clauses of a spec differ in the rules of their inputs.
    rules: FxHashMap<Vec<RuleId>, u32>,
    /// Every condition that was asked about has a number.
    numbers: FxHashMap<Condition, u32>,
    answers: FxHashMap<Key, Vec<Term>>,
    ages: VecDeque<Key>,
    /// Sets that no inputs meet, by rules and newest condition.
    impossible: FxHashMap<(u32, u32), Vec<Vec<u32>>>,
    impossible_ages: VecDeque<(u32, u32)>,
}

impl Cache {
    /// The answer that a query must have, if it is known.
    pub fn get(&mut self, query: &Query<'_>, key: &Key) -> Option<Answer> {
        if let Some(inputs) = self.answers.get(key) {
            let inputs = inputs.clone();
            return Some(Answer::Sat(self.kept(query, inputs)));
        }
        let asked: FxHashSet<u32> = key.conditions.iter().copied().collect();
        let sets = key.conditions.iter().filter_map(|number| self.impossible.get(&(key.rules, *number))).flatten();
        let mut contained = sets.filter(|set| set.iter().all(|number| asked.contains(number)));
        contained.next().map(|_| Answer::Unsat)
    }

    /// Keeps an answer.
    pub fn put(&mut self, key: &Key, answer: &Answer) {
        match answer {
            Answer::Unsat => self.put_impossible(key),
            Answer::Sat(inputs) => self.put_answer(key, inputs),
            // With more resources it may be known next time.
            Answer::Unknown(_) => {}
        }
    }

    fn put_answer(&mut self, key: &Key, inputs: &[Term]) {
        if self.ages.len() >= MOST
            && let Some(oldest) = self.ages.pop_front()
        {
            self.answers.remove(&oldest);
        }
        if self.answers.insert(key.clone(), inputs.to_vec()).is_none() {
            self.ages.push_back(key.clone());
        }
    }

    fn put_impossible(&mut self, key: &Key) {
        let Some(newest) = key.conditions.last().map(|newest| (key.rules, *newest)) else { return };
        if self.impossible_ages.len() >= MOST
            && let Some(oldest) = self.impossible_ages.pop_front()
            && let Some(sets) = self.impossible.get_mut(&oldest)
        {
            sets.remove(0);
        }
        self.impossible.entry(newest).or_default().push(key.conditions.clone());
        self.impossible_ages.push_back(newest);
    }

    /// Forgets everything when the queries are over another arena or grammar, or when it is too much. Keys made before
    /// mean nothing then.
    pub fn attend(&mut self, queries: &[Query<'_>]) {
        let Some(query) = queries.first() else { return };
        let basis = Some((query.arena.id(), query.grammar.hash()));
        if self.basis != basis || self.numbers.len() > MOST_CONDITIONS {
            *self = Cache { basis, ..Cache::default() };
        }
    }

    /// The key of a query. The order of conditions stays: solvers may depend on it.
    pub fn key(&mut self, query: &Query<'_>) -> Key {
        let rules = match self.rules.get(query.inputs) {
            Some(known) => *known,
            None => {
                let next = self.rules.len() as u32;
                self.rules.insert(query.inputs.to_vec(), next);
                next
            }
        };
        let mut number = |condition: &Condition| {
            let next = self.numbers.len() as u32;
            *self.numbers.entry(condition.clone()).or_insert(next)
        };
        let conditions = query.conditions.iter().map(&mut number).collect();
        let mentioned = self.slicer.mentioned(query);
        let near = query.near.iter().zip(&mentioned).filter(|(_, mentioned)| **mentioned);
        Key { rules, conditions, near: near.map(|(near, _)| near.clone()).collect() }
    }

    /// The inputs, with those that no condition is about as they were.
    pub fn kept(&mut self, query: &Query<'_>, mut inputs: Vec<Term>) -> Vec<Term> {
        let mentioned = self.slicer.mentioned(query);
        for (at, near) in query.near.iter().enumerate().filter(|(at, _)| !mentioned[*at]) {
            if let Some(input) = inputs.get_mut(at) {
                input.clone_from(near);
            }
        }
        inputs
    }
}
