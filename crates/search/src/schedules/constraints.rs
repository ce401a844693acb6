//! An order of events in which every `receive` takes its message, and one that looks once and missed all misses them again.
//!
//! The message that a `receive` takes comes before all others that it takes; a look comes before the sending of what it
//! missed, or before a signal ahead of that message. Such demands can contradict each other: they form a circle with the
//! order that the events have anyhow. Each demand comes from a `receive` and from a message. So every set of events that can
//! be ordered, and has all that an event comes after, lacks one of these receives or messages. (It may lack another event
//! of the circle instead, but then also the `receive` of the next demand, which follows that event.)

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use exec::forward::{EventKind, MessageId};

use super::alternatives::Configuration;
use super::execution::{Execution, Matches};

/// The order that the events of a configuration must have, so that one `receive` after them takes a message.
pub struct Constraints<'e> {
    execution: &'e Execution,
    /// The events, as they came to pass.
    kept: Vec<usize>,
    demands: Vec<Demand>,
    /// The `receive` that takes another message than it took.
    wanted: (usize, MessageId),
}

/// An event comes before another, so that a `receive` takes what it should and not another message.
struct Demand {
    first: usize,
    second: usize,
    /// Another event that may come after the first instead.
    otherwise: Option<usize>,
    receive: usize,
    other: MessageId,
}

/// Events that cannot be ordered.
#[derive(Default)]
pub struct Contradiction {
    /// Every configuration in which the message can be taken lacks one of these; if there are none, there is no such
    /// configuration.
    pub one_is_missing: Vec<usize>,
    /// True if that holds for the inputs of this run only.
    pub depends_on_inputs: bool,
}

