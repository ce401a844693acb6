//! Searches with match specifications.

use std::ops::Bound;
use std::rc::Rc;

use ops::{Eval, Specification};
use term::Term;

use super::buckets::Buckets;
use super::operations::end_of_table;
use super::rows::{Rows, ordered};
use super::table::EtsTable;
use super::{Tables, badarg};
use crate::forward::machine::node::RefKey;
use crate::forward::machine::run_state::RunState;

/// The order of what is found in an ordered set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Ascending,
    Descending,
}

/// A search for rows.
pub struct Search {
    /// The term that names the table.
    pub id: Term,
    pub spec: Rc<Specification>,
    pub goal: Direction,
    /// The number of results that is wanted at a time.
    pub chunk: Option<usize>,
}

/// Where a search in slots stands.
struct FoundRows {
    /// The results, the last first.
    results: Vec<Term>,
    /// The slot to go on with.
    next: Option<usize>,
}

impl Tables {
    /// Begins a search.
    pub fn search(&mut self, run: &mut RunState<'_>, key: RefKey, search: Search) -> Eval {
        let Some(table) = self.tables.get_mut(&key) else { return badarg() };
        let order = table.order(run);
        let keys = search.spec.keys(table.place);
        match &table.rows {
            Rows::Ordered(_) => self.search_ordered(run, key, &search, None),
            Rows::Hashed(buckets) => {
                let slots = SearchedSlots { buckets, order: order.as_deref() };
                let found = match keys {
                    Some(keys) => slots.of_keys(run, &search.spec, &keys),
                    None => slots.from(run, &search.spec, Some(0), Vec::new(), search.chunk),
                };
                let Some(chunk) = search.chunk else { return Ok(Term::list(found.results)) };
                let got = found.results.len();
                // What is too much was found last, and stands first.
                let mut rest = found.results;
                let results = rest.split_off(got.saturating_sub(chunk));
                self.chunk_of(run, key, &search, results, rest, found.next)
            }
        }
    }

    /// Goes on with a search.
    pub fn go_on(&mut self, run: &mut RunState<'_>, key: RefKey, continuation: &Term) -> Eval {
        let chunk_of = |term: &Term| term.as_i64().and_then(|chunk| usize::try_from(chunk).ok());
        match continuation.as_tuple() {
            Some([id, slot, chunk, compiled, rest, _]) => {
                let (Some(spec), Some(chunk), Some(rest)) =
                    (self.compiled(compiled), chunk_of(chunk), rest.proper_list())
                else {
                    return badarg();
                };
                let search = Search { id: id.clone(), spec, goal: Direction::Ascending, chunk: Some(chunk) };
                self.go_on_hashed(run, key, search, slot, rest)
            }
            Some([id, last, _, chunk, compiled, _, reverse, _]) => {
                let (Some(spec), Some(chunk)) = (self.compiled(compiled), chunk_of(chunk)) else { return badarg() };
                let goal = if reverse.as_i64() == Some(0) { Direction::Ascending } else { Direction::Descending };
                let search = Search { id: id.clone(), spec, goal, chunk: Some(chunk) };
                self.search_ordered(run, key, &search, Some(last))
            }
            _ => badarg(),
        }
    }

    fn go_on_hashed(
        &mut self,
        run: &mut RunState<'_>,
        key: RefKey,
        search: Search,
        slot: &Term,
        rest: Vec<Term>,
    ) -> Eval {
        let Some(table) = self.tables.get_mut(&key) else { return badarg() };
        let order = table.order(run);
        let Rows::Hashed(buckets) = &table.rows else { return badarg() };
        let slots = SearchedSlots { buckets, order: order.as_deref() };
        let next = slot.as_i64().and_then(|slot| usize::try_from(slot).ok());
        if next.is_some_and(|next| next >= slots.count()) {
            return badarg();
        }
        let chunk = search.chunk.unwrap_or(usize::MAX);
        let FoundRows { mut results, next } = match rest.len() >= chunk {
            true => FoundRows { results: rest, next },
            false => slots.from(run, &search.spec, next, rest, Some(chunk)),
        };
        let mut rest: Vec<Term> = results.drain(..results.len().saturating_sub(chunk)).collect();
        rest.reverse();
        self.chunk_of(run, key, &search, results, rest, next)
    }

