//! The functions that a module has instead of one that it does not have or export.

use frontend::core::Name;
use term::{Atom, Mfa};

use super::LoadedModule;
use crate::near::nearest;

/// `lists exports no srot; did you mean sort/1, sort/2?`
pub fn instead(module: &LoadedModule, function: Mfa) -> String {
    let exported = module.exported();
    let wanted = Name { function: function.function, arity: function.arity };
    let is_named = exported.iter().any(|name| name.function == wanted.function);
    if !is_named && module.names().any(|other| other == wanted) {
        return format!("{} has it but does not export it", function.module);
    }
    among(&exported, function, "exports")
}

/// The same where a function need not be exported.
pub fn instead_of_any(module: &LoadedModule, function: Mfa) -> String {
    let names: Vec<Name> = module.names().collect();
    among(&names, function, "has")
}

fn among(names: &[Name], function: Mfa, verb: &str) -> String {
    let Mfa { module, function: wanted, .. } = function;
    let same = named(names, wanted);
    match nearest(names.iter().map(|name| name.function.name()), wanted.name()) {
        _ if !same.is_empty() => format!("{module} {verb} {same}"),
        Some(near) => format!("{module} {verb} no {wanted}; did you mean {}?", named(names, Atom::new(near))),
        None => format!("{module} {verb} no {wanted}"),
    }
}

/// Those of that name, by arity.
fn named(names: &[Name], function: Atom) -> String {
    let mut arities: Vec<u8> = names.iter().filter(|name| name.function == function).map(|name| name.arity).collect();
    arities.sort_unstable();
    let names: Vec<String> = arities.iter().map(|arity| format!("{function}/{arity}")).collect();
    names.join(", ")
}
