//! `ets:update_element/3` and `ets:update_counter/3,4`.

use ops::Eval;
use term::{Term, number};

use super::badarg;
use super::table::EtsTable;

/// One change of a counter.
struct CounterChange {
    at: usize,
    by: Term,
    /// A bound, and the value that replaces one beyond it.
    bound: Option<(Term, Term)>,
}

impl EtsTable {
    /// `ets:update_element/3`.
    pub fn update_element(&mut self, key: &Term, changes: &Term) -> Eval {
        if !self.kind.is_unique() {
            return badarg();
        }
        let Some(row) = self.rows.of_key(key).pop() else { return Ok(Term::bool(false)) };
        let mut items = row.as_tuple().unwrap_or_default().to_vec();
        let changes = if changes.as_tuple().is_some() { Some(vec![changes.clone()]) } else { changes.proper_list() };
        let Some(changes) = changes else { return badarg() };
        for change in &changes {
            let Some([at, value]) = change.as_tuple() else { return badarg() };
            let Some(at) = self.place_of(at, items.len()) else { return badarg() };
            items[at] = value.clone();
        }
        self.put(Term::tuple(items));
        Ok(Term::bool(true))
    }

    /// The place of a position in a row, unless it is that of the key.
    fn place_of(&self, at: &Term, size: usize) -> Option<usize> {
        let at = usize::try_from(at.as_i64()?.checked_sub(1)?).ok()?;
        (at < size && at != self.place).then_some(at)
    }

    /// `ets:update_counter/3,4`.
    pub fn update_counter(&mut self, key: &Term, changes: &Term, default: Option<&Term>) -> Eval {
        if !self.kind.is_unique() || default.is_some_and(|default| self.key(default).is_none()) {
            return badarg();
        }
        let Some(mut items) = self.items(key, default) else { return badarg() };
        let single = changes.is_integer() || changes.as_tuple().is_some();
        let Some(steps) = self.steps(changes, &items) else { return badarg() };
        let mut values = Vec::with_capacity(steps.len());
        for step in steps {
            let Some(value) = step.value(&items[step.at]) else { return badarg() };
            items[step.at] = value.clone();
            values.push(value);
        }
        self.put(Term::tuple(items));
        match (single, values.pop()) {
            (true, Some(value)) => Ok(value),
            (_, last) => Ok(Term::list(values.into_iter().chain(last).collect::<Vec<_>>())),
        }
    }

    /// The elements of the row of a key, or of a default with that key.
    fn items(&self, key: &Term, default: Option<&Term>) -> Option<Vec<Term>> {
        if let Some(row) = self.rows.of_key(key).pop() {
            return row.as_tuple().map(<[Term]>::to_vec);
        }
        let mut items = default?.as_tuple()?.to_vec();
        items[self.place] = key.clone();
        Some(items)
    }

    /// The changes of counters; nothing if one is bad.
    fn steps(&self, changes: &Term, items: &[Term]) -> Option<Vec<CounterChange>> {
        let changes = match changes {
            Term::Tuple(..) => vec![changes.clone()],
            _ if changes.is_integer() => {
                vec![Term::tuple([Term::int(self.place as i64 + 2), changes.clone()])]
            }
            _ => changes.proper_list()?,
        };
        let step = |change: &Term| {
            let (at, by, bound) = match change.as_tuple()? {
                [at, by] => (at, by, None),
                [at, by, bound, value] if bound.is_integer() && value.is_integer() => {
                    (at, by, Some((bound.clone(), value.clone())))
                }
                _ => return None,
            };
            let at = self.place_of(at, items.len())?;
            (by.is_integer() && items[at].is_integer()).then(|| CounterChange { at, by: by.clone(), bound })
        };
        changes.iter().map(step).collect()
    }
}

impl CounterChange {
    fn value(&self, old: &Term) -> Option<Term> {
        let sum = number::add(old, &self.by)?;
        let Some((bound, value)) = &self.bound else { return Some(sum) };
        let is_beyond = match self.by.compare(&Term::int(0)).is_lt() {
            true => sum.compare(bound).is_lt(),
            false => sum.compare(bound).is_gt(),
        };
        Some(if is_beyond { value.clone() } else { sum })
    }
}
