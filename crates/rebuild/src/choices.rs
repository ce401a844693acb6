//! The choices of a run, in order: the clauses of its cases, and the places where an exception came in between.

use frontend::instrument::{EventEntry, EventTable, From};

/// A choice that is no clause: an exception came so many events after the choice before.
pub const RAISED: u32 = 1 << 24;

/// A choice of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// A clause, from 1; or, from [`RAISED`] on, an exception.
    pub what: u32,
    /// The event that records it.
    pub event: usize,
}

/// The choices that events record. An exception is one choice, however many calls it ends.
pub fn choices(table: &EventTable, events: impl IntoIterator<Item = u32>) -> Vec<Choice> {
    let mut found = Vec::new();
    let (mut since, mut raising) = (0, false);
    for (at, number) in events.into_iter().enumerate() {
        let event = table.event(number).map(|(_, event)| event);
        let (ends, caught) = match event {
            Some(EventEntry::Raised { .. }) => (true, false),
            Some(EventEntry::Bind { from: From::Caught, .. }) => (true, true),
            _ => (false, false),
        };
        let what = match event {
            Some(EventEntry::Case { clause, .. }) => Some(clause + 1),
            _ => (ends && !raising).then_some(RAISED + since),
        };
        raising = ends && !caught;
        since += 1;
        if let Some(what) = what {
            found.push(Choice { what, event: at });
            since = 0;
        }
    }
    found
}

/// True if an event records an operation that may fail instead.
pub fn may_fail(event: &EventEntry) -> bool {
    let EventEntry::Bind { from, .. } = event else { return false };
    matches!(from, From::Known { .. } | From::Map { .. } | From::Bits(_) | From::Primop { .. })
}
