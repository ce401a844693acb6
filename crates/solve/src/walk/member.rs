//! The walk as a member: inputs of the right shapes are there already, only their numbers are to be found.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use term::Term;

use super::leaves::Leaves;
use super::search::{Walked, walk};
use super::settings::Settings;
use crate::query::{Answer, Query, Unknown};
use crate::structural::accepts;

/// Looks for numbers to put into inputs, which have the shapes that the query asks for.
pub fn solve(query: &Query<'_>, inputs: &[Term], settings: &Settings) -> (Answer, Option<Walked>) {
    let unknown = Answer::Unknown(Unknown::Budget);
    let Some(leaves) = Leaves::of(query, inputs) else { return (Answer::Unknown(Unknown::Unsupported), None) };
    let walked = walk(&leaves.problem, settings, seed(&leaves).wrapping_add(settings.seed));
    let found = walked.values.as_ref().and_then(|values| leaves.put(inputs, values));
    let fits = |inputs: &Vec<Term>| {
        let accepted = query.inputs.iter().zip(inputs).all(|(rule, input)| accepts(query.grammar, *rule, input));
        accepted && query.is_met_by(inputs)
    };
    (found.filter(fits).map_or(unknown, Answer::Inputs), Some(walked))
}

/// The same problem is walked the same way, whoever asks and whenever.
fn seed(leaves: &Leaves) -> u64 {
    let mut hasher = FxHasher::default();
    format!("{:?}", leaves.problem).hash(&mut hasher);
    hasher.finish()
}
