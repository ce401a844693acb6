//! The clock of a run, in milliseconds, and its timers. Time passes only when nothing can go on.

use std::collections::BTreeMap;

use term::{Atom, Term};

use super::handles::RefKey;
use super::inbox::Wait;
use super::{Index, Node, NodeProcess, Object, ProcessState};

/// A message that is sent when its time has come.
pub struct Timer {
    /// The timer's reference.
    pub reference: Term,
    /// The number under which it takes its turn, where timers can strike at any time.
    pub number: u32,
    /// The receiver.
    pub to: Destination,
    /// The message.
    pub message: Term,
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
    now: u64,
    /// The number of timers and waits so far, which orders those of one time.
    count: u64,
    waiting: BTreeMap<(u64, u64), Timer>,
    keys: BTreeMap<RefKey, (u64, u64)>,
}

impl Timers {
    /// Timers of a process that has ended send nothing.
    pub fn forget(&mut self, gone: Index) {
        self.waiting.retain(|_, timer| timer.to != Destination::Process(gone));
    }

    /// The messages of all timers.
    pub fn held(&self) -> impl Iterator<Item = &Term> {
        self.waiting.values().map(|timer| &timer.message)
    }

    fn stamp(&mut self, after: u64) -> (u64, u64) {
        self.count += 1;
        (self.now.saturating_add(after), self.count)
    }
}

impl Node {
    /// Milliseconds since the run began.
    pub fn now(&self) -> u64 {
        self.timers.now
    }

    /// The end of a wait of so many milliseconds.
    pub fn wait_for(&mut self, milliseconds: u64) -> Wait {
        let (when, number) = self.timers.stamp(milliseconds);
        Wait::Until(when, number)
    }

    /// Starts a timer.
    pub fn start_timer(&mut self, after: u64, timer: Timer) {
        let stamp = self.timers.stamp(after);
        if let Some(key) = RefKey::of(&timer.reference) {
            self.timers.keys.insert(key, stamp);
        }
        self.timers.waiting.insert(stamp, timer);
    }

    /// Milliseconds until a timer's time, if it has not come.
    pub fn time_left(&self, reference: &Term) -> Option<u64> {
        let stamp = self.timers.keys.get(&RefKey::of(reference)?)?;
        self.timers.waiting.contains_key(stamp).then(|| stamp.0.saturating_sub(self.timers.now))
    }

    /// Stops a timer; milliseconds until its time, if that had not come.
    pub fn cancel_timer(&mut self, reference: &Term) -> Option<u64> {
        let stamp = self.timers.keys.remove(&RefKey::of(reference)?)?;
        self.timers.waiting.remove(&stamp).map(|_| stamp.0.saturating_sub(self.timers.now))
    }

    /// Lets time pass until something happens, with all else of the same time; false if nothing will.
    pub fn advance(&mut self) -> bool {
        let waits = |index: Index| match self.processes[index].status {
            ProcessState::Waiting(_) => self.processes[index].mailbox.until().map(|until| (until, index)),
            _ => None,
        };
        let first_wait = (0..self.processes.len()).filter_map(waits).min();
        let first_timer = self.timers.waiting.keys().next().copied();
        let Some(now) = first_wait.map(|((when, _), _)| when).into_iter().chain(first_timer.map(|it| it.0)).min()
        else {
            return false;
        };
        self.timers.now = self.timers.now.max(now);
        for index in 0..self.processes.len() {
            let process = &mut self.processes[index];
            if matches!(process.status, ProcessState::Waiting(_))
                && process.mailbox.until().is_some_and(|it| it.0 <= now)
            {
                *process.mailbox.wait() = Some(Wait::Up);
                self.wake(index);
            }
        }
        let mut due: Vec<(u64, u64)> = self.timers.waiting.range(..=(now, u64::MAX)).map(|(stamp, _)| *stamp).collect();
        // Those of one time in an order that no schedule changes.
        due.sort_by_key(|stamp| (stamp.0, RefKey::of(&self.timers.waiting[stamp].reference)));
        due.into_iter().for_each(|stamp| self.fire_timer(stamp));
        true
    }

    /// True if time passing lets something happen.
    pub fn has_timers(&self) -> bool {
        let waits = |process: &NodeProcess| {
            matches!(process.status, ProcessState::Waiting(_)) && process.mailbox.until().is_some()
        };
        !self.timers.waiting.is_empty() || self.processes.iter().any(waits)
    }

    /// The timer that has a number, if it has not fired.
    pub fn timer_of(&self, number: u32) -> Option<(u64, u64)> {
        self.timers.waiting.iter().find(|(_, timer)| timer.number == number).map(|(stamp, _)| *stamp)
    }

    /// The first timer, with its number.
    pub fn first_timer(&self) -> Option<((u64, u64), u32)> {
        self.timers.waiting.first_key_value().map(|(stamp, timer)| (*stamp, timer.number))
    }

    /// Fires a timer, whatever the time.
    pub fn strike(&mut self, stamp: (u64, u64)) {
        self.timers.now = self.timers.now.max(stamp.0);
        if let Some(timer) = self.timers.waiting.get(&stamp) {
            let (key, to) = (RefKey::of(&timer.reference), timer.to);
            key.into_iter().for_each(|key| self.touch(Object::Timer(key), true));
            if let Destination::Name(name) = to {
                self.touch(Object::Name(name), false);
            }
        }
        self.fire_timer(stamp);
    }

    fn fire_timer(&mut self, stamp: (u64, u64)) {
        let Some(timer) = self.timers.waiting.remove(&stamp) else { return };
        if let Some(key) = RefKey::of(&timer.reference) {
            self.timers.keys.remove(&key);
        }
        let to = match timer.to {
            Destination::Process(index) => Some(index),
            Destination::Name(name) => self.named(name),
        };
        if let Some(to) = to {
            self.deliver(to, timer.message);
        }
    }
}
