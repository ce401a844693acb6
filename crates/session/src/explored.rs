//! The result of exploring one function.

use exec::forward::Ending;
use search::{Case, Exploration, Verdict};
use term::{Mfa, Term};

/// Everything there is to say about one explored function.
pub struct Explored {
    pub function: Mfa,
    pub exploration: Exploration,
    /// Details of each finding, in the order of the exploration's.
    pub details: Vec<Detail>,
    /// Covered and all.
    pub lines: (usize, usize),
    pub branches: (usize, usize),
    /// The parts of the spec that were not understood.
    pub warnings: Vec<String>,
    pub millis: u128,
    /// The reason why it was explored on the BEAM although the options left the choice open.
    pub on_vm: Option<String>,
    /// The reason why it could not be explored on the BEAM although it should have been.
    pub not_on_vm: Option<String>,
}

/// The facts about a finding that the search does not know.
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

impl Explored {
    /// Returns why there was nothing to find, if no input is allowed at all.
    pub fn empty(&self) -> Option<&'static str> {
        let Exploration { verdict, statistics, .. } = &self.exploration;
        match (verdict, statistics.runs) {
            (Verdict::Safe, 0) => Some("its spec allows no input"),
            (Verdict::Safe, runs) if runs == statistics.outside => Some("no input meets the precondition"),
            _ => None,
        }
    }

    /// Returns the calls to write tests from: the findings' witnesses, then a call per path that was kept; each once.
    pub fn tests(&self) -> impl Iterator<Item = Case> {
        let findings = self.exploration.findings.iter().map(|finding| Case {
            signature: finding.signature,
            stimulus: finding.stimulus.clone(),
            ending: Ending::Raised(finding.exception.clone()),
        });
        let mut seen: Vec<Vec<Term>> = Vec::new();
        findings.chain(self.exploration.cases.iter().cloned()).filter(move |case| {
            let new = !seen.contains(&case.stimulus.inputs);
            seen.extend(new.then(|| case.stimulus.inputs.clone()));
            new
        })
    }
}
