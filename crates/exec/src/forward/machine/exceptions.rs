//! Raising and unwinding.

use term::cut::Cut;
use term::{Class, Exception, Term, known};

use super::cursor::Cursor;
use super::engine::Engine;
use super::fault::{Fault, Trace, entry};
use crate::forward::code::{NOWHERE, Slot, Src};
use crate::forward::outcome::Ending;
use crate::forward::program::Handler;

/// As many arguments as a call can have, with what stands behind them.
const MOST_ARGS: usize = 258;

/// A handler and the frame it belongs to.
struct Found {
    handler: Handler,
    /// The number of frames that stay.
    depth: usize,
    /// The first slot of its frame.
    base: usize,
}

impl Engine<'_> {
    /// Goes to the handler of a fault, or ends the run.
    #[cold]
    #[inline(never)]
    #[allow(clippy::boxed_local, reason = "faults are boxed where they arise, so that results stay small")]
    pub fn fail(&mut self, mut at: Cursor, fault: Box<Fault>) -> Cursor {
        match *fault {
            Fault::End(ending) => self.end(at, ending),
            Fault::Memory | Fault::Cut(Cut::Memory) => self.out_of_memory(at),
            Fault::Cut(Cut::Stop) => {
                let place = self.place(at);
                self.end(at, Ending::Stopped { at: place })
            }
            Fault::Due if self.holds_too_much() => self.out_of_memory(at),
            Fault::Due => {
                at.advance();
                at
            }
            Fault::Raise { exception, trace } => self.raise(at, exception, trace),
            Fault::Explained { mut exception, info } => {
                exception.stack = self.own_entry(at, None, Some(info));
                self.raise(at, exception, Trace::Callers)
            }
        }
    }

    fn raise(&mut self, at: Cursor, mut exception: Exception, trace: Trace) -> Cursor {
        let Some(found) = self.find_handler(at) else {
            exception.stack = self.stack_trace(at, &exception.stack, trace);
            return self.end(at, Ending::Raised(exception));
        };
        if found.handler.raw != NOWHERE {
            exception.stack = self.stack_trace(at, &exception.stack, trace);
        }
        debug_assert!(found.depth <= self.process.frames.len() && found.base <= self.base(at));
        self.clear_above(at, &found);
        self.process.frames.truncate(found.depth);
        let cursor = self.cursor(found.handler.target, found.base);
        hand_over(cursor, &found.handler, exception);
        cursor
    }

    fn find_handler(&self, at: Cursor) -> Option<Found> {
        let mut address = self.address(at);
        let mut base = self.base(at);
        let frames = &self.process.frames;
        for depth in (0..=frames.len()).rev() {
            let handler = self.program.owner(address).and_then(|function| function.handler(address));
            if let (Some(handler), true) = (handler, address != 0) {
                return Some(Found { handler: handler.clone(), depth, base });
            }
            let frame = frames.get(depth.checked_sub(1)?)?;
            address = frame.back.saturating_sub(1);
            base -= frame.window as usize;
        }
        None
    }

    /// Drops every value above the handler's frame, and those in it that the handler does not read.
    fn clear_above(&mut self, at: Cursor, found: &Found) {
        let frame = self.program.owner(self.address(at)).map_or(0, |function| function.linked.frame as usize);
        // The arguments of an applied function may stand above the frame.
        let top = (self.base(at) + frame + MOST_ARGS).min(self.process.stack.len());
        for slot in found.base..top {
            let kept = Slot::try_from(slot - found.base).is_ok_and(|it| found.handler.kept.contains(&it));
            if !kept {
                self.process.stack[slot] = Term::nil();
            }
        }
    }

    /// A trace of one entry, for the current function: with other arguments than its arity, with more on the place.
    pub fn own_entry(&self, at: Cursor, shown: Option<Term>, info: Option<Term>) -> Term {
        let Some(function) = self.program.owner(self.address(at)) else { return Term::nil() };
        let mut location = self.location_here(at).proper_list().unwrap_or_default();
        location.extend(info);
        let shown = shown.unwrap_or_else(|| Term::int(i64::from(function.name.arity)));
        Term::cons(entry(function.name, shown, Term::list(location)), Term::nil())
    }

    /// An exception of class `error` with this reason.
    pub fn raise_error(&self, at: Cursor, reason: Src) -> Box<Fault> {
        Fault::error(self.view(at).look(reason).clone())
    }

    /// `function_clause`, with the arguments in the trace.
    pub fn raise_clause(&self, at: Cursor, len: u16, first: u32) -> Box<Fault> {
        let sources = &self.program.code.sources[first as usize..][..usize::from(len)];
        let args: Vec<Term> = sources.iter().map(|src| self.view(at).look(*src).clone()).collect();
        self.function_clause(at, args)
    }

    /// A `function_clause` of the current function, called with these arguments.
    pub fn function_clause(&self, at: Cursor, args: Vec<Term>) -> Box<Fault> {
        let mut exception = Exception::error(Term::atom(known::FUNCTION_CLAUSE));
        exception.stack = self.own_entry(at, Some(Term::list(args)), None);
        Box::new(Fault::Raise { exception, trace: Trace::Callers })
    }

    /// A caught exception with the stack trace it had.
    pub fn raise_again(&self, at: Cursor, reason: Src, raw: Src) -> Box<Fault> {
        again(self.view(at).look(reason), self.view(at).look(raw))
    }
}

/// The exception that a handler caught; `raw` is what it got.
pub fn again(reason: &Term, raw: &Term) -> Box<Fault> {
    let (class, stack) = match raw.as_tuple() {
        Some([class, stack]) => (class.as_atom().and_then(Class::from_atom), stack.clone()),
        _ => (None, Term::nil()),
    };
    let exception = Exception { class: class.unwrap_or(Class::Error), reason: reason.clone(), stack };
    Box::new(Fault::Raise { exception, trace: Trace::Complete })
}

fn hand_over(cursor: Cursor, handler: &Handler, exception: Exception) {
    let class = Term::atom(exception.class.atom());
    cursor.put_if_wanted(handler.class, class.clone());
    cursor.put_if_wanted(handler.reason, exception.reason);
    if handler.raw != NOWHERE {
        cursor.put(handler.raw, Term::tuple([class, exception.stack]));
    }
}
