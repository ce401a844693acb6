//! Operations on the tables of a run whose rows are known with their marks: each asks what its answer depends on, and
//! says what the VM is going to answer. Where the VM answers something else, everything in the table is held to its
//! value, and so is everything where an operation is not known here.

use std::collections::BTreeMap;

use constraint::{Test, Type};
use term::{Mfa, Term};

use super::opaque::holds_closure;
use super::pin::is_marked;
use super::rows::{Key, Kind, Rows};
use super::watch::{Watch, mark_of};

const IS_TUPLE: u32 = 3;

/// Operations that leave a table as it is.
const READ: &str = "info match match_object select select_count select_reverse";

/// So many rows are worth comparing with each other.
const MOST_TWINS: usize = 48;

/// The VM puts more rows into a table in an order of its own.
const LONG: usize = 100;

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

fn truth(value: bool) -> Expected {
    Expected::Value(Term::bool(value))
}

fn is_name(term: &Term, name: &str) -> bool {
    !term.mark().is_some() && term.as_atom().is_some_and(|atom| atom.name() == name)
}

/// What stands for the end of a table.
fn end_of_table() -> Term {
    Term::atom_named("$end_of_table")
}

impl Rows {
    /// The rows that are to be put into the table, if they are good.
    fn objects(&self, watch: &mut Watch<'_>, objects: &Term) -> Option<Vec<Term>> {
        if objects.as_tuple().is_some() {
            return self.is_row(watch, objects).then(|| vec![objects.clone()]);
        }
        if let (Some(expr), false) = (mark_of(objects), matches!(objects, Term::Cons(..))) {
            watch.ask(IS_TUPLE, Test::Type(expr, Type::Tuple), false);
        }
        let objects = watch.open_list(objects).proper_list()?;
        objects.iter().all(|row| self.is_row(watch, row)).then_some(objects)
    }

    /// Asks whether something has a key.
    fn is_row(&self, watch: &mut Watch<'_>, row: &Term) -> bool {
        if let (Some(expr), Ok(place)) = (mark_of(row), u32::try_from(self.place)) {
            watch.has_element(expr, row, place);
        }
        row.as_tuple().is_some_and(|items| items.len() > self.place)
    }

    fn put(&mut self, watch: &mut Watch<'_>, row: Term) {
        if self.kind.is_unique() { self.add(watch, row) } else { self.put_in_bag(watch, row) }
    }

    fn has(&mut self, watch: &mut Watch<'_>, function: Mfa, key: &Term) -> bool {
        match self.kind.is_unique() {
            true => self.find(watch, function, key).is_some(),
            false => !self.of_key(watch, function, key, false).is_empty(),
        }
    }

    /// Whether some rows for a table of unique keys have the same key.
    fn have_twins(&self, watch: &mut Watch<'_>, function: Mfa, objects: &[Term]) -> bool {
        let mut rows = Rows::new(self.kind, self.place);
        objects.iter().for_each(|row| rows.add(watch, row.clone()));
        rows.size(watch, function) < objects.len()
    }

    fn insert(&mut self, watch: &mut Watch<'_>, objects: Vec<Term>) -> Expected {
        let later = self.kind.is_unique() && objects.len() <= LONG && !objects.iter().any(holds_closure);
        self.put_all(watch, objects);
        if later { Expected::Later } else { truth(true) }
    }

    /// The VM begins with the last of several rows for a bag, and at either end of very many for others.
    fn put_all(&mut self, watch: &mut Watch<'_>, objects: Vec<Term>) {
        self.shuffled |= objects.len() > LONG || self.kind == Kind::Bag && objects.len() > 1;
        objects.into_iter().for_each(|row| self.put(watch, row));
    }

    fn insert_new(&mut self, watch: &mut Watch<'_>, function: Mfa, objects: Vec<Term>) -> Expected {
        for row in &objects {
            let key = watch.key_of(row, self.place);
            if self.has(watch, function, &key) {
                return truth(false);
            }
        }
        self.put_all(watch, objects);
        truth(true)
    }

    fn lookup(&mut self, watch: &mut Watch<'_>, function: Mfa, key: &Term, take: bool) -> Expected {
        if !self.kind.is_unique() {
            let rows = self.of_key(watch, function, key, take);
            return self.in_order(rows);
        }
        let found = self.find(watch, function, key);
        if let (Some(found), true) = (&found, take) {
            self.replace(found, None);
        }
        Expected::Value(Term::list(found.map(|found| found.row).into_iter().collect::<Vec<_>>()))
    }