    /// The results of a search in slots, and how it goes on.
    fn chunk_of(
        &mut self,
        run: &mut RunState<'_>,
        key: RefKey,
        search: &Search,
        results: Vec<Term>,
        rest: Vec<Term>,
        next: Option<usize>,
    ) -> Eval {
        if rest.is_empty() && next.is_none() {
            return Ok(match results.is_empty() {
                true => end_of_table(),
                false => Term::tuple([Term::list(results), end_of_table()]),
            });
        }
        let compiled = self.keep(run, Rc::clone(&search.spec));
        let tid = self.get(key).map_or_else(|| search.id.clone(), |table| table.tid.clone());
        let slot = next.map_or(-1, |next| next as i64);
        let (chunk, size) = (search.chunk.unwrap_or(0) as i64, rest.len() as i64);
        let continuation =
            Term::tuple([tid, Term::int(slot), Term::int(chunk), compiled, Term::list(rest), Term::int(size)]);
        Ok(Term::tuple([Term::list(results), continuation]))
    }

    fn search_ordered(&mut self, run: &mut RunState<'_>, key: RefKey, search: &Search, last: Option<&Term>) -> Eval {
        let Some(table) = self.tables.get(&key) else { return badarg() };
        let Rows::Ordered(rows) = &table.rows else { return badarg() };
        if last.is_none()
            && let Some(found) = table.search_key(run, search)
        {
            return Ok(found);
        }
        let from = last.map_or(Bound::Unbounded, |last| Bound::Excluded(ordered(last)));
        let rows: Box<dyn Iterator<Item = _>> = match search.goal {
            Direction::Ascending => Box::new(rows.range((from, Bound::Unbounded))),
            Direction::Descending => Box::new(rows.range((Bound::Unbounded, from)).rev()),
        };
        let (mut results, mut at) = (Vec::new(), None);
        for (key, row) in rows {
            results.extend(search.spec.run(run, row));
            if Some(results.len()) == search.chunk {
                at = Some(key.term.clone());
                break;
            }
        }
        let Some(chunk) = search.chunk else { return Ok(Term::list(results)) };
        let Some(at) = at else {
            return Ok(match results.is_empty() {
                true => end_of_table(),
                false => Term::tuple([Term::list(results), end_of_table()]),
            });
        };
        let compiled = self.keep(run, Rc::clone(&search.spec));
        let reverse = Term::int(i64::from(search.goal == Direction::Descending));
        let (end, chunk) = (Term::nil(), Term::int(chunk as i64));
        let continuation =
            Term::tuple([search.id.clone(), at, end, chunk, compiled, Term::nil(), reverse, Term::int(0)]);
        Ok(Term::tuple([Term::list(results), continuation]))
    }
}

/// The rows of a table by slots; where the VM alone knows the order, a slot has the rows of one key.
struct SearchedSlots<'t> {
    buckets: &'t Buckets,
    order: Option<&'t [Term]>,
}

