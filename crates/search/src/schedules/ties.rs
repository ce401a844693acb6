//! Timers that strike at the same time as other things happen, in an order that is fixed here and not on the VM.
//!
//! Where time passes, waits end first, then the messages of all timers that are due come, those of one process in the order
//! in which it has started them. On the VM a message can come before a wait ends or after whatever else happens at that
//! time, but for what the process does that has started the timer: there the order is this one.

use std::ops::Range;
use std::rc::Rc;

use exec::forward::{Access, EventKind, MessageId, Object, ProcessEvent, Sent};

use super::execution::Execution;
use crate::subject::PatternMatch;

/// True if a process could see that a timer strikes at another point of the same moment.
pub fn has_ties(events: &Rc<[ProcessEvent]>) -> bool {
    let is_clock = |event: &ProcessEvent| matches!(event.kind, EventKind::Clock { .. });
    let strikes = |event: &ProcessEvent| is_clock(event) && !(event.sent.is_empty() && event.accesses.is_empty());
    if !events.iter().any(strikes) {
        return false;
    }
    let execution = Execution::new(events, &[], &mut |_, _| PatternMatch::NEVER);
    (0..events.len()).filter(|at| strikes(&events[*at])).any(|at| {
        let rest = &events[at + 1..];
        let moment = at + 1..rest.iter().position(is_clock).map_or(events.len(), |end| at + 1 + end);
        // A timer may be meant for a name that is given in this moment.
        let is_named = |access: &Access| events[moment.clone()].iter().any(|event| writes(event, &access.object));
        let is_seen = |place: usize| is_seen(&execution, at, place, moment.clone());
        events[at].accesses.iter().any(is_named) || (0..events[at].sent.len()).any(is_seen)
    })
}

fn writes(event: &ProcessEvent, object: &Object) -> bool {
    event.accesses.iter().any(|access| access.writes && access.object == *object)
}

/// True if it can make a difference when in a moment a timer strikes. Whatever follows from it comes later then, too.
fn is_seen(execution: &Execution, clock: usize, place: usize, moment: Range<usize>) -> bool {
    let events = &execution.events;
    let (due, timer) = (&events[clock].sent, &events[clock].sent[place]);
    let to_same = |sent: &Sent| sent.to == timer.to;
    let is_free = |other: &Sent| other.timer_of.is_none() || other.timer_of != timer.timer_of;
    if due.iter().enumerate().any(|(at, other)| at != place && to_same(other) && is_free(other)) {
        return true;
    }
    let own = MessageId { event: clock as u32, place: place as u32 };
    let takes = |at: &usize| matches!(events[*at].kind, EventKind::Receive { taken: Some(taken), .. } if taken == own);
    let taken = moment.clone().find(takes);
    moment.filter(|at| taken.is_none_or(|taken| !execution.follows(*at, taken))).any(|at| {
        let event = &events[at];
        let is_other = Some(event.process) != timer.timer_of;
        is_other && (event.sent.iter().any(to_same) || looks(event, timer.to) || asks(event))
    })
}

/// True if a process finds out with an event that a message has not come.
fn looks(event: &ProcessEvent, process: u32) -> bool {
    let is_look = |kind: &EventKind| match kind {
        EventKind::Receive { taken: None, .. } => true,
        EventKind::Receive { looks_once, .. } => *looks_once,
        _ => false,
    };
    event.process == process && is_look(&event.kind)
}

/// True if an event asks for a timer, or for the messages of a mailbox.
fn asks(event: &ProcessEvent) -> bool {
    event.accesses.iter().any(|access| matches!(access.object, Object::Timer(_) | Object::Mailbox(_)))
}
