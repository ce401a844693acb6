//! Narrowing all columns until nothing changes.

use std::collections::VecDeque;

use term::cut;

use super::super::interval::{Empty, Interval};
use super::system::System;

/// Visits of each constraint before narrowing is cut off: bounds can creep for ever.
const MOST_VISITS: usize = 24;

/// The constraints that look at each column: rows first, then definitions.
pub struct Propagator<'a> {
    system: &'a System,
    watchers: Vec<Vec<usize>>,
}

impl<'a> Propagator<'a> {
    /// A propagator over the rows and definitions of a system.
    pub fn new(system: &'a System, columns: usize) -> Propagator<'a> {
        let mut watchers: Vec<Vec<usize>> = vec![Vec::new(); columns];
        let rows = system.rows.iter().map(|row| vec![&row.form]);
        let definitions = system.definitions.iter().map(|definition| {
            let mut forms = vec![&definition.result];
            forms.extend(&definition.args);
            forms
        });
        for (constraint, forms) in rows.chain(definitions).enumerate() {
            for (column, _) in forms.iter().flat_map(|form| &form.terms) {
                if watchers[*column].last() != Some(&constraint) {
                    watchers[*column].push(constraint);
                }
            }
        }
        Propagator { system, watchers }
    }

    /// From everything.
    pub fn all(&self, columns: &mut [Interval]) -> Result<(), Empty> {
        self.run(columns, (0..self.count()).collect())
    }

    /// From a column that has changed.
    pub fn from(&self, column: usize, columns: &mut [Interval]) -> Result<(), Empty> {
        self.run(columns, self.watchers[column].iter().copied().collect())
    }

    fn count(&self) -> usize {
        self.system.rows.len() + self.system.definitions.len()
    }

    fn run(&self, columns: &mut [Interval], mut queue: VecDeque<usize>) -> Result<(), Empty> {
        let mut queued = vec![false; self.count()];
        queue.iter().for_each(|at| queued[*at] = true);
        let mut visits = MOST_VISITS * self.count();
        while let (Some(at), Some(left)) = (queue.pop_front(), visits.checked_sub(1)) {
            visits = left;
            cut::work(20);
            queued[at] = false;
            let mut changed = |column: usize| {
                for watcher in &self.watchers[column] {
                    if !queued[*watcher] {
                        queued[*watcher] = true;
                        queue.push_back(*watcher);
                    }
                }
            };
            match self.system.rows.get(at) {
                Some(row) => row.narrow(columns, &mut changed)?,
                None => self.system.definitions[at - self.system.rows.len()].narrow(columns, &mut changed)?,
            }
        }
        Ok(())
    }
}
