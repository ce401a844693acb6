//! Reaching goals: a call that gets to a place in the program, or the proof that none does.
//!
//! Phase one searches backward from each goal to the entry points, with a query at every segment ([`backward`], in the
//! [`context`] that all goals share); it gives proofs of unreachability and first inputs. Phase two explores the
//! program from those inputs on, with loops taken as one opaque call where they are too long to unroll ([`driver`]).
//! Inputs that come to a goal are confirmed on the real VM.
//!
//! A goal is reached by any process of a call. The backward search follows a fun to where it is made, whatever process
//! calls it, and gives up where functions are called by names that it does not see. The explorations make every schedule.

mod backward;
mod context;
mod driver;
mod entry;
mod explain;
mod goal;
mod oracle;
mod result;

use constraint::Stimulus;
pub use exec::backward::Graphs;
use solve::{Budget, Executor};
use term::Mfa;

pub use explain::{BackwardExplanation, GoalExplanation, InputTrial, PathFit, PathPlace};
pub use goal::Goal;
pub use result::{GoalResult, GoalVerdict, ReachStatistics};

use crate::exploration::Go;
use crate::limits;
use crate::machine_subject::MachineSubject;
use driver::Driver;

/// Confirms on the real VM that a call comes to a goal.
pub trait ReachConfirm {
    /// Calls an entry point, under the schedule if the call starts processes, and observes if any comes to the goal.
    fn confirm(&mut self, entry: Mfa, stimulus: &Stimulus, goal: &Goal) -> ReachConfirmation;
}

/// The real VM's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReachConfirmation {
    /// The call came to the goal.
    Reached,
    /// It took another path, in words.
    Missed { what: String },
    /// A limit of time or memory ended the call.
    Limit { what: String },
    /// The VM died and did not come back.
    Dead { what: String },
}

/// Bounds of a search for goals.
#[derive(Clone, Debug)]
pub struct ReachBounds {
    /// Runs from each entry point.
    pub max_runs: u64,
    /// Of these, runs that begin with another schedule.
    pub max_schedules: u64,
    /// Decisions of a path beyond this one are not flipped.
    pub max_depth: usize,
    /// Nodes of all inputs together.
    pub max_input_size: usize,
    /// The budget of one query.
    pub budget: Budget,
    /// True if paths and tried inputs are kept to explain how goals are reached.
    pub explain: bool,
}

impl Default for ReachBounds {
    fn default() -> Self {
        ReachBounds {
            max_runs: limits::REACH_RUNS,
            max_schedules: u64::MAX,
            max_depth: limits::DEPTH,
            max_input_size: limits::INPUT_SIZE,
            budget: limits::BUDGET,
            explain: false,
        }
    }
}

/// The progress of a search for goals.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReachProgress {
    /// The number of goals.
    pub goals: usize,
    /// Of these, those with a verdict.
    pub settled: usize,
    /// Counts so far.
    pub statistics: ReachStatistics,
}

/// The program, solver and VM of a search for goals.
pub struct ReachContext<'a, 'w> {
    /// The graphs of functions.
    pub graphs: &'a mut dyn Graphs,
    /// The entry points.
    pub subjects: &'a mut [MachineSubject<'w>],
    /// All functions of the modules under test, exported or not.
    pub functions: &'a [Mfa],
    /// Answers queries.
    pub solver: &'a mut dyn Executor,
    /// The real VM.
    pub confirm: &'a mut dyn ReachConfirm,
    /// Hears of the progress and decides if the search goes on.
    pub progress: &'a mut dyn FnMut(&ReachProgress) -> Go,
}

/// Searches for goals; the results come in their order.
pub fn reach<'a, 'w>(context: ReachContext<'a, 'w>, goals: &'a [Goal], options: &'a ReachBounds) -> Vec<GoalResult> {
    let mut driver = Driver::new(context, goals, options);
    driver.all();
    driver.finish()
}
