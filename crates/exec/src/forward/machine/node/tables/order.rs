//! The order of rows that only the VM knows: the hash of an atom within a key, or of a pid, differs from VM to VM.

#![expect(clippy::mutable_key_type, reason = "what a map caches of itself counts for nothing in a key")]

use std::rc::Rc;

use ops::Eval;
use rustc_hash::FxHashSet;
use term::{Mfa, Term};

use super::badarg;
use super::operations::end_of_table;
use super::rows::Rows;
use super::table::EtsTable;
use crate::forward::machine::run_state::RunState;

impl EtsTable {
    /// The keys in the VM's order, if that alone decides it.
    pub fn order(&mut self, run: &mut RunState<'_>) -> Option<Rc<[Term]>> {
        let Rows::Hashed(buckets) = &self.rows else { return None };
        if !buckets.is_strange() {
            return None;
        }
        if self.known_order.is_none() {
            let mut keys: Vec<Term> = Vec::new();
            let mut seen = FxHashSet::default();
            keys.extend(buckets.in_order().filter_map(|row| self.key(row)).filter(|key| seen.insert(*key)).cloned());
            if run.scheduled {
                // What came first must not depend on the order of events.
                keys.sort_by(Term::compare_exact);
            }
            let rows = keys.iter().map(|key| Term::tuple([key.clone()])).collect();
            let listed = run.on_vm(("set", 0), rows, ops::Rule::Ets(ops::EtsOp::List).function(1), &[]);
            let listed: Vec<Term> = listed.and_then(|list| list.proper_list()).unwrap_or_default();
            let given = listed.iter().rev().filter_map(|row| row.as_tuple()?.first().cloned());
            // The program's own pids and references are others there.
            let known: Vec<Term> = given.filter_map(|key| keys.iter().find(|own| **own == key).cloned()).collect();
            self.known_order = Some(if known.len() == keys.len() { known.into() } else { keys.into() });
        }
        self.known_order.clone()
    }

    /// `ets:slot/2`.
    pub fn slot(&mut self, run: &mut RunState<'_>, slot: &Term) -> Eval {
        let Some(at) = slot.as_i64().and_then(|at| usize::try_from(at).ok()) else { return badarg() };
        if self.order(run).is_some() {
            let function = ops::Rule::Ets(ops::EtsOp::Slot).function(2);
            return self.on_vm(run, function, std::slice::from_ref(slot)).map_or_else(badarg, Ok);
        }
        match &self.rows {
            Rows::Hashed(buckets) if at < buckets.slots() => {
                let chain: Vec<Term> = buckets.slot(at).cloned().collect();
                Ok(Term::list(chain.into_iter().rev().collect::<Vec<_>>()))
            }
            Rows::Hashed(buckets) if at == buckets.slots() => Ok(end_of_table()),
            Rows::Ordered(rows) if at < rows.len() => {
                Ok(Term::list(rows.values().nth(at).cloned().into_iter().collect::<Vec<_>>()))
            }
            Rows::Ordered(rows) if at == rows.len() => Ok(end_of_table()),
            _ => badarg(),
        }
    }

    /// The answer of the VM about a table with the same rows.
    pub fn on_vm(&self, run: &mut RunState<'_>, function: Mfa, rest: &[Term]) -> Option<Term> {
        let rows = match &self.rows {
            Rows::Hashed(buckets) => buckets.in_order().cloned().collect(),
            Rows::Ordered(rows) => rows.values().cloned().collect(),
        };
        run.on_vm((self.kind.name(), self.place), rows, function, rest)
    }
}
