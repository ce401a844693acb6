//! A second opinion on unsat answers: a claim that no inputs meet some conditions is asked again of an SMT solver.
//!
//! The conditions are taken as the program posed them, before any simplification, and encoded afresh: Erlang terms are an
//! algebraic datatype, operations are functions on it. What the encoding cannot express is left unconstrained, so that it
//! has a model wherever inputs meet the conditions, and unsat confirms the claim. A model is read back as inputs; only if
//! these meet the conditions when they are evaluated is the claim false.

mod bits;
mod chunks;
mod commands;
mod condition;
mod encode;
mod grammar;
mod lists;
mod literal;
mod maps;
mod model;
mod nearby;
mod numbers;
mod order;
#[cfg(test)]
mod tests;

use constraint::{Arena, Condition, Grammar, RuleId};
use term::Term;

pub use nearby::nearby;

/// A claim that no inputs of these rules meet all conditions.
#[derive(Clone, Copy)]
pub struct Claim<'a> {
    /// The expressions of the conditions.
    pub arena: &'a Arena,
    /// The grammar of the rules.
    pub grammar: &'a Grammar,
    /// The rule of each input.
    pub inputs: &'a [RuleId],
    /// The conditions, the newest one last.
    pub conditions: &'a [Condition],
    /// Inputs that meet all conditions but the last.
    pub near: &'a [Term],
}

/// The result of asking again.
#[derive(Clone, PartialEq, Debug)]
pub enum Recheck {
    /// The encoding has no model, so that no inputs meet the conditions.
    Confirmed,
    /// Neither was shown: the budget did not suffice, or the model is one of the encoding alone.
    Undecided,
    /// These inputs meet the conditions.
    Refuted(Vec<Term>),
}

/// The longest question. What a solver reads costs it more than its length, and is not counted among the units of its work.
const MOST_TEXT: usize = 32 << 10;

/// The commands that ask whether the encoding of a claim has a model, within so many units of the solver's work.
pub fn question(claim: Claim<'_>, rlimit: u64) -> String {
    encode::ClaimEncoder::new(claim).finish().question(rlimit)
}

/// Asks an SMT solver, which runs commands and returns what they print. `is_met` says whether inputs of the grammar meet
/// the conditions.
pub fn recheck(
    claim: Claim<'_>,
    rlimit: u64,
    solver: &mut dyn FnMut(&str) -> Option<String>,
    is_met: &dyn Fn(&[Term]) -> bool,
) -> Recheck {
    let encoded = encode::ClaimEncoder::new(claim).finish();
    let question = encoded.question(rlimit);
    if question.len() > MOST_TEXT {
        return Recheck::Undecided;
    }
    match solver(&question).as_deref().map(str::trim) {
        Some("unsat") => return Recheck::Confirmed,
        Some("sat") => {}
        _ => return Recheck::Undecided,
    }
    let inputs = solver(&encoded.values()).and_then(|text| encoded.read(&text));
    inputs.filter(|inputs| is_met(inputs)).map_or(Recheck::Undecided, Recheck::Refuted)
}
