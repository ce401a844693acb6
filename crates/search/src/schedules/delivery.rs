//! Runs that one node cannot have: it queues whatever is sent to a process in the order in which it is sent.
//!
//! A signal arrives when its receiver comes to it in the queue. What was sent for a reason after it is behind it there,
//! whichever process has sent it. Signals of an end are sent one after the other, each at any time.

use std::rc::Rc;

use exec::forward::{EventKind, Object, ProcessEvent};

use super::execution::Execution;
use crate::subject::PatternMatch;

/// A signal of an operation: the events of its sending and of its arrival.
struct Signal {
    sent: usize,
    arrival: usize,
    to: u32,
}

/// True if a process has seen what was sent to it after a signal before that signal, in every order of the run's events.
pub fn is_overtaken(events: &Rc<[ProcessEvent]>) -> bool {
    let late: Vec<Signal> = signals(events).filter(|signal| is_late(events, signal)).collect();
    if late.is_empty() {
        return false;
    }
    // Looks that missed messages are left out: an order too few keeps a run that one too many would drop.
    let execution = Execution::new(events, &[], &mut |_, _| PatternMatch::NEVER);
    late.iter().any(|signal| {
        (signal.sent..signal.arrival).any(|at| {
            execution.follows(signal.arrival, at)
                && seen(events, at, signal.to).is_some_and(|sent| execution.follows(sent, signal.sent))
        })
    })
}

fn signals(events: &[ProcessEvent]) -> impl Iterator<Item = Signal> {
    events.iter().enumerate().filter_map(|(arrival, event)| {
        let (EventKind::Signal { to, .. }, Some(sent)) = (&event.kind, event.after) else { return None };
        let is_operation = matches!(events[sent as usize].kind, EventKind::Operation { .. });
        is_operation.then_some(Signal { sent: sent as usize, arrival, to: *to })
    })
}

/// True if its receiver has seen anything since it was sent.
fn is_late(events: &[ProcessEvent], signal: &Signal) -> bool {
    (signal.sent + 1..signal.arrival).any(|at| seen(events, at, signal.to).is_some())
}

/// The event that sent what a process sees with an event: a message that it takes, a signal, or a question about it.
fn seen(events: &[ProcessEvent], at: usize, process: u32) -> Option<usize> {
    let event = &events[at];
    match &event.kind {
        EventKind::Receive { taken: Some(message), .. } if event.process == process => {
            let sender = message.event as usize;
            // A message that a signal has made was sent with it.
            let is_signal = matches!(events[sender].kind, EventKind::Signal { .. });
            Some(events[sender].after.filter(|_| is_signal).map_or(sender, |sent| sent as usize))
        }
        EventKind::Signal { to, .. } if *to == process => event.after.map(|sent| sent as usize),
        EventKind::Operation { .. } if event.process != process => {
            let asks = event.accesses.iter().any(|access| !access.writes && access.object == Object::End(process));
            asks.then_some(at)
        }
        _ => None,
    }
}
