//! The operations of `ets` on rows with marks: the conditions that each records, the answer and the new rows.

use constraint::Type;
use term::{Mfa, Term};

use super::rows::EtsRows;
use super::table::Expected;
use crate::forward::machine::TableType;
use crate::forward::symbolic::watch::Watch;

const IS_TUPLE: u32 = 3;

/// The most rows that the VM inserts in the order of their list.
pub const LONG: usize = 100;

/// The expected answer `true` or `false`.
pub fn truth(value: bool) -> Expected {
    Expected::Value(Term::bool(value))
}

/// True if a term without a mark is the atom of this name.
pub fn is_name(term: &Term, name: &str) -> bool {
    !term.mark().is_some() && term.as_atom().is_some_and(|atom| atom.name() == name)
}

/// The atom that `ets:next/2` returns at the end.
fn end_of_table() -> Term {
    Term::atom_named("$end_of_table")
}

impl EtsRows {
    /// The rows that an insertion is given; none if it fails.
    pub fn objects(&self, watch: &mut Watch<'_>, objects: &Term) -> Option<Vec<Term>> {
        if watch.is(IS_TUPLE, objects, Type::Tuple) {
            return self.is_row(watch, objects).then(|| vec![objects.clone()]);
        }
        let objects = watch.open_list(objects).proper_list()?;
        objects.iter().all(|row| self.is_row(watch, row)).then_some(objects)
    }

    /// Records whether a term is a row with a key.
    fn is_row(&self, watch: &mut Watch<'_>, row: &Term) -> bool {
        if let (Some(expr), Ok(place)) = (watch.expr_of(row), u32::try_from(self.place)) {
            watch.has_element(expr, row, place);
        }
        row.as_tuple().is_some_and(|items| items.len() > self.place)
    }

    fn put(&mut self, watch: &mut Watch<'_>, row: Term) {
        if self.kind.is_unique() { self.add(watch, row) } else { self.put_in_bag(watch, row) }
    }

    /// Records whether the table has a row with this key.
    pub fn has(&mut self, watch: &mut Watch<'_>, function: Mfa, key: &Term) -> bool {
        match self.kind.is_unique() {
            true => self.find(watch, function, key).is_some(),
            false => !self.of_key(watch, function, key, false).is_empty(),
        }
    }

    /// Records whether two of the rows have the same key, in a table of unique keys.
    pub fn have_twins(&self, watch: &mut Watch<'_>, function: Mfa, objects: &[Term]) -> bool {
        let mut rows = EtsRows::new(self.kind, self.place);
        objects.iter().for_each(|row| rows.add(watch, row.clone()));
        rows.size(watch, function) < objects.len()
    }

    /// `ets:insert/2`.
    pub fn insert(&mut self, watch: &mut Watch<'_>, mut objects: Vec<Term>) -> Expected {
        if self.kind == TableType::Bag {
            objects.reverse();
        }
        objects.into_iter().for_each(|row| self.put(watch, row));
        truth(true)
    }

    /// `ets:insert_new/2`.
    pub fn insert_new(&mut self, watch: &mut Watch<'_>, function: Mfa, objects: Vec<Term>) -> Expected {
        for row in &objects {
            let key = watch.key_of(row, self.place);
            if self.has(watch, function, &key) {
                return truth(false);
            }
        }
        self.insert(watch, objects)
    }

    /// `ets:lookup/2`, or `ets:take/2` with `take`.
    pub fn lookup(&mut self, watch: &mut Watch<'_>, function: Mfa, key: &Term, take: bool) -> Expected {
        if !self.kind.is_unique() {
            self.of_key(watch, function, key, take);
            return Expected::Decided;
        }
        let found = self.find(watch, function, key);
        if let (Some(found), true) = (&found, take) {
            self.replace(found, None);
        }
        Expected::Value(Term::list(found.map(|found| found.row).into_iter().collect::<Vec<_>>()))
    }

    /// `ets:lookup_element/3`.
    pub fn lookup_element(&mut self, watch: &mut Watch<'_>, function: Mfa, key: &Term, place: &Term) -> Expected {
        let rows = match self.kind.is_unique() {
            true => self.find(watch, function, key).map(|found| found.row).into_iter().collect(),
            false => self.of_key(watch, function, key, false),
        };
        let elements: Option<Vec<Term>> = rows.iter().map(|row| watch.element_of(row, place)).collect();
        match elements.as_deref() {
            None | Some([]) => Expected::Exception,
            Some([element]) if self.kind.is_unique() => Expected::Value(element.clone()),
            Some(elements) => Expected::Value(Term::list(elements.to_vec())),
        }
    }

    /// `ets:delete_object/2`.
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

    /// The number of rows, after the conditions that decide it.
    pub fn size(&mut self, watch: &mut Watch<'_>, function: Mfa) -> usize {
        self.settle(watch, function);
        self.all().count()
    }

    /// `ets:first/1` and `ets:last/1`.
    pub fn end(&mut self, watch: &mut Watch<'_>, function: Mfa, first: bool) -> Expected {
        if self.kind == TableType::OrderedSet {
            let sorted = self.sorted(watch, function);
            let end = if first { sorted.first() } else { sorted.last() };
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

    /// `ets:next/2` and `ets:prev/2`.
    pub fn neighbour(&mut self, watch: &mut Watch<'_>, function: Mfa, key: &Term, after: bool) -> Expected {
        if self.kind == TableType::OrderedSet {
            let sorted = self.sorted(watch, function);
            let key = watch.constant_key(key);
            let next = match after {
                true => sorted.get(watch.first_above(&key, &sorted)),
                false => watch.count_below(&key, &sorted).checked_sub(1).and_then(|at| sorted.get(at)),
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

    /// All rows in the VM's order.
    pub fn list(&mut self, watch: &mut Watch<'_>, function: Mfa) -> Expected {
        if self.kind == TableType::OrderedSet {
            let rows: Vec<Term> = self.sorted(watch, function).into_iter().map(|(_, row)| row).collect();
            return Expected::Value(Term::list(rows));
        }
        if self.size(watch, function) > 1 {
            self.pin_keys(watch, function);
        }
        Expected::Decided
    }
}

impl Watch<'_> {
    /// The element of a row at a position that may be symbolic.
    fn element_of(&mut self, row: &Term, place: &Term) -> Option<Term> {
        let expr = self.element_at(place, row);
        let at = usize::try_from(place.as_i64()?.checked_sub(1)?).ok()?;
        let item = row.as_tuple()?.get(at)?.clone();
        Some(match expr {
            Some(expr) => item.with_mark(expr.mark()),
            None => item,
        })
    }
}
