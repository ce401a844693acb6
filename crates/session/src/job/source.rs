//! Lines of source files that a report shows.

use serde::{Deserialize, Serialize};

/// A line of a source with a marked part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MarkedLine {
    /// The number of the line, from 1 on.
    pub line: u32,
    /// The line without its end.
    pub text: String,
    /// The beginning of the marked part, in bytes.
    pub start: usize,
    /// Its end.
    pub end: usize,
}

/// The clause of a spec that allows the inputs of a finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SpecLines {
    /// The file as a report names it.
    pub file: String,
    /// The first lines of the clause.
    pub lines: Vec<MarkedLine>,
}
