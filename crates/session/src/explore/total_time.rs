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
            since: Duration::ZERO,
        }
    }
}

/// The share of one function.
pub(super) struct FunctionShare {
    stopwatch: Stopwatch,
    pub time: Duration,
    is_last: bool,
    /// The number of branches and findings when the function last gained one, and the time of that.
    covered: u64,
    since: Duration,
}

impl FunctionShare {
    /// Checks whether the function is to go on.
    pub fn check(&mut self, now: &ExplorationProgress) -> Go {
        self.check_at(self.stopwatch.elapsed(), now.statistics.answers + now.findings as u64)
    }

    /// The same at a time after its start, with so many branches and findings.
    fn check_at(&mut self, elapsed: Duration, covered: u64) -> Go {
        if covered > self.covered {
            (self.covered, self.since) = (covered, elapsed);
        }
        match elapsed {
            elapsed if elapsed >= self.time => Go::Share,
            elapsed if !self.is_last && elapsed.saturating_sub(self.since) > self.time / PATIENCE => Go::Yield,
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
        FunctionShare { stopwatch: Stopwatch::start(), time: millis(100), is_last, covered: 0, since: Duration::ZERO }
    }

    #[test]
    fn who_covers_nothing_yields_and_who_covers_goes_on() {
        let mut covering = share(false);
        let at = [(0, 1), (40, 2), (80, 3), (99, 3), (100, 4)];
        let said = at.map(|(elapsed, covered)| covering.check_at(millis(elapsed), covered));
        assert_eq!(said, [Go::On, Go::On, Go::On, Go::On, Go::Share]);
        let mut idle = share(false);
        let said = [(10, 1), (60, 1), (61, 1)].map(|(elapsed, covered)| idle.check_at(millis(elapsed), covered));
        assert_eq!(said, [Go::On, Go::On, Go::Yield]);
    }

    #[test]
    fn the_last_one_has_no_one_to_yield_to() {
        let mut last = share(true);
        assert_eq!((last.check_at(millis(99), 0), last.check_at(millis(100), 0)), (Go::On, Go::Share));
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
