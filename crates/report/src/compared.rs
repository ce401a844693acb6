//! The comparison of two versions of a module, in words and in JSON.

use serde::Serialize;
use session::versions::{ComparisonVerdict, Difference, VersionComparison, VersionFunctions};
use term::{Mfa, Outcome, Style, Term};

use crate::json::line;
use crate::phrases::{counted, plural};

/// Reasons of a function that are shown.
const REASONS: usize = 6;

#[derive(Serialize)]
struct ComparisonLine<'a> {
    function: String,
    verdict: &'static str,
    differences: Vec<DifferenceField>,
    reasons: &'a [String],
    notes: &'a [String],
    paths: u64,
    runs: u64,
}

#[derive(Serialize)]
struct DifferenceField {
    call: String,
    args: Vec<String>,
    old: OutcomeField,
    new: OutcomeField,
}

#[derive(Serialize)]
struct OutcomeField {
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Serialize)]
struct VersionsLine {
    same: usize,
    differ: usize,
    incomplete: usize,
    added: Vec<String>,
    removed: Vec<String>,
}

impl OutcomeField {
    fn of(outcome: &Outcome) -> OutcomeField {
        let text = |term: &Term| Some(term.write(Style::Paste));
        match outcome {
            Outcome::Value(value) => OutcomeField { value: text(value), class: None, reason: None },
            Outcome::Raised(raised) => {
                OutcomeField { value: None, class: Some(raised.class.to_string()), reason: text(&raised.reason) }
            }
        }
    }
}

/// `{"schema":1,"kind":"comparison",…}` with its newline.
pub fn compared_line(compared: &VersionComparison) -> String {
    let difference = |it: &Difference| DifferenceField {
        call: it.call.to_string(),
        args: it.call.args.iter().map(|arg| arg.write(Style::Paste)).collect(),
        old: OutcomeField::of(&it.old),
        new: OutcomeField::of(&it.new),
    };
    let fields = ComparisonLine {
        function: compared.function.to_string(),
        verdict: compared.verdict.name(),
        differences: compared.differences.iter().map(difference).collect(),
        reasons: &compared.reasons,
        notes: &compared.notes,
        paths: compared.paths,
        runs: compared.runs,
    };
    line("comparison", &fields)
}

/// `{"schema":1,"kind":"versions",…}` with its newline: the counts, and the functions that only one version has.
pub fn versions_line(all: &[VersionComparison], functions: &VersionFunctions) -> String {
    let [same, differ, incomplete] = counts(all);
    let names = |functions: &[Mfa]| functions.iter().map(|it| it.to_string()).collect();
    let (added, removed) = (names(&functions.added), names(&functions.removed));
    line("versions", &VersionsLine { same, differ, incomplete, added, removed })
}

/// The comparison of a function: the verdict, calls with both outcomes, and what is not known.
pub fn compared_text(compared: &VersionComparison) -> String {
    let VersionComparison { function, differences, reasons, notes, paths, .. } = compared;
    let verdict = match compared.verdict {
        ComparisonVerdict::Same => format!("same for all inputs ({})", counted(*paths, "path")),
        ComparisonVerdict::Differ => "differ".to_owned(),
        ComparisonVerdict::Incomplete => format!("incomplete: no difference on {}", counted(*paths, "path")),
    };
    let mut text = format!("{function}: {verdict}\n");
    for Difference { call, old, new } in differences {
        text.push_str(&format!("  {call}\n    old: {}\n    new: {}\n", shown(old), shown(new)));
    }
    notes.iter().for_each(|note| text.push_str(&format!("  {note}\n")));
    if compared.verdict == ComparisonVerdict::Incomplete {
        reasons.iter().take(REASONS).for_each(|reason| text.push_str(&format!("  {reason}\n")));
        let more = reasons.len().saturating_sub(REASONS);
        if more > 0 {
            text.push_str(&format!("  and {more} more {}\n", plural(more, "reason")));
        }
    }
    text
}

/// The functions that only one version has, and a line for all.
pub fn versions_text(all: &[VersionComparison], functions: &VersionFunctions) -> String {
    let mut text = String::new();
    functions.added.iter().for_each(|it| text.push_str(&format!("{it}: added\n")));
    functions.removed.iter().for_each(|it| text.push_str(&format!("{it}: removed\n")));
    let [same, differ, incomplete] = counts(all);
    let compared = counted(all.len() as u64, "function");
    let (added, removed) = (functions.added.len(), functions.removed.len());
    text.push_str(&format!("{compared} compared: {differ} differ, {same} same, {incomplete} incomplete"));
    text.push_str(&format!("; {added} added, {removed} removed\n"));
    text
}

fn counts(all: &[VersionComparison]) -> [usize; 3] {
    [ComparisonVerdict::Same, ComparisonVerdict::Differ, ComparisonVerdict::Incomplete]
        .map(|verdict| all.iter().filter(|one| one.verdict == verdict).count())
}

fn shown(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Value(value) => value.to_string(),
        Outcome::Raised(raised) => format!("exception {}: {}", raised.class, raised.reason),
    }
}
