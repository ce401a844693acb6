//! The tables, arrays and persistent terms that operations read or change.

use std::hash::{Hash, Hasher};

use ops::{ArrayKind, ArrayOp, EtsOp, PersistentOp};
use rustc_hash::FxHasher;
use term::{Atom, Term};

use crate::forward::machine::engine::Engine;
use crate::forward::machine::node::tables::{EtsTable, TableName, TableUse, named_by, used_by};
use crate::forward::machine::node::{Object, RefKey};
use crate::forward::symbolic::is_marked;

/// The number of no row; see [`EtsTable::parts`].
const NO_ROW: u64 = 0x1_0000;

impl Engine<'_> {
    /// Notes the table that an operation is about, its name, and the rows that it reads or writes.
    pub fn touch_table(&mut self, op: EtsOp, args: &[Term]) {
        let name = args.first().and_then(Term::as_atom);
        match op {
            // To list the tables meets every change of them; two changes meet only if they are about one table or name.
            EtsOp::All => return self.node.touch(Object::Tables, true),
            EtsOp::New => {
                self.node.touch(Object::Tables, false);
                let name = name.filter(|_| named_by(&args[1]));
                return name.into_iter().for_each(|name| self.node.touch(Object::TableName(name), true));
            }
            EtsOp::Compile | EtsOp::IsCompiled | EtsOp::RunCompiled => return,
            EtsOp::GiveAway => self.touch_process(&args[1], true),
            _ => {}
        }
        if let Some(name) = name {
            self.node.touch(Object::TableName(name), false);
        }
        let writes = does_write(op, args);
        match self.node.tables.subject(op, args) {
            TableName::Own(key) => self.touch_rows(key, op, args, writes),
            // It may have been there before.
            TableName::Gone(key) => self.node.touch(Object::Table(key), writes),
            TableName::Foreign | TableName::Bad => {}
        }
    }

    fn touch_rows(&mut self, key: RefKey, op: EtsOp, args: &[Term], writes: bool) {
        let Some(table) = self.node.tables.get(key) else { return };
        if !table.allows(self.state.number(), used_by(op)) {
            // That it fails is its owner's doing, and no row's.
            return self.node.touch(Object::Row(key, NO_ROW), false);
        }
        let owner = table.owner;
        // A key that inputs decide may be any.
        let is_open = self.has_open_key(table, op, args);
        let parts = table.key_numbers(op, args).filter(|_| !is_open);
        // Only what changes rows changes their order.
        let slots = table.parts(op, args).filter(|_| writes).unwrap_or_default();
        let old = table.named.then_some(table.name);
        self.touch_names(op, args, old, owner);
        match parts {
            // It fails without its table all the same.
            Some(parts) if parts.is_empty() => self.node.touch(Object::Row(key, NO_ROW), false),
            Some(parts) => {
                parts.into_iter().chain(slots).for_each(|part| self.node.touch(Object::Row(key, part), writes));
            }
            None => self.node.touch(Object::Table(key), writes),
        }
    }

    /// Notes the names and owners that an operation on a table changes.
    fn touch_names(&mut self, op: EtsOp, args: &[Term], old: Option<Atom>, owner: u32) {
        if matches!((op, args.len()), (EtsOp::Delete, 1) | (EtsOp::Rename, _)) {
            self.node.touch(Object::Tables, false);
            let names = old.into_iter().chain(args.get(1).and_then(Term::as_atom));
            names.for_each(|name| self.node.touch(Object::TableName(name), true));
        }
        if matches!((op, args.len()), (EtsOp::Delete, 1) | (EtsOp::GiveAway, _)) {
            self.node.touch(Object::TablesOf(owner), true);
        }
    }

    /// True if inputs decide which rows of a table an operation is about.
    fn has_open_key(&self, table: &EtsTable, op: EtsOp, args: &[Term]) -> bool {
        let Some(recorder) = self.recorder.as_deref() else { return false };
        let Some(keys) = args.get(1) else { return false };
        let is_open = |key: &Term| is_marked(key) && !recorder.is_settled(key);
        let is_open_row = |row: &Term| row.mark().is_some() || table.key(row).is_some_and(is_open);
        match op {
            EtsOp::Insert | EtsOp::InsertNew | EtsOp::DeleteObject => match keys {
                Term::Cons(..) => keys.mark().is_some() || keys.cells().any(is_open_row),
                row => is_open_row(row),
            },
            EtsOp::Match | EtsOp::MatchObject | EtsOp::Select | EtsOp::SelectCount | EtsOp::SelectReverse => {
                is_marked(keys)
            }
            _ => is_open(keys),
        }
    }

    /// Notes the integer of an array that an operation reads or writes; inputs that name it are held to their values.
    pub fn touch_array(&mut self, op: ArrayOp, kind: ArrayKind, args: &[Term]) {
        if let [array, index, ..] = args
            && let Some(place) = self.node.arrays.place(kind, array, index)
        {
            self.node.touch(Object::Integer(place.array, place.index), op != ArrayOp::Get);
        }
    }

    /// Notes the persistent term that an operation reads or writes; inputs that name it are held to their values.
    pub fn touch_persistent(&mut self, op: PersistentOp, args: &[Term]) {
        let writes = matches!(op, PersistentOp::Put | PersistentOp::Erase);
        match args.first() {
            Some(key) => {
                let mut hasher = FxHasher::default();
                key.hash(&mut hasher);
                self.node.touch(Object::PersistentTerm(hasher.finish()), writes);
            }
            None => self.node.touch(Object::PersistentTerms, false),
        }
    }
}

/// True if an operation changes a table, or the order in which its rows are found.
fn does_write(op: EtsOp, args: &[Term]) -> bool {
    match op {
        // A row that was deleted from a fixed table can be gone on from until then.
        EtsOp::SafeFixtable => args.get(1).and_then(Term::as_bool) != Some(true),
        _ => used_by(op) == TableUse::Writes,
    }
}
