//! The end of a report: the findings in a line each, a table of all functions that fits the width, and the counts.

use std::collections::BTreeMap;

use search::{FindingRank, Verdict};
use serde::Serialize;
use session::job::JobResult;
use strum::IntoEnumIterator;

use super::known::KnownFindings;
use super::notes::missing;
use super::text::TextView;
use crate::json::line;
use crate::layout::columns;
use crate::notation;
use crate::phrases::plural;

/// Returns the findings in a line each, a table with a line per function, and a line for all.
pub fn summary(all: &[JobResult], known: &KnownFindings, view: &TextView) -> String {
    let mut out = known.recap(view.all);
    if view.is_quiet {
        return out;
    }
    if !out.is_empty() {
        out.push('\n');
    }
    write_table(&mut out, all, view);
    let count = |verdict| all.iter().filter(|one| one.exploration.verdict == verdict).count();
    let (crash, safe) = (count(Verdict::Crash), count(Verdict::Safe));
    let incomplete = count(Verdict::Incomplete);
    let ignored = match count(Verdict::Ignored) {
        0 => String::new(),
        ignored => format!(", {ignored} safe but for ignored crashes"),
    };
    let (findings, hint) = findings(known, view.all);
    out.push_str(&format!("{findings}; {crash} crash, {safe} safe, {incomplete} incomplete{ignored}\n{hint}"));
    let prepared: u64 = all.iter().map(|one| one.preparation).sum();
    out.push_str(&format!("prepared in {prepared} ms, which are not in the times above\n"));
    out
}

/// `3 findings (1 bug, 2 doubtful)`, and how to see those that were shown in a line.
fn findings(known: &KnownFindings, all: bool) -> (String, String) {
    let ranks = [FindingRank::Bug, FindingRank::Doubtful, FindingRank::Declared];
    let [bugs, doubtful, declared] = ranks.map(|rank| known.count(rank));
    let (count, others) = (bugs + doubtful + declared, known.short() + doubtful + declared);
    let parts = [(bugs, plural(bugs, "bug")), (doubtful, "doubtful".to_owned()), (declared, "declared".to_owned())];
    let parts: Vec<String> =
        parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, noun)| format!("{count} {noun}")).collect();
    let ranks = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
    let hint = match others {
        0 => String::new(),
        _ if all => String::new(),
        others => format!("{others} {} shown in short; --all shows all in full\n", plural(others, "finding")),
    };
    (format!("{count} {}{ranks}", plural(count, "finding")), hint)
}

#[derive(Serialize)]
struct SummaryLine {
    functions: usize,
    /// Functions that were not explored, because the command was interrupted.
    left: usize,
    verdicts: BTreeMap<&'static str, usize>,
    /// Findings by rank, those that several functions show once.
    findings: BTreeMap<&'static str, usize>,
    missing_modules: Vec<String>,
}

/// The counts of all functions as a line of JSON.
pub fn summary_line(all: &[JobResult], known: &KnownFindings, left: usize) -> String {
    let count = |verdict| all.iter().filter(|one| one.exploration.verdict == verdict).count();
    let fields = SummaryLine {
        functions: all.len(),
        left,
        verdicts: Verdict::iter().map(|verdict| (verdict.name(), count(verdict))).collect(),
        findings: FindingRank::iter().map(|rank| (rank.name(), known.count(rank))).collect(),
        missing_modules: missing(all).into_iter().map(str::to_owned).collect(),
    };
    line("summary", &fields)
}

/// The verdict on a function and the work it took, in a line.
pub fn verdict_line(explored: &JobResult) -> String {
    let (exploration, statistics) = (&explored.exploration, &explored.exploration.statistics);
    format!(
        "explored {}: {}, {} paths, {} runs and {} long ones, {} queries ({} open), {} ms and {} ms to prepare\n",
        explored.function,
        exploration.verdict.name(),
        statistics.paths,
        statistics.runs,
        statistics.long_runs,
        statistics.queries,
        statistics.unknown,
        explored.millis,
        explored.preparation
    )
}

/// The columns of the table after the names of functions.
const HEADS: [&str; 7] = ["verdict", "complete", "paths", "runs", "lines", "branches", "ms"];
/// The columns that make room if there is none, the first ones first.
const LEFT_OUT: [usize; 5] = [3, 2, 6, 1, 5];
/// The spaces between columns.
const BETWEEN: usize = 2;

/// A table as it fits a width.
struct TableLayout {
    /// The columns that are shown.
    shown: Vec<usize>,
    widths: Vec<usize>,
    /// The width of the names; nothing if they leave no room and stand on lines of their own.
    name: Option<usize>,
}

impl TableLayout {
    fn of(names: &[String], rows: &[[String; 7]], width: usize) -> TableLayout {
        let widest = |at: usize| rows.iter().map(|row| row[at].len()).max().unwrap_or(0).max(HEADS[at].len());
        let widths: Vec<usize> = (0..HEADS.len()).map(widest).collect();
        let name = names.iter().map(|name| columns(name)).max().unwrap_or(0).max("function".len());
        let mut shown: Vec<usize> = (0..HEADS.len()).collect();
        let taken = |shown: &[usize]| shown.iter().map(|at| widths[*at] + BETWEEN).sum::<usize>();
        for at in LEFT_OUT {
            if name + taken(&shown) > width {
                shown.retain(|one| *one != at);
            }
        }
        let name = Some(name).filter(|name| name + taken(&shown) <= width);
        TableLayout { shown, widths, name }
    }

    /// A line with a name and the cells of a row.
    fn line(&self, name: &str, row: &[String; 7], painted: impl Fn(&str) -> String) -> String {
        let cell = |at: &usize| {
            let text = padded(&row[*at], *at, self.widths[*at]);
            if *at == 0 { painted(&text) } else { text }
        };
        let cells: String = self.shown.iter().map(cell).collect();
        let name = match self.name {
            Some(width) => format!("{name}{}", " ".repeat(width.saturating_sub(columns(name)))),
            None => format!("{name}\n"),
        };
        format!("{name}{}\n", cells.trim_end())
    }
}

fn write_table(out: &mut String, all: &[JobResult], TextView { paint, width, .. }: &TextView) {
    let names: Vec<String> = all.iter().map(notation::name).collect();
    let rows: Vec<[String; 7]> = all.iter().map(cells).collect();
    let layout = TableLayout::of(&names, &rows, *width);
    let head = layout.line("function", &HEADS.map(str::to_owned), str::to_owned);
    out.push_str(&format!("{}\n", paint.bold(head.trim_end())));
    for ((one, name), row) in all.iter().zip(&names).zip(&rows) {
        out.push_str(&layout.line(name, row, |text| paint.verdict(one.exploration.verdict, text)));
    }
}

/// A cell with the space before it: words stand left, numbers right.
fn padded(text: &str, at: usize, width: usize) -> String {
    let between = " ".repeat(BETWEEN);
    if at < 2 { format!("{between}{text:<width$}") } else { format!("{between}{text:>width$}") }
}

fn cells(one: &JobResult) -> [String; 7] {
    let (exploration, statistics) = (&one.exploration, &one.exploration.statistics);
    let part = |(covered, total): (usize, usize)| format!("{covered}/{total}");
    [
        exploration.verdict.name().to_owned(),
        if exploration.complete { "yes" } else { "no" }.to_owned(),
        statistics.paths.to_string(),
        statistics.runs.to_string(),
        part(one.lines),
        part(one.branches),
        one.millis.to_string(),
    ]
}
