//! One run as a partial order of its events: which came after which for a reason, and which could change places.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use constraint::Decision;
use exec::forward::{Access, CLOCK, EventKind, MessageId, Object, Patterns, ProcessEvent, Sent};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use term::Term;

use crate::subject::PatternMatch;

/// Says whether the patterns of a `receive` take a message.
pub type Takes<'a> = dyn FnMut(&Patterns, &Term) -> PatternMatch + 'a;

/// The events of a run and the order between them.
pub struct Execution {
    /// The events as they came to pass.
    pub events: Rc<[ProcessEvent]>,
    /// The place of each in the order.
    pub placed: Vec<OrderedEvent>,
    /// The number of each process.
    pub numbers: Vec<u32>,
    /// The events of each process.
    pub of_process: Vec<Vec<usize>>,
    /// Distinguishes runs by what they decided before the first event.
    pub beginning: u64,
    /// By number of the process: the messages to it.
    messages: FxHashMap<u32, Vec<MessageId>>,
    /// The tables that an event looks at as a whole.
    ordered: FxHashSet<Object>,
    /// The events that took messages.
    consumed: FxHashMap<MessageId, usize>,
    /// By number of the process: the events in which it looked at its messages once and took none.
    missed: FxHashMap<u32, Vec<usize>>,
    /// By number of the process: the last strike of a timer that it has started.
    strikes: FxHashMap<u32, usize>,
}

/// The answers to which messages a `receive` takes, each asked for once.
pub struct Matches<'t, 'f> {
    takes: &'t mut Takes<'f>,
    known: FxHashMap<(usize, MessageId), PatternMatch>,
}

impl<'t, 'f> Matches<'t, 'f> {
    /// Nothing asked yet.
    pub fn new(takes: &'t mut Takes<'f>) -> Matches<'t, 'f> {
        Matches { takes, known: FxHashMap::default() }
    }

    /// Says whether a `receive` takes a message of its run; nothing if that depends on the inputs.
    pub fn takes(&mut self, execution: &Execution, receive: usize, message: MessageId) -> Option<bool> {
        self.answer(execution, receive, message).for_all()
    }

    /// True if a `receive` takes a message with the inputs of the run.
    pub fn takes_here(&mut self, execution: &Execution, receive: usize, message: MessageId) -> bool {
        self.answer(execution, receive, message).takes
    }

    /// Says whether these patterns take a message of the run.
    pub fn fit(&mut self, patterns: &Patterns, message: &Term) -> PatternMatch {
        (self.takes)(patterns, message)
    }

    fn answer(&mut self, execution: &Execution, receive: usize, message: MessageId) -> PatternMatch {
        let EventKind::Receive { patterns, .. } = &execution.events[receive].kind else { return PatternMatch::NEVER };
        let takes = &mut self.takes;
        *self.known.entry((receive, message)).or_insert_with(|| takes(patterns, &execution.sent(message).message))
    }
}

/// An event's place in the order.
pub struct OrderedEvent {
    /// Its process.
    pub process: usize,
    /// The number of events of its process before it.
    pub index: u32,
    /// By process: the number of its events that come before this one for a reason, or are this one.
    pub clock: Box<[u32]>,
    /// The events that come directly before it for a reason.
    pub before: Vec<Before>,
    /// Distinguishes it from every event with another past, in any run.
    pub id: u64,
    /// The number of decisions that belong to it.
    pub decisions: u32,
}

/// An event before another.
#[derive(Clone, Copy)]
pub struct Before {
    pub event: usize,
    /// True if the two could change places.
    pub race: bool,
    /// True if it is only waited for once what it follows has come to pass.
    pub waits: bool,
}

/// The last accesses of shared things.
type Shared = FxHashMap<Object, Accessed>;

/// The last accesses of a shared thing.
#[derive(Default)]
struct Accessed {
    write: Option<usize>,
    reads: Vec<usize>,
}

