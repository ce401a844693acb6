//! Other orders of a run's events: each is a set of events that some run has, and one event more that no such run had.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use exec::forward::{EventKind, MessageId, Object, Stopped};

use super::execution::{Before, Execution, Takes};

/// A beginning of runs that was not seen in the run it comes from.
pub struct OtherOrder {
    /// The events that come to pass first, in order.
    pub first: Vec<usize>,
    /// The process that goes on then, by number.
    pub process: u32,
    /// The message that it takes, if that is what is new.
    pub takes: Option<MessageId>,
}

/// The alternatives of a run.
#[derive(Default)]
pub struct Alternatives {
    pub found: Vec<OtherOrder>,
    /// Those for which no order of messages was found.
    pub lost: u64,
}

impl Alternatives {
    /// All alternatives of an execution.
    pub fn of(execution: &mut Execution<'_>, takes: &mut Takes<'_>) -> Alternatives {
        let mut alternatives = Alternatives::default();
        for at in 0..execution.events.len() {
            alternatives.reversed(execution, at);
            alternatives.stopped(execution, at, takes);
            alternatives.cancelled(execution, at);
            alternatives.other_messages(execution, at, takes);
            alternatives.no_message(execution, at, takes);
        }
        alternatives
    }

    /// An event changes places with one before it that it came after only because of what both touch.
    fn reversed(&mut self, execution: &Execution<'_>, at: usize) {
        let before = &execution.placed[at].before;
        for &Before { event, .. } in before.iter().filter(|before| before.race) {
            let otherwise =
                before.iter().any(|it| !it.waits && it.event != event && execution.follows(it.event, event));
            if !otherwise {
                self.without(execution, event, execution.events[at].process);
            }
        }
    }

    /// A process that a signal stops goes on before that.
    fn stopped(&mut self, execution: &Execution<'_>, at: usize, takes: &mut Takes<'_>) {
        let event = &execution.events[at];
        for Stopped { process, was_ready, waited, behind } in
            event.stopped.iter().filter(|it| it.process != event.process)
        {
            // One that waited may have got a message since.
            let comes = |message: &MessageId| {
                !execution.needs(*message).any(|need| execution.follows(need, at))
                    && execution.arrival(*message).is_some_and(|arrival| arrival > at)
            };
            let mut takes_it = |message: MessageId| {
                let term = &execution.events[message.event as usize].sent[message.place as usize].message;
                waited.as_ref().is_none_or(|patterns| takes(patterns, term) != Some(false))
            };
            let have_come = behind.is_none_or(|behind| have_come(execution, at, behind));
            if *was_ready && have_come
                || execution.messages_to(*process).iter().copied().filter(comes).any(&mut takes_it)
            {
                self.without(execution, at, *process);
            }
        }
    }

    /// A timer that is cancelled strikes before that.
    fn cancelled(&mut self, execution: &Execution<'_>, at: usize) {
        let event = &execution.events[at];
        for access in event.accesses.iter().filter(|access| access.writes) {
            let Object::Timer(of) = &access.object else { continue };
            let timer = execution.events[..at].iter().find_map(|earlier| match &earlier.kind {
                EventKind::StartTimer { timer, key, .. } if key == of => Some(*timer),
                _ => None,
            });
            if let Some(timer) = timer.filter(|timer| execution.events[..=at].iter().all(|it| it.process != *timer)) {
                self.without(execution, at, timer);
            }
        }
    }

    /// Everything but what follows an event, then another process.
    fn without(&mut self, execution: &Execution<'_>, event: usize, process: u32) {
        let first = (0..execution.events.len()).filter(|at| !execution.follows(*at, event)).collect();
        self.found.push(OtherOrder { first, process, takes: None });
    }

    /// A `receive` takes another message, which comes before the one it took.
    fn other_messages(&mut self, execution: &mut Execution<'_>, at: usize, takes: &mut Takes<'_>) {
        let EventKind::Receive { taken: Some(taken), .. } = execution.events[at].kind else { return };
        let number = execution.events[at].process;
        for other in execution.messages_to(number).iter().copied() {
            if !could_come_first(execution, at, other, taken) {
                continue;
            }
            let send = other.event as usize;
            let message = execution.events[send].sent[other.place as usize].message.clone();
            if execution.takes_message(at, &message, Some(other), takes) == Some(false)
                || self.is_behind(execution, at, other, takes)
            {
                continue;
            }
            let kept: Vec<usize> = (0..execution.events.len()).filter(|it| !execution.follows(*it, at)).collect();
            match in_order(execution, &kept, at, other, takes) {
                Some(first) => self.found.push(OtherOrder { first, process: number, takes: Some(other) }),
                None => self.lost += 1,
            }
        }
    }

