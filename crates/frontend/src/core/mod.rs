//! Core Erlang as the OTP compiler emits it: its syntax, and reading it from the compiler's own record terms.
//!
//! A module is read lazily: [`read`] looks at names only and keeps the term of every definition;
//! [`Definition::read`] turns one of them into a [`Function`]. A run touches few functions of a big module.

mod annotation;
mod error;
mod expr;
mod files;
mod module;
mod node;
mod pattern;
mod syntax;

pub use error::CoreError;
pub use files::Files;
pub use module::{Definition, Module, read};
pub use syntax::*;

/// How much stack a recursive step may need, and how much more to take when less is left.
pub(crate) const RED_ZONE: usize = 128 << 10;
pub(crate) const STACK_STEP: usize = 4 << 20;

/// Runs a step of a recursion whose depth the input decides.
pub(crate) fn deep<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE, STACK_STEP, step)
}
