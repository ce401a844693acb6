//! Operations on the tables of a run whose rows are known with their marks: each asks what its answer depends on, and
//! says what the VM is going to answer. Where the VM answers something else, everything in the table is held to its
//! value, and so is everything where an operation is not known here.

use term::{Mfa, Term};

use super::keys::Kind;
use super::read::{LONG, is_name, truth};
use super::rows::Rows;
use crate::forward::symbolic::pin::is_marked;
use crate::forward::symbolic::watch::Watch;

/// Operations that leave a table as it is.
const READ: &str = "info match match_object select select_count select_reverse";

/// A table that the run has made.
pub struct Kept {
    pub id: Term,
    /// Another way to name it.
    pub alias: Option<Term>,
    pub rows: Rows,
    /// Something was done to it that is not known here. What is in it carries no marks.
    pub stale: bool,
}

/// What the VM is going to answer.
pub enum Expected {
    /// This, with marks.
    Value(Term),
    /// This, and nobody needs to ask it.
    Known(Term),
    /// `true`, and it is enough if the rows are in the table before it is looked at there.
    Later,
    /// Some of these rows in an order that the VM knows.
    Rows(Vec<Term>),
    /// These rows in another order, which nobody needs.
    Listed(Vec<Term>),
    Exception,
    /// Something that depends on nothing that was not asked.
    Decided,
}

impl Kept {
    /// A table made with such options.
    pub fn new(id: Term, options: &Term) -> Option<Kept> {
        let (mut kind, mut place) = (Kind::Set, 0);
        for option in options.proper_list()? {
            match (option.as_atom().map(|name| name.name()), option.as_tuple()) {
                (Some("set"), _) => kind = Kind::Set,
                (Some("ordered_set"), _) => kind = Kind::OrderedSet,
                (Some("bag"), _) => kind = Kind::Bag,
                (Some("duplicate_bag"), _) => kind = Kind::DuplicateBag,
                (_, Some([name, value])) if name.as_atom().is_some_and(|name| name.name() == "keypos") => {
                    place = usize::try_from(value.as_i64()?.checked_sub(1)?).ok()?;
                }
                _ => {}
            }
        }
        Some(Kept { id, alias: None, rows: Rows::new(kind, place), stale: false })
    }

    pub fn is(&self, table: &Term) -> bool {
        self.id == *table || self.alias.as_ref() == Some(table)
    }

    /// Whether an operation on it with such arguments meets marks.
    pub fn meets(&self, args: &[Term]) -> bool {
        self.rows.marked || args.iter().any(is_marked)
    }

    /// Takes the rows that the VM says are there.
    pub fn fill(&mut self, watch: &mut Watch<'_>, rows: Vec<Term>) {
        self.rows.clear();
        self.rows.shuffled = true;
        rows.into_iter().for_each(|row| self.rows.add(watch, row));
        self.stale = false;
    }

    /// Holds everything in it to its value; what is there must be looked up when somebody wants it.
    pub fn release(&mut self, watch: &mut Watch<'_>, function: Mfa) {
        self.rows.pin(watch, function);
        self.stale = true;
    }

    /// An operation is about to be made with these arguments besides the table. `asked`: everything was asked that it
    /// depends on, and it fails.
    pub fn operation(&mut self, watch: &mut Watch<'_>, function: Mfa, args: &[Term], asked: bool) -> Expected {
        let rows = &mut self.rows;
        match (function.function.name(), args) {
            ("insert" | "insert_new", [objects]) => {
                let Some(objects) = rows.objects(watch, objects) else { return Expected::Exception };
                if objects.len() > LONG && rows.have_twins(watch, function, &objects) {
                    // Which of them is there in the end, the VM does not say.
                    watch.varying(function);
                    return self.unknown(watch, function, args);
                }
                if function.function.name() == "insert" {
                    rows.insert(watch, objects)
                } else {
                    rows.insert_new(watch, function, objects)
                }
            }
            ("lookup", [key]) => rows.lookup(watch, function, key, false),
            ("take", [key]) => rows.lookup(watch, function, key, true),
            ("member", [key]) => truth(rows.has(watch, function, key)),
            ("lookup_element", [key, place]) => rows.lookup_element(watch, function, key, place),
            ("delete", []) => Expected::Decided,
            ("delete", [key]) => {
                if rows.kind.is_unique() {
                    rows.delete(watch, key);
                } else {
                    rows.of_key(watch, function, key, true);
                }
                truth(true)
            }
            ("delete_object", [object]) => rows.delete_object(watch, function, object),
            ("internal_delete_all", [_]) => {
                let size = rows.size(watch, function);
                rows.clear();
                Expected::Value(Term::int(size as i64))
            }
            ("first" | "last", []) => rows.end(watch, function),
            ("next" | "prev", [key]) => rows.neighbour(watch, function, key),
            ("match_object", [pattern]) if is_name(pattern, "_") => rows.list(watch, function),
            // The prelude wants them in any order that inputs decide.
            ("match_object", [pattern]) if asked && is_name(pattern, "$0") => {
                rows.settle(watch, function);
                Expected::Listed(rows.all().cloned().collect())
            }
            ("slot", [number]) => {
                watch.pin_all(function, [number]);
                rows.pin_keys(watch, function);
                Expected::Rows(rows.all().cloned().collect())
            }
            ("info", [item]) => {
                watch.pin_all(function, [item]);
                match item.as_atom().map(|item| item.name()) {
                    Some("type") => Expected::Known(Term::atom_named(rows.kind.name())),
                    Some("keypos") => Expected::Known(Term::int(rows.place as i64 + 1)),
                    Some("size") => Expected::Value(Term::int(rows.size(watch, function) as i64)),
                    Some("memory" | "stats" | "binary") | None => self.unknown(watch, function, &[]),
                    Some(_) => Expected::Decided,
                }
            }
            ("whereis", []) => Expected::Decided,
            ("rename" | "setopts" | "safe_fixtable", _) => {
                watch.pin_all(function, args);
                // What is deleted from a fixed table may come back to its old place.
                rows.shuffled = true;
                Expected::Decided
            }
            ("update_counter" | "update_element", _) if asked => Expected::Exception,
            _ => self.unknown(watch, function, args),
        }
    }

    fn unknown(&mut self, watch: &mut Watch<'_>, function: Mfa, args: &[Term]) -> Expected {
        watch.pin_all(function, args);
        match READ.split(' ').any(|one| one == function.function.name()) {
            true => self.rows.pin(watch, function),
            false => self.release(watch, function),
        }
        Expected::Decided
    }
}
