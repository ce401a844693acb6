//! Operations on tables: which table is meant is one of finitely many, and what cannot be found fails whatever else it
//! is given.

use constraint::{Test, Type};
use term::{Mfa, Term};

use super::watch::{Watch, mark_of};
use crate::forward::code::Slot;
use crate::forward::machine::{Cursor, Engine};

const IS_NAME: u32 = 0;
const FIRST_TABLE: u32 = 16;

/// Functions of `ets` that take a table first and fail without one, of every arity but those of continuations.
const FAIL: &str = "delete delete_object insert insert_new lookup lookup_element member take update_counter \
    update_element first last next prev slot rename setopts safe_fixtable match match_object select select_count \
    select_replace select_reverse internal_select_delete internal_delete_all";

/// What becomes of a function of `ets` that is given no table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Without {
    Fails,
    /// It says `undefined`, if its other arguments are good.
    Tells,
    /// It says `undefined` of a name that no table has, and fails of anything else.
    TellsOfNames,
}

fn without(function: Mfa) -> Option<Without> {
    if function.module.name() != "ets" {
        return None;
    }
    match (function.function.name(), function.arity) {
        ("info", 1 | 2) => Some(Without::Tells),
        ("whereis", 1) => Some(Without::TellsOfNames),
        ("match" | "match_object" | "select" | "select_reverse", 1) => None,
        (name, _) => FAIL.split(' ').any(|one| one == name).then_some(Without::Fails),
    }
}

impl Engine<'_> {
    /// An operation on a table is about to run: asks which table that is. Whether its other arguments do not matter or
    /// are held already.
    pub fn observe_table(&mut self, at: Cursor, window: Slot, function: Mfa) -> bool {
        let Some(without) = without(function) else { return false };
        let args = at.window(window, function.arity).to_vec();
        let [table, others @ ..] = &args[..] else { return false };
        let is_own = self.surroundings.tables.contains(table);
        if !is_own && self.surroundings.has_table(table) {
            return false;
        }
        let address = self.address(at);
        let Some(recorder) = self.recorder.as_deref_mut().filter(|recorder| !recorder.truncated) else { return true };
        let mut watch = Watch::new(recorder, self.program, &self.process.frames, address);
        watch.which_table(table, &self.surroundings.tables, without);
        if table.mark().is_some() && !is_own {
            // The VM has tables of its own.
            watch.varying(function);
        }
        if is_own || without == Without::Tells {
            watch.pin_all(function, others);
        }
        true
    }
}

impl Watch<'_> {
    /// Each table that has a name in turn; nobody could have known the others.
    fn which_table(&mut self, table: &Term, tables: &[Term], without: Without) {
        let Some(expr) = mark_of(table) else { return };
        for (at, own) in tables.iter().enumerate().filter(|(_, own)| own.as_atom().is_some()) {
            let literal = self.recorder.arena.literal(own.clone());
            self.ask(FIRST_TABLE.saturating_add(at as u32), Test::Same(expr, literal), table == own);
            if table == own {
                return;
            }
        }
        if without == Without::TellsOfNames {
            self.ask(IS_NAME, Test::Type(expr, Type::Atom), table.as_atom().is_some());
        }
    }
}
