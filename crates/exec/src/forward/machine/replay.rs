//! Replaying: a recorded run, made once more with values and expressions at once.
//!
//! The machine runs the program as always and compares its events with those of the other run. Only where it cannot run a
//! function outside does it take what the other run got from it; messages always come from there.

use std::rc::Rc;

use ir::{ProcessOp, Replay};
use ops::{Fresh, Rule};
use rustc_hash::FxHashSet;
use term::{Atom, Class, Exception, Mfa, Term, known};

use super::cursor::Cursor;
use super::engine::Engine;
use super::events::{EventLog, LogPlace, number_of};
use super::fault::Fault;
use super::mailbox::Mailbox;
use crate::forward::code::Slot;
use crate::forward::outcome::Ending;

/// The numbers of events with a meaning of their own.
#[derive(Default, Clone)]
pub struct Numbers {
    /// Calls that lead outside; the next number records what such a call gave.
    pub outside: FxHashSet<u32>,
    /// Handlers, which record class and reason.
    pub caught: FxHashSet<u32>,
}

/// A run that was made elsewhere.
pub struct Script {
    events: Rc<EventLog>,
    numbers: Rc<Numbers>,
    /// The exception that it ended with, if it did.
    raised: Option<Exception>,
    /// Calls outside, by number, that are not made again.
    given: FxHashSet<u32>,
    at: LogPlace,
    /// The calls outside that have not ended, with the number of frames that wait for them.
    open: Vec<(u32, usize)>,
    mailbox: Mailbox,
}

impl Script {
    /// A script before its first event.
    pub fn new(events: Rc<EventLog>, numbers: Rc<Numbers>, raised: Option<Exception>, given: FxHashSet<u32>) -> Script {
        Script {
            events,
            numbers,
            raised,
            given,
            at: LogPlace::default(),
            open: Vec::new(),
            mailbox: Mailbox::default(),
        }
    }

    /// The messages that were sent and not received.
    pub fn messages(&self) -> &[Term] {
        self.mailbox.messages()
    }

    /// The innermost call outside that had not ended when the run did.
    pub fn open_call(&self) -> Option<u32> {
        self.open.last().map(|(number, _)| *number)
    }

    /// True if this is the next event of the recorded run.
    pub fn follows(&mut self, number: u32, depth: usize) -> bool {
        let after = self.events.next(self.at).filter(|(next, ..)| *next == number).map(|(.., after)| after);
        self.at = after.unwrap_or(self.at);
        // Calls without a waiting frame were left by an exception.
        self.open.retain(|(open, frames)| *frames < depth || (*frames == depth && *open + 1 != number));
        if self.numbers.outside.contains(&number) {
            self.open.push((number, depth));
        }
        after.is_some()
    }

    /// The outcome in the other run of the call outside that is about to be made, if it is not to be made again.
    fn given(&mut self, number: u32, depth: usize, again: bool) -> Option<Result<Term, Exception>> {
        if again && !self.given.contains(&number) || self.open.last() != Some(&(number, depth)) {
            return None;
        }
        let mut inner = 0;
        for (event, value, place) in self.events.since(self.at) {
            if event == number {
                inner += 1;
            } else if event == number + 1 && inner > 0 {
                inner -= 1;
            } else if event == number + 1 {
                self.at = place;
                return value.cloned().map(Ok);
            }
        }
        self.open.pop();
        self.exception().map(Err)
    }

    /// The exception that the other run was about to raise.
    fn exception(&self) -> Option<Exception> {
        let caught = self.events.since(self.at).find(|(number, ..)| self.numbers.caught.contains(number));
        let caught = caught.and_then(|(_, value, _)| exception(value?));
        caught.or_else(|| self.raised.clone())
    }

    /// The message that is to be looked at next, where the other run came to the event of a message or to another.
    fn message(&mut self, received: u32) -> Option<Term> {
        let event = self.events.next(self.at).filter(|(number, ..)| *number == received);
        self.mailbox.next(event.and_then(|(_, value, _)| value))
    }

