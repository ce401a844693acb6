//! What each operation means. One file per library module; the concrete rule here, other readings beside it later.

mod binary;
mod detour;
mod dictionary;
mod erlang;
mod io;
mod lists;
mod maps;
mod math;
mod native;

pub mod opaque;
pub mod policy;
pub mod prelude;
mod raise;
mod re;
mod string;
mod unicode;

pub use detour::{Detour, Subject, detour, subject};
pub use dictionary::{Dictionary, Step};
pub(crate) use native::Entry;
pub use native::{Environment, Eval, Native, native, natives};
