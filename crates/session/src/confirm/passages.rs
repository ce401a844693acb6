//! The gates that the events of a schedule pass on the real VM.
//!
//! The VM delivers signals at once, and a process that ends is gone at once. Where a schedule needs neither to be late, the
//! VM does by itself what they do: there is no gate for them, and whatever they end ends with the event before. Else the
//! conductor holds every signal back until its event comes.

use exec::forward::{Access, EventKind, ProcessEvent};
use host::{Gate, Passage};

/// The gates that events pass on the VM.
pub(crate) fn passages(events: &[ProcessEvent]) -> Vec<Passage> {
    let mut passages = if is_late(events) { held(events) } else { at_once(events) };
    if events.last().is_some_and(|last| last.recurs) {
        passages.push(STOP);
    }
    passages
}

/// The end of a schedule in which processes may be left that could go on.
pub(super) const STOP: Passage = Passage { process: ROOT, gate: Gate::Stop, ended: Vec::new() };

/// The gates where the VM delivers signals.
fn at_once(events: &[ProcessEvent]) -> Vec<Passage> {
    let (mut passages, mut stopped): (Vec<Passage>, Vec<u32>) = (Vec::new(), Vec::new());
    for event in events {
        let passed = passage(event).filter(|passage| !stopped.contains(&passage.process));
        passages.extend(passed);
        for ended in &event.stopped {
            stopped.push(ended.process);
            passages.iter_mut().last().into_iter().for_each(|last| last.ended.push(ended.process));
        }
    }
    passages
}

/// The gates where the conductor delivers signals. A process is dead with the last event of its end, and others get its
/// signals then; on the VM it ends with the event in which it has given up its name, if it had one.
fn held(events: &[ProcessEvent]) -> Vec<Passage> {
    let (mut stopped, mut ended): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
    let mut passages = vec![Passage { process: ROOT, gate: Gate::HoldSignals, ended: Vec::new() }];
    for (at, event) in events.iter().enumerate() {
        let process = event.process;
        match &event.kind {
            EventKind::Signal { from, to } => {
                passages.push(Passage { process: *from, gate: Gate::Arrive(*to), ended: Vec::new() });
            }
            EventKind::Release | EventKind::Exit { .. } => {
                let is_stopped = stopped.contains(&process);
                let releases =
                    |other: &ProcessEvent| other.process == process && matches!(other.kind, EventKind::Release);
                if !is_stopped && events[at + 1..].iter().any(releases) {
                    passages.push(Passage { process, gate: Gate::Release, ended: Vec::new() });
                } else if !ended.contains(&process) {
                    let gate = if is_stopped { Gate::Stopped } else { Gate::Exit };
                    passages.push(Passage { process, gate, ended: vec![process] });
                    ended.push(process);
                }
                if matches!(event.kind, EventKind::Exit { .. }) {
                    passages.push(Passage { process, gate: Gate::Gone, ended: Vec::new() });
                }
            }
            _ => passages.extend(passage(event)),
        }
        stopped.extend(event.stopped.iter().map(|it| it.process));
    }
    passages
}

/// The process of the call.
const ROOT: u32 = 0;

/// True if a signal arrives, or a process ends, at another time than on a VM that delivers signals at once, and other
/// events see it.
fn is_late(events: &[ProcessEvent]) -> bool {
    (0..events.len()).any(|at| {
        let between = between(events, at).and_then(|(first, last)| events.get(first + 1..last)).unwrap_or_default();
        between.iter().any(|other| differs(&events[at], other))
    })
}

/// The events between which an event would come to pass at another time: what it follows from, and itself; or the first
/// event of an end, which on the VM has no parts, and the last.
fn between(events: &[ProcessEvent], at: usize) -> Option<(usize, usize)> {
    let event = &events[at];
    let is_end = |other: &ProcessEvent| other.process == event.process && matches!(other.kind, EventKind::Exit { .. });
    match event.kind {
        EventKind::Release if event.after.is_none() => Some((at, at + events[at..].iter().position(is_end)?)),
        _ => Some((origin(events, at), at)),
    }
}

/// The event with which the VM does what an event does: signals arrive and end processes, whose signals do the same.
fn origin(events: &[ProcessEvent], at: usize) -> usize {
    match (&events[at].kind, events[at].after) {
        (EventKind::Signal { .. } | EventKind::Release | EventKind::Exit { .. }, Some(before)) => {
            origin(events, before as usize)
        }
        _ => at,
    }
}

/// True if another event can see whether a signal has arrived or an end has come. Signals between two processes keep their
/// order.
fn differs(event: &ProcessEvent, other: &ProcessEvent) -> bool {
    let to = match event.kind {
        EventKind::Signal { .. } if other.process == event.process => return false,
        EventKind::Signal { to, .. } => to,
        _ => event.process,
    };
    let is_shared = |one: &Access, two: &Access| {
        let same = one.object == two.object
            || one.object.whole().as_ref() == Some(&two.object)
            || two.object.whole().as_ref() == Some(&one.object);
        same && (one.writes || two.writes)
    };
    let sends = receivers(event).any(|to| receivers(other).any(|it| it == to));
    let shares = event.accesses.iter().any(|one| other.accesses.iter().any(|two| is_shared(one, two)));
    other.process == to || sends || shares
}

/// The processes that get messages with an event.
fn receivers(event: &ProcessEvent) -> impl Iterator<Item = u32> {
    let released = match event.kind {
        EventKind::Signal { to, .. } if !event.released.is_empty() => Some(to),
        _ => None,
    };
    event.sent.iter().map(|sent| sent.to).chain(released)
}

/// The gate that an event passes, if it does.
fn passage(event: &ProcessEvent) -> Option<Passage> {
    let gate = match &event.kind {
        EventKind::Wake => Gate::Wake,
        EventKind::Spawn { child } => Gate::Spawn(*child),
        EventKind::Receive { looks_once: true, is_up: false, .. } => Gate::Look,
        EventKind::Receive { taken: None, .. } => Gate::TimeUp,
        EventKind::Receive { timed: true, .. } => Gate::TimedTake,
        EventKind::Receive { .. } => Gate::Take,
        EventKind::Exit { .. } => Gate::Exit,
        EventKind::Signal { .. } | EventKind::Release | EventKind::Return => return None,
        EventKind::Clock { now } => Gate::Clock(*now),
        EventKind::Operation { function } => Gate::Operation(*function),
        EventKind::StartTimer { timer, function, .. } => Gate::StartTimer(*timer, *function),
        EventKind::Strike { .. } => Gate::Strike,
    };
    let ended = if gate == Gate::Exit { vec![event.process] } else { Vec::new() };
    Some(Passage { process: event.process, gate, ended })
}
