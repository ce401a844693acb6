//! A table: its options, its owner and its rows.

use std::rc::Rc;

use term::{Atom, Term};

use super::key::TableType;
use super::rows::Rows;

/// The processes that may use a table besides its owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protection {
    Public,
    /// Others may read it.
    Protected,
    Private,
}

impl Protection {
    /// Its name in the options of `ets:new/2`.
    pub fn name(self) -> &'static str {
        match self {
            Protection::Public => "public",
            Protection::Protected => "protected",
            Protection::Private => "private",
        }
    }

    /// The protection of this name.
    pub fn named(name: &str) -> Option<Protection> {
        [Protection::Public, Protection::Protected, Protection::Private].into_iter().find(|it| it.name() == name)
    }
}

/// The use of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableUse {
    /// Everyone may know about it.
    Knows,
    Reads,
    Writes,
}

/// A table.
pub struct EtsTable {
    /// Its reference.
    pub tid: Term,
    pub name: Atom,
    pub named: bool,
    pub kind: TableType,
    /// The position of the key in a row, from 0.
    pub place: usize,
    pub protection: Protection,
    /// The number of the process that has it.
    pub owner: u32,
    /// The process that gets it when the owner ends, and what that is sent.
    pub heir: Option<(Term, Term)>,
    pub rows: Rows,
    /// The processes that have fixed it, and how often.
    pub fixed_by: Vec<(u32, u32)>,
    pub compressed: bool,
    pub read_concurrency: bool,
    pub write_concurrency: Term,
    pub decentralized_counters: bool,
    /// The number of tables that were made before.
    pub serial: u64,
    /// Keys in the order of the VM, where the VM alone knows it; good until a row is written.
    pub known_order: Option<Rc<[Term]>>,
}

impl EtsTable {
    /// The term that stands for it: its name or its reference.
    pub fn id(&self) -> Term {
        if self.named { Term::atom(self.name) } else { self.tid.clone() }
    }

    /// True if a process may use it so.
    pub fn allows(&self, process: u32, used: TableUse) -> bool {
        self.owner == process
            || match self.protection {
                Protection::Public => true,
                Protection::Protected => used != TableUse::Writes,
                Protection::Private => used == TableUse::Knows,
            }
    }

    /// The key of a row; nothing if it is no row of this table.
    pub fn key<'r>(&self, row: &'r Term) -> Option<&'r Term> {
        row.as_tuple().and_then(|items| items.get(self.place))
    }

    /// Inserts a row.
    pub fn put(&mut self, row: Term) {
        if let Some(key) = self.key(&row).cloned() {
            self.known_order = None;
            self.rows.put(key, row);
        }
    }

    /// Fixes it for a process, or takes that back.
    pub fn fix(&mut self, process: u32, fixed: bool) {
        let known = self.fixed_by.iter().position(|(number, _)| *number == process);
        match (known, fixed) {
            (Some(at), true) => self.fixed_by[at].1 += 1,
            (None, true) => self.fixed_by.push((process, 1)),
            (Some(at), false) => {
                self.fixed_by[at].1 -= 1;
                self.fixed_by.retain(|(_, times)| *times > 0);
            }
            (None, false) => {}
        }
        self.refix();
    }

    /// Frees it of a process that has ended; true if that had fixed it.
    pub fn unfix(&mut self, process: u32) -> bool {
        let was_fixed = self.fixed_by.iter().any(|(number, _)| *number == process);
        self.fixed_by.retain(|(number, _)| *number != process);
        if was_fixed {
            self.refix();
        }
        was_fixed
    }

    fn refix(&mut self) {
        self.rows.set_fixed(!self.fixed_by.is_empty());
    }
}
