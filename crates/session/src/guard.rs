//! The rules of the guard for runs on the VM: it refuses what our own machine refuses, but for what the user allows.

use host::{GuardRule, Openings};
use ops::policy::{FOREIGN, Policy, Resource, UNKNOWN_NATIVE, marks_stub, policy, refusals};
use term::Mfa;

/// Returns the rules in an order that is always the same.
pub fn rules(allowed: impl Iterator<Item = Mfa>) -> Vec<GuardRule> {
    let mut all = refusals();
    all.sort_by_key(|it| (it.module.name(), it.function.map(|name| name.name()), it.arity));
    let listed = all.into_iter().map(|it| GuardRule {
        module: it.module,
        function: it.function,
        arity: it.arity,
        refused: it.refused,
    });
    let mut allowed: Vec<Mfa> = allowed.collect();
    allowed.sort_by_key(|it| (it.module.name(), it.function.name(), it.arity));
    let allowed = allowed.into_iter().map(|it| GuardRule {
        module: it.module,
        function: Some(it.function),
        arity: Some(it.arity),
        refused: false,
    });
    listed.chain(allowed).collect()
}

/// Returns what the operating system's walls let pass for the functions that the user allows.
pub fn openings(allowed: &[Mfa]) -> Openings {
    let needs = |resource| allowed.iter().any(|function| ops::policy::resource(*function) == Some(resource));
    Openings { files: needs(Resource::Files), network: needs(Resource::Network), programs: needs(Resource::Programs) }
}

/// True in a test of the operating system's walls, which must hold where nothing is refused. A release has no such switch.
pub fn is_off() -> bool {
    cfg!(debug_assertions) && std::env::var_os("HOUND_TEST_WITHOUT_GUARD").is_some()
}

/// Returns the effect of a function that the guard refused.
pub fn effect(function: Mfa) -> &'static str {
    match policy(function, true) {
        Policy::Effect(effect) => effect,
        _ if marks_stub(function) => UNKNOWN_NATIVE,
        _ => FOREIGN,
    }
}