impl SearchedSlots<'_> {
    fn count(&self) -> usize {
        self.order.map_or(self.buckets.slots(), <[Term]>::len)
    }

    fn after(&self, slot: usize) -> Option<usize> {
        match self.order {
            Some(order) => Some(slot + 1).filter(|next| *next < order.len()),
            None => self.buckets.slot_after(slot),
        }
    }

    fn rows(&self, slot: usize) -> Vec<&Term> {
        match self.order {
            Some(order) => self.buckets.of_key(&order[slot]).rev().collect(),
            None => self.buckets.slot(slot).collect(),
        }
    }

    /// Searches from a slot on until a chunk is full at the end of a slot.
    fn from(
        &self,
        run: &mut RunState<'_>,
        spec: &Specification,
        slot: Option<usize>,
        found: Vec<Term>,
        chunk: Option<usize>,
    ) -> FoundRows {
        let mut results: Vec<Term> = found.into_iter().rev().collect();
        let mut next = slot;
        while let Some(slot) = next {
            if chunk.is_some_and(|chunk| results.len() >= chunk) {
                break;
            }
            results.extend(self.rows(slot).into_iter().filter_map(|row| spec.run(run, row)));
            next = self.after(slot);
        }
        results.reverse();
        FoundRows { results, next }
    }

    /// Searches the rows of these keys.
    fn of_keys(&self, run: &mut RunState<'_>, spec: &Specification, keys: &[Term]) -> FoundRows {
        let mut slots: Vec<usize> = Vec::new();
        for key in keys.iter().filter(|key| self.buckets.of_key(key).next().is_some()) {
            let slot = match self.order {
                Some(order) => order.iter().position(|other| other == key).unwrap_or(0),
                None => self.buckets.slot_of(key),
            };
            if !slots.contains(&slot) {
                slots.push(slot);
            }
        }
        let mut results = Vec::new();
        for slot in slots {
            results.extend(self.rows(slot).into_iter().filter_map(|row| spec.run(run, row)));
        }
        results.reverse();
        FoundRows { results, next: None }
    }
}

impl EtsTable {
    /// The result of a search in an ordered set whose pattern has the key; nothing if it has none.
    fn search_key(&self, run: &mut RunState<'_>, search: &Search) -> Option<Term> {
        let keys = search.spec.keys(self.place)?;
        let is_one = keys.iter().all(|key| key.num_eq(&keys[0]));
        let rows = keys.first().filter(|_| is_one).map(|key| self.rows.of_key(key));
        let rows = if keys.is_empty() { Vec::new() } else { rows? };
        let results: Vec<Term> = rows.first().and_then(|row| search.spec.run(run, row)).into_iter().collect();
        Some(match search.chunk {
            None => Term::list(results),
            Some(_) if results.is_empty() => end_of_table(),
            Some(_) => Term::tuple([Term::list(results), end_of_table()]),
        })
    }

    /// `ets:select_count/2`.
    pub fn select_count(&self, run: &mut RunState<'_>, spec: &Term) -> Eval {
        let Some(spec) = Specification::compile(spec) else { return badarg() };
        let count = self.rows.all().filter(|row| is_true(spec.run(run, row))).count();
        Ok(Term::int(count as i64))
    }

    /// Deletes the rows for which a match specification gives `true`, and returns their number.
    pub fn select_delete(&mut self, run: &mut RunState<'_>, spec: &Term) -> Eval {
        let Some(spec) = Specification::compile(spec) else { return badarg() };
        self.known_order = None;
        let count = match &mut self.rows {
            Rows::Hashed(buckets) => {
                let gone = (0..buckets.slots())
                    .map(|slot| buckets.remove_from(slot, |row| is_true(spec.run(run, row))))
                    .sum::<usize>();
                if gone > 0 {
                    buckets.shrink();
                }
                gone
            }
            Rows::Ordered(rows) => {
                let before = rows.len();
                rows.retain(|_, row| !is_true(spec.run(run, row)));
                before - rows.len()
            }
        };
        Ok(Term::int(count as i64))
    }

    /// `ets:select_replace/2`.
    pub fn select_replace(&mut self, run: &mut RunState<'_>, spec: &Term) -> Eval {
        let is_bag = self.kind == super::TableType::Bag;
        let Some(compiled) = Specification::compile(spec) else { return badarg() };
        if is_bag || !Specification::keeps_key(spec, self.place) {
            return badarg();
        }
        let count = match &mut self.rows {
            Rows::Hashed(buckets) => {
                (0..buckets.slots()).map(|slot| buckets.replace_in(slot, |row| compiled.run(run, row))).sum::<usize>()
            }
            Rows::Ordered(rows) => {
                let mut count = 0;
                for row in rows.values_mut() {
                    if let Some(other) = compiled.run(run, row) {
                        *row = other;
                        count += 1;
                    }
                }
                count
            }
        };
        Ok(Term::int(count as i64))
    }
}

fn is_true(result: Option<Term>) -> bool {
    result.is_some_and(|result| result.as_bool() == Some(true))
}
