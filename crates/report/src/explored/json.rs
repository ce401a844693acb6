//! An explored function as one line of JSON. Fields are only ever added; terms are Erlang source text.

use search::{Cause, Defect, FailureCause, Finding, IgnoredCrashes};
use serde::Serialize;
use session::job::{FindingDetail, JobResult};
use term::Style;

use super::schedule::ScheduleField;
use crate::ending::waiting;
use crate::json::line;
use crate::phrases::call;

#[derive(Serialize)]
struct FunctionLine<'a> {
    function: String,
    verdict: &'static str,
    complete: bool,
    reasons: Vec<ReasonField>,
    paths: u64,
    findings: Vec<FindingField<'a>>,
    unconfirmed: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outside: Option<String>,
    ignored: Vec<IgnoredField<'a>>,
    warnings: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    on_vm: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_on_vm: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    empty: Option<&'static str>,
    coverage: CoverageFields,
    stats: FunctionStats,
}

#[derive(Serialize)]
pub(crate) struct ReasonField {
    code: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    count: u64,
}

#[derive(Serialize)]
struct FindingField<'a> {
    call: String,
    args: Vec<String>,
    class: String,
    reason: String,
    file: &'a str,
    line: u32,
    column: u32,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'a FailureCause>,
    path: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    opaque: &'a [String],
    #[serde(skip_serializing_if = "str::is_empty")]
    strategy: &'a str,
    confirmed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule: Option<ScheduleField>,
}

#[derive(Serialize)]
struct IgnoredField<'a> {
    rule: &'a str,
    crashes: u64,
    paths: u64,
    call: String,
}

#[derive(Serialize)]
struct CoverageFields {
    lines: Part,
    branches: Part,
}

#[derive(Serialize)]
struct Part {
    covered: usize,
    total: usize,
}

#[derive(Serialize)]
struct FunctionStats {
    runs: u64,
    schedules: u64,
    queries: u64,
    unknown: u64,
    infeasible: u64,
    divergences: u64,
    samples: u64,
    strategies: u64,
    gambles: u64,
    intermediate: u64,
    wall_ms: u64,
    prepare_ms: u64,
}

/// `{"schema":1,"kind":"function",…}` with its newline.
pub fn explored_line(explored: &JobResult) -> String {
    let exploration = &explored.exploration;
    let statistics = &exploration.statistics;
    let part = |(covered, total): (usize, usize)| Part { covered, total };
    let fields = FunctionLine {
        function: explored.function.to_string(),
        verdict: exploration.verdict.name(),
        complete: exploration.complete,
        reasons: exploration.causes.iter().map(reason).collect(),
        paths: statistics.paths,
        findings: exploration.findings.iter().zip(&explored.details).map(|(f, d)| finding(explored, f, d)).collect(),
        unconfirmed: exploration.unconfirmed.iter().map(|it| call(explored.function, &it.stimulus.inputs)).collect(),
        outside: exploration.outside.as_ref().map(|outside| call(explored.function, &outside.inputs)),
        ignored: exploration.ignored.iter().map(|it| ignored(explored, it)).collect(),
        warnings: &explored.warnings,
        on_vm: explored.on_vm.as_deref(),
        not_on_vm: explored.not_on_vm.as_deref(),
        empty: explored.empty(),
        coverage: CoverageFields { lines: part(explored.lines), branches: part(explored.branches) },
        stats: FunctionStats {
            runs: statistics.runs,
            schedules: statistics.schedules,
            queries: statistics.queries,
            unknown: statistics.unknown,
            infeasible: statistics.infeasible,
            divergences: statistics.divergences,
            samples: statistics.samples,
            strategies: statistics.strategies,
            gambles: statistics.undirected,
            intermediate: statistics.intermediate,
            wall_ms: explored.millis,
            prepare_ms: explored.preparation,
        },
    };
    line("function", &fields)
}

pub(crate) fn reason(cause: &Cause) -> ReasonField {
    ReasonField {
        code: cause.reason.code(),
        message: cause.reason.to_string(),
        place: cause.at.as_ref().map(|at| at.to_string()),
        count: cause.count,
    }
}

fn ignored<'a>(explored: &JobResult, ignored: &'a IgnoredCrashes) -> IgnoredField<'a> {
    let IgnoredCrashes { rule, crashes, paths, inputs } = ignored;
    IgnoredField { rule, crashes: *crashes, paths: *paths, call: call(explored.function, inputs) }
}

/// The reason of an exception, or who waits where.
fn reason_of(defect: &Defect) -> String {
    match defect {
        Defect::Crash(exception) => exception.reason.to_string(),
        Defect::Deadlock(_) | Defect::Leak(_) => waiting(defect.waiting()).join("; "),
    }
}

fn finding<'a>(explored: &JobResult, finding: &'a Finding, detail: &'a FindingDetail) -> FindingField<'a> {
    FindingField {
        call: call(explored.function, &finding.stimulus.inputs),
        args: finding.stimulus.inputs.iter().map(|input| input.write(Style::Paste)).collect(),
        class: finding.defect.name(),
        reason: reason_of(&finding.defect),
        file: &detail.file,
        line: detail.line,
        column: detail.column,
        message: &finding.text,
        cause: finding.cause.as_ref(),
        path: &detail.path,
        opaque: &detail.opaque,
        strategy: &detail.strategy,
        confirmed: true,
        schedule: detail.schedule.as_ref().map(ScheduleField::of),
    }
}
