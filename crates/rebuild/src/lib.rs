//! Rebuilding: from the events of a run its symbolic run, and from that other inputs.
//!
//! The events of a run say what was matched with what. Read once more with unknown parameters they give the result and the
//! parameters as patterns ([`symbolic`]); with one selected clause replaced by another, and what came after it left out,
//! they give the parameters of runs that go there ([`alternatives`]). [`tests`] repeats that until nothing is new.
//!
//! That is unification, and it sees patterns alone: of lists, tuples, literals and maps. What a function outside gave is
//! the value it gave; what an operation gives stays an application of it. Whether guards hold, bitstrings match and no
//! earlier clause takes a value is asked of the solvers, with the conditions that the machine records when it replays the
//! events: see `steer`. So a pattern that unification finds is only a proposal, and so is what solvers find: whatever is
//! proposed is run, and counts only if it went where it should.

mod choices;
mod eval;
mod ground;
mod partial_term;
mod procedure;
mod sent;
mod steer;
mod store;

pub use eval::{Alternative, Folding, Symbolic, alternatives, answers, symbolic, trace};
pub use partial_term::{PartialTerm, texts};
pub use procedure::{Events, Inputs, tests};
pub use steer::Steering;

use procedure::depth;
