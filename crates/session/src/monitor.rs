//! The observer of a command's progress.

use search::reach::{Goal, GoalResult};
use search::{ExplorationProgress, Finding, Go, MachineSubject};
use term::Mfa;

use crate::job::JobResult;

/// Follows explorations and searches for targets, and may end them.
pub trait Monitor {
    /// Called while a function is explored; the answer may end its exploration.
    fn exploring(&mut self, _: Mfa, _: &ExplorationProgress) -> Go {
        Go::On
    }

    /// Called when a finding was confirmed; its cause and its rank may change until the end of the exploration.
    fn found(&mut self, _: Mfa, _: &Finding) {}

    /// Called after a function was explored; returns true if the next one is to follow.
    fn explored(&mut self, _: &JobResult) -> bool {
        true
    }

    /// Called while targets are searched for.
    fn searching(&mut self, _: &search::reach::ReachProgress) {}

    /// Called after the search, with the entry points, the goals, and the result of each.
    fn searched(&mut self, _: &mut [MachineSubject<'_>], _: &[Goal], _: &[GoalResult]) {}
}

impl Monitor for () {}
