//! The guard: runs of programs on the VM that may do nothing but what rules let pass.
//!
//! The VM is given the rules once; its modules are then patched so that every call of a function that is refused comes to
//! the guard first, by whatever name it is made. A new VM gets the rules again.

use term::{Atom, Term};

use crate::error::HostError;
use crate::host::Host;

/// A rule about a function, or with no arity all of that name, or with no name all of the module. The most exact rule
/// counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuardRule {
    /// The module.
    pub module: Atom,
    /// The function's name; all if there is none.
    pub function: Option<Atom>,
    /// The number of arguments; all if there is none.
    pub arity: Option<u8>,
    /// True if calls are refused.
    pub refused: bool,
}

impl GuardRule {
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

/// The time to patch what is loaded.
const MILLIS: u64 = 60_000;

impl Host {
    /// From now on observed calls and confirmations are guarded.
    pub fn guard(&mut self, rules: &[GuardRule]) -> Result<(), HostError> {
        let rules = Term::list(rules.iter().map(GuardRule::term));
        if self.guard.as_ref() == Some(&rules) {
            return Ok(());
        }
        self.guard = Some(rules);
        // A VM that has not greeted yet gets the rules before its modules.
        if self.is_greeted() { self.send_guard() } else { Ok(()) }
    }

    /// True if there is a guard.
    pub(crate) fn is_guarded(&self) -> bool {
        self.guard.is_some()
    }

    /// Sends the rules to the VM.
    pub(crate) fn send_guard(&mut self) -> Result<(), HostError> {
        let Some(rules) = self.guard.clone() else { return Ok(()) };
        self.ask_ready(&Term::tuple([Term::atom_named("guard"), rules]), MILLIS).map(drop)
    }
}
