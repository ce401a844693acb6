//! The operations of the library: one record per function, in the file of its library module.
//!
//! A record says how the function's value is computed, what it means in terms of expressions and conditions, which values
//! it gives, whether guards may call it, which Erlang code does the same, and what may be done with a call otherwise.
//! [`find`] looks a record up; names are resolved when code is lowered or linked. A new built-in function is one record.

mod atomics;
mod binary;
mod crypto;
mod detour;
mod dictionary;
mod erlang;
mod ets;
mod io;
mod lists;
mod maps;
mod math;
mod native;
pub mod opaque;
mod operation;
mod persistent_term;
pub mod policy;
pub mod prelude;
mod raise;
pub mod re;
mod result;
mod rule;
pub mod services;
mod specification;
mod string;
mod tables;
mod unicode;

pub use detour::{Detour, Subject};
pub use dictionary::{Dictionary, Step};
pub use erlang::key_hash;
pub use native::{Environment, Eval, Native};
pub use operation::{HandleView, Operation, Sampling, all, find, native, rule};
pub use result::{Gives, Returns};
pub use rule::{ArrayKind, ArrayOp, Boolean, Comparison, Control, DictionaryOp, EtsOp, Fresh, MapOp};
pub use rule::{Number, PersistentOp, Relation, Rule};
pub use specification::Specification;