impl Execution {
    /// The order of a run's events.
    pub fn new(events: &Rc<[ProcessEvent]>, path: &[Decision], takes: &mut Takes<'_>) -> Execution {
        let mut numbers: Vec<u32> = Vec::new();
        let mut processes = Vec::with_capacity(events.len());
        for event in events.iter() {
            let known = numbers.iter().position(|number| *number == event.process);
            processes.push(known.unwrap_or_else(|| {
                numbers.push(event.process);
                numbers.len() - 1
            }));
        }
        let of_process = vec![Vec::new(); numbers.len()];
        let first = events.first().map_or(path.len(), |event| event.decisions as usize).min(path.len());
        let mut hasher = FxHasher::default();
        path[..first].iter().for_each(|decision| hash_decision(decision, &mut hasher));
        let mut execution = Execution {
            events: Rc::clone(events),
            placed: Vec::with_capacity(events.len()),
            numbers,
            of_process,
            beginning: hasher.finish(),
            messages: messages(events),
            ordered: whole_tables(events),
            consumed: FxHashMap::default(),
            missed: FxHashMap::default(),
            strikes: FxHashMap::default(),
        };
        let mut accessed = Shared::default();
        for (at, process) in processes.into_iter().enumerate() {
            let before = execution.before(at, process, &mut accessed, takes);
            execution.place(at, process, before, path);
            execution.consumed.extend(events[at].flushed.map(|message| (message, at)));
            match &events[at].kind {
                EventKind::Receive { taken: Some(message), .. } => execution.consumed.extend([(*message, at)]),
                EventKind::Receive { taken: None, looks_once: true, .. } => {
                    execution.missed.entry(events[at].process).or_default().push(at);
                }
                EventKind::Strike { by: Some(by), .. } => _ = execution.strikes.insert(*by, at),
                _ => {}
            }
        }
        execution
    }

    /// The events that come before one for a reason.
    fn before(&self, at: usize, process: usize, accessed: &mut Shared, takes: &mut Takes<'_>) -> Vec<Before> {
        let events = &self.events[..];
        let event = &events[at];
        // An end that had begun is waited for; one that is a single event could come later.
        let begins = |access: &Access| access.writes && matches!(access.object, Object::End(_));
        let end = event.waited_for.map(|end| end as usize).filter(|end| !events[*end].accesses.iter().any(begins));
        let mut before: Vec<Before> = end.into_iter().map(|event| Before { event, race: false, waits: true }).collect();
        let mut add = |event: usize, race: bool| {
            if event < at && before.iter().all(|known| known.event != event) {
                before.push(Before { event, race, waits: false });
            }
        };
        let clock = self.numbers.iter().position(|number| *number == CLOCK);
        event.after.into_iter().for_each(|after| add(after as usize, false));
        match self.of_process[process].last() {
            Some(last) => add(*last, false),
            None => {
                let parent = |it: &ProcessEvent| it.started() == Some(event.process);
                events[..at].iter().position(parent).into_iter().for_each(|spawn| add(spawn, false));
            }
        }
        if event.process == CLOCK {
            self.of_process.iter().filter_map(|own| own.last()).for_each(|last| add(*last, false));
        } else if let Some(tick) = clock.and_then(|clock| self.of_process[clock].last()) {
            add(*tick, false);
        }
        if let EventKind::Receive { taken: Some(message), .. } = &event.kind {
            add(message.event as usize, false);
        }
        if let EventKind::Strike { by: Some(by), is_immediate } = &event.kind {
            let starter = self.numbers.iter().position(|number| number == by).filter(|_| !is_immediate);
            let last = starter.and_then(|starter| self.of_process[starter].last());
            let last = last.filter(|last| !self.is_end_of_wait(**last));
            last.into_iter().chain(self.strikes.get(by)).for_each(|earlier| add(*earlier, false));
        }
        let strike = self.strikes.get(&event.process).filter(|strike| !self.is_immediate(**strike));
        strike.into_iter().filter(|_| !self.is_end_of_wait(at)).for_each(|strike| add(*strike, false));
        for access in event.accesses.iter().filter(|access| self.counts(&access.object)) {
            for known in meeting(&access.object, accessed) {
                let earlier = known.write.into_iter().chain(known.reads.iter().copied().filter(|_| access.writes));
                earlier.for_each(|earlier| add(earlier, true));
            }
            // Every event of a process is a step of it, and every message to it changes its mailbox.
            match &access.object {
                Object::Steps(number) if access.writes && *number != event.process => {
                    let of = self.numbers.iter().position(|known| known == number);
                    of.and_then(|of| self.of_process[of].last()).into_iter().for_each(|last| add(*last, true));
                }
                Object::Mailbox(number) if access.writes => {
                    for message in self.messages_before(*number, at) {
                        self.needs(message).for_each(|need| add(need, true));
                    }
                }
                _ => {}
            }
        }
        // A look that may miss a message for the inputs' sake comes before its sending, or else between that and the coming
        // of a signal ahead of it. One that always takes it is a choice, as other receives are.
        if let EventKind::Receive { taken: None, looks_once: true, patterns, .. } = &event.kind {
            let on_the_way = |message: &MessageId| self.arrival(*message).is_none_or(|arrival| arrival > at);
            for message in self.messages_before(event.process, at).filter(on_the_way) {
                if takes(patterns, &self.sent(message).message).for_all().is_none() {
                    add(message.event as usize, true);
                }
            }
        }
        // A step of a process comes after those who have looked at its steps.
        if let Some(watched) = accessed.get(&Object::Steps(event.process)) {
            watched.write.into_iter().for_each(|write| add(write, true));
        }
        let own = (0..event.sent.len()).map(|place| MessageId { event: at as u32, place: place as u32 });
        for message in own.chain(event.released.iter().copied()) {
            let (sent, sending) = (self.sent(message), message.event as usize);
            // What was looked before the sending is ordered with that.
            let is_ordered = |look: &usize| *look < sending && sending < at;
            if let Some(looked) = accessed.get(&Object::Mailbox(sent.to)) {
                looked.write.into_iter().filter(|look| !is_ordered(look)).for_each(|look| add(look, true));
            }
            let missed = self.missed.get(&sent.to).into_iter().flatten().copied();
            for look in missed.filter(|look| !is_ordered(look)) {
                let EventKind::Receive { patterns, .. } = &events[look].kind else { continue };
                if takes(patterns, &sent.message).for_all().is_none() {
                    add(look, true);
                }
            }
        }
        for access in &event.accesses {
            let known = accessed.entry(access.object.clone()).or_default();
            if access.writes {
                *known = Accessed { write: Some(at), reads: Vec::new() };
            } else {
                known.reads.push(at);
            }
        }
        before
    }

