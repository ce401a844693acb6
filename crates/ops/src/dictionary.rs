//! A process dictionary that remembers how it came to be: the order in which the VM lists a dictionary follows from it.

use std::mem;

use term::{HandleKind, Map, Term};

use crate::erlang::text::word;

/// Keys and values.
#[derive(Default)]
pub struct Dictionary {
    entries: Map,
    steps: Vec<Step>,
}

/// A change of a key, as far as the order of keys depends on it.
#[derive(Clone, PartialEq)]
pub enum Step {
    Put(Term),
    Erase(Term),
}

impl Dictionary {
    /// Longer courses are shortened, at the price that the order in which the VM lists the keys is no longer certain.
    const LONGEST_COURSE: usize = 10_000;

    pub fn new() -> Dictionary {
        Dictionary::default()
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn get(&self, key: &Term) -> Option<&Term> {
        self.entries.get(key)
    }

    /// The entries, in no order that matters.
    pub fn iter(&self) -> impl Iterator<Item = (&Term, &Term)> {
        self.entries.iter()
    }

    pub fn entries(&self) -> &Map {
        &self.entries
    }

    /// Gives the value that the key had.
    pub fn put(&mut self, key: Term, value: Term) -> Option<Term> {
        let old = self.entries.get(&key).cloned();
        if old.is_none() || !is_word(&value) {
            self.note(Step::Put(key.clone()));
        }
        self.entries.insert_mut(key, value);
        old
    }

    pub fn erase(&mut self, key: &Term) -> Option<Term> {
        let old = self.entries.remove_mut(key)?;
        self.note(Step::Erase(key.clone()));
        Some(old)
    }

    /// All terms that the dictionary holds on to.
    pub fn held(&self) -> impl Iterator<Item = &Term> {
        let keys = self.steps.iter().map(|step| match step {
            Step::Put(key) | Step::Erase(key) => key,
        });
        self.entries.iter().flat_map(|(key, value)| [key, value]).chain(keys)
    }

    /// The changes, first things first; doing it again makes the same keys in the same order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Putting a key twice in a row is no more than putting it once.
    fn note(&mut self, step: Step) {
        if self.steps.last() == Some(&step) {
            return;
        }
        if self.steps.len() >= Self::LONGEST_COURSE + self.entries.len() {
            self.shorten();
        }
        self.steps.push(step);
    }

    /// Each key that is still there was put when it was last put.
    fn shorten(&mut self) {
        let mut seen = Map::new();
        let mut kept: Vec<Step> = Vec::new();
        for step in mem::take(&mut self.steps).into_iter().rev() {
            let Step::Put(key) = &step else { continue };
            if self.entries.contains(key) && !seen.contains(key) {
                seen.insert_mut(key.clone(), Term::nil());
                kept.push(step);
            }
        }
        kept.reverse();
        self.steps = kept;
    }
}

/// True if a value is one word to the VM: such a value takes the place of a key's old one and nothing else moves.
fn is_word(value: &Term) -> bool {
    match value {
        Term::Nil(_) | Term::Atom(..) => true,
        Term::Int(..) => word(value).is_some(),
        Term::Handle(_, handle) => handle.kind != HandleKind::Reference && handle.node.name() == "nonode@nohost",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_course_is_shortened_to_the_keys_that_are_left() {
        let mut dictionary = Dictionary::new();
        for at in 0..50_000 {
            dictionary.put(Term::int(at % 7), Term::tuple([Term::int(at)]));
            dictionary.erase(&Term::int(3));
        }
        assert!(dictionary.steps().len() <= Dictionary::LONGEST_COURSE + dictionary.len());
        dictionary.shorten();
        let left: Vec<Term> = dictionary
            .steps()
            .iter()
            .map(|step| match step {
                Step::Put(key) | Step::Erase(key) => key.clone(),
            })
            .collect();
        let values: Vec<i64> =
            left.iter().filter_map(|key| dictionary.get(key)?.as_tuple()?.first()?.as_i64()).collect();
        assert!(values.len() == 6 && values.is_sorted(), "{left:?}");
    }
}
