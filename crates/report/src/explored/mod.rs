//! An explored function, in words: findings, verdict and reasons for people, one line of JSON for programs, tests.

mod eunit;
mod json;
mod paint;
mod text;

use search::{Exploration, Verdict};
use term::{Call, Mfa, Term};

pub use eunit::{SUITE_HEAD, Suite, suite_name};
pub use json::explored_line;
pub(crate) use json::{ReasonField, reason};
pub use paint::Paint;
pub(crate) use text::sentences;
pub use text::{explored_text, summary};

/// Everything there is to say about one explored function.
pub struct Explored {
    pub function: Mfa,
    pub exploration: Exploration,
    /// Details of each finding, in the order of the exploration's.
    pub details: Vec<Detail>,
    /// Covered and all.
    pub lines: (usize, usize),
    pub branches: (usize, usize),
    /// What in the spec was not understood.
    pub warnings: Vec<String>,
    pub millis: u128,
    /// Why it was explored on the BEAM, if it was although nobody had asked for that.
    pub on_vm: Option<String>,
    /// Why it was not, although it should have been.
    pub not_on_vm: Option<String>,
}

impl Explored {
    /// Why there was nothing to find, if no input is allowed at all.
    fn empty(&self) -> Option<&'static str> {
        let Exploration { verdict, statistics, .. } = &self.exploration;
        match (verdict, statistics.runs) {
            (Verdict::Safe, 0) => Some("its spec allows no input"),
            (Verdict::Safe, runs) if runs == statistics.outside => Some("no input meets the precondition"),
            _ => None,
        }
    }
}

/// What a finding has besides what the search knows.
pub struct Detail {
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// The clauses that the call goes through, a phrase each.
    pub path: Vec<String>,
    /// The opaque functions it depends on, and the strategy around them.
    pub opaque: Vec<String>,
    pub strategy: String,
}

/// The call to paste into the shell.
fn call(function: Mfa, inputs: &[Term]) -> String {
    Call { module: function.module, function: function.function, args: inputs.to_vec() }.to_string()
}
