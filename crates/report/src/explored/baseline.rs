//! A baseline: the findings of a day as a file keeps them, and which of today's are among them.

use std::collections::BTreeSet;

use search::{DefectKind, FailureCause, Finding, ReasonShape};
use serde::{Deserialize, Serialize};
use session::job::{FindingDetail, JobResult, Novelty};

use crate::json::line;
use crate::notation::erlang_cause;
use crate::phrases::{call, counted};

/// The first line of a file with a baseline.
pub const BASELINE_HEAD: &str =
    "# The findings that are known; written by `hound baseline`, read by `hound explore --baseline`.";

/// The version of the form.
pub const BASELINE_VERSION: u32 = 1;

/// Characters of a call that are kept.
const CALL: usize = 400;

/// A finding as a baseline keeps it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineEntry {
    /// The function that was explored.
    pub function: String,
    /// The place in its function.
    pub place: String,
    /// The kind, with the shape of an exception's reason, as a rule of `ignore` has it.
    pub kind: String,
    /// The library function that raised it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// The inputs that end so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// The rank and its reason, for the reader.
    pub rank: String,
    /// A call that shows it, for the reader.
    pub call: String,
}

/// The known findings.
#[derive(Clone, Default, Debug)]
pub struct Baseline {
    pub findings: Vec<BaselineEntry>,
}

impl BaselineEntry {
    pub(crate) fn of(explored: &JobResult, (finding, detail): (&Finding, &FindingDetail)) -> BaselineEntry {
        let mut call = call(explored.function, &finding.stimulus.inputs);
        if let Some((end, _)) = call.char_indices().nth(CALL) {
            call.truncate(end);
            call.push('…');
        }
        BaselineEntry {
            function: explored.function.to_string(),
            place: detail.place.clone(),
            kind: kind(finding),
            via: finding.key.via.map(|via| via.to_string()),
            cause: finding.cause.as_ref().map(|cause: &FailureCause| erlang_cause(explored.function, cause)),
            rank: format!("{}, {}", finding.ranking.rank.name(), finding.ranking.reason),
            call,
        }
    }

    /// True if both are crashes of one kind at one place.
    fn is_place(&self, other: &BaselineEntry) -> bool {
        (&self.place, &self.kind, &self.via) == (&other.place, &other.kind, &other.via)
    }

    fn is_alike(&self, other: &BaselineEntry) -> bool {
        self.function == other.function && self.is_place(other)
    }

    /// `m:f/1: error:badarith at m:f/1 line 3: m:f(0)`.
    fn headline(&self) -> String {
        format!("{}: {} at {}: {}", self.function, self.kind, self.place, self.call)
    }
}

/// `error:{badmatch,_}`, `error:%ArgumentError{}`, `deadlock`.
fn kind(finding: &Finding) -> String {
    let DefectKind::Crash(class, shape) = &finding.key.kind else { return finding.defect.name() };
    let shape = match shape {
        ReasonShape::Atom(atom) => atom.to_string(),
        ReasonShape::Tagged(tag, size) => format!("{{{tag}{}}}", ",_".repeat(size.saturating_sub(1))),
        ReasonShape::Struct(module) => format!("%{}{{}}", module.name().trim_start_matches("Elixir.")),
        ReasonShape::Other(name) => format!("a {name}"),
    };
    format!("{class}:{shape}")
}

impl Baseline {
    /// The findings of these results, in an order that does not depend on that of the functions.
    pub fn of(all: &[JobResult]) -> Baseline {
        let mut findings: Vec<BaselineEntry> = all.iter().flat_map(kept).collect();
        findings.sort();
        Baseline { findings }
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let mut text = format!("{BASELINE_HEAD}\nversion = {BASELINE_VERSION}\n");
        for BaselineEntry { function, place, kind, via, cause, rank, call } in &self.findings {
            text.push_str("\n[[finding]]\n");
            let always = [("function", Some(function)), ("place", Some(place)), ("kind", Some(kind))];
            let others = [("via", via.as_ref()), ("cause", cause.as_ref()), ("rank", Some(rank)), ("call", Some(call))];
            for (key, value) in always.into_iter().chain(others) {
                value.into_iter().for_each(|value| text.push_str(&format!("{key} = {}\n", quoted(value))));
            }
        }
        text
    }

    /// Says of each finding whether it is known: by its place, its kind and, where there are several, its cause. What is
    /// known through another function is known if it happens in a function that both call.
    pub fn mark(&self, explored: &mut JobResult) {
        let found: Vec<BaselineEntry> = kept(explored).collect();
        let matched = self.matched(&found);
        let own = explored.function.to_string();
        for ((finding, detail), is_matched) in found.iter().zip(&mut explored.details).zip(matched) {
            let place = finding.place.trim_start_matches("fun in ");
            let is_called = !place.starts_with(&format!("{own} "));
            let is_elsewhere = |known: &BaselineEntry| known.is_place(finding) && known.function != own;
            let is_shared = is_called && self.findings.iter().any(is_elsewhere);
            let is_known = is_matched.is_some() || is_shared;
            detail.novelty = Some(if is_known { Novelty::Known } else { Novelty::New });
        }
    }

