//! Rebuilding: from the events of a run its symbolic run, by unification alone, and from that other inputs.
//!
//! The events of a run say what was matched with what. Read once more with unknown parameters they give the result and the
//! parameters as patterns ([`symbolic`]); with one selected clause replaced by another, and what came after it left out,
//! they give the parameters of runs that go there ([`alternatives`]). [`tests`] repeats that until nothing is new.
//!
//! Only what unification sees is rebuilt: the clauses' patterns of lists, tuples and literals. What a function outside
//! gave is the value it gave; what an operation gives stays an application of it. Guards, and patterns of maps and
//! bitstrings, hold nothing: an input that they send elsewhere is still a test, only not the one that was meant.

mod eval;
mod ground;
mod procedure;
mod store;

pub use eval::{Alternative, Symbolic, alternatives, symbolic, trace};
pub use procedure::{Events, Inputs, tests};
pub use store::{Answer, texts};
