//! Unsat answers asked again: of inputs close to those at hand, and of an SMT process with an encoding of its own.
//!
//! An unsat answer closes a branch for good, so that a wrong one is a false proof. A model is checked by evaluating it;
//! this is the check of the other answer. It is made for a sample of the answers, chosen by a hash of their conditions.

use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};

use constraint::Condition;
use recheck::{Claim, Recheck, nearby, recheck};
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use term::Term;
use term::cut::{self, MemoryLimit};

use crate::query::Query;
use crate::smt::Smt;
use crate::structural::accepts;

/// The work of the process for one question, in its own unit.
const RLIMIT: u64 = 300_000;
/// The most that one check may allocate.
const MOST_BYTES: usize = 256 << 20;
/// Inputs close to those at hand that are tried.
const NEARBY: usize = 24;

/// Checks a sample of unsat answers.
pub struct Rechecker {
    process: Box<dyn Smt>,
    /// One answer in so many is asked again.
    one_in: u64,
    /// The outcomes so far.
    pub counts: RecheckCounts,
}

/// Counts of unsat answers that were asked again.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RecheckCounts {
    /// Answers that hold.
    pub confirmed: u64,
    /// Answers of which that is not known.
    pub undecided: u64,
    /// Answers that do not hold, each in words.
    pub refuted: Vec<String>,
}

impl Rechecker {
    /// Asks a process about one answer in so many; 1 is all.
    pub fn new(process: Box<dyn Smt>, one_in: u64) -> Rechecker {
        Rechecker { process, one_in, counts: RecheckCounts::default() }
    }

    /// Returns true if an unsat answer to these conditions belongs to the sample.
    pub fn takes(&self, conditions: &[Condition]) -> bool {
        let mut hasher = FxHasher::default();
        conditions.hash(&mut hasher);
        (hasher.finish() >> 20).is_multiple_of(self.one_in)
    }

    /// Returns true if inputs meet a query that was answered unsat. `slice` are the conditions which that answer is about.
    pub fn refutes(&mut self, query: &Query<'_>, slice: &[Condition]) -> bool {
        let _memory = MemoryLimit::new(MOST_BYTES);
        // A mistake in here must not cost more than the check.
        let found = catch_unwind(AssertUnwindSafe(|| cut::attempt(|| self.second_opinion(query, slice))));
        match found.ok().and_then(Result::ok).unwrap_or(Recheck::Undecided) {
            Recheck::Confirmed => self.counts.confirmed += 1,
            Recheck::Undecided => self.counts.undecided += 1,
            Recheck::Refuted(inputs) => {
                self.counts.refuted.push(in_words(query, &inputs));
                return true;
            }
        }
        false
    }

    fn second_opinion(&mut self, query: &Query<'_>, slice: &[Condition]) -> Recheck {
        let Query { arena, grammar, inputs, conditions, near } = *query;
        let whole = Claim { arena, grammar, inputs, conditions, near };
        let fits = |values: &[Term]| inputs.iter().zip(values).all(|(rule, value)| accepts(grammar, *rule, value));
        let is_met = |values: &[Term]| fits(values) && query.is_met_by(values);
        if let Some(inputs) = nearby(whole, NEARBY, &is_met) {
            return Recheck::Refuted(inputs);
        }
        let part = self.ask(Claim { conditions: slice, ..whole }, &is_met);
        // Of the whole the encoding may know more, and a model of the part need not meet the rest.
        if part == Recheck::Undecided && slice.len() < conditions.len() { self.ask(whole, &is_met) } else { part }
    }

    fn ask(&mut self, claim: Claim<'_>, is_met: &dyn Fn(&[Term]) -> bool) -> Recheck {
        recheck(claim, RLIMIT, &mut |script| self.process.exchange(script).ok(), is_met)
    }
}

/// The conditions and the inputs that meet them, for a report of the mistake.
fn in_words(query: &Query<'_>, inputs: &[Term]) -> String {
    let conditions: Vec<String> = query.conditions.iter().map(|it| query.arena.show_condition(it)).collect();
    let inputs: Vec<String> = inputs.iter().map(Term::to_string).collect();
    format!("({}) meets {}", inputs.join(", "), conditions.join(" and "))
}