    /// True if a wait ends because its time is up: timers of the process can strike before or after.
    pub fn is_end_of_wait(&self, event: usize) -> bool {
        matches!(self.events[event].kind, EventKind::Receive { is_up: true, .. })
    }

    /// True for the strike of a timer for which no time had to pass.
    fn is_immediate(&self, event: usize) -> bool {
        matches!(self.events[event].kind, EventKind::Strike { is_immediate: true, .. })
    }

    /// True unless it is the order of rows in a table that no event of the run looks at as a whole.
    fn counts(&self, object: &Object) -> bool {
        object.slot_of().is_none_or(|table| self.ordered.contains(&Object::Table(table)))
    }

    /// The messages to a process.
    pub fn messages_to(&self, number: u32) -> &[MessageId] {
        self.messages.get(&number).map_or(&[], |messages| messages)
    }

    /// The messages to a process that were sent before an event.
    fn messages_before(&self, number: u32, at: usize) -> impl Iterator<Item = MessageId> {
        self.messages_to(number).iter().copied().take_while(move |message| (message.event as usize) < at)
    }

    /// True if a process has taken a message before one of its events.
    pub fn is_consumed_before(&self, message: MessageId, at: usize) -> bool {
        self.consumed.get(&message).is_some_and(|taken| *taken < at)
    }

    fn place(&mut self, at: usize, process: usize, before: Vec<Before>, path: &[Decision]) {
        let index = self.of_process[process].len() as u32;
        let mut clock = vec![0; self.numbers.len()].into_boxed_slice();
        for earlier in &before {
            for (own, theirs) in clock.iter_mut().zip(&self.placed[earlier.event].clock) {
                *own = (*own).max(*theirs);
            }
        }
        clock[process] = index + 1;
        let first = self.events[at].decisions as usize;
        let end = self.events.get(at + 1).map_or(path.len(), |next| next.decisions as usize).min(path.len());
        let own = &path[first.min(end)..end];
        let id = self.identify(at, index, &before, own);
        self.of_process[process].push(at);
        self.placed.push(OrderedEvent { process, index, clock, before, id, decisions: own.len() as u32 });
    }

