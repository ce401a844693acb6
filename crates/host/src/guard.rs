//! The guard: runs of programs on the VM that may do nothing but what rules let pass.
//!
//! The VM is given the rules once. Before the first run that can come to a function with a rule, or to one that it finds by
//! a computed name, its modules are patched so that every call of a refused function comes to the guard first, by whatever
//! name it is made. A new VM gets the rules again.

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

/// The rules, as terms.
#[derive(Clone, PartialEq)]
pub(crate) struct Guard {
    rules: Term,
    /// True if the guard is raised before a run needs it.
    raised: bool,
    /// True if runs take turns as a schedule says: modules have gates then.
    conducted: bool,
}

impl Host {
    /// From now on observed calls and confirmations are guarded. The VM raises the guard before the first run that may
    /// need it.
    pub fn guard(&mut self, rules: &[GuardRule]) -> Result<(), HostError> {
        let rules = Term::list(rules.iter().map(GuardRule::term));
        let raised = self.guard.as_ref().is_some_and(|guard| guard.raised);
        self.guard_as(Guard { rules, raised, conducted: false })
    }

    /// Raises the guard now, if there are rules.
    pub fn raise_guard(&mut self) -> Result<(), HostError> {
        match self.guard.clone() {
            Some(guard) => self.guard_as(Guard { raised: true, ..guard }),
            None => Ok(()),
        }
    }

    /// Guards this VM as another is.
    pub(crate) fn guard_like(&mut self, other: &Host) -> Result<(), HostError> {
        other.guard.clone().map_or(Ok(()), |guard| self.guard_as(guard))
    }

    /// As [`Host::guard_like`], where runs take turns as a schedule says.
    pub(crate) fn conduct_like(&mut self, other: &Host) -> Result<(), HostError> {
        let rules = other.guard.as_ref().map_or_else(Term::nil, |guard| guard.rules.clone());
        self.guard_as(Guard { rules, raised: true, conducted: true })
    }

    fn guard_as(&mut self, guard: Guard) -> Result<(), HostError> {
        if self.guard.as_ref() == Some(&guard) {
            return Ok(());
        }
        self.guard = Some(guard);
        // A VM that has not greeted yet gets the rules before its modules.
        if self.is_greeted() { self.send_guard() } else { Ok(()) }
    }

    /// True if there is a guard.
    pub(crate) fn is_guarded(&self) -> bool {
        self.guard.is_some()
    }

    /// Sends the rules to the VM.
    pub(crate) fn send_guard(&mut self) -> Result<(), HostError> {
        let Some(guard) = self.guard.clone() else { return Ok(()) };
        if guard.conducted {
            self.ask_ready(&Term::atom_named("conduct"), MILLIS)?;
        }
        self.ask_ready(&Term::tuple([Term::atom_named("rules"), guard.rules]), MILLIS)?;
        if guard.raised { self.ask_ready(&Term::atom_named("raise"), MILLIS).map(drop) } else { Ok(()) }
    }
}
