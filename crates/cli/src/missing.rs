//! What a module has instead of a function that it does not export.

use frontend::core::Name;
use term::{Atom, Mfa};

use crate::library::Module;

/// How alike two names must be for one to be taken for a misspelling of the other.
const ALIKE: f64 = 0.75;

/// `lists exports no srot; did you mean sort/1, sort/2?`
pub fn instead(module: &Module, function: Mfa) -> String {
    let Mfa { module: name, function: wanted, arity } = function;
    let exported: Vec<Name> = module.exported();
    let same = named(&exported, wanted);
    if !same.is_empty() {
        return format!("{name} exports {same}");
    }
    if module.names().any(|other| other == (Name { function: wanted, arity })) {
        return format!("{name} has it but does not export it");
    }
    match nearest(&exported, wanted) {
        Some(near) => format!("{name} exports no {wanted}; did you mean {}?", named(&exported, near)),
        None => format!("{name} exports no {wanted}"),
    }
}

/// The exports of that name, by arity.
fn named(exported: &[Name], function: Atom) -> String {
    let mut arities: Vec<u8> =
        exported.iter().filter(|name| name.function == function).map(|name| name.arity).collect();
    arities.sort_unstable();
    let names: Vec<String> = arities.iter().map(|arity| format!("{function}/{arity}")).collect();
    names.join(", ")
}

fn nearest(exported: &[Name], wanted: Atom) -> Option<Atom> {
    let likeness = |name: &Name| strsim::normalized_damerau_levenshtein(name.function.name(), wanted.name());
    let near = exported.iter().map(|name| (likeness(name), name.function)).filter(|(likeness, _)| *likeness >= ALIKE);
    near.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.name().cmp(a.1.name()))).map(|(_, name)| name)
}
