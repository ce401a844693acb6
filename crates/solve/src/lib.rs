//! Solvers for path conditions: small solvers behind one interface, their order decided in one file.
//!
//! A [`Query`] asks for inputs of the grammar that meet all conditions. An [`Executor`] answers queries: [`Solvers`] in
//! this thread, others elsewhere, for which a query becomes a [`Task`]. A [`Portfolio`] is the executor that a search
//! asks: it adds slices, a cache and the check of every model against its query. An unsat answer is a proof; a
//! [`Rechecker`] asks a second opinion on some of them.

// The tests share a module with those outside, which name the crate.
#[cfg(test)]
extern crate self as solve;

mod cache;
mod executor;
mod float;
pub mod integer;
mod linear;
pub mod opaque;
mod order;
mod partition;
mod portfolio;
pub mod problem;
mod query;
mod rechecker;
mod shapes;
mod slice;
mod smt;
mod solvers;
pub mod structural;
mod task;
pub mod walk;

pub use executor::{Executor, Response, WalkStats};
pub use portfolio::{Counts, Portfolio, Stats};
pub use query::{Answer, Budget, Query, UnknownReason};
pub use rechecker::{RecheckCounts, Rechecker};
pub use shapes::{Shapes, smallest_inputs};
pub use smt::{Smt, SmtError, SmtSolver};
pub use solvers::Solvers;
pub use task::Task;
