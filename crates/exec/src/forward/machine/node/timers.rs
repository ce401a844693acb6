//! The clock of a run, in milliseconds, and its timers. Time passes only when nothing can go on.

use std::collections::BTreeMap;

use term::{Atom, Mark, Term};

use super::handles::RefKey;
use super::inbox::Wait;
use super::{Index, Node, NodeProcess, Object, ProcessState, Resume};
use crate::forward::code::Address;

/// A point of the clock: milliseconds since the run began, and the mark of their expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Instant {
    pub milliseconds: u64,
    pub mark: Mark,
}

impl Instant {
    /// The milliseconds as a term.
    pub fn term(self) -> Term {
        Term::int(self.milliseconds as i64).with_mark(self.mark)
    }
}

/// A timer or a wait whose time has not come.
#[derive(Clone, Copy, Debug)]
pub struct Pending {
    /// The time.
    pub when: Instant,
    /// The instruction that has set it.
    pub at: Address,
}

/// A message that is sent when its time has come.
pub struct Timer {
    /// The timer's reference.
    pub reference: Term,
    /// The number under which it takes its turn, where a schedule says when that is.
    pub number: u32,
    /// The receiver.
    pub to: Destination,
    /// The message.
    pub message: Term,
    /// The time.
    pub when: Instant,
    /// True if that was given, and not how long it is until then.
    pub absolute: bool,
    /// True if OTP's timer server has started it, for itself.
    pub is_served: bool,
    /// True if no time has to pass before it strikes.
    pub is_immediate: bool,
    /// The instruction that has started it.
    pub at: Address,
}

impl Timer {
    /// The process that has started it, if that has said how long it is until then.
    fn by(&self) -> Option<u32> {
        RefKey::of(&self.reference).map(|key| key.process()).filter(|_| !self.absolute)
    }
}

/// The receiver of a timer's message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Destination {
    Process(Index),
    /// Whatever process has the name when the time has come.
    Name(Atom),
}

#[derive(Default)]
pub struct Timers {
    now: Instant,
    /// The number of timers and waits so far, which orders those of one time.
    count: u64,
    /// The count when time passed last: what was started since does not strike before it does again.
    counted: u64,
    pub(super) waiting: BTreeMap<(u64, u64), Timer>,
    /// By reference: the timers that have neither struck nor been cancelled, with their receivers.
    keys: BTreeMap<RefKey, ((u64, u64), Destination)>,
    /// Marked times on which the clock depends, where timers can strike at any time.
    open: Vec<Term>,
    /// True once a timeout or timer has struck at any time.
    has_struck: bool,
}

impl Timers {
    /// Timers of a process that has ended send nothing; gives those that take their own turns.
    pub fn forget(&mut self, gone: Index) -> Vec<RefKey> {
        let mut forgotten = Vec::new();
        self.waiting.retain(|_, timer| {
            let stays = timer.to != Destination::Process(gone);
            forgotten.extend(RefKey::of(&timer.reference).filter(|_| !stays && timer.number != 0));
            stays
        });
        forgotten
    }

    /// The messages of all timers.
    pub fn held(&self) -> impl Iterator<Item = &Term> {
        self.waiting.values().map(|timer| &timer.message)
    }

    fn stamp(&mut self, when: Instant) -> (u64, u64) {
        self.count += 1;
        (when.milliseconds, self.count)
    }

    /// The timers whose time has come.
    fn due(&self) -> impl Iterator<Item = (&(u64, u64), &Timer)> {
        let is_counted = |(stamp, timer): &(&(u64, u64), &Timer)| stamp.1 <= self.counted || timer.is_immediate;
        self.waiting.range(..=(self.now.milliseconds, u64::MAX)).filter(is_counted)
    }
}

impl Node {
    /// The time of the clock.
    pub fn now(&self) -> Instant {
        self.timers.now
    }

    /// The time of a wait that can be up at any time, with its number.
    pub fn stamp(&mut self, when: Instant) -> (u64, u64) {
        self.timers.stamp(when)
    }

