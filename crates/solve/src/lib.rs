//! Solvers for path conditions: small members behind one trait, their order decided in one place.
//!
//! A [`Query`] asks for inputs of the grammar that meet all conditions. An answer with inputs is checked against the
//! query before anybody sees it; an answer without is a proof that there are none.

mod cache;
pub mod float;
pub mod integer;
mod members;
pub mod opaque;
mod parcel;
mod portfolio;
mod query;
mod shapes;
mod slice;
mod smt;
pub mod structural;
pub mod walk;

pub use members::{Crew, Members, Reply, Walk};
pub use parcel::{Desk, Parcel, PlainReply};
pub use portfolio::{Counts, Portfolio, Stats};
pub use query::{Answer, Budget, Member, Query, Unknown};
pub use shapes::Shapes;
pub use smt::{Smt, SmtError, SmtSolver};
