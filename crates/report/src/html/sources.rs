//! Sources of a page: their texts, and the coverage of their lines by all explorations together.

use std::collections::{BTreeMap, BTreeSet};

use serde::ser::{Serialize, Serializer};
use session::job::{CoverageDetail, JobResult};
use term::Mfa;

use super::{PageView, file_name};

#[derive(serde::Serialize)]
pub(super) struct FileData<'a> {
    name: &'a str,
    /// Nothing if the source is not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    /// Lines in order: number, state, outcomes of its branches that runs had, and all of them.
    lines: Vec<(u32, LineState, usize, usize)>,
}

/// The coverage of a line, as a number.
#[derive(Clone, Copy)]
enum LineState {
    Missed = 0,
    Covered = 1,
    /// It has no code but branches.
    Branches = 2,
}

impl Serialize for LineState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(*self as u8)
    }
}

/// The coverage of a file: lines, and the outcomes of branches by what identifies these.
#[derive(Default)]
struct FileCoverage {
    lines: BTreeMap<u32, bool>,
    branches: BTreeMap<(u32, u32, usize, String), [bool; 2]>,
}

impl FileCoverage {
    fn add(&mut self, detail: &CoverageDetail) {
        for (line, is_covered) in &detail.lines {
            *self.lines.entry(*line).or_default() |= is_covered;
        }
        for branch in &detail.branches {
            let function: Mfa = branch.function;
            let name = (branch.line, branch.column, branch.index, function.to_string());
            let known = self.branches.entry(name).or_default();
            known.iter_mut().zip(branch.taken).for_each(|(known, taken)| *known |= taken);
        }
    }

    fn data(&self) -> Vec<(u32, LineState, usize, usize)> {
        let mut outcomes: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
        for ((line, ..), taken) in &self.branches {
            let (had, all) = outcomes.entry(*line).or_default();
            *had += taken.iter().filter(|taken| **taken).count();
            *all += 2;
        }
        let line = |line: u32| {
            let (had, all) = outcomes.get(&line).copied().unwrap_or_default();
            match self.lines.get(&line) {
                Some(true) => (line, LineState::Covered, had, all),
                // Of code that no run came to the branches say nothing more.
                Some(false) => (line, LineState::Missed, 0, 0),
                None => (line, LineState::Branches, had, all),
            }
        };
        let all: BTreeSet<u32> = self.lines.keys().chain(outcomes.keys()).copied().filter(|line| *line > 0).collect();
        all.into_iter().map(line).collect()
    }
}

/// The files of functions and findings, by name.
pub(super) fn files<'a>(all: &'a [JobResult], view: &'a PageView) -> Vec<FileData<'a>> {
    let mut files: BTreeMap<&str, FileCoverage> = BTreeMap::new();
    for explored in all {
        let own = &explored.coverage;
        let found = explored.details.iter().map(|detail| detail.file.as_str());
        for file in found.chain([own.file.as_str()]).filter(|file| !file.is_empty()) {
            files.entry(file).or_default();
        }
        if let Some(coverage) = files.get_mut(own.file.as_str()) {
            coverage.add(own);
        }
    }
    let data = |(file, coverage): (&&'a str, &FileCoverage)| FileData {
        name: file_name(file, view),
        text: view.sources.get(*file).map(String::as_str),
        lines: coverage.data(),
    };
    files.iter().map(data).collect()
}
