//! An explored function, in words: findings, verdict and reasons for people, one line of JSON for programs, tests.

mod eunit;
mod json;
mod paint;
mod text;

use term::{Call, Mfa, Term};

pub use eunit::{SUITE_HEAD, Suite, suite_name};
pub use json::explored_line;
pub(crate) use json::{ReasonField, reason};
pub use paint::Paint;
pub(crate) use text::sentences;
pub use text::{explored_text, summary};

/// The call to paste into the shell.
fn call(function: Mfa, inputs: &[Term]) -> String {
    Call { module: function.module, function: function.function, args: inputs.to_vec() }.to_string()
}