    /// True if time was up where the other run waited, or the exception that ended the waiting; nothing if it waited until
    /// it was ended itself.
    fn is_late(&mut self, late: u32) -> Option<Result<bool, Exception>> {
        self.mailbox.leave();
        match self.events.next(self.at) {
            Some((number, ..)) if number == late => Some(Ok(true)),
            _ => self.exception().map(Err),
        }
    }
}

fn exception(term: &Term) -> Option<Exception> {
    let [class, reason] = term.as_tuple()? else { return None };
    Some(Exception { class: Class::from_atom(class.as_atom()?)?, reason: reason.clone(), stack: Term::nil() })
}

impl Engine<'_> {
    /// The value of the primitive before a call outside.
    pub fn given(&mut self, at: Cursor, window: Slot, args: &[Term]) -> Result<Term, Box<Fault>> {
        let depth = self.process.frames.len();
        let [number, module, function, rest @ ..] = args else { return Ok(Term::nil()) };
        let Some(script) = self.script.as_deref_mut() else { return Ok(Term::nil()) };
        let called = match (module.as_atom(), function.as_atom()) {
            (Some(module), Some(function)) => Some(Mfa { module, function, arity: rest.len() as u8 }),
            _ => None,
        };
        let rule = called.map_or(Rule::None, ops::rule);
        let names = matches!(rule, Rule::Fresh(_));
        let Some(given) = script.given(number_of(number), depth, !names) else { return Ok(Term::nil()) };
        let sent = (rule == Rule::Process(ProcessOp::Send)).then(|| rest.get(1)).flatten();
        let to_itself = match (rest.first(), sent) {
            (Some(to), Some(message)) => script.mailbox.sent(to, message),
            _ => false,
        };
        if let (Ok(own), Rule::Fresh(Fresh::Pid)) = (&given, rule) {
            script.mailbox.is_known_as(own);
        }
        if let Some(function) = called.filter(|_| !names) {
            // The use of a message to itself shows when it is received.
            self.observe_given(at, window + 3, if to_itself { 1 } else { function.arity }, function);
        }
        match (given, sent) {
            (Ok(_), Some(message)) if rest.len() == 2 => Ok(Term::tuple([message.clone()])),
            (given, _) => given.map(|value| Term::tuple([value])).map_err(Fault::here),
        }
    }

    /// The answer to a `receive` that looks for a message, or waits for one; nothing if no run is replayed, or it waited until it was
    /// ended.
    pub fn receive(&mut self, at: Cursor, asked: Replay, number: &Term) -> Option<Result<Term, Box<Fault>>> {
        let script = self.script.as_deref_mut()?;
        let value = match asked {
            Replay::Timeout => script.is_late(number_of(number))?.map(Term::bool).map_err(Fault::here),
            _ => Ok(match script.message(number_of(number)) {
                Some(message) => Term::tuple([Term::bool(true), message]),
                None => Term::tuple([Term::bool(false), Term::nil()]),
            }),
        };
        self.observe_given(at, 0, 0, Mfa { module: known::ERLANG, function: Atom::new("receive"), arity: 0 });
        Some(value)
    }

    /// A `receive` passes over a message, or takes it: whether the run that is replayed did, if one is.
    pub fn receives(&mut self, takes: bool) -> Option<bool> {
        let mailbox = &mut self.script.as_deref_mut()?.mailbox;
        Some(if takes { mailbox.take() } else { mailbox.pass() })
    }

    /// The end of a replay whose events differ from the recorded run.
    pub fn diverged(&mut self, at: Cursor) -> Cursor {
        let place = self.place(at);
        let (function, what) = (place.function, "the run on the VM went another way".to_owned());
        self.end(at, Ending::Vm { function, what, at: place })
    }
}
