//! Annotations: lines of a job's output that GitHub shows beside the code of a change.

use search::FindingRank;
use session::job::JobResult;

use super::{ExchangeView, Shown, shown};

/// A line for each new finding; those that are raised on purpose only if they fail.
pub(super) fn report(all: &[JobResult], view: &ExchangeView) -> String {
    let all = shown(all);
    let new = all.iter().flatten().filter(|one| !one.is_known());
    let said = new.filter(|one| one.fails(view) || one.finding.ranking.rank != FindingRank::Declared);
    said.map(|one| annotation(one, view)).collect()
}

fn annotation(one: &Shown<'_>, view: &ExchangeView) -> String {
    let kind = match one.finding.ranking.rank {
        _ if one.fails(view) => "error",
        FindingRank::Bug | FindingRank::Doubtful => "warning",
        FindingRank::Declared => "notice",
    };
    let mut properties = Vec::new();
    let (file, line, column) = (one.file(view), one.detail.line, one.detail.column);
    if !file.is_empty() {
        properties.push(format!("file={}", property(file)));
    }
    if line > 0 {
        properties.push(format!("line={line}"));
    }
    if line > 0 && column > 0 {
        properties.push(format!("col={column}"));
    }
    properties.push(format!("title={}", property(&one.title())));
    format!("::{kind} {}::{}\n", properties.join(","), message(one.text().trim_end()))
}

/// A line break would end the command.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
