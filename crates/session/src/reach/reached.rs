//! The result of the search for one target.

use search::reach::{GoalResult, GoalVerdict};
use term::{Call, Mfa, Notation, Term};

use crate::FindingSchedule;

/// Everything there is to say about one target.
pub struct Reached {
    /// The user's name, or ours.
    pub name: String,
    /// The source file.
    pub file: String,
    /// The line; 0 if unknown.
    pub line: u32,
    /// The column; 0 if unknown.
    pub column: u32,
    /// GoalVerdict, reasons and counts.
    pub result: GoalResult,
    /// The VM's confirmation.
    pub proof: Option<Proof>,
    /// The schedule of the call, if it starts processes.
    pub schedule: Option<FindingSchedule>,
    /// True if timeouts struck at any time.
    pub any_clock: bool,
    /// Wall-clock time of the search, in milliseconds.
    pub millis: u128,
    /// The time before and within it for extracting code and starting VMs, in milliseconds; the search is not charged.
    pub preparation: u128,
}

/// The real VM's confirmation that a call gets to a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// It counted this line, which only the target has; by `cover`, or by marks where `cover` would count.
    Line { line: u32, counter: &'static str },
    /// It ended the call as our machine did and ran the same lines, that of the target too where it has one.
    Outcome { line: Option<u32> },
}

impl Reached {
    /// True if a call gets to the target.
    pub fn is_reached(&self) -> bool {
        matches!(self.result.verdict, GoalVerdict::Reached { .. })
    }

    /// Returns the call to paste into the shell, and its arguments.
    pub fn call(&self) -> Option<(String, &[Term])> {
        match &self.result.verdict {
            GoalVerdict::Reached { stimulus, .. } => Some((self.native_call(Notation::ERLANG)?, &stimulus.inputs)),
            _ => None,
        }
    }

    /// Returns the call in a notation.
    pub fn native_call(&self, notation: Notation<'_>) -> Option<String> {
        match &self.result.verdict {
            GoalVerdict::Reached { entry, stimulus } => {
                let Mfa { module, function, .. } = *entry;
                Some(notation.call(&Call { module, function, args: stimulus.inputs.clone() }))
            }
            _ => None,
        }
    }
}
