//! The way to a place: the call that gets there, or the proof that none does.
//!
//! Phase one goes backward from a goal to the entry points and asks the solver at every step ([`chase`], on the
//! [`ground`] that all chases share). What it finds are proofs that there is no way, and first inputs. Phase two runs
//! the program: from those inputs on, branch by branch, with loops taken as one opaque call where they are too long to
//! unroll ([`hunt`]). Whoever gets there is shown to the real VM.

mod chase;
mod entry;
mod goal;
mod ground;
mod hunt;
mod known;
mod pursuit;

pub use exec::backward::Graphs;
use solve::{Budget, Executor};
use term::{Mfa, Term};

pub use goal::Goal;
pub use pursuit::{Pursuit, Statistics, Verdict};

use crate::exploration::Go;
use crate::tested::Tested;
use hunt::Hunt;

/// The real VM.
pub trait Witness {
    /// Calls an entry point and watches whether it comes to the goal.
    fn confirm(&mut self, entry: Mfa, inputs: &[Term], goal: &Goal) -> Sighting;
}

/// What the real VM saw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sighting {
    Seen,
    /// It went elsewhere, in words.
    Unseen {
        what: String,
    },
    /// A limit of time or memory ended the call.
    Limit {
        what: String,
    },
    /// The VM died and did not come back.
    Dead {
        what: String,
    },
}

/// What a pursuit may use.
#[derive(Clone, Debug)]
pub struct Options {
    /// Runs from each entry point.
    pub max_runs: u64,
    /// Steps of a path beyond this one are not flipped.
    pub max_depth: usize,
    pub max_input_size: usize,
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Self {
        let usual = crate::Options::default();
        Options {
            max_runs: 2_000,
            max_depth: usual.max_depth,
            max_input_size: usual.max_input_size,
            budget: usual.budget,
        }
    }
}

/// What can be told on the way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    pub goals: usize,
    /// Of these, those with a verdict.
    pub settled: usize,
    pub statistics: Statistics,
}

/// Everybody a pursuit needs.
pub struct Party<'a, 'w> {
    pub graphs: &'a mut dyn Graphs,
    /// The entry points.
    pub subjects: &'a mut [Tested<'w>],
    /// All functions of the modules under test, exported or not.
    pub functions: &'a [Mfa],
    pub solver: &'a mut dyn Executor,
    pub witness: &'a mut dyn Witness,
    pub progress: &'a mut dyn FnMut(&Progress) -> Go,
}

/// Pursues goals; the answers come in their order.
pub fn reach<'a, 'w>(party: Party<'a, 'w>, goals: &'a [Goal], options: &'a Options) -> Vec<Pursuit> {
    let mut hunt = Hunt::new(party, goals, options);
    hunt.all();
    hunt.finish()
}
