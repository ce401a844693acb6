//! Long inputs: the part of a search that runs concretely, far from the smallest inputs.
//!
//! A crash that needs a length, a count, a depth or a magnitude is at the end of a long path, and of its flips most lead
//! to paths of the same kind: the solver does not come there. So inputs are also made by chance, long from the start, and
//! run without expressions. An input *gains* if its run comes to a branch as often as none did before, in powers of two;
//! it is then changed again. What a new branch or a new crash needs is made small and joins the tree.

mod alphabet;
mod calls;
mod cross;
mod generate;
mod magnitude;
mod pump;
mod random;

use constraint::Grammar;
use rustc_hash::FxHashMap;
use term::Term;

use crate::subject::Signature;
pub use calls::longest as longest_calls;
use cross::Crossings;
use generate::Generator;
use random::Random;

/// Inputs that gained something.
#[derive(Clone)]
struct Seed {
    signature: usize,
    inputs: Vec<Term>,
    /// The cost of their run.
    cost: u64,
}

/// Inputs to be run.
pub struct LongInput {
    /// The clause of the spec.
    pub signature: usize,
    /// The inputs.
    pub inputs: Vec<Term>,
    /// The cost of the run of those that they were made from.
    pub cost: u64,
}

/// The gain of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Gain {
    /// None.
    Nothing,
    /// It came to some place as often as no other did.
    Count,
    /// It came to some place more often than any did to any.
    Record,
    /// It came to a place where no other was.
    Place,
}

/// Seeds that are kept; the oldest make room.
const SEEDS: usize = 200;

/// The latest seeds, which are taken more often.
const LATEST: usize = 12;

/// The maker of long inputs, with what their runs came to.
pub struct LongInputs {
    random: Random,
    generator: Option<Generator>,
    seeds: Vec<Seed>,
    crossings: Crossings,
    /// By place, the powers of two of the times that runs came there.
    counts: FxHashMap<u32, u32>,
    /// The highest of all.
    record: u32,
}

impl Default for LongInputs {
    fn default() -> LongInputs {
        LongInputs {
            random: Random::new(0),
            generator: None,
            seeds: Vec::new(),
            crossings: Crossings::default(),
            counts: FxHashMap::default(),
            record: 0,
        }
    }
}

impl LongInputs {
    /// Those that a seed decides.
    pub fn new(seed: u64) -> LongInputs {
        LongInputs { random: Random::new(seed), ..LongInputs::default() }
    }

    /// Enters the places of a run; returns what it gained.
    pub fn enter(&mut self, places: &[(u32, u32)]) -> Gain {
        let mut gain = Gain::Nothing;
        for (place, count) in places {
            let known = self.counts.entry(*place).or_default();
            let level = 1 << count.max(&1).ilog2();
            gain = gain.max(match *known {
                0 => Gain::Place,
                _ if level > self.record => Gain::Record,
                known if known & level == 0 => Gain::Count,
                _ => Gain::Nothing,
            });
            *known |= level;
            self.record = self.record.max(level);
        }
        gain
    }

    /// The places of a run that no other came to.
    pub fn new_places(&self, places: &[(u32, u32)]) -> Vec<u32> {
        places.iter().map(|(place, _)| *place).filter(|place| !self.counts.contains_key(place)).collect()
    }

    /// Keeps inputs to make others from.
    pub fn keep(&mut self, signature: usize, inputs: Vec<Term>, cost: u64) {
        if self.seeds.len() == SEEDS {
            // Every second of the old ones.
            let mut at = 0;
            self.seeds.retain(|_| {
                at += 1;
                at > SEEDS / 2 || at % 2 == 0
            });
        }
        self.seeds.push(Seed { signature, inputs, cost });
    }

    /// Keeps inputs that the search came to something with, also to be crossed with others of the kind.
    pub fn keep_found(&mut self, signature: usize, inputs: Vec<Term>, cost: u64) {
        self.crossings.add(signature, &inputs, cost);
        self.keep(signature, inputs, cost);
    }

    /// The next inputs; nothing if there are none of the clause whose turn it is.
    pub fn next(&mut self, grammar: &Grammar, signatures: &[Signature]) -> Option<LongInput> {
        if !self.crossings.is_empty() && self.random.one_in(2) {
            return self.crossings.next();
        }
        let seed = self.seed();
        match seed {
            Some(seed) if !self.random.one_in(3) => Some(self.changed(grammar, signatures, seed)),
            _ => {
                let signature = self.random.below(signatures.len());
                let inputs = signatures[signature].inputs.iter().map(|rule| self.generate(grammar, *rule));
                Some(LongInput { signature, inputs: inputs.collect::<Option<_>>()?, cost: 0 })
            }
        }
    }

    /// A seed by chance: of two the one that costs less, and more often one of the latest.
    fn seed(&mut self) -> Option<Seed> {
        let from = if self.random.one_in(2) { self.seeds.len().saturating_sub(LATEST) } else { 0 };
        let seeds = &self.seeds[from..];
        let (one, other) = (self.random.pick(seeds)?, self.random.pick(seeds)?);
        Some(if one.cost <= other.cost { one.clone() } else { other.clone() })
    }

    /// Inputs of a seed, one of them generated anew or some of them changed.
    fn changed(&mut self, grammar: &Grammar, signatures: &[Signature], seed: Seed) -> LongInput {
        let Seed { signature, mut inputs, cost } = seed;
        if self.random.one_in(4) && !inputs.is_empty() {
            let at = self.random.below(inputs.len());
            if let Some(input) = self.generate(grammar, signatures[signature].inputs[at]) {
                inputs[at] = input;
            }
        } else {
            let others: &[Term] = self.random.pick(&self.seeds).map_or(&[], |seed| &seed.inputs);
            let random = &mut self.random;
            for _ in 0..=random.below(3) {
                if random.one_in(3) || !calls::change(&mut inputs, others, random) {
                    pump::change(&mut inputs, others, random);
                }
            }
        }
        LongInput { signature, inputs, cost }
    }

    fn generate(&mut self, grammar: &Grammar, rule: constraint::RuleId) -> Option<Term> {
        let generator = self.generator.get_or_insert_with(|| Generator::new(grammar));
        generator.generate(grammar, rule, &mut self.random)
    }
}
