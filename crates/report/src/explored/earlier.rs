//! The findings of earlier runs: what is fixed, and what is still there.

use serde::Serialize;
use session::job::JobResult;
use session::store::StoredFinding;

use super::text::headline;
use crate::json::line;
use crate::notation;
use crate::phrases::counted;

/// Returns what became of earlier findings; nothing if the code is the same and the search has found them all again.
pub fn earlier_findings(all: &[JobResult]) -> String {
    let mut out = String::new();
    if !is_news(all) {
        return out;
    }
    for one in all {
        for fixed in &one.earlier.fixed {
            out.push_str(&format!("fixed since the last run: {}\n", shown(one, fixed)));
        }
    }
    let still: usize = all.iter().map(|one| one.earlier.still.len()).sum();
    let only: usize = all.iter().map(|one| one.earlier.only).sum();
    if still > 0 {
        let missed = match only {
            0 => String::new(),
            only => format!("; of these {only} {} not found again by this search", was(only)),
        };
        out.push_str(&format!("still there: {} of the last run{missed}\n", counted(still as u64, "finding")));
    }
    out
}

/// The same as a line of JSON.
pub fn earlier_line(all: &[JobResult]) -> String {
    if !is_news(all) {
        return String::new();
    }
    let fixed = all.iter().flat_map(|one| one.earlier.fixed.iter().map(|fixed| shown(one, fixed))).collect();
    let still = all.iter().map(|one| one.earlier.still.len()).sum();
    line("store", &StoreLine { fixed, still, only: all.iter().map(|one| one.earlier.only).sum() })
}

fn is_news(all: &[JobResult]) -> bool {
    all.iter().any(|one| one.earlier.is_news())
}

#[derive(Serialize)]
struct StoreLine {
    fixed: Vec<String>,
    still: usize,
    /// Those among them that the search has not found.
    only: usize,
}

fn was(count: usize) -> &'static str {
    if count == 1 { "was" } else { "were" }
}

/// What it was, and the call that showed it; its place is that of the earlier code.
fn shown(one: &JobResult, StoredFinding { finding, detail }: &StoredFinding) -> String {
    let call = notation::call(one, &finding.stimulus.inputs);
    format!("{} in {}: {call}", headline(one, (finding, detail)), notation::name(one))
}
