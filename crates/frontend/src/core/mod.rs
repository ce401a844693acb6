//! Core Erlang as the OTP compiler emits it: the compiler's own record terms, taken apart.
//!
//! A module is read lazily: [`read`] looks at names only and keeps the term of every definition, from which
//! [`flatten`](crate::flat::flatten) makes a flat function. A run touches few functions of a big module.

mod annotation;
mod error;
mod files;
mod format;
mod module;
mod name;
pub(crate) mod node;

pub use error::CoreError;
pub use files::Files;
pub use module::{Definition, Module, read};
pub use name::Name;

pub(crate) use annotation::Annotation;
pub(crate) use format::format;
pub(crate) use name::{Named, Variable, function, variable, variable_or_function, variables};
