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
