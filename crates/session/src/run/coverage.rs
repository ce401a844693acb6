//! The lines that a run went through, module by module.

use std::fmt;

use serde::Serialize;

/// The lines of one module.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ModuleCoverage {
    /// The module's name.
    pub module: String,
    /// Its source file.
    pub file: String,
    /// The lines that were run, ascending.
    pub covered: Vec<u32>,
    /// The number of lines that could be run.
    pub total: usize,
}

impl ModuleCoverage {
    /// Returns the covered lines as ranges: `3-5,9`.
    pub fn ranges(&self) -> String {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for &line in &self.covered {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == line => *last = line,
                _ => ranges.push((line, line)),
            }
        }
        let shown = ranges.iter().map(|(first, last)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        });
        shown.collect::<Vec<_>>().join(",")
    }
}

impl fmt::Display for ModuleCoverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} of {} lines: {}", self.module, self.covered.len(), self.total, self.ranges())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_range() {
        let lines =
            ModuleCoverage { module: "m".into(), file: "m.erl".into(), covered: vec![3, 4, 5, 9, 11, 12], total: 20 };
        assert_eq!(lines.to_string(), "m: 6 of 20 lines: 3-5,9,11-12");
    }
}
