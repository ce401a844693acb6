//! The guard: runs of programs on the VM that may do nothing but what rules let pass.
//!
//! The VM is given the rules once; its modules are then patched so that every call of a function that is refused comes to
//! the guard first, whoever makes it and by whatever name. A new VM gets the rules again.

use term::{Atom, Term};

use crate::error::HostError;
use crate::host::Host;

/// Whether a function is refused, or with no arity all of that name, or with no name all of the module. The most exact
/// rule counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    pub module: Atom,
    pub function: Option<Atom>,
    pub arity: Option<u8>,
    pub refused: bool,
}

impl Rule {
    fn term(&self) -> Term {
        let any = || Term::atom_named("any");
        Term::tuple([
            Term::atom(self.module),
            self.function.map_or_else(any, Term::atom),
            self.arity.map_or_else(any, |arity| Term::int(i64::from(arity))),
            Term::bool(self.refused),
        ])
    }
}

/// How long it may take to patch what is loaded.
const MILLIS: u64 = 60_000;

impl Host {
    /// From now on observed calls and confirmations are guarded.
    pub fn guard(&mut self, rules: &[Rule]) -> Result<(), HostError> {
        let rules = Term::list(rules.iter().map(Rule::term));
        if self.guard.as_ref() == Some(&rules) {
            return Ok(());
        }
        self.guard = Some(rules);
        // A VM that has not been told of the modules it is given is told of the guard before.
        if self.is_greeted() { self.tell_guard() } else { Ok(()) }
    }

    pub(crate) fn is_guarded(&self) -> bool {
        self.guard.is_some()
    }

    pub(crate) fn tell_guard(&mut self) -> Result<(), HostError> {
        let Some(rules) = self.guard.clone() else { return Ok(()) };
        self.ask_ready(&Term::tuple([Term::atom_named("guard"), rules]), MILLIS).map(drop)
    }
}
