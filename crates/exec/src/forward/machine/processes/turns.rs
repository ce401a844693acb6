//! Whose turn it is: as the schedule says, by chance, or the one that goes on as long as it can.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::schedule::Schedule;
use crate::forward::machine::engine::Engine;
use crate::forward::machine::node::{CLOCK, Index, ProcessState, TIMER, channel};

/// Events that others have while a process can go on.
const STREAK: usize = 200;

/// The next to go on.
pub enum NextEvent {
    Process(Index),
    /// The first signal from one process to another.
    Signal((Index, Index)),
    /// A timer: its number, and when it strikes by the clock.
    Timer(u32, (u64, u64)),
    Clock,
}

impl Schedule {
    /// The number drawn for the next event of a process.
    fn drawn(&self, seed: u64, process: u32) -> u64 {
        let mut hasher = FxHasher::default();
        (seed, process, self.counts.get(&process)).hash(&mut hasher);
        // The low bits of the hash are not mixed well.
        hasher.finish().rotate_left(26).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl Engine<'_> {
    /// The process whose turn it is, or the clock; nothing if none can go on.
    pub fn next_turn(&mut self) -> Option<NextEvent> {
        let any = self.node.turns.ready().find(|index| self.is_ready(*index));
        let strikes = if self.program.options.any_clock { Vec::new() } else { self.node.due_strikes() };
        let is_idle = any.is_none() && self.node.flights.is_empty() && strikes.is_empty();
        if let Some(turn) = self.wanted_turn(is_idle) {
            return Some(turn);
        }
        let schedule = self.schedule.as_deref()?;
        if let (Some(seed), false) = (schedule.seed, is_idle) {
            return self.drawn_turn(seed, &strikes);
        }
        if let Some(flight) = self.node.flights.front() {
            return Some(NextEvent::Signal((flight.from, flight.to)));
        }
        // Waits end first, then timers strike.
        let processes = &self.node.processes;
        let due = self.node.turns.first_due(|index| processes[index].mailbox.is_due());
        if let Some(index) = due.filter(|index| self.can_go_on(*index)) {
            return Some(NextEvent::Process(index));
        }
        if let Some((number, stamp)) = strikes.first() {
            return Some(NextEvent::Timer(*number, *stamp));
        }
        let last = schedule.last;
        let last = self.starving().or(Some(last)).filter(|last| self.is_ready(*last));
        match last.or(any) {
            Some(index) => Some(NextEvent::Process(index)),
            None if self.program.options.any_clock => self.first_strike(),
            None => self.node.has_timers().then_some(NextEvent::Clock),
        }
    }

    /// The process that has waited longest for its turn, if that is long.
    fn starving(&self) -> Option<Index> {
        let schedule = self.schedule.as_deref()?;
        let latest = schedule.events.len().checked_sub(STREAK)?;
        self.node.turns.ready_since(latest).find(|index| self.can_go_on(*index))
    }

    /// The next turn that the schedule has; those that cannot be taken are passed over.
    fn wanted_turn(&mut self, is_idle: bool) -> Option<NextEvent> {
        loop {
            let schedule = self.schedule.as_deref_mut()?;
            let number = *schedule.steps.get(schedule.at)?;
            schedule.at += 1;
            let turn = match self.node.by_number(number) {
                Some(index) => self.can_go_on(index).then_some(NextEvent::Process(index)),
                None if number == CLOCK => (is_idle && self.node.has_timers()).then_some(NextEvent::Clock),
                None if number & TIMER != 0 => self.strike_of(number).map(|stamp| NextEvent::Timer(number, stamp)),
                None => self.on_channel(number).map(NextEvent::Signal),
            };
            if turn.is_some() {
                return turn;
            }
        }
    }

    /// The timer that has a number, if it can strike.
    fn strike_of(&self, number: u32) -> Option<(u64, u64)> {
        if self.program.options.any_clock {
            return self.node.timer_of(number);
        }
        self.node.due_strikes().into_iter().find(|(due, _)| *due == number).map(|(_, stamp)| stamp)
    }

    /// The process whose next event has the highest number drawn for it, or the signals between two.
    fn drawn_turn(&mut self, seed: u64, strikes: &[(u32, (u64, u64))]) -> Option<NextEvent> {
        let number = |index: Index| self.node.processes[index].number;
        let able = self.node.turns.ready().filter(|index| self.can_go_on(*index));
        let mut could: Vec<(u32, NextEvent)> = able.map(|index| (number(index), NextEvent::Process(index))).collect();
        let signals = self.node.flights.iter().map(|flight| (flight.from, flight.to));
        could.extend(signals.map(|pair| (channel(number(pair.0), number(pair.1)), NextEvent::Signal(pair))));
        could.extend(strikes.iter().map(|(number, stamp)| (*number, NextEvent::Timer(*number, *stamp))));
        let schedule = self.schedule.as_deref_mut()?;
        let (number, turn) = could.into_iter().max_by_key(|(number, _)| schedule.drawn(seed, *number))?;
        *schedule.counts.entry(number).or_default() += 1;
        Some(turn)
    }

    /// True if a strike at that time of the clock comes before its time: something else would come first.
    pub fn is_early(&self, stamp: (u64, u64)) -> bool {
        !self.node.flights.is_empty()
            || self.node.turns.ready().any(|index| self.is_ready(index))
            || self.strikes().iter().any(|(other, _)| *other < stamp)
    }

    /// True if a process can go on, and not only because its time can be up.
    fn is_ready(&self, index: Index) -> bool {
        self.can_go_on(index) && self.node.processes[index].mailbox.free_wait().is_none()
    }

    /// The one that goes on where nothing else can, of those whose time can be up at any time: the first by the clock, or
    /// the first that was started where inputs decide which that is.
    fn first_strike(&self) -> Option<NextEvent> {
        let is_open = !self.node.open_times().is_empty();
        let by_clock = |(when, number): (u64, u64)| (if is_open { 0 } else { when }, number);
        self.strikes().into_iter().min_by_key(|(stamp, _)| by_clock(*stamp)).map(|(_, turn)| turn)
    }

    /// The timers and waits whose time can be up at any time, with that of the clock.
    fn strikes(&self) -> Vec<((u64, u64), NextEvent)> {
        let timers = self.node.timers().map(|(stamp, number)| (stamp, NextEvent::Timer(number, stamp)));
        let mut strikes: Vec<_> = timers.collect();
        strikes.extend(self.node.turns.ready().filter_map(|index| {
            let process = &self.node.processes[index];
            let is_ready = matches!(process.status, ProcessState::Ready(_));
            let stamp = process.mailbox.free_wait().filter(|_| is_ready)?;
            Some((stamp, NextEvent::Process(index)))
        }));
        strikes
    }
}