    /// A `receive` that looks once takes no message: all that it would take come later.
    fn no_message(&mut self, execution: &mut Execution<'_>, at: usize, takes: &mut Takes<'_>) {
        let EventKind::Receive { taken: Some(_), looks_once: true, .. } = execution.events[at].kind else { return };
        let number = execution.events[at].process;
        let own = &execution.of_process[execution.placed[at].process];
        let before = execution.placed[at].index.checked_sub(1).map(|last| own[last as usize]);
        let mut later = vec![at];
        for message in execution.messages_to(number).iter().copied() {
            if execution.arrival(message).is_none() || execution.is_consumed_before(message, at) {
                continue;
            }
            let term = execution.events[message.event as usize].sent[message.place as usize].message.clone();
            if execution.takes_message(at, &term, Some(message), takes) == Some(false) {
                continue;
            }
            let is_free = |event: &usize| before.is_none_or(|before| !execution.follows(before, *event));
            match execution.needs(message).find(is_free) {
                Some(event) => later.push(event),
                None => return,
            }
        }
        let is_first = |event: &usize| later.iter().all(|later| !execution.follows(*event, *later));
        let first = (0..execution.events.len()).filter(is_first).collect();
        self.found.push(OtherOrder { first, process: number, takes: None });
    }

    /// True if another message that the `receive` takes always comes before this one.
    fn is_behind(
        &self,
        execution: &mut Execution<'_>,
        receive: usize,
        other: MessageId,
        takes: &mut Takes<'_>,
    ) -> bool {
        let number = execution.events[receive].process;
        execution.messages_to(number).iter().copied().any(|earlier| {
            execution.comes_after(other, earlier) && !execution.is_consumed_before(earlier, receive) && {
                let message = execution.events[earlier.event as usize].sent[earlier.place as usize].message.clone();
                execution.takes_message(receive, &message, Some(earlier), takes) == Some(true)
            }
        })
    }
}

/// An order of these events in which one message to a `receive` comes before all others that it takes, and in which
/// every other `receive` takes what it took.
fn in_order(
    execution: &mut Execution<'_>,
    kept: &[usize],
    receive: usize,
    wanted: MessageId,
    takes: &mut Takes<'_>,
) -> Option<Vec<usize>> {
    let mut is_kept = vec![false; execution.events.len()];
    kept.iter().for_each(|event| is_kept[*event] = true);
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); execution.events.len()];
    for event in kept {
        execution.placed[*event].before.iter().for_each(|before| after[before.event].push(*event));
    }
    let receives: Vec<(usize, MessageId)> = kept
        .iter()
        .filter_map(|event| match execution.events[*event].kind {
            EventKind::Receive { taken: Some(taken), .. } => Some((*event, taken)),
            _ => None,
        })
        .chain([(receive, wanted)])
        .collect();
    for (at, taken) in receives {
        let number = execution.events[at].process;
        for other in execution.messages_to(number).iter().copied() {
            // A message that was passed over is not taken wherever it is.
            let arrival = execution.arrival(other);
            let passed_over = at != receive && arrival < execution.arrival(taken);
            let needed = execution.needs(other).all(|event| is_kept[event]);
            let Some(second) = arrival.filter(|_| needed && !passed_over && other != taken) else { continue };
            if execution.comes_after(other, taken) || execution.is_consumed_before(other, at) {
                continue;
            }
            let message = execution.events[other.event as usize].sent[other.place as usize].message.clone();
            if execution.takes_message(at, &message, Some(other), takes) != Some(false) {
                execution.needs(taken).filter(|first| *first != second).for_each(|first| after[first].push(second));
            }
        }
    }
    sorted(&is_kept, kept, &after)
}

/// A topological order, as near to the given one as can be; nothing if there is a circle.
fn sorted(is_kept: &[bool], kept: &[usize], after: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut waits = vec![0u32; is_kept.len()];
    for event in kept {
        after[*event].iter().filter(|later| is_kept[**later]).for_each(|later| waits[*later] += 1);
    }
    let mut ready: BinaryHeap<Reverse<usize>> =
        kept.iter().filter(|event| waits[**event] == 0).copied().map(Reverse).collect();
    let mut order = Vec::with_capacity(kept.len());
    while let Some(Reverse(event)) = ready.pop() {
        order.push(event);
        for later in after[event].iter().filter(|later| is_kept[**later]) {
            waits[*later] -= 1;
            if waits[*later] == 0 {
                ready.push(Reverse(*later));
            }
        }
    }
    (order.len() == kept.len()).then_some(order)
}

/// True if a message that came after the one that a `receive` took could have come before it.
fn could_come_first(execution: &Execution<'_>, at: usize, other: MessageId, taken: MessageId) -> bool {
    let came_later = execution.arrival(other).is_some_and(|arrival| Some(arrival) >= execution.arrival(taken));
    other != taken
        && came_later
        && !execution.comes_after(other, taken)
        && !execution.needs(other).any(|event| execution.follows(event, at))
        && !execution.is_consumed_before(other, at)
}

/// True if so many signals under a number came after an event, and not for its sake.
fn have_come(execution: &Execution<'_>, at: usize, (channel, count): (u32, u32)) -> bool {
    let signals = (at..execution.events.len()).filter(|event| execution.events[*event].process == channel);
    signals.take(count as usize).filter(|event| !execution.follows(*event, at)).count() == count as usize
}
