//! The tables of ETS that a run has made.
//!
//! They hold terms with their marks. An operation is done in [`operations`] on the table that its first argument names; the
//! engine looks after owners, heirs and schedules.

mod buckets;
mod causes;
mod info;
mod key;
mod operations;
mod options;
mod order;
mod owners;
mod parts;
mod rows;
mod select;
mod table;
#[cfg(test)]
mod tests;
mod updates;

use std::collections::BTreeMap;
use std::rc::Rc;

use ops::{EtsOp, Eval, Specification};
use rustc_hash::FxHashMap;
use term::{Atom, Exception, HandleKind, Term};

use super::RefKey;

pub use key::{Key, TableType};
pub use operations::used_by;
pub use options::named_by;
pub use parts::SLOTS;
pub use table::{EtsTable, TableUse};

/// The tables of a run.
#[derive(Default)]
pub struct Tables {
    tables: BTreeMap<RefKey, EtsTable>,
    names: BTreeMap<Atom, RefKey>,
    /// Match specifications, by the references that the program has of them.
    compiled: FxHashMap<RefKey, Rc<Specification>>,
    made: u64,
}

/// The table that a term names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableName {
    /// One of the run.
    Own(RefKey),
    /// One of the run that is gone.
    Gone(RefKey),
    /// If there is one, the VM has it.
    Foreign,
    /// The term can name no table.
    Bad,
}

impl Tables {
    /// The table that a term names.
    pub fn named(&self, table: &Term) -> TableName {
        match table {
            Term::Atom(_, name) => self.names.get(name).map_or(TableName::Foreign, |key| TableName::Own(*key)),
            Term::Handle(_, handle) if handle.kind == HandleKind::Reference => match RefKey::of(table) {
                Some(key) if self.tables.contains_key(&key) => TableName::Own(key),
                Some(key) => TableName::Gone(key),
                None => TableName::Foreign,
            },
            _ => TableName::Bad,
        }
    }

    /// The table that an operation is about; that of a search that goes on is in its continuation.
    pub fn subject(&self, op: EtsOp, args: &[Term]) -> TableName {
        match (op, args.first()) {
            (EtsOp::Continue, Some(continuation)) => match continuation.as_tuple() {
                Some([table, _, ..]) => self.named(table),
                _ => TableName::Bad,
            },
            (_, Some(table)) => self.named(table),
            _ => TableName::Bad,
        }
    }

    /// A table of the run.
    pub fn get(&self, key: RefKey) -> Option<&EtsTable> {
        self.tables.get(&key)
    }

    /// The table of the run that a term names.
    pub fn find(&self, table: &Term) -> Option<&EtsTable> {
        match self.named(table) {
            TableName::Own(key) => self.tables.get(&key),
            _ => None,
        }
    }

    /// The tables, in the order in which they were made.
    pub fn all(&self) -> Vec<&EtsTable> {
        let mut all: Vec<&EtsTable> = self.tables.values().collect();
        all.sort_by_key(|table| table.serial);
        all
    }

    /// True if the program has had match specifications compiled.
    pub fn has_compiled(&self) -> bool {
        !self.compiled.is_empty()
    }

    /// The names of tables.
    pub fn names(&self) -> impl Iterator<Item = Atom> {
        self.names.keys().copied()
    }

    /// The tables of a process, in the order in which they were made.
    pub fn owned_by(&self, process: u32) -> Vec<RefKey> {
        let own = self.all().into_iter().filter(|table| table.owner == process);
        own.filter_map(|table| RefKey::of(&table.tid)).collect()
    }

    /// Makes another process the owner of a table.
    pub fn give(&mut self, key: RefKey, process: u32) {
        if let Some(table) = self.tables.get_mut(&key) {
            table.owner = process;
        }
    }

    /// Frees the tables that a process has fixed, and returns them.
    pub fn unfix(&mut self, process: u32) -> Vec<RefKey> {
        self.tables.iter_mut().filter_map(|(key, table)| table.unfix(process).then_some(*key)).collect()
    }

    /// Deletes a table.
    pub fn delete(&mut self, key: RefKey) -> Option<EtsTable> {
        let table = self.tables.remove(&key)?;
        if table.named {
            self.names.remove(&table.name);
        }
        Some(table)
    }

    /// The terms that tables hold.
    pub fn held(&self) -> impl Iterator<Item = &Term> {
        let heirs = self.tables.values().filter_map(|table| table.heir.as_ref()).map(|(_, data)| data);
        self.tables.values().flat_map(|table| table.rows.all()).chain(heirs)
    }
}

/// `badarg`.
pub fn badarg() -> Eval {
    Err(Box::new(Exception::badarg()))
}
