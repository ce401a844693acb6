//! Runs that one node cannot have: it queues whatever is sent to a process in the order in which it is sent.
//!
//! A signal arrives when its receiver comes to it in the queue. What was sent for a reason after it is behind it there,
//! whichever process has sent it. Signals of an end are sent one after the other, each at any time.

use std::rc::Rc;

use exec::forward::{EventKind, MessageId, Object, ProcessEvent};
use term::Term;

use super::execution::{Execution, Takes};
use crate::subject::PatternMatch;

/// A signal of an operation: the events of its sending and of its arrival.
struct Signal {
    sent: usize,
    arrival: usize,
    to: u32,
}

/// True if a process has seen what was sent to it after a signal before that signal, in every order of the run's events.
pub fn is_overtaken(events: &Rc<[ProcessEvent]>, takes: &mut Takes<'_>) -> bool {
    let late: Vec<Signal> = signals(events).filter(|signal| is_late(events, signal)).collect();
    if late.is_empty() {
        return false;
    }
    // Looks that missed messages are left out: an order too few keeps a run that one too many would drop.
    let execution = Execution::new(events, &[], &mut |_, _| PatternMatch::NEVER);
    late.iter().any(|signal| {
        let is_seen = (signal.sent..signal.arrival).any(|at| {
            execution.follows(signal.arrival, at)
                && seen(events, at, signal.to).is_some_and(|sent| execution.follows(sent, signal.sent))
        });
        is_seen || (signal.sent..events.len()).any(|at| is_missed(&execution, signal, at, takes))
    })
}

/// True if a `receive` would have found the signal, or a message that it brings, had it come in its turn.
fn is_missed(execution: &Execution, signal: &Signal, at: usize, takes: &mut Takes<'_>) -> bool {
    let event = &execution.events[at];
    let EventKind::Receive { taken, looks_once, patterns, .. } = &event.kind else { return false };
    if event.process != signal.to {
        return false;
    }
    let mut brings_one = || brought(&execution.events, signal).any(|message| takes(patterns, message).takes);
    match taken {
        // Whatever is queued is fetched before a look finds nothing.
        None if *looks_once && at < signal.arrival && execution.follows(at, signal.sent) => {
            execution.follows(signal.arrival, at) || brings_one()
        }
        Some(message) => {
            let comes_before = execution.arrival(*message).is_some_and(|arrival| arrival < signal.arrival);
            comes_before && execution.follows(origin(&execution.events, *message), signal.sent) && brings_one()
        }
        None => false,
    }
}

/// The messages that come into the mailbox with a signal.
fn brought<'e>(events: &'e [ProcessEvent], signal: &Signal) -> impl Iterator<Item = &'e Term> + use<'e> {
    let to = signal.to;
    let arrival = &events[signal.arrival];
    let released = arrival.released.iter().map(|id| &events[id.event as usize].sent[id.place as usize]);
    arrival.sent.iter().chain(released).filter(move |sent| sent.to == to).map(|sent| &sent.message)
}

/// The event that has sent a message; one that a signal has made was sent with it.
fn origin(events: &[ProcessEvent], message: MessageId) -> usize {
    let sender = message.event as usize;
    let is_signal = matches!(events[sender].kind, EventKind::Signal { .. });
    events[sender].after.filter(|_| is_signal).map_or(sender, |sent| sent as usize)
}

fn signals(events: &[ProcessEvent]) -> impl Iterator<Item = Signal> {
    events.iter().enumerate().filter_map(|(arrival, event)| {
        let (EventKind::Signal { to, .. }, Some(sent)) = (&event.kind, event.after) else { return None };
        let is_operation = matches!(events[sent as usize].kind, EventKind::Operation { .. });
        is_operation.then_some(Signal { sent: sent as usize, arrival, to: *to })
    })
}

/// True if its receiver has seen or got anything since it was sent, or has looked for it.
fn is_late(events: &[ProcessEvent], signal: &Signal) -> bool {
    (signal.sent + 1..signal.arrival).any(|at| {
        let gets = events[at].sent.iter().any(|sent| sent.to == signal.to);
        let looks = events[at].process == signal.to && matches!(events[at].kind, EventKind::Receive { .. });
        gets || looks || seen(events, at, signal.to).is_some()
    })
}

/// The event that sent what a process sees with an event: a message that it takes, a signal, or a question about it.
fn seen(events: &[ProcessEvent], at: usize, process: u32) -> Option<usize> {
    let event = &events[at];
    match &event.kind {
        EventKind::Receive { taken: Some(message), .. } if event.process == process => Some(origin(events, *message)),
        EventKind::Signal { to, .. } if *to == process => event.after.map(|sent| sent as usize),
        EventKind::Operation { .. } if event.process != process => {
            let asks = event.accesses.iter().any(|access| !access.writes && access.object == Object::End(process));
            asks.then_some(at)
        }
        _ => None,
    }
}
