//! SARIF 2.1.0: a log of one run with a rule per kind of finding.

use search::{FindingRank, Verdict};
use serde_json::{Value, json};
use session::job::{JobResult, Novelty};

use super::{ExchangeView, Shown, open, shown};
use crate::explored::BaselineEntry;
use crate::notation::finding_call;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The kinds of findings, each with a name and what it is.
const RULES: [(&str, &str, &str); 6] = [
    ("crash", "Crash", "A call ends with an exception."),
    ("loop", "EndlessLoop", "A call does not end."),
    ("contract", "BrokenContract", "A call gives a value that the -spec of its function excludes."),
    ("property", "BrokenProperty", "A property does not hold."),
    ("deadlock", "Deadlock", "No process can go on, and the call waits for one."),
    ("leak", "Leak", "A process waits that nothing can reach."),
];

/// A log with one run.
pub(super) fn report(all: &[JobResult], view: &ExchangeView) -> String {
    let results: Vec<Value> = shown(all).iter().flatten().map(|one| result(one, view)).collect();
    let rules: Vec<Value> = RULES.iter().map(|rule| self::rule(*rule)).collect();
    let count = |verdict| all.iter().filter(|one| one.exploration.verdict == verdict).count();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "Tracehound", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": all.iter().filter_map(notification).collect::<Vec<Value>>(),
            }],
            "results": results,
            "properties": {
                "crash": count(Verdict::Crash),
                "safe": count(Verdict::Safe),
                "incomplete": count(Verdict::Incomplete),
                "ignored": count(Verdict::Ignored),
            },
        }],
    });
    format!("{log:#}\n")
}

fn rule((id, name, what): (&str, &str, &str)) -> Value {
    json!({ "id": id, "name": name, "shortDescription": { "text": what } })
}

/// The reason why a function is neither safe nor crashes.
fn notification(explored: &JobResult) -> Option<Value> {
    let why = open(explored)?;
    Some(json!({ "level": "note", "message": { "text": format!("{} is incomplete: {why}", explored.function) } }))
}

fn result(one: &Shown<'_>, view: &ExchangeView) -> Value {
    let Shown { explored, finding, detail } = one;
    let kind = finding.defect.kind_name();
    let mut result = json!({
        "ruleId": kind,
        "level": level(finding.ranking.rank),
        "message": { "text": format!("{}\n{}", one.title(), one.text().trim_end()) },
        "locations": [location(one, view)],
        "partialFingerprints": { "finding/v1": fingerprint(one) },
        "properties": {
            "rank": finding.ranking.rank.name(),
            "rankReason": finding.ranking.reason,
            "call": finding_call(explored, finding, detail),
        },
    });
    if let Some(index) = RULES.iter().position(|(id, ..)| *id == kind) {
        result["ruleIndex"] = json!(index);
    }
    if let Some(novelty) = detail.novelty {
        result["baselineState"] = json!(if novelty == Novelty::Known { "unchanged" } else { "new" });
    }
    result
}

fn level(rank: FindingRank) -> &'static str {
    match rank {
        FindingRank::Bug => "error",
        FindingRank::Doubtful => "warning",
        FindingRank::Declared => "note",
    }
}

fn location(one: &Shown<'_>, view: &ExchangeView) -> Value {
    let (file, line, column) = (one.file(view), one.detail.line, one.detail.column);
    let mut location = json!({
        "logicalLocations": [{ "fullyQualifiedName": one.explored.function.to_string(), "kind": "function" }],
    });
    if !file.is_empty() {
        location["physicalLocation"] = json!({ "artifactLocation": { "uri": uri(file) } });
    }
    if !file.is_empty() && line > 0 {
        let region =
            if column > 0 { json!({ "startLine": line, "startColumn": column }) } else { json!({ "startLine": line }) };
        location["physicalLocation"]["region"] = region;
    }
    location
}

/// The part of a finding that stays when other lines of the file change.
fn fingerprint(one: &Shown<'_>) -> String {
    let BaselineEntry { function, place, kind, via, cause, .. } =
        BaselineEntry::of(one.explored, (one.finding, one.detail));
    let parts = [Some(function), Some(place), Some(kind), via, cause];
    parts.into_iter().flatten().collect::<Vec<String>>().join(" | ")
}

/// A relative reference, or that of a file on this machine.
fn uri(file: &str) -> String {
    let mut out = String::from(if file.starts_with('/') { "file://" } else { "" });
    for byte in file.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(byte as char),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
