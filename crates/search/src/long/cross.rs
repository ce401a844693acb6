//! Crossings: inputs of one run with one of another run in place of theirs. What several inputs have to be is found for
//! each of them apart.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use term::Term;

use super::LongInput;

/// Inputs that others are crossed with, the latest.
const KEPT: usize = 40;
/// Crossings that wait; the oldest make room.
const WAITING: usize = 400;

/// Inputs that the search came to something with, and what they become with each other.
#[derive(Default)]
pub struct Crossings {
    kept: VecDeque<(usize, Vec<Term>)>,
    waiting: VecDeque<LongInput>,
    /// All inputs that are known, so that none comes twice.
    known: FxHashSet<Vec<Term>>,
}

impl Crossings {
    /// Crosses inputs with those before them, each place by itself.
    pub fn add(&mut self, signature: usize, inputs: &[Term], cost: u64) {
        if inputs.len() < 2 || !self.known.insert(inputs.to_vec()) {
            return;
        }
        let Crossings { kept, waiting, known } = self;
        for (_, other) in kept.iter().filter(|(of, _)| *of == signature) {
            for (at, input) in other.iter().enumerate() {
                let mut crossed = inputs.to_vec();
                crossed[at] = input.clone();
                if known.insert(crossed.clone()) {
                    waiting.push_back(LongInput { signature, inputs: crossed, cost });
                }
            }
        }
        waiting.drain(..waiting.len().saturating_sub(WAITING));
        kept.push_back((signature, inputs.to_vec()));
        kept.drain(..kept.len().saturating_sub(KEPT));
    }

    /// True if none waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The latest of those that wait.
    pub fn next(&mut self) -> Option<LongInput> {
        self.waiting.pop_back()
    }
}
