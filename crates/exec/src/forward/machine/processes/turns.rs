//! Whose turn it is: as the schedule says, by chance, or the one that goes on as long as it can.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::schedule::Schedule;
use crate::forward::machine::engine::Engine;
use crate::forward::machine::node::{CLOCK, Index, ProcessState, TIMER, Wait};

/// The next to go on.
pub enum NextEvent {
    Process(Index),
    /// A timer that can strike at any time: its number, and when it would by the clock.
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
        let any = (0..self.node.processes.len()).find(|index| self.is_ready(*index));
        if let Some(turn) = self.wanted_turn(any.is_none()) {
            return Some(turn);
        }
        let schedule = self.schedule.as_deref()?;
        if let (Some(seed), true) = (schedule.seed, any.is_some()) {
            return self.drawn_turn(seed);
        }
        let last = Some(schedule.last).filter(|last| self.is_ready(*last));
        match last.or(any) {
            Some(index) => Some(NextEvent::Process(index)),
            None if self.program.options.any_clock => self.first_strike().map(|(_, turn)| turn),
            None => self.node.has_timers().then_some(NextEvent::Clock),
        }
    }

    /// The next turn that the schedule has; those that cannot be taken are passed over.
    fn wanted_turn(&mut self, is_idle: bool) -> Option<NextEvent> {
        loop {
            let schedule = self.schedule.as_deref_mut()?;
            let number = *schedule.steps.get(schedule.at)?;
            schedule.at += 1;
            let wanted = self.node.processes.iter().position(|process| process.number == number);
            let turn = match wanted {
                Some(index) => self.is_able(index).then_some(NextEvent::Process(index)),
                None if number == CLOCK => (is_idle && self.node.has_timers()).then_some(NextEvent::Clock),
                None if number & TIMER != 0 => self.node.timer_of(number).map(|stamp| NextEvent::Timer(number, stamp)),
                None => None,
            };
            if turn.is_some() {
                return turn;
            }
        }
    }

    /// The process whose next event has the highest number drawn for it.
    fn drawn_turn(&mut self, seed: u64) -> Option<NextEvent> {
        let able: Vec<Index> = (0..self.node.processes.len()).filter(|index| self.is_able(*index)).collect();
        let schedule = self.schedule.as_deref_mut()?;
        let numbered = able.into_iter().map(|index| (index, self.node.processes[index].number));
        let (index, number) = numbered.max_by_key(|(_, number)| schedule.drawn(seed, *number))?;
        *schedule.counts.entry(number).or_default() += 1;
        Some(NextEvent::Process(index))
    }

    /// True if a process can go on.
    fn is_able(&self, index: Index) -> bool {
        matches!(self.node.processes[index].status, ProcessState::Ready(_))
    }

    /// True if a strike at that time of the clock comes before its time: something else would come first.
    pub fn is_early(&mut self, stamp: (u64, u64)) -> bool {
        (0..self.node.processes.len()).any(|index| self.is_ready(index))
            || self.first_strike().is_some_and(|(first, _)| first < stamp)
    }

    /// True if a process can go on, and not only because its time can be up.
    fn is_ready(&mut self, index: Index) -> bool {
        let process = &mut self.node.processes[index];
        matches!(process.status, ProcessState::Ready(_)) && !matches!(process.mailbox.wait(), Some(Wait::Any(..)))
    }

    /// The first whose time comes, among those whose time can be up at any time.
    fn first_strike(&mut self) -> Option<((u64, u64), NextEvent)> {
        let timer = self.node.first_timer().map(|(stamp, number)| (stamp, NextEvent::Timer(number, stamp)));
        let waits = self.node.processes.iter_mut().enumerate().filter_map(|(index, process)| {
            match (&process.status, *process.mailbox.wait()) {
                (ProcessState::Ready(_), Some(Wait::Any(when, count))) => {
                    Some(((when, count), NextEvent::Process(index)))
                }
                _ => None,
            }
        });
        waits.chain(timer).min_by_key(|(stamp, _)| *stamp)
    }
}
