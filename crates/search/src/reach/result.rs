//! The result of a search for one goal.

use constraint::Stimulus;
use serde::Serialize;
use term::Mfa;

use super::explain::GoalExplanation;
use crate::reason::Cause;

/// The result for one goal.
#[derive(Clone, Debug)]
pub struct GoalResult {
    /// The verdict.
    pub verdict: GoalVerdict,
    /// Reasons for which it is not settled; empty if it is.
    pub causes: Vec<Cause>,
    /// True if the proof rests on runs with processes: it holds where messages arrive at once, and time passes when no
    /// process can go on.
    pub scheduled: bool,
    /// Its cost.
    pub statistics: ReachStatistics,
    /// The path to it, and the inputs that were tried, if that was asked for.
    pub explanation: Option<Box<GoalExplanation>>,
}

/// The three verdicts, never mixed.
#[derive(Clone, Debug)]
pub enum GoalVerdict {
    /// This call gets there, confirmed on the real VM.
    Reached { entry: Mfa, stimulus: Stimulus },
    /// No call does: a proof.
    Unreachable,
    /// Neither.
    Incomplete,
}

/// The cost of a search for goals.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct ReachStatistics {
    /// Segments of the path from the goal to the entry point that led to the inputs.
    pub segments: u64,
    /// All segments that were explored.
    pub explored: u64,
    /// Queries to the solvers.
    pub queries: u64,
    /// Runs of the machine.
    pub runs: u64,
    /// Those of them that began with another schedule.
    pub schedules: u64,
}

impl ReachStatistics {
    pub(super) fn add(&mut self, other: &ReachStatistics) {
        self.explored += other.explored;
        self.queries += other.queries;
        self.runs += other.runs;
        self.schedules += other.schedules;
    }
}

impl GoalVerdict {
    /// The name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            GoalVerdict::Reached { .. } => "reached",
            GoalVerdict::Unreachable => "unreachable",
            GoalVerdict::Incomplete => "incomplete",
        }
    }

    /// True if it is not incomplete.
    pub fn is_settled(&self) -> bool {
        !matches!(self, GoalVerdict::Incomplete)
    }
}
