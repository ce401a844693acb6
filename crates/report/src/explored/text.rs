//! An explored function for a person.

use std::fmt::Write;

use search::{Cause, Finding, Verdict};

use super::{Detail, Explored, call};

/// How many reasons are shown; the others are counted.
const REASONS: usize = 6;
/// How many clauses of a path are shown, from its end.
const CLAUSES: usize = 8;

/// The findings, then what the search could not do; empty if there is nothing to tell.
pub fn explored_text(explored: &Explored) -> String {
    let mut out = String::new();
    let shown = explored.exploration.findings.iter().zip(&explored.details);
    shown.for_each(|(finding, detail)| write_finding(&mut out, explored, finding, detail));
    for unconfirmed in &explored.exploration.unconfirmed {
        let call = call(explored.function, &unconfirmed.inputs);
        let (class, reason) = (unconfirmed.exception.class, &unconfirmed.exception.reason);
        put(&mut out, format_args!("{call}: not confirmed (a bug of hound): we had {class}:{reason}, "));
        put(&mut out, format_args!("the VM had {}\n", unconfirmed.got));
    }
    if let Some(outside) = &explored.exploration.outside {
        let call = call(explored.function, &outside.inputs);
        put(&mut out, format_args!("{}: no spec; no clause takes {call}\n", explored.function));
    }
    explored
        .warnings
        .iter()
        .for_each(|warning| put(&mut out, format_args!("{}: spec: {warning}\n", explored.function)));
    write_causes(&mut out, explored);
    out
}

fn write_finding(out: &mut String, explored: &Explored, finding: &Finding, detail: &Detail) {
    let Detail { file, line, column, path } = detail;
    let place = match (*line, *column) {
        (0, _) => file.clone(),
        (line, 0) => format!("{file}:{line}"),
        (line, column) => format!("{file}:{line}:{column}"),
    };
    let exception = &finding.exception;
    put(out, format_args!("{place}: {}: {} in {}\n", exception.class, exception.reason, explored.function));
    put(out, format_args!("  {}\n", call(explored.function, &finding.inputs)));
    finding.text.lines().for_each(|line| put(out, format_args!("  {line}\n")));
    if !path.is_empty() {
        let from = path.len().saturating_sub(CLAUSES);
        let before = if from > 0 { "… " } else { "" };
        put(out, format_args!("  path: {before}{}\n", path[from..].join(", ")));
    }
}

fn write_causes(out: &mut String, explored: &Explored) {
    let causes = &explored.exploration.causes;
    if explored.exploration.verdict != Verdict::Incomplete {
        return;
    }
    for cause in causes.iter().take(REASONS) {
        put(out, format_args!("{}: incomplete: {}\n", explored.function, sentence(cause)));
    }
    if causes.len() > REASONS {
        put(out, format_args!("{}: incomplete: and {} more reasons\n", explored.function, causes.len() - REASONS));
    }
}

fn sentence(cause: &Cause) -> String {
    let place = cause.at.as_ref().map_or(String::new(), |at| format!(", in {at}"));
    let times = if cause.count == 1 { String::new() } else { format!(" ({} times)", cause.count) };
    format!("{}{place}{times}", cause.reason)
}

/// A table with a line per function, and one for all.
pub fn summary(all: &[Explored]) -> String {
    let width = all.iter().map(|one| one.function.to_string().chars().count()).max().unwrap_or(0).max(8);
    let mut out = String::new();
    let head = ["verdict", "paths", "runs", "lines", "branches", "ms"];
    put(
        &mut out,
        format_args!(
            "{:width$}  {:<10} {:>7} {:>7} {:>9} {:>10} {:>7}\n",
            "function", head[0], head[1], head[2], head[3], head[4], head[5]
        ),
    );
    for one in all {
        let (exploration, statistics) = (&one.exploration, &one.exploration.statistics);
        let part = |(covered, total): (usize, usize)| format!("{covered}/{total}");
        put(
            &mut out,
            format_args!(
                "{:width$}  {:<10} {:>7} {:>7} {:>9} {:>10} {:>7}\n",
                one.function.to_string(),
                exploration.verdict.name(),
                statistics.paths,
                statistics.runs,
                part(one.lines),
                part(one.branches),
                one.millis
            ),
        );
    }
    let count = |verdict| all.iter().filter(|one| one.exploration.verdict == verdict).count();
    let findings: usize = all.iter().map(|one| one.exploration.findings.len()).sum();
    let (crash, safe) = (count(Verdict::Crash), count(Verdict::Safe));
    let incomplete = count(Verdict::Incomplete);
    put(&mut out, format_args!("{findings} findings; {crash} crash, {safe} safe, {incomplete} incomplete\n"));
    out
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
}
