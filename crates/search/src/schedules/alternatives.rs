//! Other orders of a run's events: each is a set of events that some run has, and one event more that no such run had.

use exec::forward::{EventKind, MessageId, Object, ProcessEvent, Stopped};

use super::constraints::{Constraints, Contradiction};
use super::execution::{Before, Execution, Matches};

/// A set of events of a run with all that come before them for a reason: how many of each process.
pub struct Configuration(Box<[u32]>);

impl Configuration {
    /// The events that do not follow any of these.
    fn without(execution: &Execution, events: &[usize]) -> Configuration {
        let stays = |event: &usize| !events.iter().any(|left_out| execution.follows(*event, *left_out));
        Configuration(execution.of_process.iter().map(|own| own.partition_point(stays) as u32).collect())
    }

    /// Its events that do not follow another one, either.
    fn and_without(&self, execution: &Execution, event: usize) -> Configuration {
        let other = Configuration::without(execution, &[event]);
        Configuration(self.0.iter().zip(&other.0).map(|(own, other)| *own.min(other)).collect())
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
    pub fn events(&self, execution: &Execution) -> Vec<usize> {
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
    /// An order of its first events in which the next one can be.
    pub fn order(&self, execution: &Execution, matches: &mut Matches<'_, '_>) -> Result<Vec<usize>, Contradiction> {
        match self.next_receive(execution) {
            None => Ok(self.past.events(execution)),
            Some(wanted) => Constraints::new(execution, &self.past, wanted, matches).order(matches),
        }
    }

    /// The alternatives that leave out one of the events that contradict each other, as every run that has the next event
    /// does.
    pub fn narrower(&self, execution: &Execution, contradiction: &Contradiction) -> impl Iterator<Item = Alternative> {
        let without = |event: &usize| Alternative { past: self.past.and_without(execution, *event), ..*self };
        contradiction.one_is_missing.iter().map(without)
    }

    /// The `receive` that takes another message, and that message.
    fn next_receive(&self, execution: &Execution) -> Option<(usize, MessageId)> {
        let message = self.takes?;
        let process = execution.numbers.iter().position(|number| *number == self.process)?;
        Some((execution.of_process[process][self.past.counts()[process] as usize], message))
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
            let goes_on = match was_ready {
                true => behind.is_none_or(|behind| have_come(execution, at, behind)),
                false => execution.messages_to(*process).iter().copied().filter(comes).any(&mut takes_it),
            };
            if goes_on {
                self.without(execution, at, *process);
            }
        }
    }

    /// A timer that is cancelled, or that goes with its receiver, strikes before that, if its time has come.
    fn cancelled(&mut self, execution: &Execution, at: usize) {
        let (earlier, event) = (&execution.events[..at], &execution.events[at]);
        let stopped = event.accesses.iter().filter(|access| access.writes && matches!(access.object, Object::Timer(_)));
        for stopped in stopped.filter(|stopped| earlier.iter().all(|event| !event.accesses.contains(stopped))) {
            let started = earlier.iter().find_map(|event| match event.kind {
                EventKind::StartTimer { timer, key, due, .. } if Object::Timer(key) == stopped.object => {
                    Some((timer, due))
                }
                _ => None,
            });
            let now = earlier.iter().rev().find_map(|event| match event.kind {
                EventKind::Clock { now } => Some(now),
                _ => None,
            });
            let is_due = |(timer, due): &(u32, u64)| *due <= now.unwrap_or_default() && *timer != event.process;
            if let Some((timer, _)) = started.filter(is_due) {
                self.without(execution, at, timer);
            }
        }
    }

    /// Everything but what follows an event, then another process.
    fn without(&mut self, execution: &Execution, event: usize, process: u32) {
        let past = Configuration::without(execution, &[event]);
        self.found.push(Alternative { past, process, takes: None });
    }

    /// A `receive` takes another message, which comes before the one it took; or one that it always takes, where it looked
    /// and there was none.
    fn other_messages(&mut self, execution: &Execution, at: usize, matches: &mut Matches<'_, '_>) {
        let taken = match execution.events[at].kind {
            EventKind::Receive { taken: None, looks_once: false, .. } => return,
            EventKind::Receive { taken, .. } => taken,
            _ => return,
        };
        let number = execution.events[at].process;
        for other in execution.messages_to(number).iter().copied() {
            if !could_come_first(execution, at, other, taken) {
                continue;
            }
            let takes = matches.takes(execution, at, other);
            let can_take = if taken.is_some() { takes != Some(false) } else { takes == Some(true) };
            if !can_take || is_behind(execution, at, other, matches) {
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
        let last = execution.placed[at].index.checked_sub(1).map(|last| own[last as usize]);
        let is_clock = |event: &ProcessEvent| matches!(event.kind, EventKind::Clock { .. });
        let tick = execution.events[..at].iter().rposition(is_clock);
        // Timers of its own strike before it looks, unless it has waited.
        let is_own = |event: usize| {
            let strikes = matches!(execution.events[event].kind,
                EventKind::Strike { by, is_immediate: false } if by == Some(number));
            strikes && !execution.is_end_of_wait(at)
        };
        let is_free = |event: &usize| {
            let is_before = last.into_iter().chain(tick).any(|earlier| execution.follows(earlier, *event));
            !is_before && !is_own(*event)
        };
        let mut choices = vec![vec![at]];
        for message in execution.messages_to(number).iter().copied() {
            if execution.arrival(message).is_none() || execution.is_consumed_before(message, at) {
                continue;
            }
            if !matches.takes_here(execution, at, message) {
                continue;
            }
            let is_later = |later: &[usize], need: usize| later.iter().any(|event| execution.follows(need, *event));
            let (mut open, done): (Vec<_>, Vec<_>) =
                choices.into_iter().partition(|later| !execution.needs(message).any(|need| is_later(later, need)));
            choices = done;
            for later in &mut open {
                let free = execution.needs(message).filter(is_free);
                choices.extend(free.map(|event| later.iter().copied().chain([event]).collect::<Vec<_>>()));
            }
        }
        for later in choices {
            let past = Configuration::without(execution, &later);
            self.found.push(Alternative { past, process: number, takes: None });
        }
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

/// True if a message that came after a `receive`, or after the one that it took, could have come before. One that came
/// before that was passed over: with other inputs it may be taken, which is a branch.
fn could_come_first(execution: &Execution, at: usize, other: MessageId, taken: Option<MessageId>) -> bool {
    let earliest = taken.map_or(Some(at), |taken| execution.arrival(taken));
    let came_later = execution.arrival(other).is_some_and(|arrival| Some(arrival) >= earliest);
    let comes_first = |taken: MessageId| {
        let was_passed_over = other.event == taken.event && other.place < taken.place;
        other != taken && !was_passed_over && !execution.comes_after(other, taken)
    };
    came_later
        && taken.is_none_or(comes_first)
        && !execution.needs(other).any(|event| execution.follows(event, at))
        && !execution.is_consumed_before(other, at)
}

/// True if so many signals under a number came after an event, and not for its sake.
fn have_come(execution: &Execution, at: usize, (channel, count): (u32, u32)) -> bool {
    let signals = (at..execution.events.len()).filter(|event| execution.events[*event].process == channel);
    signals.take(count as usize).filter(|event| !execution.follows(*event, at)).count() == count as usize
}
