//! What each operation means. One file per library module; the concrete rule here, other readings beside it later.

mod native;
pub mod policy;

pub use native::{Environment, Eval, Native, native};
