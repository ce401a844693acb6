//! What each operation means. One file per library module; the concrete rule here, other readings beside it later.

mod erlang;
mod math;
mod native;

pub mod policy;
mod raise;

pub(crate) use native::Entry;
pub use native::{Environment, Eval, Native, native, natives};
