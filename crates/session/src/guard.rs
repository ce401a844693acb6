//! The rules of the guard for runs on the VM: what our own machine refuses, but for what the user allows.

use host::Rule;
use ops::policy::{FOREIGN, Policy, UNKNOWN_NATIVE, marks_stub, policy, refusals};
use term::Mfa;

/// The same in the same order, whatever the order of the tables.
pub fn rules(allowed: impl Iterator<Item = Mfa>) -> Vec<Rule> {
    let mut all = refusals();
    all.sort_by_key(|it| (it.module.name(), it.function.map(|name| name.name()), it.arity));
    let listed = all.into_iter().map(|it| Rule {
        module: it.module,
        function: it.function,
        arity: it.arity,
        refused: it.refused,
    });
    let mut allowed: Vec<Mfa> = allowed.collect();
    allowed.sort_by_key(|it| (it.module.name(), it.function.name(), it.arity));
    let allowed = allowed.into_iter().map(|it| Rule {
        module: it.module,
        function: Some(it.function),
        arity: Some(it.arity),
        refused: false,
    });
    listed.chain(allowed).collect()
}

/// What a function does that the guard refused.
pub fn effect(function: Mfa) -> &'static str {
    match policy(function, true) {
        Policy::Effect(effect) => effect,
        _ if marks_stub(function) => UNKNOWN_NATIVE,
        _ => FOREIGN,
    }
}
