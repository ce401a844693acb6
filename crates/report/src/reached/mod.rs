//! The result for a target: text for people, one line of JSON for programs.

mod explained;
mod json;
mod text;

pub use json::reached_line;
pub use text::reached_text;
