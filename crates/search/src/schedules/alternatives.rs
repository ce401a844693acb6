//! Other orders of a run's events: each is a set of events that some run has, and one event more that no such run had.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use exec::forward::{EventKind, MessageId, Object, Stopped};

use super::execution::{Before, Execution, Matches};

/// A set of events of a run with all that come before them for a reason: how many of each process.
pub struct Configuration(Box<[u32]>);

impl Configuration {
    /// The events that do not follow any of these.
    fn without(execution: &Execution, events: &[usize]) -> Configuration {
        let stays = |event: &usize| !events.iter().any(|left_out| execution.follows(*event, *left_out));
        Configuration(execution.of_process.iter().map(|own| own.partition_point(stays) as u32).collect())
    }

    /// By process: the number of its events.
    pub fn counts(&self) -> &[u32] {
        &self.0
    }

    /// True if an event belongs to it.
    pub fn has(&self, execution: &Execution, event: usize) -> bool {
        let placed = &execution.placed[event];
        placed.index < self.0[placed.process]
    }

    /// Its events as they came to pass.
    fn events(&self, execution: &Execution) -> Vec<usize> {
        (0..execution.events.len()).filter(|event| self.has(execution, *event)).collect()
    }
}

/// A beginning of runs that was not seen in the run it comes from.
pub struct Alternative {
    /// The events that come to pass first.
    pub past: Configuration,
    /// The process that goes on then, by number.
    pub process: u32,
    /// The message that it takes, if that is what is new.
    pub takes: Option<MessageId>,
}

impl Alternative {
    /// An order of its first events in which the next one can be; nothing if messages cannot come so.
    pub fn order(&self, execution: &Execution, matches: &mut Matches<'_, '_>) -> Option<Vec<usize>> {
        match self.takes {
            None => Some(self.past.events(execution)),
            Some(message) => {
                let process = execution.numbers.iter().position(|number| *number == self.process)?;
                let receive = execution.of_process[process][self.past.counts()[process] as usize];
                in_order(execution, &self.past, (receive, message), matches)
            }
        }
    }
}

/// The alternatives of an execution.
pub fn alternatives(execution: &Execution, matches: &mut Matches<'_, '_>) -> Vec<Alternative> {
    let mut alternatives = Alternatives::default();
    for at in 0..execution.events.len() {
        alternatives.reversed(execution, at);
        alternatives.stopped(execution, at, matches);
        alternatives.cancelled(execution, at);
        alternatives.other_messages(execution, at, matches);
        alternatives.no_message(execution, at, matches);
    }
    alternatives.found
}

#[derive(Default)]
struct Alternatives {
    found: Vec<Alternative>,
}

