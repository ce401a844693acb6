//! Replaying: a run that was made elsewhere and told its events, made once more with values and expressions at once.
//!
//! The machine runs the program as always and compares its events with those of the other run. Only where it cannot run a
//! function outside does it take what the other run got from it.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use term::{Class, Exception, Mfa, Term};

use super::cursor::Cursor;
use super::engine::Engine;
use super::events::{Observed, number_of};
use super::fault::Fault;
use crate::forward::code::Slot;
use crate::forward::outcome::Ending;

/// What there is to know about the numbers of events.
#[derive(Default, Clone)]
pub struct Numbers {
    /// Calls that lead outside; the next number tells what such a call gave.
    pub outside: FxHashSet<u32>,
    /// Handlers, which tell class and reason.
    pub caught: FxHashSet<u32>,
}

/// A run that was made elsewhere.
pub struct Script {
    events: Rc<[Observed]>,
    numbers: Rc<Numbers>,
    /// How it ended, if with an exception.
    raised: Option<Exception>,
    /// Calls outside, by number, that are not made again.
    given: FxHashSet<u32>,
    at: usize,
    /// The calls outside that are under way, with the number of frames that wait for them.
    open: Vec<(u32, usize)>,
}

impl Script {
    pub fn new(
        events: Rc<[Observed]>,
        numbers: Rc<Numbers>,
        raised: Option<Exception>,
        given: FxHashSet<u32>,
    ) -> Script {
        Script { events, numbers, raised, given, at: 0, open: Vec::new() }
    }

    /// The innermost call outside that was under way when the run ended.
    pub fn open_call(&self) -> Option<u32> {
        self.open.last().map(|(number, _)| *number)
    }

    /// Whether the other run told this event next.
    pub fn follows(&mut self, number: u32, depth: usize) -> bool {
        let told = self.events.get(self.at).is_some_and(|event| event.number == number);
        self.at += usize::from(told);
        // What waits for nobody any more was left by an exception.
        self.open.retain(|(open, frames)| *frames < depth || (*frames == depth && *open + 1 != number));
        if self.numbers.outside.contains(&number) {
            self.open.push((number, depth));
        }
        told
    }

    /// What the other run got from the call outside that is about to be made.
    fn given(&mut self, number: u32, depth: usize) -> Option<Result<Term, Exception>> {
        if !self.given.contains(&number) || self.open.last() != Some(&(number, depth)) {
            return None;
        }
        let mut inner = 0;
        for (at, event) in self.events.iter().enumerate().skip(self.at) {
            if event.number == number {
                inner += 1;
            } else if event.number == number + 1 && inner > 0 {
                inner -= 1;
            } else if event.number == number + 1 {
                self.at = at;
                return event.value.clone().map(Ok);
            }
        }
        self.open.pop();
        let caught = self.events.iter().skip(self.at).find(|event| self.numbers.caught.contains(&event.number));
        let caught = caught.and_then(|event| exception(event.value.as_ref()?));
        caught.or_else(|| self.raised.clone()).map(Err)
    }
}

fn exception(term: &Term) -> Option<Exception> {
    let [class, reason] = term.as_tuple()? else { return None };
    Some(Exception { class: Class::from_atom(class.as_atom()?)?, reason: reason.clone(), stack: Term::nil() })
}

impl Engine<'_> {
    /// What the primitive before a call outside gives.
    pub fn given(&mut self, at: Cursor, window: Slot, args: &[Term]) -> Result<Term, Box<Fault>> {
        let depth = self.process.frames.len();
        let [number, module, function, rest @ ..] = args else { return Ok(Term::nil()) };
        let Some(script) = self.script.as_deref_mut() else { return Ok(Term::nil()) };
        let Some(given) = script.given(number_of(number), depth) else { return Ok(Term::nil()) };
        if let (Some(module), Some(function)) = (module.as_atom(), function.as_atom()) {
            self.observe_given(at, window + 3, Mfa { module, function, arity: rest.len() as u8 });
        }
        match given {
            Ok(value) => Ok(Term::tuple([value])),
            Err(exception) => Err(Fault::here(exception)),
        }
    }

    /// The end of a replay that told something else than the run it replays.
    pub fn diverged(&mut self, at: Cursor) -> Cursor {
        let place = self.place(at);
        let (function, what) = (place.function, "the run on the VM went another way".to_owned());
        self.end(at, Ending::Vm { function, what, at: place })
    }
}