    /// Starts a timer; one for a process that has ended is stopped at once.
    pub fn start_timer(&mut self, timer: Timer) {
        let stamp = self.timers.stamp(timer.when);
        if let Some(key) = RefKey::of(&timer.reference) {
            self.timers.keys.insert(key, (stamp, timer.to));
        }
        if !matches!(timer.to, Destination::Process(to) if !self.is_alive(to)) {
            self.timers.waiting.insert(stamp, timer);
        }
    }

    /// The time of a timer, if it has not come.
    pub fn timer_time(&self, reference: &Term) -> Option<Instant> {
        let (stamp, _) = self.timers.keys.get(&RefKey::of(reference)?)?;
        self.timers.waiting.get(stamp).map(|timer| timer.when)
    }

    /// The receiver of a timer that has neither struck nor been cancelled.
    pub fn timer_to(&self, reference: &Term) -> Option<Destination> {
        self.timers.keys.get(&RefKey::of(reference)?).map(|(_, to)| *to)
    }

    /// Stops a timer; its time, if that had not come.
    pub fn cancel_timer(&mut self, reference: &Term) -> Option<Instant> {
        let (stamp, _) = self.timers.keys.remove(&RefKey::of(reference)?)?;
        self.timers.waiting.remove(&stamp).map(|timer| timer.when)
    }

    /// Notes a marked time on which the clock depends, where timers can strike at any time.
    pub fn open_time(&mut self, time: &Term) {
        if time.mark().is_some() && !self.timers.open.iter().any(|known| known.mark() == time.mark()) {
            self.timers.open.push(time.clone());
        }
    }

    /// The marked times on which the clock depends, where timers can strike at any time.
    pub fn open_times(&self) -> &[Term] {
        &self.timers.open
    }

    /// Notes that a timeout or timer strikes at any time.
    pub fn note_strike(&mut self) {
        self.timers.has_struck = true;
    }

    /// True once a timeout or timer has struck at any time: the clock need not show what it does.
    pub fn has_struck(&self) -> bool {
        self.timers.has_struck
    }

    /// The waits and timers that time will come for, in an order that neither schedule nor times change.
    pub fn pending(&self) -> Vec<Pending> {
        let mut waits: Vec<(u32, Pending)> = self.processes.iter().filter_map(waits_until).collect();
        waits.sort_unstable_by_key(|(number, _)| *number);
        let mut timers: Vec<&Timer> = self.timers.waiting.values().collect();
        timers.sort_by_key(|timer| RefKey::of(&timer.reference));
        let timers = timers.into_iter().map(|timer| Pending { when: timer.when, at: timer.at });
        waits.into_iter().map(|(_, wait)| wait).chain(timers).collect()
    }

    /// Lets time pass until something happens, with all else of the same time; false if nothing will. The mark is that of
    /// the time then. Where a schedule says in which order, timers do not strike yet.
    pub fn advance(&mut self, mark: Mark) -> bool {
        let first_wait = self.processes.iter().filter_map(|it| Some(waits_until(it)?.1.when.milliseconds)).min();
        let first_timer = self.timers.waiting.keys().next().map(|stamp| stamp.0);
        let Some(now) = first_wait.into_iter().chain(first_timer).min() else { return false };
        self.timers.now = Instant { milliseconds: self.timers.now.milliseconds.max(now), mark };
        self.timers.counted = self.timers.count;
        let end = if self.scheduled { Wait::Due } else { Wait::Up };
        for index in 0..self.processes.len() {
            let process = &mut self.processes[index];
            if matches!(process.status, ProcessState::Waiting(_))
                && process.mailbox.until().is_some_and(|until| until.milliseconds <= now)
            {
                *process.mailbox.wait() = Some(end);
                self.turns.comes_due(index);
                self.wake(index);
            }
        }
        if !self.scheduled {
            self.due().into_iter().for_each(|stamp| self.fire_timer(stamp));
        }
        true
    }

