//! The numbers of processes and timers: in a run of their own they are given in the order in which they are started.

use exec::forward::{CLOCK, EventKind, ProcessEvent, TIMER, channel, channel_ends};
use rustc_hash::FxHashMap;

/// Numbers by other numbers; those that are not known stay.
#[derive(Clone, Default)]
pub struct Renumbering(FxHashMap<u32, u32>);

impl Renumbering {
    /// The numbers that a run's processes and timers get in a run of their own.
    pub fn of(events: &[ProcessEvent]) -> Renumbering {
        let started = events.iter().filter_map(|event| match event.kind {
            EventKind::Spawn { child } => Some(child),
            EventKind::StartTimer { timer, .. } => Some(timer),
            _ => None,
        });
        Renumbering(started.zip(1..).map(|(number, count)| (number, number & TIMER | count)).collect())
    }

    /// True if nothing changes.
    pub fn is_identity(&self) -> bool {
        self.0.iter().all(|(number, now)| number == now)
    }

    /// The number of a process or timer.
    pub fn number(&self, number: u32) -> u32 {
        self.0.get(&number).copied().unwrap_or(number)
    }

    /// The number under which a process, a timer, the clock or the signals between two processes take their turns.
    pub fn turn(&self, turn: u32) -> u32 {
        match channel_ends(turn).filter(|_| turn != CLOCK) {
            Some((from, to)) => channel(self.number(from), self.number(to)),
            None => self.number(turn),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_of_signals_have_the_numbers_of_their_processes() {
        let numbers = Renumbering([(3, 1), (1, 2)].into_iter().collect());
        assert_eq!([0, 1, 3, CLOCK].map(|turn| numbers.turn(turn)), [0, 2, 1, CLOCK]);
        assert_eq!(numbers.turn(channel(3, 1)), channel(1, 2));
        assert!(!numbers.is_identity());
    }
}
