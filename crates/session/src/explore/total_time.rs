//! The time of a whole command, shared between its functions.
//!
//! A function gets an equal part of what is left for it and those after it, and gives the rest of its part to the others
//! if it has covered nothing new for half of that. What is left in the end goes to those that were still covering.

use std::time::Duration;

use host::Stopwatch;
use search::{ExplorationProgress, Go, Reason};

use crate::job::JobResult;

/// A function that has covered nothing new for one part in so many of its share gives up the rest.
const PATIENCE: u32 = 2;

/// It has made so many runs meanwhile: long inputs, which are tried a while from time to time, say nothing about its branches.
const RUNS: u64 = 8;

/// A function is explored again if it gets so many times what it had.
const AGAIN: u32 = 2;

/// The time of a command.
pub(super) struct TotalTime {
    stopwatch: Stopwatch,
    total: Duration,
}

impl TotalTime {
    pub fn new(total: Duration) -> TotalTime {
        TotalTime { stopwatch: Stopwatch::start(), total }
    }

    /// The share of the next of so many functions.
    pub fn share(&self, functions: usize) -> FunctionShare {
        let left = self.total.saturating_sub(self.stopwatch.elapsed());
        let time = left / u32::try_from(functions.max(1)).unwrap_or(u32::MAX);
        FunctionShare {
            stopwatch: Stopwatch::start(),
            time,
            is_last: functions <= 1,
            covered: 0,
            since: (Duration::ZERO, 0),
        }
    }
}

/// The share of one function.
pub(super) struct FunctionShare {
    stopwatch: Stopwatch,
    pub time: Duration,
    is_last: bool,
    /// The number of branches and findings when the function last gained one, and the time and the runs of that.
    covered: u64,
    since: (Duration, u64),
}

impl FunctionShare {
    /// Checks whether the function is to go on.
    pub fn check(&mut self, now: &ExplorationProgress) -> Go {
        let (covered, runs) = (now.statistics.answers + now.findings as u64, now.statistics.runs);
        self.check_at(self.stopwatch.elapsed(), runs, covered)
    }

    /// The same at a time after its start, with so many runs, and branches and findings.
    fn check_at(&mut self, elapsed: Duration, runs: u64, covered: u64) -> Go {
        if covered > self.covered {
            (self.covered, self.since) = (covered, (elapsed, runs));
        }
        let (since, before) = self.since;
        let is_idle = elapsed.saturating_sub(since) > self.time / PATIENCE && runs >= before + RUNS;
        match elapsed {
            elapsed if elapsed >= self.time => Go::Share,
            _ if !self.is_last && is_idle => Go::Yield,
            _ => Go::On,
        }
    }

    /// True if a function that had so much time before is worth another exploration.
    pub fn is_worth(&self, before: Duration) -> bool {
        self.time > before * AGAIN
    }
}

/// True if the share of a function was over while it still covered something.
pub(super) fn is_cut(result: &JobResult) -> bool {
    result.exploration.causes.iter().any(|cause| cause.reason == Reason::Share)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn millis(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    fn share(is_last: bool) -> FunctionShare {
        FunctionShare {
            stopwatch: Stopwatch::start(),
            time: millis(100),
            is_last,
            covered: 0,
            since: (Duration::ZERO, 0),
        }
    }

    #[test]
    fn who_covers_nothing_yields_and_who_covers_goes_on() {
        let mut covering = share(false);
        let at = [(0, 1), (40, 2), (80, 3), (99, 3), (100, 4)];
        let said = at.map(|(elapsed, covered)| covering.check_at(millis(elapsed), elapsed, covered));
        assert_eq!(said, [Go::On, Go::On, Go::On, Go::On, Go::Share]);
        let mut idle = share(false);
        let said = [(10, 10, 1), (60, 60, 1), (61, 17, 1), (62, 18, 1)]
            .map(|(elapsed, runs, covered)| idle.check_at(millis(elapsed), runs, covered));
        assert_eq!(said, [Go::On, Go::On, Go::On, Go::Yield]);
    }

    #[test]
    fn the_last_one_has_no_one_to_yield_to() {
        let mut last = share(true);
        assert_eq!((last.check_at(millis(99), 99, 0), last.check_at(millis(100), 99, 0)), (Go::On, Go::Share));
        assert!(last.is_worth(millis(49)) && !last.is_worth(millis(50)));
    }

    #[test]
    fn shares_are_parts_of_what_is_left() {
        let total = TotalTime::new(Duration::from_secs(400));
        let time = total.share(4).time;
        assert!(time <= Duration::from_secs(100) && time > Duration::from_secs(80));
        assert!(total.share(1).is_last && TotalTime::new(Duration::ZERO).share(3).time.is_zero());
    }
}
