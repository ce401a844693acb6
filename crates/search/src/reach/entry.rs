//! The entry points as a chase sees them.

use constraint::RuleId;
use exec::backward::{Door, FunctionId, Program, Values};
use rustc_hash::{FxHashMap, FxHashSet};
use solve::{Answer, smallest_inputs};
use term::{Mfa, Term};

use crate::subject::Subject;
use crate::tested::Tested;

/// An entry point.
pub struct Entry {
    pub function: Mfa,
    /// The rules of its inputs, by clause of the spec, and the smallest inputs.
    pub signatures: Vec<(Vec<RuleId>, Vec<Term>)>,
}

/// The entry points, and what registers can hold if the program begins there.
pub fn doors(program: &mut Program<'_>, subjects: &[Tested<'_>], open: &FxHashSet<FunctionId>) -> (Vec<Entry>, Values) {
    let mut found = Vec::new();
    for subject in subjects {
        let target = subject.target();
        if let Some(function) = program.find(target.entry) {
            let signatures = target.signatures.iter().map(|signature| signature.inputs.clone()).collect();
            found.push(Door { function, grammar: subject.grammar(), signatures });
        }
    }
    let (values, rules) = Values::of(program, &found, open);
    let mut rules = found.iter().zip(rules).map(|(door, rules)| (door.function, rules)).collect::<FxHashMap<_, _>>();
    let mut first = |rules: Vec<RuleId>| {
        let inputs = match smallest_inputs(values.grammar(), &rules) {
            Answer::Sat(inputs) => inputs,
            _ => vec![Term::int(0); rules.len()],
        };
        (rules, inputs)
    };
    let entry = |subject: &Tested<'_>| {
        let function = subject.target().entry;
        let rules = program.number(function).and_then(|id| rules.remove(&id)).unwrap_or_default();
        Entry { function, signatures: rules.into_iter().map(&mut first).collect() }
    };
    let entries = subjects.iter().map(entry).collect();
    (entries, values)
}
