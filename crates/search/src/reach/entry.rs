//! The entry points of a backward search.

use constraint::RuleId;
use exec::backward::{EntryRules, FunctionId, Program, Values};
use rustc_hash::{FxHashMap, FxHashSet};
use solve::{Answer, smallest_inputs};
use term::{Mfa, Term};

use crate::machine_subject::MachineSubject;
use crate::subject::TestSubject;

/// An entry point with its inputs.
pub struct Entry {
    /// The function.
    pub function: Mfa,
    /// The rules of its inputs, by clause of the spec, and the smallest inputs.
    pub signatures: Vec<(Vec<RuleId>, Vec<Term>)>,
}

/// Returns the entry points, and the values that registers can hold if the program begins there.
pub fn entry_points(
    program: &mut Program<'_>,
    subjects: &[MachineSubject<'_>],
    open: &FxHashSet<FunctionId>,
) -> (Vec<Entry>, Values) {
    let mut found = Vec::new();
    for subject in subjects {
        let entry_point = subject.entry_point();
        if let Some(function) = program.find(entry_point.function) {
            let signatures = entry_point.signatures.iter().map(|signature| signature.inputs.clone()).collect();
            found.push(EntryRules { function, grammar: subject.grammar(), signatures });
        }
    }
    let (values, rules) = Values::of(program, &found, open);
    let mut rules = found.iter().zip(rules).map(|(entry, rules)| (entry.function, rules)).collect::<FxHashMap<_, _>>();
    let mut first = |rules: Vec<RuleId>| {
        let inputs = match smallest_inputs(values.grammar(), &rules) {
            Answer::Sat(inputs) => inputs,
            _ => vec![Term::int(0); rules.len()],
        };
        (rules, inputs)
    };
    let entry = |subject: &MachineSubject<'_>| {
        let function = subject.entry_point().function;
        let rules = program.number(function).and_then(|id| rules.remove(&id)).unwrap_or_default();
        Entry { function, signatures: rules.into_iter().map(&mut first).collect() }
    };
    let entries = subjects.iter().map(entry).collect();
    (entries, values)
}
