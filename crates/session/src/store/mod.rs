//! The store of earlier findings: they are replayed before a function is explored, and those that the search does not find
//! again are findings all the same.
//!
//! The search knows nothing of the store: what it finds, in which order, does not depend on it.

mod replay;

use search::{Exploration, Finding, Verdict};
use serde::{Deserialize, Serialize};

use crate::Session;
use crate::job::{FindingDetail, Job, JobResult};

pub(crate) use replay::replay;

/// Findings of one function that are kept.
const MOST: usize = 64;

/// A finding with its details.
#[derive(Clone, Serialize, Deserialize)]
pub struct StoredFinding {
    pub finding: Finding,
    pub detail: FindingDetail,
}

/// The findings of a function, with the hash of the code that has them.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct StoredFunction {
    content: Option<[u8; 16]>,
    findings: Vec<StoredFinding>,
}

/// The standing of a function's earlier findings.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct EarlierFindings {
    /// True if the code is another than the one they were found in.
    pub is_changed: bool,
    /// Those that the VM does not show any more.
    pub fixed: Vec<StoredFinding>,
    /// Those that the VM shows as before.
    pub still: Vec<StoredFinding>,
    /// The number of these that the search has not found.
    pub only: usize,
    /// Those that could not be replayed, or that a rule of the user covers now.
    pub(crate) unsettled: Vec<StoredFinding>,
}

impl EarlierFindings {
    /// True if the user learns something from them.
    pub fn is_news(&self) -> bool {
        let is_any = !self.fixed.is_empty() || !self.still.is_empty();
        !self.fixed.is_empty() || self.only > 0 || self.is_changed && is_any
    }
}

/// Returns what is known of a function from earlier runs.
pub(crate) fn read(session: &Session, job: &Job) -> Option<StoredFunction> {
    let name = StoreName::of(session, job);
    let data = session.host().kept_findings(&name.parts())?;
    serde_json::from_slice(&data).ok()
}

/// Keeps the findings of a result for later runs.
pub(crate) fn keep(session: &Session, job: &Job, known: Option<&StoredFunction>, result: &JobResult) {
    let name = StoreName::of(session, job);
    let found = result.exploration.findings.iter().zip(&result.details);
    let found = found.map(|(finding, detail)| StoredFinding { finding: finding.clone(), detail: detail.clone() });
    let mut findings: Vec<StoredFinding> = found.chain(result.earlier.unsettled.iter().cloned()).take(MOST).collect();
    findings.iter_mut().for_each(|one| one.detail.is_earlier = false);
    if findings.is_empty() && known.is_none() {
        return;
    }
    let function = StoredFunction { content: session.content(job.function.module), findings };
    if let Ok(data) = serde_json::to_vec(&function) {
        session.host().keep_findings(&name.parts(), &data);
    }
}

/// Adds findings that a result has not: those whose place and kind it does not have so often.
pub(crate) fn join(result: &mut JobResult, others: &[StoredFinding], is_earlier: bool) -> usize {
    let JobResult { exploration: Exploration { findings, verdict, .. }, details, .. } = result;
    let mut open: Vec<bool> = vec![true; findings.len()];
    let mut left: Vec<&StoredFinding> = others.iter().collect();
    let alike: [fn(&Finding, &Finding) -> bool; 3] =
        [|a, b| a.stimulus == b.stimulus, |a, b| a.cause.is_some() && a.cause == b.cause, |_, _| true];
    for is_alike in alike {
        left.retain(|other| {
            let is_same = |finding: &Finding| finding.key == other.finding.key && is_alike(finding, &other.finding);
            let found = findings.iter().enumerate().find(|(at, finding)| open[*at] && is_same(finding));
            let found = found.map(|(at, _)| at);
            found.into_iter().for_each(|at| open[at] = false);
            found.is_none()
        });
    }
    for StoredFinding { finding, detail } in &left {
        if finding.key.kind.ends_the_call() {
            *verdict = Verdict::Crash;
        }
        findings.push(finding.clone());
        details.push(FindingDetail { is_earlier, ..detail.clone() });
    }
    left.len()
}

/// The name under which the findings of a function are kept: the place of its code, and what decides its inputs.
struct StoreName(Vec<Vec<u8>>);

impl StoreName {
    fn of(session: &Session, job: &Job) -> StoreName {
        let file = session.file_of(job.function.module).unwrap_or_default();
        let pre = job.precondition.map(|pre| pre.to_string()).unwrap_or_default();
        let version = env!("CARGO_PKG_VERSION").as_bytes().to_vec();
        let clock = vec![u8::from(job.settings.any_clock)];
        let states = vec![u8::from(job.settings.states.contains(&job.function.module))];
        StoreName(vec![
            version,
            file.as_os_str().as_encoded_bytes().to_vec(),
            job.function.to_string().into_bytes(),
            pre.into_bytes(),
            clock,
            states,
        ])
    }

    fn parts(&self) -> Vec<&[u8]> {
        self.0.iter().map(Vec::as_slice).collect()
    }
}
