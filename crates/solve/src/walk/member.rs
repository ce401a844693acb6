//! The walk as a member: inputs of the right shapes are there already, only their numbers are to be found.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};

use constraint::Expr;
use rustc_hash::FxHasher;
use term::Term;

use super::extract::Extraction;
use super::settings::WalkSettings;
use super::tabu::{Walked, walk, walk_asking};
use super::value::Num;
use crate::query::{Answer, Query, UnknownReason};
use crate::structural::accepts;

/// Looks for numbers to put into inputs, which have the shapes that the query asks for.
pub fn solve(query: &Query<'_>, inputs: &[Term], settings: &WalkSettings) -> (Answer, Option<Walked>) {
    let unknown = Answer::Unknown(UnknownReason::Budget);
    let Some(leaves) = Extraction::of(query, inputs) else {
        return (Answer::Unknown(UnknownReason::Unsupported), None);
    };
    let walked = walk(&leaves.problem, settings, seed(&leaves).wrapping_add(settings.seed));
    let found = walked.values.as_ref().and_then(|values| leaves.put(inputs, values));
    let fits = |inputs: &Vec<Term>| {
        let accepted = query.inputs.iter().zip(inputs).all(|(rule, input)| accepts(query.grammar, *rule, input));
        accepted && query.is_met_simplified_by(inputs)
    };
    (found.filter(fits).map_or(unknown, Answer::Sat), Some(walked))
}

/// The same where opaque functions are in the query: `value` gives what an expression is for inputs, by whatever that
/// takes. The caller checks that the values meet the query.
pub fn solve_asking(
    leaves: &Extraction,
    inputs: &[Term],
    settings: &WalkSettings,
    value: &mut dyn FnMut(Expr, &[Term]) -> Option<Term>,
) -> (Option<Vec<Term>>, Walked) {
    let value = RefCell::new(value);
    let oracle = |question: usize, values: &[Num]| {
        let inputs = leaves.put(inputs, values);
        let value = inputs.and_then(|inputs| value.borrow_mut()(leaves.questions[question], &inputs));
        value.and_then(|value| Num::of_term(&value)).unwrap_or(Num::Undefined)
    };
    let walked = walk_asking(&leaves.problem, &oracle, settings, seed(leaves).wrapping_add(settings.seed));
    (walked.values.as_ref().and_then(|values| leaves.put(inputs, values)), walked)
}

/// The seed depends on the problem alone, so that its walk is always the same.
fn seed(leaves: &Extraction) -> u64 {
    let mut hasher = FxHasher::default();
    leaves.problem.hash(&mut hasher);
    hasher.finish()
}