impl Alternatives {
    /// An event changes places with one before it that it came after only because of what both touch.
    fn reversed(&mut self, execution: &Execution, at: usize) {
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
    fn stopped(&mut self, execution: &Execution, at: usize, matches: &mut Matches<'_, '_>) {
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
                let term = &execution.sent(message).message;
                waited.as_ref().is_none_or(|patterns| matches.fit(patterns, term).for_all() != Some(false))
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
    fn cancelled(&mut self, execution: &Execution, at: usize) {
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
    fn without(&mut self, execution: &Execution, event: usize, process: u32) {
        let past = Configuration::without(execution, &[event]);
        self.found.push(Alternative { past, process, takes: None });
    }

    /// A `receive` takes another message, which comes before the one it took.
    fn other_messages(&mut self, execution: &Execution, at: usize, matches: &mut Matches<'_, '_>) {
        let EventKind::Receive { taken: Some(taken), .. } = execution.events[at].kind else { return };
        let number = execution.events[at].process;
        for other in execution.messages_to(number).iter().copied() {
            if !could_come_first(execution, at, other, taken) {
                continue;
            }
            if matches.takes(execution, at, other) == Some(false) || is_behind(execution, at, other, matches) {
                continue;
            }
            let past = Configuration::without(execution, &[at]);
            self.found.push(Alternative { past, process: number, takes: Some(other) });
        }
    }

    /// A `receive` that looks once takes no message: all that it would take come later. Others are there when it looks; that
    /// it takes one of them with other inputs is a branch then.
    fn no_message(&mut self, execution: &Execution, at: usize, matches: &mut Matches<'_, '_>) {
        let EventKind::Receive { taken: Some(_), looks_once: true, .. } = execution.events[at].kind else { return };
        let number = execution.events[at].process;
        let own = &execution.of_process[execution.placed[at].process];
        let before = execution.placed[at].index.checked_sub(1).map(|last| own[last as usize]);
        let mut later = vec![at];
        for message in execution.messages_to(number).iter().copied() {
            if execution.arrival(message).is_none() || execution.is_consumed_before(message, at) {
                continue;
            }
            if !matches.takes_here(execution, at, message) {
                continue;
            }
            let is_free = |event: &usize| before.is_none_or(|before| !execution.follows(before, *event));
            match execution.needs(message).find(is_free) {
                Some(event) => later.push(event),
                None => return,
            }
        }
        let past = Configuration::without(execution, &later);
        self.found.push(Alternative { past, process: number, takes: None });
    }
}

/// True if another message that the `receive` takes always comes before this one.
fn is_behind(execution: &Execution, receive: usize, other: MessageId, matches: &mut Matches<'_, '_>) -> bool {
    let number = execution.events[receive].process;
    execution.messages_to(number).iter().any(|earlier| {
        execution.comes_after(other, *earlier)
            && !execution.is_consumed_before(*earlier, receive)
            && matches.takes(execution, receive, *earlier) == Some(true)
    })
}

/// An order of the events of a configuration in which one message to a `receive` comes before all others that it takes,
/// and in which every other `receive` takes what it took.
fn in_order(
    execution: &Execution,
    past: &Configuration,
    (receive, wanted): (usize, MessageId),
    matches: &mut Matches<'_, '_>,
) -> Option<Vec<usize>> {
    let kept = past.events(execution);
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); execution.events.len()];
    for event in &kept {
        execution.placed[*event].before.iter().for_each(|before| after[before.event].push(*event));
    }
    let taken = |event: &usize| match execution.events[*event].kind {
        EventKind::Receive { taken: Some(taken), .. } => Some((*event, taken)),
        _ => None,
    };
    for (at, taken) in kept.iter().filter_map(taken).chain([(receive, wanted)]) {
        let number = execution.events[at].process;
        for other in execution.messages_to(number).iter().copied() {
            // A message that was passed over is not taken wherever it is.
            let arrival = execution.arrival(other);
            let passed_over = at != receive && arrival < execution.arrival(taken);
            let needed = execution.needs(other).all(|event| past.has(execution, event));
            let Some(second) = arrival.filter(|_| needed && !passed_over && other != taken) else { continue };
            if execution.comes_after(other, taken) || execution.is_consumed_before(other, at) {
                continue;
            }
            if matches.takes_here(execution, at, other) {
                execution.needs(taken).filter(|first| *first != second).for_each(|first| after[first].push(second));
            }
        }
    }
    let mut is_kept = vec![false; execution.events.len()];
    kept.iter().for_each(|event| is_kept[*event] = true);
    sorted(&is_kept, &kept, &after)
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

/// True if a message that came after the one that a `receive` took could have come before it. One that came before it was
/// passed over: with other inputs it may be taken, which is a branch.
fn could_come_first(execution: &Execution, at: usize, other: MessageId, taken: MessageId) -> bool {
    let came_later = execution.arrival(other).is_some_and(|arrival| Some(arrival) >= execution.arrival(taken));
    let was_passed_over = other.event == taken.event && other.place < taken.place;
    other != taken
        && came_later
        && !was_passed_over
        && !execution.comes_after(other, taken)
        && !execution.needs(other).any(|event| execution.follows(event, at))
        && !execution.is_consumed_before(other, at)
}

/// True if so many signals under a number came after an event, and not for its sake.
fn have_come(execution: &Execution, at: usize, (channel, count): (u32, u32)) -> bool {
    let signals = (at..execution.events.len()).filter(|event| execution.events[*event].process == channel);
    signals.take(count as usize).filter(|event| !execution.follows(*event, at)).count() == count as usize
}
