//! Conditions on numbers written as text, without any program: variables with their kinds and ranges, a constraint a
//! line.
//!
//! Operations mean what they mean in Erlang: integers have any size, a float that would be infinite or no number is no
//! value, and an integer next to a float becomes one.

mod call;
mod formula;
mod parse;
#[cfg(test)]
mod tests;
mod token;

use term::Mfa;

use crate::{Arena, Condition, Grammar, RuleId};

/// A text that was read. Inputs meet it if they meet all conditions of one of the alternatives.
pub struct Text {
    /// The expressions of the conditions.
    pub arena: Arena,
    /// The rules of the variables.
    pub grammar: Grammar,
    /// The names of the inputs, in their order, and their rules.
    pub names: Vec<String>,
    /// The rule of each variable.
    pub inputs: Vec<RuleId>,
    /// Conjunctions, one of which must hold.
    pub alternatives: Vec<Vec<Condition>>,
    /// Opaque functions, and where they stand: line and column.
    pub asked: Vec<(Mfa, usize, usize)>,
    /// The rule of how their calls end: `{Value}`, or the class and reason of an exception.
    pub outcome: RuleId,
}

/// The fault of a text, and where it is; both from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct Fault {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// The description for the user.
    pub message: String,
}

/// A place in a text, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Spot {
    line: usize,
    column: usize,
}

impl Spot {
    fn fault<T>(self, message: impl Into<String>) -> Result<T, Fault> {
        Err(Fault { line: self.line, column: self.column, message: message.into() })
    }
}

impl Text {
    /// Reads a text.
    pub fn read(text: &str) -> Result<Text, Fault> {
        parse::read(&token::tokens(text)?)
    }
}
