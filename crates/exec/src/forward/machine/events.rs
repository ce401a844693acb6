//! Events that graphs emit: shown to the observer of the run, if there is one.

use ir::Event;
use term::{Atom, Term};

use super::engine::Engine;

/// A receiver of the events of a run, in order.
pub trait Observer {
    fn event(&mut self, number: u32, value: Option<&Term>);
}

/// An event that came to pass.
#[derive(Clone, PartialEq, Debug)]
pub struct Observed {
    pub number: u32,
    /// The value that was recorded with it.
    pub value: Option<Term>,
}

impl Observer for Vec<Observed> {
    fn event(&mut self, number: u32, value: Option<&Term>) {
        self.push(Observed { number, value: value.cloned() });
    }
}

/// The events of a recorded run, which may be long: a number takes four bytes, and only those with a value have one.
#[derive(Default, Debug)]
pub struct EventLog {
    /// The number of each event; the highest bit is set if it has a value.
    numbers: Vec<u32>,
    values: Vec<Term>,
}

const VALUED: u32 = 1 << 31;

/// A place in a log, before an event.
#[derive(Clone, Copy, Default, Debug)]
pub struct LogPlace {
    event: usize,
    value: usize,
}

impl EventLog {
    /// Adds an event.
    pub fn push(&mut self, number: u32, value: Option<Term>) {
        self.numbers.push(number & !VALUED | if value.is_some() { VALUED } else { 0 });
        self.values.extend(value);
    }

    /// The event at a place, and the place after it.
    pub fn next(&self, at: LogPlace) -> Option<(u32, Option<&Term>, LogPlace)> {
        let number = *self.numbers.get(at.event)?;
        let value = if number & VALUED == 0 { None } else { self.values.get(at.value) };
        let after = LogPlace { event: at.event + 1, value: at.value + usize::from(value.is_some()) };
        Some((number & !VALUED, value, after))
    }

    /// The events from a place on, each with its place.
    pub fn since(&self, at: LogPlace) -> impl Iterator<Item = (u32, Option<&Term>, LogPlace)> {
        let mut here = at;
        std::iter::from_fn(move || {
            let (number, value, after) = self.next(here)?;
            Some((number, value, std::mem::replace(&mut here, after)))
        })
    }
}

impl Engine<'_> {
    /// Emits an event of the process of the call; false if the run that is replayed took another path.
    pub fn emit(&mut self, event: Event, args: &[Term]) -> bool {
        if self.node.current != 0 {
            return true;
        }
        let records = self.recorder.as_deref().is_some_and(|recorder| recorder.emitted.is_some());
        if self.observer.is_none() && self.script.is_none() && !records {
            return true;
        }
        let Some((first, rest)) = args.split_first() else { return true };
        let number = number_of(first);
        let (number, value) = match (event, rest) {
            (Event::BeforeCall, [module, callee]) => (number + u32::from(!leads_into(module, callee)), None),
            (Event::AfterCall, [module, callee, _]) if leads_into(module, callee) => return true,
            (Event::AfterCall, [_, _, value]) => (number, Some(value)),
            (_, rest) => (number, rest.first()),
        };
        if let Some(observer) = self.observer.as_deref_mut() {
            observer.event(number, value);
        }
        if let Some(recorder) = self.recorder.as_deref_mut()
            && let Some(emitted) = &mut recorder.emitted
        {
            emitted.push((number, recorder.path.len()));
        }
        let depth = self.process.frames.len();
        self.script.as_deref_mut().is_none_or(|script| script.follows(number, depth))
    }
}

/// The number of an event; `u32::MAX` for a term that is none.
pub fn number_of(term: &Term) -> u32 {
    term.as_i64().and_then(|number| u32::try_from(number).ok()).unwrap_or(u32::MAX)
}

/// True if a fun, or a pair of module and name, is of the module.
fn leads_into(module: &Term, callee: &Term) -> bool {
    let of: Option<Atom> = match callee {
        Term::Fun(_, fun) => Some(fun.module()),
        Term::Tuple(_, parts) => parts.first().and_then(Term::as_atom),
        _ => None,
    };
    of.is_some() && of == module.as_atom()
}
