//! Persistent terms.

use std::collections::BTreeMap;

use ops::{Eval, PersistentOp};
use term::Term;

use super::tables::{Key, TableType};

/// The persistent terms of a run.
#[derive(Default)]
pub struct PersistentTerms(BTreeMap<Key, Term>);

impl PersistentTerms {
    /// Does an operation; nothing if the VM may have the term.
    pub fn operate(&mut self, op: PersistentOp, args: &[Term]) -> Option<Eval> {
        let key = |term: &Term| Key { term: term.clone(), kind: TableType::Set };
        Some(Ok(match (op, args) {
            (PersistentOp::Get, [wanted, ..]) => self.0.get(&key(wanted))?.clone(),
            (PersistentOp::Put, [under, value]) => {
                self.0.insert(key(under), value.clone());
                Term::atom_named("ok")
            }
            (PersistentOp::Erase, [under]) => Term::bool(self.0.remove(&key(under)).is_some()),
            _ => return None,
        }))
    }

    /// All terms with their keys, before those of the VM.
    pub fn listed(&self, others: Term) -> Term {
        let own: Vec<Term> = self.0.iter().map(|(key, value)| Term::tuple([key.term.clone(), value.clone()])).collect();
        Term::list_with_tail(own, others)
    }

    /// The keys and terms.
    pub fn entries(&self) -> impl Iterator<Item = &Term> {
        self.0.iter().flat_map(|(key, value)| [&key.term, value])
    }

    /// The terms.
    pub fn held(&self) -> impl Iterator<Item = &Term> {
        self.0.values()
    }
}
