//! Stack traces, as the VM shows them.

use ir::Location;
use term::Term;

use super::cursor::Cursor;
use super::engine::Engine;
use super::fault::{Trace, entry};
use crate::forward::code::Address;
use crate::forward::program::Function;

/// The number of entries that the VM keeps.
const DEPTH: usize = 8;

impl Engine<'_> {
    /// The entries that `head` begins with, then what `trace` asks for.
    pub fn stack_trace(&mut self, at: Cursor, head: &Term, trace: Trace) -> Term {
        if trace == Trace::Complete {
            return head.clone();
        }
        let mut entries: Vec<Term> = head.cells().cloned().collect();
        let mut last = None;
        let here = self.address(at);
        let mut callers = vec![here];
        if trace == Trace::Here {
            entries.extend(self.entry_at(here));
            last = Some(here);
        }
        for frame in self.process.frames.iter().rev() {
            if entries.len() >= DEPTH {
                break;
            }
            // A function that calls itself again and again shows once.
            let caller = frame.back.saturating_sub(1);
            let passes_on = self.program.owner(caller).is_some_and(|function| function.passes_on(caller));
            if last != Some(caller) && !passes_on {
                entries.extend(self.entry_at(caller));
                last = Some(caller);
                callers.push(caller);
            }
        }
        self.raised_through = callers;
        Term::list(entries)
    }

    fn entry_at(&self, address: Address) -> Option<Term> {
        if address == 0 {
            return None;
        }
        let function = self.program.owner(address)?;
        if ops::prelude::is_prelude(function.name.module) {
            // It stands in for the operation, which has its own entry.
            return None;
        }
        let arity = Term::int(i64::from(function.name.arity));
        Some(entry(function.name, arity, location_term(function, function.location(address))))
    }

    /// The place of the current instruction, for an entry of one's own.
    pub fn location_here(&self, at: Cursor) -> Term {
        let address = self.address(at);
        self.program.owner(address).map_or(Term::nil(), |it| location_term(it, it.location(address)))
    }
}

/// File and line in the form of stack traces.
pub fn location_term(function: &Function, location: Location) -> Term {
    if !location.is_known() {
        return Term::nil();
    }
    let file = Term::tuple([Term::atom_named("file"), Term::string(function.recorded_file(location))]);
    let line = Term::tuple([Term::atom_named("line"), Term::int(i64::from(location.line))]);
    Term::list([file, line])
}
