//! Concolic testing by events alone: run, rebuild, run what is new.

use std::collections::VecDeque;

use constraint::{Grammar, RuleId};
use frontend::core::Name;
use frontend::instrument::Table;
use term::Term;

use super::eval::{alternatives, trace};
use super::ground::ground;

/// The function under test and what its inputs may be.
pub struct Inputs<'a> {
    pub table: &'a Table,
    pub function: Name,
    pub grammar: &'a Grammar,
    pub rules: &'a [RuleId],
    /// The deepest term that is tried: a list is as deep as it is long, and deeper than what it holds.
    pub depth: usize,
}

/// What a run told: numbers, and values where there are some.
pub type Events = Vec<(u32, Option<Term>)>;

/// The test cases that follow from a first one; `run` gives the events of a run, or nothing if it has none. At most `most`
/// runs.
pub fn tests(
    inputs: &Inputs<'_>,
    first: Vec<Term>,
    most: usize,
    run: &mut dyn FnMut(&[Term]) -> Option<Events>,
) -> Vec<Vec<Term>> {
    let mut pending = VecDeque::from([first]);
    let (mut cases, mut traces): (Vec<Vec<Term>>, Vec<Vec<u32>>) = (Vec::new(), Vec::new());
    while let Some(case) = pending.pop_front() {
        if cases.len() == most {
            break;
        }
        cases.push(case.clone());
        let Some(events) = run(&case) else { continue };
        let told: Vec<(u32, Option<&Term>)> = events.iter().map(|(number, value)| (*number, value.as_ref())).collect();
        traces.push(trace(inputs.table, &told));
        for alternative in alternatives(inputs.table, inputs.function, &told) {
            if traces.iter().any(|visited| visited.starts_with(&alternative.trace)) {
                continue;
            }
            let Some(next) = ground(inputs.grammar, inputs.rules, &alternative) else { continue };
            let new = !cases.contains(&next) && !pending.contains(&next);
            if new && next.iter().all(|term| depth(term) <= inputs.depth) {
                pending.push_back(next);
            }
        }
    }
    cases
}

fn depth(term: &Term) -> usize {
    stacker::maybe_grow(64 << 10, 4 << 20, || match term {
        Term::Cons(..) => {
            let mut cells = term.cells();
            let deepest = cells.by_ref().enumerate().map(|(at, item)| at + 1 + depth(item)).max().unwrap_or(0);
            let length = term.cells().count();
            deepest.max(length + depth(cells.rest()))
        }
        Term::Tuple(_, items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Term::Map(_, map) => 1 + map.iter().map(|(key, value)| depth(key).max(depth(value))).max().unwrap_or(0),
        _ => 0,
    })
}