    fn identify(&self, at: usize, index: u32, before: &[Before], own: &[Decision]) -> u64 {
        let mut hasher = FxHasher::default();
        let event = &self.events[at];
        (self.beginning, event.process, index).hash(&mut hasher);
        if let EventKind::Receive { taken, .. } = &event.kind {
            let message = taken.map(|message| (self.placed[message.event as usize].id, message.place));
            message.hash(&mut hasher);
        }
        let is_last = |event: usize| before.iter().all(|it| it.event == event || !self.follows(it.event, event));
        let last = before.iter().filter(|earlier| is_last(earlier.event));
        let mut past: Vec<u64> = last.map(|earlier| self.placed[earlier.event].id).collect();
        past.sort_unstable();
        past.hash(&mut hasher);
        for decision in own {
            hash_decision(decision, &mut hasher);
        }
        hasher.finish()
    }

    /// The events after which a message is in the mailbox: its sending, and the coming of the signal before it.
    pub fn needs(&self, message: MessageId) -> impl Iterator<Item = usize> + use<> {
        [message.event].into_iter().chain(self.sent(message).behind).map(|event| event as usize)
    }

    /// A message of the run.
    pub fn sent(&self, message: MessageId) -> &Sent {
        &self.events[message.event as usize].sent[message.place as usize]
    }

    /// The event with which a message came into the mailbox, if it did.
    pub fn arrival(&self, message: MessageId) -> Option<usize> {
        if self.sent(message).waits { None } else { self.needs(message).max() }
    }

    /// True if a message can only come after another to the same process. Those of one sender come as they were sent.
    pub fn comes_after(&self, later: MessageId, earlier: MessageId) -> bool {
        if self.placed[later.event as usize].process == self.placed[earlier.event as usize].process {
            return (later.event, later.place) > (earlier.event, earlier.place);
        }
        self.needs(later).any(|one| self.needs(earlier).all(|other| self.follows(one, other)))
    }

    /// True if an event comes after another for a reason, or is it.
    pub fn follows(&self, later: usize, earlier: usize) -> bool {
        let OrderedEvent { process, index, .. } = self.placed[earlier];
        self.placed[later].clock[process] > index
    }
}

/// The earlier accesses of a shared thing, of one that it is a part of, and of its parts.
fn meeting<'a>(object: &Object, accessed: &'a Shared) -> Vec<&'a Accessed> {
    let mut known: Vec<&Accessed> = accessed.get(object).into_iter().collect();
    match (object, object.whole()) {
        (_, Some(whole)) => known.extend(accessed.get(&whole)),
        (Object::Table(_) | Object::PersistentTerms, _) => {
            let is_part = |other: &&Object| other.whole().as_ref() == Some(object);
            known.extend(accessed.keys().filter(is_part).filter_map(|part| accessed.get(part)));
        }
        _ => {}
    }
    known
}

/// The tables that events look at as a whole.
fn whole_tables(events: &[ProcessEvent]) -> FxHashSet<Object> {
    let objects = events.iter().flat_map(|event| &event.accesses).map(|access| &access.object);
    objects.filter(|object| matches!(object, Object::Table(_))).cloned().collect()
}

/// By number of the process: the messages to it, in the order of their sending.
fn messages(events: &[ProcessEvent]) -> FxHashMap<u32, Vec<MessageId>> {
    let mut all: FxHashMap<u32, Vec<MessageId>> = FxHashMap::default();
    for (event, it) in events.iter().enumerate() {
        for (place, sent) in it.sent.iter().enumerate() {
            all.entry(sent.to).or_default().push(MessageId { event: event as u32, place: place as u32 });
        }
    }
    all
}

fn hash_decision(decision: &Decision, hasher: &mut FxHasher) {
    (decision.site, decision.condition.test, decision.condition.holds).hash(hasher);
}
