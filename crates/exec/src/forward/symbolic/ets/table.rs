//! An ETS table of a symbolic run, and the answer that is expected of the VM for each operation on it.
//!
//! An operation records the conditions that its answer depends on. Where the VM answers something else, everything in the
//! table is pinned to its value, and so it is by operations that have no rule here.

use ops::{EtsOp, Rule};
use term::{Mark, Mfa, Term};

use super::operations::{LONG, is_name, truth};
use super::rows::EtsRows;
use crate::forward::machine::EtsTable;
use crate::forward::symbolic::pin::is_marked;
use crate::forward::symbolic::watch::Watch;

/// A table that the run has made.
pub struct SymbolicTable {
    /// Its reference.
    pub id: Term,
    /// The rows with their marks.
    pub rows: EtsRows,
    /// An operation without a rule has changed it: the rows are not known and carry no marks.
    pub stale: bool,
}

/// The answer that is expected of an operation.
pub enum Expected {
    /// This value, with marks.
    Value(Term),
    /// This value; the operation need not be done.
    Known(Term),
    /// An exception.
    Exception,
    /// A sum with this mark.
    Sum(Mark),
    /// A number with this mark.
    Number(Mark),
    /// Any answer: every condition that it depends on is recorded.
    Decided,
}

impl Expected {
    /// The mark of a sum.
    pub fn mark(&self) -> Mark {
        match self {
            Expected::Sum(mark) => *mark,
            _ => Mark::NONE,
        }
    }
}

impl SymbolicTable {
    /// A new table.
    pub fn new(table: &EtsTable) -> SymbolicTable {
        SymbolicTable { id: table.tid.clone(), rows: EtsRows::new(table.kind, table.place), stale: false }
    }

    /// True if an operation with these arguments involves marks.
    pub fn meets(&self, args: &[Term]) -> bool {
        self.rows.marked || args.iter().any(is_marked)
    }

    /// Replaces the rows by those that the table has.
    pub fn fill(&mut self, watch: &mut Watch<'_>, rows: Vec<Term>) {
        self.rows.clear();
        rows.into_iter().for_each(|row| self.rows.add(watch, row));
        self.stale = false;
    }

    /// Pins everything in it to its value; the rows are unknown from now on.
    pub fn release(&mut self, watch: &mut Watch<'_>, function: Mfa) {
        self.rows.pin(watch, function);
        self.stale = true;
    }

    /// Records the conditions of an operation with these arguments after the table. `asked`: all of them are recorded
    /// already, and it fails.
    pub fn operation(&mut self, watch: &mut Watch<'_>, function: Mfa, args: &[Term], asked: bool) -> Expected {
        let rows = &mut self.rows;
        let Rule::Ets(operation) = ops::rule(function) else { return self.unknown(watch, function, args) };
        match (operation, args) {
            (EtsOp::Insert | EtsOp::InsertNew, [objects]) => {
                let Some(objects) = rows.objects(watch, objects) else { return Expected::Exception };
                if objects.len() > LONG && rows.have_twins(watch, function, &objects) {
                    // Which of them is there in the end, the VM does not say.
                    watch.varying(function);
                    return self.unknown(watch, function, args);
                }
                if operation == EtsOp::Insert {
                    rows.insert(watch, objects)
                } else {
                    rows.insert_new(watch, function, objects)
                }
            }
            (EtsOp::Lookup, [key]) => rows.lookup(watch, function, key, false),
            (EtsOp::Take, [key]) => rows.lookup(watch, function, key, true),
            (EtsOp::Member, [key]) => truth(rows.has(watch, function, key)),
            (EtsOp::LookupElement, [key, place]) => rows.lookup_element(watch, function, key, place),
            (EtsOp::Delete | EtsOp::Whereis, []) => Expected::Decided,
            (EtsOp::Delete, [key]) => {
                if rows.kind.is_unique() {
                    rows.delete(watch, key);
                } else {
                    rows.of_key(watch, function, key, true);
                }
                truth(true)
            }
            (EtsOp::DeleteObject, [object]) => rows.delete_object(watch, function, object),
            (EtsOp::DeleteAll, [_]) => {
                let size = rows.size(watch, function);
                rows.clear();
                Expected::Value(Term::int(size as i64))
            }
            (EtsOp::First | EtsOp::Last, []) => rows.end(watch, function, operation == EtsOp::First),
            (EtsOp::Next | EtsOp::Prev, [key]) => rows.neighbour(watch, function, key, operation == EtsOp::Next),
            (EtsOp::MatchObject, [pattern]) if is_name(pattern, "_") => rows.list(watch, function),
            // The prelude wants them in any order that inputs decide.
            (EtsOp::MatchObject, [pattern]) if asked && is_name(pattern, "$0") => {
                rows.settle(watch, function);
                Expected::Known(Term::list(rows.all().cloned().collect::<Vec<_>>()))
            }
            (EtsOp::Slot, [number]) => {
                watch.pin_all(function, [number]);
                rows.pin_keys(watch, function);
                Expected::Decided
            }
            (EtsOp::Info, [item]) => {
                watch.pin_all(function, [item]);
                match item.as_atom().map(|item| item.name()) {
                    Some("type") => Expected::Known(Term::atom_named(rows.kind.name())),
                    Some("keypos") => Expected::Known(Term::int(rows.place as i64 + 1)),
                    Some("size") => Expected::Value(Term::int(rows.size(watch, function) as i64)),
                    Some("memory" | "stats" | "binary") | None => self.unknown(watch, function, &[]),
                    Some(_) => Expected::Decided,
                }
            }
            (EtsOp::Rename | EtsOp::SetOptions | EtsOp::SafeFixtable, _) => {
                watch.pin_all(function, args);
                Expected::Decided
            }
            (EtsOp::GiveAway, [to, _]) => {
                watch.pin_all(function, [to]);
                Expected::Decided
            }
            (EtsOp::UpdateCounter | EtsOp::UpdateElement, _) if asked => Expected::Exception,
            _ => self.unknown(watch, function, args),
        }
    }

    fn unknown(&mut self, watch: &mut Watch<'_>, function: Mfa, args: &[Term]) -> Expected {
        watch.pin_all(function, args);
        match matches!(ops::rule(function), Rule::Ets(operation) if operation.reads()) {
            true => self.rows.pin(watch, function),
            false => self.release(watch, function),
        }
        Expected::Decided
    }
}
