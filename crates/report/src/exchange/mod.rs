//! Explored functions in the formats of other tools: scanners of code, runners of tests, reviews of a change.

mod github;
mod junit;
mod sarif;

use search::{Finding, FindingRank, Verdict};
use session::job::{FindingDetail, JobResult, Novelty};

use crate::explored::{KnownFindings, defect, finding_text, sentences};
use crate::notation::{self, prose};

/// A format of other tools.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exchange {
    /// SARIF 2.1.0, which scanners of code write and reviews of a change read.
    Sarif,
    /// The XML of JUnit, which runners of tests write.
    Junit,
    /// Lines that GitHub shows beside the code.
    Github,
}

/// The findings that count, and the folder of the files.
#[derive(Clone, Debug)]
pub struct ExchangeView {
    /// The folder that files are named from, if they are in it.
    pub folder: Option<String>,
    /// The least interesting rank that fails.
    pub fail_on: FindingRank,
    /// True if a function fails that is neither safe nor crashes.
    pub is_incomplete_failed: bool,
}

impl Exchange {
    /// The report of these results.
    pub fn report(self, all: &[JobResult], view: &ExchangeView) -> String {
        match self {
            Exchange::Sarif => sarif::report(all, view),
            Exchange::Junit => junit::report(all, view),
            Exchange::Github => github::report(all, view),
        }
    }
}

/// A finding of the first function that shows it.
struct Shown<'a> {
    explored: &'a JobResult,
    finding: &'a Finding,
    detail: &'a FindingDetail,
}

/// The findings of each function that no function before it has shown.
fn shown(all: &[JobResult]) -> Vec<Vec<Shown<'_>>> {
    let mut known = KnownFindings::default();
    let of_function = |explored| {
        let standings = known.add(explored);
        let findings = explored.exploration.findings.iter().zip(&explored.details).zip(standings);
        let first = findings.filter(|(_, standing)| standing.same_as.is_none());
        first.map(|((finding, detail), _)| Shown { explored, finding, detail }).collect()
    };
    all.iter().map(of_function).collect()
}

impl Shown<'_> {
    fn is_known(&self) -> bool {
        self.detail.novelty == Some(Novelty::Known)
    }

    fn fails(&self, view: &ExchangeView) -> bool {
        !self.is_known() && self.finding.ranking.rank <= view.fail_on
    }

    /// `error: badarith in shop:total/1`.
    fn title(&self) -> String {
        format!("{} in {}", defect(self.explored, (self.finding, self.detail)), notation::name(self.explored))
    }

    /// The lines that are printed below that.
    fn text(&self) -> String {
        finding_text(self.explored, (self.finding, self.detail))
    }

    /// The file, from the folder that files are named from.
    fn file(&self, view: &ExchangeView) -> &str {
        let inside = |folder: &String| self.detail.file.strip_prefix(folder.as_str())?.strip_prefix('/');
        view.folder.as_ref().and_then(inside).unwrap_or(&self.detail.file)
    }
}

/// The reasons why a function is neither safe nor crashes, in words.
fn open(explored: &JobResult) -> Option<String> {
    let is_open = explored.exploration.verdict == Verdict::Incomplete;
    is_open.then(|| prose(explored.language, &sentences(&explored.exploration.causes).join("; ")))
}