impl<'e> Constraints<'e> {
    /// Every `receive` of a configuration takes what it took, and the next takes what is wanted.
    pub fn new(
        execution: &'e Execution,
        past: &Configuration,
        wanted: (usize, MessageId),
        matches: &mut Matches<'_, '_>,
    ) -> Constraints<'e> {
        let mut constraints = Constraints { execution, kept: past.events(execution), demands: Vec::new(), wanted };
        for at in 0..constraints.kept.len() {
            let event = constraints.kept[at];
            match execution.events[event].kind {
                EventKind::Receive { taken: Some(taken), .. } => constraints.takes((event, taken), past, matches),
                EventKind::Receive { taken: None, looks_once: true, .. } => constraints.misses(event, past, matches),
                _ => {}
            }
        }
        constraints.takes(wanted, past, matches);
        constraints
    }

    /// A message comes before all others that the `receive` takes.
    fn takes(&mut self, (receive, taken): (usize, MessageId), past: &Configuration, matches: &mut Matches<'_, '_>) {
        let execution = self.execution;
        for other in self.left_to(receive, past) {
            // A message that was passed over is not taken wherever it is.
            let arrival = execution.arrival(other);
            let passed_over = receive != self.wanted.0 && arrival < execution.arrival(taken);
            let Some(second) = arrival.filter(|_| !passed_over && other != taken) else { continue };
            if !execution.comes_after(other, taken) && matches.takes_here(execution, receive, other) {
                let needs = execution.needs(taken).filter(|first| *first != second);
                self.demands.extend(needs.map(|first| Demand { first, second, otherwise: None, receive, other }));
            }
        }
    }

    /// Every message that a look takes comes after it.
    fn misses(&mut self, look: usize, past: &Configuration, matches: &mut Matches<'_, '_>) {
        let execution = self.execution;
        for other in self.left_to(look, past) {
            let needs = || execution.needs(other);
            if needs().any(|need| execution.follows(need, look)) || matches.takes(execution, look, other) != Some(true)
            {
                continue;
            }
            let mut free = needs().filter(|need| !execution.follows(look, *need));
            if let Some(second) = free.next() {
                self.demands.push(Demand { first: look, second, otherwise: free.next(), receive: look, other });
            }
        }
    }

    /// The messages to the process of a `receive` that come in this configuration, and that it has not taken before.
    fn left_to(&self, receive: usize, past: &Configuration) -> impl Iterator<Item = MessageId> + use<'e> {
        let execution = self.execution;
        let comes = |message: &MessageId| {
            execution.arrival(*message).is_some() && execution.needs(*message).all(|event| past.has(execution, event))
        };
        let messages = execution.messages_to(execution.events[receive].process).iter().copied();
        let left = messages.filter(|message| comes(message) && !execution.is_consumed_before(*message, receive));
        left.collect::<Vec<_>>().into_iter()
    }

    /// An order of the events, as near to that of the run as can be.
    pub fn order(mut self, matches: &mut Matches<'_, '_>) -> Result<Vec<usize>, Contradiction> {
        let mut contradiction = Contradiction::default();
        let order = self.search(&mut contradiction, matches);
        contradiction.one_is_missing.sort_unstable();
        contradiction.one_is_missing.dedup();
        order.ok_or(contradiction)
    }

    /// Orders the events; where they form a circle, with the other way to fulfil one of its demands.
    fn search(&mut self, contradiction: &mut Contradiction, matches: &mut Matches<'_, '_>) -> Option<Vec<usize>> {
        let left = match self.sorted() {
            Ok(order) => return Some(order),
            Err(left) => left,
        };
        let circle = self.circle(&left);
        self.note(&circle, contradiction, matches);
        let mut tried = Vec::new();
        for at in circle {
            let Some(otherwise) = self.demands[at].otherwise.take() else { continue };
            let second = std::mem::replace(&mut self.demands[at].second, otherwise);
            let order = self.search(contradiction, matches);
            if order.is_some() {
                return order;
            }
            self.demands[at].second = second;
            tried.push((at, otherwise));
        }
        tried.into_iter().for_each(|(at, otherwise)| self.demands[at].otherwise = Some(otherwise));
        None
    }

    /// A topological order, or by event whether it is left over.
    fn sorted(&self) -> Result<Vec<usize>, Vec<bool>> {
        let events = self.execution.events.len();
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); events];
        for event in &self.kept {
            self.execution.placed[*event].before.iter().for_each(|before| after[before.event].push(*event));
        }
        self.demands.iter().for_each(|demand| after[demand.first].push(demand.second));
        let mut is_left = vec![false; events];
        self.kept.iter().for_each(|event| is_left[*event] = true);
        let mut waits = vec![0u32; events];
        for event in &self.kept {
            after[*event].iter().filter(|later| is_left[**later]).for_each(|later| waits[*later] += 1);
        }
        let mut ready: BinaryHeap<Reverse<usize>> =
            self.kept.iter().filter(|event| waits[**event] == 0).copied().map(Reverse).collect();
        let mut order = Vec::with_capacity(self.kept.len());
        while let Some(Reverse(event)) = ready.pop() {
            order.push(event);
            is_left[event] = false;
            for later in after[event].iter().filter(|later| is_left[**later]) {
                waits[*later] -= 1;
                if waits[*later] == 0 {
                    ready.push(Reverse(*later));
                }
            }
        }
        if order.len() == self.kept.len() { Ok(order) } else { Err(is_left) }
    }

    /// The demands of a circle among events that are left over: each of them comes after another.
    fn circle(&self, is_left: &[bool]) -> Vec<usize> {
        let before = |event: usize| {
            let reasons = self.execution.placed[event].before.iter().map(|before| (before.event, None));
            let demands = self.demands.iter().enumerate().filter(move |(_, demand)| demand.second == event);
            reasons.chain(demands.map(|(at, demand)| (demand.first, Some(at)))).find(|(earlier, _)| is_left[*earlier])
        };
        let mut walked: Vec<(usize, Option<usize>)> = Vec::new();
        let mut at = is_left.iter().position(|is_left| *is_left);
        while let Some(event) = at {
            if let Some(first) = walked.iter().position(|(known, _)| *known == event) {
                return walked[first..].iter().filter_map(|(_, demand)| *demand).collect();
            }
            let earlier = before(event);
            walked.push((event, earlier.and_then(|(_, demand)| demand)));
            at = earlier.map(|(earlier, _)| earlier);
        }
        Vec::new()
    }

    /// Notes what breaks a circle, other than what the wanted event needs.
    fn note(&self, circle: &[usize], contradiction: &mut Contradiction, matches: &mut Matches<'_, '_>) {
        let execution = self.execution;
        let (wanted, message) = self.wanted;
        let placed = &execution.placed[wanted];
        let previous = placed.index.checked_sub(1).map(|index| execution.of_process[placed.process][index as usize]);
        let needed: Vec<usize> = execution.needs(message).chain(previous).collect();
        let can_miss = |event: &usize| !needed.iter().any(|need| execution.follows(*need, *event));
        for demand in circle.iter().map(|at| &self.demands[*at]) {
            contradiction.depends_on_inputs |= matches.takes(execution, demand.receive, demand.other).is_none();
            let receive = [demand.receive].into_iter().filter(|receive| *receive != wanted);
            let needs = execution.needs(demand.other).filter(|need| *need != demand.second);
            contradiction.one_is_missing.extend(receive.chain(needs).filter(can_miss));
        }
    }
}
