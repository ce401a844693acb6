//! Endless loops that no recurrence shows by itself: those that change their arguments, and those that rare inputs run into.

mod induction;
mod recurrence;

pub use induction::{InductionCheck, LONGEST_ROUND, LoopLearner};
pub use recurrence::{RoundKey, loop_questions};
