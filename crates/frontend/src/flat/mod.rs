//! The flat program: every argument a value, every bound name unique, every computation on the right of a `let`.

mod clause;
mod default_head;
mod depth;
mod flatten;
mod module;
mod print;
mod rename;
mod scope;
mod syntax;
mod value;
mod visit;

pub use default_head::default_head;
pub use flatten::flatten;
pub use module::flatten_module;
pub use print::{Style, action_text, pattern_text, print, print_function, value_text};
pub use rename::rename;
pub use syntax::*;
pub use visit::are_vars;
