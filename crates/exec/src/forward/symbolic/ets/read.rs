//! What the operations on tables ask of the rows, and what they make of them.

#![expect(clippy::mutable_key_type, reason = "what a map caches of itself counts for nothing in a key")]

use std::collections::BTreeMap;

use constraint::{Test, Type};
use term::{Mfa, Term};

use super::keys::{Key, Kind};
use super::operations::Expected;
use super::rows::Rows;
use crate::forward::symbolic::opaque::holds_closure;
use crate::forward::symbolic::watch::Watch;

const IS_TUPLE: u32 = 3;

/// So many rows are worth comparing with each other.
const MOST_TWINS: usize = 48;

/// The VM puts more rows into a table in an order of its own.
pub const LONG: usize = 100;

pub fn truth(value: bool) -> Expected {
    Expected::Value(Term::bool(value))
}

pub fn is_name(term: &Term, name: &str) -> bool {
    !term.mark().is_some() && term.as_atom().is_some_and(|atom| atom.name() == name)
}

/// What stands for the end of a table.
fn end_of_table() -> Term {
    Term::atom_named("$end_of_table")
}

impl Rows {
    /// The rows that are to be put into the table, if they are good.
    pub fn objects(&self, watch: &mut Watch<'_>, objects: &Term) -> Option<Vec<Term>> {
        if let Some(expr) = watch.expr_of(objects) {
            watch.ask(IS_TUPLE, Test::Type(expr, Type::Tuple), objects.as_tuple().is_some());
        }
        if objects.as_tuple().is_some() {
            return self.is_row(watch, objects).then(|| vec![objects.clone()]);
        }
        let objects = watch.open_list(objects).proper_list()?;
        objects.iter().all(|row| self.is_row(watch, row)).then_some(objects)
    }

    /// Asks whether something has a key.
    fn is_row(&self, watch: &mut Watch<'_>, row: &Term) -> bool {
        if let (Some(expr), Ok(place)) = (watch.expr_of(row), u32::try_from(self.place)) {
            watch.has_element(expr, row, place);
        }
        row.as_tuple().is_some_and(|items| items.len() > self.place)
    }

    fn put(&mut self, watch: &mut Watch<'_>, row: Term) {
        if self.kind.is_unique() { self.add(watch, row) } else { self.put_in_bag(watch, row) }
    }

    pub fn has(&mut self, watch: &mut Watch<'_>, function: Mfa, key: &Term) -> bool {
        match self.kind.is_unique() {
            true => self.find(watch, function, key).is_some(),
            false => !self.of_key(watch, function, key, false).is_empty(),
        }
    }

    /// Whether some rows for a table of unique keys have the same key.
    pub fn have_twins(&self, watch: &mut Watch<'_>, function: Mfa, objects: &[Term]) -> bool {
        let mut rows = Rows::new(self.kind, self.place);
        objects.iter().for_each(|row| rows.add(watch, row.clone()));
        rows.size(watch, function) < objects.len()
    }

    pub fn insert(&mut self, watch: &mut Watch<'_>, objects: Vec<Term>) -> Expected {
        let later = self.kind.is_unique() && objects.len() <= LONG && !objects.iter().any(holds_closure);
        self.put_all(watch, objects);
        if later { Expected::Later } else { truth(true) }
    }

    /// The VM begins with the last of several rows for a bag, and at either end of very many for others.
    fn put_all(&mut self, watch: &mut Watch<'_>, objects: Vec<Term>) {
        self.shuffled |= objects.len() > LONG || self.kind == Kind::Bag && objects.len() > 1;
        objects.into_iter().for_each(|row| self.put(watch, row));
    }

    pub fn insert_new(&mut self, watch: &mut Watch<'_>, function: Mfa, objects: Vec<Term>) -> Expected {
        for row in &objects {
            let key = watch.key_of(row, self.place);
            if self.has(watch, function, &key) {
                return truth(false);
            }
        }
        self.put_all(watch, objects);
        truth(true)
    }

    pub fn lookup(&mut self, watch: &mut Watch<'_>, function: Mfa, key: &Term, take: bool) -> Expected {
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

    pub fn lookup_element(&mut self, watch: &mut Watch<'_>, function: Mfa, key: &Term, place: &Term) -> Expected {
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

    pub fn delete_object(&mut self, watch: &mut Watch<'_>, function: Mfa, object: &Term) -> Expected {
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

    pub fn size(&mut self, watch: &mut Watch<'_>, function: Mfa) -> usize {
        self.settle(watch, function);
        self.all().count()
    }

    /// The first or last key.
    pub fn end(&mut self, watch: &mut Watch<'_>, function: Mfa) -> Expected {
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
    pub fn neighbour(&mut self, watch: &mut Watch<'_>, function: Mfa, key: &Term) -> Expected {
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
    pub fn list(&mut self, watch: &mut Watch<'_>, function: Mfa) -> Expected {
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