    /// For each finding of one function the known one that it is.
    fn matched(&self, found: &[BaselineEntry]) -> Vec<Option<usize>> {
        let mut is_open = vec![true; self.findings.len()];
        let mut matched = vec![None; found.len()];
        for is_exact in [true, false] {
            for (finding, matched) in found.iter().zip(&mut matched).filter(|(_, matched)| matched.is_none()) {
                let is_same =
                    |known: &BaselineEntry| known.is_alike(finding) && (!is_exact || known.cause == finding.cause);
                *matched = (0..self.findings.len()).find(|at| is_open[*at] && is_same(&self.findings[*at]));
                matched.iter().for_each(|at: &usize| is_open[*at] = false);
            }
        }
        matched
    }

    /// The known findings of explored functions that these results do not have.
    fn gone(&self, all: &[JobResult]) -> Vec<&BaselineEntry> {
        let explored: BTreeSet<String> = all.iter().map(|one| one.function.to_string()).collect();
        let mut is_gone: Vec<bool> = self.findings.iter().map(|known| explored.contains(&known.function)).collect();
        for one in all {
            let found: Vec<BaselineEntry> = kept(one).collect();
            self.matched(&found).into_iter().flatten().for_each(|at| is_gone[at] = false);
        }
        self.findings.iter().zip(is_gone).filter(|(_, is_gone)| *is_gone).map(|(known, _)| known).collect()
    }

    /// The same, a line each.
    pub(super) fn gone_headlines(&self, all: &[JobResult]) -> Vec<String> {
        self.gone(all).into_iter().map(BaselineEntry::headline).collect()
    }

    /// `baseline: 1 new finding, 3 known, 1 gone`, and a line for each that is gone.
    pub fn summary(&self, all: &[JobResult]) -> String {
        let (gone, [new, known]) = (self.gone(all), counts(all));
        let lines: String = gone.iter().map(|one| format!("gone: {}\n", one.headline())).collect();
        format!("{lines}baseline: {}, {known} known, {} gone\n", counted(new, "new finding"), gone.len())
    }

    /// The same as a line of JSON.
    pub fn summary_line(&self, all: &[JobResult]) -> String {
        let [new, known] = counts(all);
        line("baseline", &BaselineLine { new, known, gone: self.gone(all) })
    }
}

#[derive(Serialize)]
struct BaselineLine<'a> {
    new: u64,
    known: u64,
    gone: Vec<&'a BaselineEntry>,
}

fn kept(explored: &JobResult) -> impl Iterator<Item = BaselineEntry> {
    let found = explored.exploration.findings.iter().zip(&explored.details);
    found.map(|one| BaselineEntry::of(explored, one))
}

/// The number of new findings and of known ones.
fn counts(all: &[JobResult]) -> [u64; 2] {
    let details = || all.iter().flat_map(|one| &one.details);
    [Novelty::New, Novelty::Known].map(|novelty| details().filter(|it| it.novelty == Some(novelty)).count() as u64)
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => out.extend(['\\', char]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            char if char.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(char))),
            char => out.push(char),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(function: &str, place: &str, cause: &str) -> BaselineEntry {
        let [function, place, rank] = [function, place, "bug"].map(str::to_owned);
        let cause = Some(cause.to_owned());
        BaselineEntry { function, place, kind: "error:badarith".into(), via: None, cause, rank, call: String::new() }
    }

    #[test]
    fn causes_match_first_and_then_what_is_left() {
        let findings = vec![kept("m:f/1", "m:f/1 line 1", "a"), kept("m:f/1", "m:f/1 line 1", "b")];
        let matched = |causes: &[&str]| {
            let found: Vec<BaselineEntry> = causes.iter().map(|cause| kept("m:f/1", "m:f/1 line 1", cause)).collect();
            Baseline { findings: findings.clone() }.matched(&found)
        };
        assert_eq!(matched(&["b", "a"]), [Some(1), Some(0)]);
        assert_eq!(matched(&["c", "a"]), [Some(1), Some(0)]);
        assert_eq!(matched(&["c", "d", "b"]), [Some(0), None, Some(1)]);
        let elsewhere = Baseline { findings: findings.clone() }.matched(&[kept("m:f/1", "m:f/1 line 2", "a")]);
        assert_eq!(elsewhere, [None]);
    }

    #[test]
    fn strings_are_quoted() {
        assert_eq!(quoted("a\"b\\c\n\u{1}é"), "\"a\\\"b\\\\c\\n\\u0001é\"");
    }
}
