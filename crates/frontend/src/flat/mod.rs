//! The flat program: every argument a value, every bound name unique, every computation on the right of a `let`.

mod syntax;

pub use syntax::*;