    fn lookup_element(&mut self, watch: &mut Watch<'_>, function: Mfa, key: &Term, place: &Term) -> Expected {
        let rows = match self.kind.is_unique() {
            true => self.find(watch, function, key).map(|found| found.row).into_iter().collect(),
            false => self.of_key(watch, function, key, false),
        };
        let elements: Option<Vec<Term>> = rows.iter().map(|row| watch.element_of(row, place)).collect();
        match elements.as_deref() {
            None | Some([]) => Expected::Exception,
            Some([element]) if self.kind.is_unique() => Expected::Value(element.clone()),
            Some(elements) => self.in_order(elements.to_vec()),
        }
    }

    /// What has one key comes in the order in which it was put there, unless somebody has seen otherwise.
    fn in_order(&self, rows: Vec<Term>) -> Expected {
        if self.shuffled { Expected::Rows(rows) } else { Expected::Value(Term::list(rows)) }
    }

    fn delete_object(&mut self, watch: &mut Watch<'_>, function: Mfa, object: &Term) -> Expected {
        if !self.is_row(watch, object) {
            return Expected::Exception;
        }
        if !self.kind.is_unique() {
            self.delete_from_bag(watch, object);
            return truth(true);
        }
        let key = watch.key_of(object, self.place);
        if let Some(found) = self.find(watch, function, &key)
            && watch.is_object(object, &found.row)
        {
            self.replace(&found, None);
        }
        truth(true)
    }

    fn size(&mut self, watch: &mut Watch<'_>, function: Mfa) -> usize {
        self.settle(watch, function);
        self.all().count()
    }

    /// The first or last key.
    fn end(&mut self, watch: &mut Watch<'_>, function: Mfa) -> Expected {
        if self.kind == Kind::OrderedSet {
            let sorted = self.sorted(watch, function);
            let end = if function.function.name() == "first" { sorted.first() } else { sorted.last() };
            return Expected::Value(end.map_or_else(end_of_table, |(key, _)| key.clone()));
        }
        if self.size(watch, function) <= 1 {
            let row = self.all().next().cloned();
            return Expected::Value(row.map_or_else(end_of_table, |row| watch.key_of(&row, self.place)));
        }
        // Which one comes first follows from the keys themselves.
        self.pin_keys(watch, function);
        Expected::Decided
    }

    /// The key after or before another.
    fn neighbour(&mut self, watch: &mut Watch<'_>, function: Mfa, key: &Term) -> Expected {
        if self.kind == Kind::OrderedSet {
            let sorted = self.sorted(watch, function);
            let key = watch.constant_key(key);
            let next = match function.function.name() {
                "next" => sorted.get(watch.first_above(&key, &sorted)),
                _ => watch.count_below(&key, &sorted).checked_sub(1).and_then(|at| sorted.get(at)),
            };
            return Expected::Value(next.map_or_else(end_of_table, |(key, _)| key.clone()));
        }
        if !self.has(watch, function, key) {
            return Expected::Exception;
        }
        if self.size(watch, function) <= 1 {
            return Expected::Value(end_of_table());
        }
        watch.pin_all(function, [key]);
        self.pin_keys(watch, function);
        Expected::Decided
    }

    /// All rows, as the VM lists them.
    fn list(&mut self, watch: &mut Watch<'_>, function: Mfa) -> Expected {
        if self.kind == Kind::OrderedSet {
            let rows: Vec<Term> = self.sorted(watch, function).into_iter().map(|(_, row)| row).collect();
            return Expected::Value(Term::list(rows));
        }
        if self.size(watch, function) > 1 {
            self.pin_keys(watch, function);
        }
        Expected::Rows(self.all().cloned().collect())
    }
}

impl Watch<'_> {
    /// The element of a row at a place that may be anything.
    fn element_of(&mut self, row: &Term, place: &Term) -> Option<Term> {
        let expr = self.element_at(place, row);
        let at = usize::try_from(place.as_i64()?.checked_sub(1)?).ok()?;
        let item = row.as_tuple()?.get(at)?.clone();
        Some(match expr {
            Some(expr) => item.with_mark(expr.mark()),
            None => item,
        })
    }

    /// The rows that the VM gave, with the marks of those that are the same. Which are the same is asked, unless their
    /// keys tell them apart.
    pub fn recognised(&mut self, function: Mfa, answer: &Term, rows: &[Term], unique: bool) -> Option<Term> {
        match rows.len() {
            _ if unique => {}
            ..=MOST_TWINS => {
                for (at, row) in rows.iter().enumerate() {
                    rows[..at].iter().for_each(|other| _ = self.is_object(row, other));
                }
            }
            _ => self.pin_all(function, rows),
        }
        let mut known: BTreeMap<Key, Vec<&Term>> = BTreeMap::new();
        rows.iter().rev().for_each(|row| known.entry(Key::exact(row)).or_default().push(row));
        let found = answer.proper_list()?.into_iter().map(|row| known.get_mut(&Key::exact(&row))?.pop().cloned());
        Some(Term::list(found.collect::<Option<Vec<_>>>()?))
    }
}