    /// The timers that strike at a later point of `monotonic_time`, in an order that neither schedule nor times change.
    pub fn later_strikes(&self) -> Vec<Pending> {
        let now = self.timers.now.milliseconds;
        let later = self.timers.waiting.range((now + 1, 0)..).map(|(_, timer)| timer);
        let mut later: Vec<&Timer> = later.filter(|timer| timer.absolute).collect();
        later.sort_by_key(|timer| RefKey::of(&timer.reference));
        later.into_iter().map(|timer| Pending { when: timer.when, at: timer.at }).collect()
    }

    /// The timers whose time has come, in an order that no schedule changes.
    fn due(&self) -> Vec<(u64, u64)> {
        let mut due: Vec<(u64, u64)> = self.timers.due().map(|(stamp, _)| *stamp).collect();
        due.sort_by_key(|stamp| (stamp.0, RefKey::of(&self.timers.waiting[stamp].reference)));
        due
    }

    /// The timers that can strike now by the clock, with their numbers: of those of a process the first.
    pub fn due_strikes(&self) -> Vec<(u32, (u64, u64))> {
        let mut due = self.due();
        let mut starters: Vec<u32> = Vec::new();
        due.retain(|stamp| {
            let by = self.timers.waiting[stamp].by();
            let is_first = by.is_none_or(|by| !starters.contains(&by));
            starters.extend(by);
            is_first
        });
        due.into_iter().map(|stamp| (self.timers.waiting[&stamp].number, stamp)).collect()
    }

    /// True if a process can do nothing before a timer that it has started strikes: all but the end of a wait.
    pub fn waits_for_strike(&self, index: Index) -> bool {
        let process = &self.processes[index];
        let is_its = |timer: &Timer| timer.by() == Some(process.number) && !timer.is_immediate;
        !process.mailbox.is_due() && self.timers.due().any(|(_, timer)| is_its(timer))
    }

    /// True if time passing lets something happen.
    pub fn has_timers(&self) -> bool {
        !self.timers.waiting.is_empty() || self.processes.iter().any(|process| waits_until(process).is_some())
    }

    /// The timer that has a number, if it has not fired.
    pub fn timer_of(&self, number: u32) -> Option<(u64, u64)> {
        self.timers.waiting.iter().find(|(_, timer)| timer.number == number).map(|(stamp, _)| *stamp)
    }

    /// The timers, with their numbers.
    pub fn timers(&self) -> impl Iterator<Item = ((u64, u64), u32)> {
        self.timers.waiting.iter().map(|(stamp, timer)| (*stamp, timer.number))
    }

    /// The process that has started a timer, if it has said how long it is until then, and true if no time has to pass.
    pub fn started_by(&self, stamp: (u64, u64)) -> (Option<u32>, bool) {
        self.timers.waiting.get(&stamp).map_or((None, false), |timer| (timer.by(), timer.is_immediate))
    }

    /// Fires a timer, whatever the time.
    pub fn strike(&mut self, stamp: (u64, u64)) {
        self.timers.now.milliseconds = self.timers.now.milliseconds.max(stamp.0);
        if let Some(timer) = self.timers.waiting.get(&stamp) {
            let key = RefKey::of(&timer.reference);
            key.into_iter().for_each(|key| self.touch(Object::Timer(key), true));
        }
        self.fire_timer(stamp);
    }

    fn fire_timer(&mut self, stamp: (u64, u64)) {
        let Some(timer) = self.timers.waiting.remove(&stamp) else { return };
        let key = RefKey::of(&timer.reference);
        key.into_iter().for_each(|key| _ = self.timers.keys.remove(&key));
        let to = match timer.to {
            Destination::Process(index) => Some(index),
            Destination::Name(name) => {
                self.touch(Object::Name(name), false);
                self.named(name)
            }
        };
        if let Some(to) = to {
            self.deliver(to, timer.message);
        }
    }
}

/// The wait of a process that time ends, with the number of the process.
fn waits_until(process: &NodeProcess) -> Option<(u32, Pending)> {
    let ProcessState::Waiting(resume) = process.status else { return None };
    let at = if let Resume::At { ip, .. } = resume { ip } else { 0 };
    process.mailbox.until().map(|when| (process.number, Pending { when, at }))
}
