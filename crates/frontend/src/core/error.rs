//! Errors in Core Erlang.

use std::fmt;

use super::Name;

/// A node that is not what it should be, or that we do not take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoreError {
    /// The function it stands in, if any.
    pub function: Option<Name>,
    /// The source line, 0 if unknown.
    pub line: u32,
    /// The problem, in words.
    pub problem: String,
}

impl CoreError {
    pub(crate) fn new(problem: impl Into<String>) -> CoreError {
        CoreError { function: None, line: 0, problem: problem.into() }
    }

    pub(crate) fn within(mut self, function: Name) -> CoreError {
        self.function.get_or_insert(function);
        self
    }

    pub(crate) fn at(mut self, line: u32) -> CoreError {
        if self.line == 0 {
            self.line = line;
        }
        self
    }
}

impl fmt::Display for CoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.function {
            write!(f, "{}/{}: ", name.function.name(), name.arity)?;
        }
        if self.line != 0 {
            write!(f, "line {}: ", self.line)?;
        }
        f.write_str(&self.problem)
    }
}

impl std::error::Error for CoreError {}
