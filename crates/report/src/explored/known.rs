//! Findings that several functions show: a crash in what they call is one.

use search::{FindingKey, FindingRank};
use session::job::JobResult;
use term::Mfa;

use super::roots;
use super::text::headline;

/// The findings of the functions explored so far.
#[derive(Default)]
pub struct KnownFindings {
    findings: Vec<KnownFinding>,
}

/// A finding, with the functions that show it.
struct KnownFinding {
    key: FindingKey,
    rank: FindingRank,
    /// Its place and what it is, in words.
    headline: String,
    /// In the order they were explored.
    functions: Vec<Mfa>,
    /// True if it is a bug that is shown with another one.
    is_short: bool,
}

impl KnownFindings {
    /// Adds those of a function; returns, for each, the first function that showed it, if that is another one. Several
    /// causes at one place are taken for those of another function in their order.
    pub fn add(&mut self, explored: &JobResult) -> Vec<Option<Mfa>> {
        let function = explored.function;
        let mut first_of_each = Vec::new();
        let mut added = Vec::new();
        for (finding, detail) in explored.exploration.findings.iter().zip(&explored.details) {
            let is_alike = |known: &&mut KnownFinding| {
                (&known.key, known.rank) == (&finding.key, finding.ranking.rank) && !known.functions.contains(&function)
            };
            let known = self.findings.iter_mut().find(is_alike);
            first_of_each.push(known.as_ref().and_then(|known| known.functions.first().copied()));
            match known {
                Some(known) => {
                    known.functions.push(function);
                    added.push(None);
                }
                None => {
                    added.push(Some(self.findings.len()));
                    let (key, rank) = (finding.key.clone(), finding.ranking.rank);
                    let headline = headline(finding, detail);
                    self.findings.push(KnownFinding {
                        key,
                        rank,
                        headline,
                        functions: vec![function],
                        is_short: false,
                    });
                }
            }
        }
        let heads = roots::heads(explored, &first_of_each);
        for at in added.into_iter().zip(heads).filter_map(|(added, head)| added.filter(|_| head.is_some())) {
            self.findings[at].is_short = true;
        }
        first_of_each
    }

    /// The number of findings of a rank, each once.
    pub(super) fn count(&self, rank: FindingRank) -> usize {
        self.findings.iter().filter(|known| known.rank == rank).count()
    }

    /// The number of bugs that are shown with another one.
    pub(super) fn short(&self) -> usize {
        self.findings.iter().filter(|known| known.is_short).count()
    }

    /// Those that several functions show, a line each, without the bugs that are shown with another one unless all are.
    pub(super) fn shared(&self, all: bool) -> Vec<String> {
        let shared = self.findings.iter().filter(|known| known.functions.len() > 1 && (all || !known.is_short));
        let mut lines: Vec<String> = Vec::new();
        for known in shared {
            let functions: Vec<String> = known.functions.iter().map(|function| function.to_string()).collect();
            let line = format!("{} through {}", known.headline, functions.join(", "));
            // Several causes at one place may be shown by the same functions.
            lines.extend(Some(line).filter(|line| !lines.contains(line)));
        }
        lines
    }
}
