//! Answers that are known: equal queries, and sets of conditions that nothing meets.

use std::collections::VecDeque;

use constraint::Condition;
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

use crate::query::{Answer, Query};
use crate::slice::Slicer;

/// Answers kept at most, of either kind; the oldest go first.
const MOST: usize = 1 << 14;
/// Conditions remembered at most; then everything is forgotten.
const MOST_CONDITIONS: usize = 1 << 19;

/// What an answer depends on, besides arena and grammar: of the inputs only those that conditions speak of.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    conditions: Vec<u32>,
    near: Vec<Term>,
}

/// Answers to queries over one arena; another grammar or other rules for the inputs empty it.
#[derive(Default)]
pub struct Cache {
    subject: Option<(u64, Vec<constraint::RuleId>)>,
    pub slicer: Slicer,
    /// Every condition that was asked about has a number.
    numbers: FxHashMap<Condition, u32>,
    answers: FxHashMap<Key, Vec<Term>>,
    ages: VecDeque<Key>,
    /// Sets that nothing meets, by their newest condition.
    impossible: FxHashMap<u32, Vec<Vec<u32>>>,
    impossible_ages: VecDeque<u32>,
}

impl Cache {
    /// The answer that a query must have, if it is known.
    pub fn get(&mut self, query: &Query<'_>) -> Option<Answer> {
        let key = self.key(query);
        if let Some(inputs) = self.answers.get(&key) {
            let inputs = inputs.clone();
            return Some(Answer::Inputs(self.kept(query, inputs)));
        }
        let asked: FxHashSet<u32> = key.conditions.iter().copied().collect();
        let sets = key.conditions.iter().filter_map(|number| self.impossible.get(number)).flatten();
        let mut contained = sets.filter(|set| set.iter().all(|number| asked.contains(number)));
        contained.next().map(|_| Answer::None)
    }

    pub fn put(&mut self, query: &Query<'_>, answer: &Answer) {
        let key = self.key(query);
        match answer {
            Answer::None => self.put_impossible(key.conditions),
            Answer::Inputs(inputs) => self.put_answer(key, inputs),
            // With more resources it may be known next time.
            Answer::Unknown(_) => {}
        }
    }

    fn put_answer(&mut self, key: Key, inputs: &[Term]) {
        if self.ages.len() >= MOST
            && let Some(oldest) = self.ages.pop_front()
        {
            self.answers.remove(&oldest);
        }
        if self.answers.insert(key.clone(), inputs.to_vec()).is_none() {
            self.ages.push_back(key);
        }
    }

    fn put_impossible(&mut self, conditions: Vec<u32>) {
        let Some(newest) = conditions.last().copied() else { return };
        if self.impossible_ages.len() >= MOST
            && let Some(oldest) = self.impossible_ages.pop_front()
            && let Some(sets) = self.impossible.get_mut(&oldest)
        {
            sets.remove(0);
        }
        self.impossible.entry(newest).or_default().push(conditions);
        self.impossible_ages.push_back(newest);
    }

    /// Forgets everything when the question is about something else, or when it is too much.
    pub fn attend(&mut self, query: &Query<'_>) {
        let (stamp, inputs) = (query.grammar.stamp(), query.inputs);
        let same = self.subject.as_ref().is_some_and(|(known, rules)| *known == stamp && rules == inputs);
        if !same || self.numbers.len() > MOST_CONDITIONS {
            *self = Cache { subject: Some((stamp, inputs.to_vec())), ..Cache::default() };
        }
    }

    /// The order of conditions stays: members may depend on it.
    fn key(&mut self, query: &Query<'_>) -> Key {
        let mut number = |condition: &Condition| {
            let next = self.numbers.len() as u32;
            *self.numbers.entry(condition.clone()).or_insert(next)
        };
        let conditions = query.conditions.iter().map(&mut number).collect();
        let mentioned = self.slicer.mentioned(query);
        let near = query.near.iter().zip(&mentioned).filter(|(_, mentioned)| **mentioned);
        Key { conditions, near: near.map(|(near, _)| near.clone()).collect() }
    }

    /// The inputs, those that no condition speaks of as they were.
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
