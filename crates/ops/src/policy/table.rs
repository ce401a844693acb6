//! The form of the policy tables, and looking a function up in them.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use term::{Atom, Mfa};

use super::{Policy, outside, processes, values};

/// The policies of one library module.
pub(super) struct Module {
    pub name: &'static str,
    /// For the functions that no row names.
    pub otherwise: Policy,
    pub rows: &'static [Row],
}

/// Functions that are treated alike: `name/arity`, or `name` for every arity, with blanks between.
pub(super) type Row = (Policy, &'static str);

impl Module {
    /// A module whose functions run as code but for some.
    pub(super) const fn code(name: &'static str, rows: &'static [Row]) -> Module {
        Module { name, otherwise: Policy::Code, rows }
    }

    /// A module with one policy for all but some of its functions.
    pub(super) const fn all(name: &'static str, otherwise: Policy, rows: &'static [Row]) -> Module {
        Module { name, otherwise, rows }
    }
}

/// Modules with one policy for all of their functions, with blanks between.
pub(super) type Alike = (Policy, &'static str);

#[derive(Default)]
struct Table {
    exact: FxHashMap<Mfa, Policy>,
    every_arity: FxHashMap<(Atom, Atom), Policy>,
    modules: FxHashMap<Atom, Policy>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table::default();
    for module in [values::MODULES, processes::MODULES, outside::MODULES].into_iter().flatten() {
        table.add(module);
    }
    for &(policy, names) in outside::ALIKE.iter().chain(processes::ALIKE) {
        table.modules.extend(names.split_whitespace().map(|name| (Atom::new(name), policy)));
    }
    table
});

impl Table {
    fn add(&mut self, module: &Module) {
        let name = Atom::new(module.name);
        self.modules.insert(name, module.otherwise);
        for &(policy, functions) in module.rows {
            functions.split_whitespace().for_each(|function| self.add_function(name, function, policy));
        }
    }

    fn add_function(&mut self, module: Atom, text: &str, policy: Policy) {
        match text.rsplit_once('/').and_then(|(name, arity)| Some((name, arity.parse().ok()?))) {
            Some((name, arity)) => {
                self.exact.insert(Mfa { module, function: Atom::new(name), arity }, policy);
            }
            None => {
                self.every_arity.insert((module, Atom::new(text)), policy);
            }
        }
    }
}

/// The refusal of a function, or with no arity all of that name, or with no name all of the module that have no row
/// of their own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Refusal {
    pub module: Atom,
    pub function: Option<Atom>,
    pub arity: Option<u8>,
    pub refused: bool,
}

/// The outside effects in the tables, for those who refuse them elsewhere: in no order that matters. A function with a
/// record of its own is no part of a module that is refused.
pub fn refusals() -> Vec<Refusal> {
    let is_effect = |policy: &Policy| matches!(policy, Policy::Effect(_));
    let is_refused = |module: &Atom| TABLE.modules.get(module).is_some_and(is_effect);
    let recorded = crate::tables::ALL.into_iter().flatten();
    let recorded = recorded.flat_map(|(module, operations)| operations.iter().map(|it| (Atom::new(module), it)));
    let spared = recorded.filter(|(module, _)| is_refused(module)).map(|(module, operation)| Refusal {
        module,
        function: Some(Atom::new(operation.name)),
        arity: Some(operation.arity),
        refused: operation.policy.as_ref().is_some_and(is_effect),
    });
    let exact = TABLE.exact.iter().map(|(mfa, policy)| (mfa.module, Some(mfa.function), Some(mfa.arity), policy));
    let named = TABLE.every_arity.iter().map(|(&(module, function), policy)| (module, Some(function), None, policy));
    let whole = TABLE.modules.iter().map(|(&module, policy)| (module, None, None, policy));
    let all = exact.chain(named).chain(whole);
    let all =
        all.map(|(module, function, arity, policy)| Refusal { module, function, arity, refused: is_effect(policy) });
    all.chain(spared).collect()
}

/// The policy of a function that a row names.
pub(super) fn listed(mfa: Mfa) -> Option<Policy> {
    let exact = TABLE.exact.get(&mfa);
    exact.or_else(|| TABLE.every_arity.get(&(mfa.module, mfa.function))).copied()
}

/// The policy of the functions of a module that no row names.
pub(super) fn of_module(mfa: Mfa) -> Option<Policy> {
    TABLE.modules.get(&mfa.module).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_function_and_no_module_is_named_twice() {
        let mut seen = std::collections::BTreeSet::new();
        for module in [values::MODULES, processes::MODULES, outside::MODULES].into_iter().flatten() {
            assert!(seen.insert(module.name.to_owned()), "{} twice", module.name);
            for function in module.rows.iter().flat_map(|(_, functions)| functions.split_whitespace()) {
                assert!(seen.insert(format!("{}:{function}", module.name)), "{}:{function} twice", module.name);
            }
        }
        for operation in crate::all().filter(|operation| operation.policy.is_some()) {
            let (module, name) = (operation.module, operation.name);
            assert!(!seen.contains(&format!("{module}:{name}")), "{module}:{name} has a record");
            assert!(!seen.contains(&format!("{module}:{name}/{}", operation.arity)), "{module}:{name} has a record");
        }
        for name in outside::ALIKE.iter().chain(processes::ALIKE).flat_map(|(_, names)| names.split_whitespace()) {
            assert!(seen.insert(name.to_owned()), "{name} twice");
        }
        assert!(seen.len() > 400, "only {} names", seen.len());
    }
}
