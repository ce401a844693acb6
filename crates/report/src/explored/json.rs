//! An explored function as one line of JSON. Fields are only ever added; terms are Erlang source text.

use constraint::CallSequence;
use search::{Cause, Defect, FailureCause, Finding, FindingCode, IgnoredCrashes};
use serde::Serialize;
use session::job::{FindingDetail, JobResult, Novelty};
use term::{Language, Mfa, Notation, Style, Term};

use super::advice::lifted;
use super::executions::{ExecutionFields, execution_fields};
use super::known::Standing;
use super::loops::loop_phrase;
use super::schedule::ScheduleField;
use crate::ending::waiting;
use crate::json::line;
use crate::notation;
use crate::phrases::call;

#[derive(Serialize)]
struct FunctionLine<'a> {
    function: String,
    /// The language of its module, and its name there, if that is not Erlang.
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Its module does not export it.
    #[serde(skip_serializing_if = "is_false")]
    private: bool,
    /// It has to give `true`.
    #[serde(skip_serializing_if = "is_false")]
    property: bool,
    verdict: &'static str,
    complete: bool,
    reasons: Vec<ReasonField>,
    paths: u64,
    findings: Vec<FindingField<'a>>,
    /// Input, end and path of each execution, if they are wanted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    executions: Vec<ExecutionFields<'a>>,
    unconfirmed: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outside: Option<String>,
    ignored: Vec<IgnoredField<'a>>,
    warnings: &'a [String],
    /// Where the spec was found, if it is not the function's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    spec_origin: Option<&'a str>,
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
    /// The option that lifts it, or another step.
    help: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    count: u64,
}

#[derive(Serialize)]
struct FindingField<'a> {
    kind: &'static str,
    /// The page of `hound explain`.
    code: &'static str,
    call: String,
    args: Vec<String>,
    /// The calls that make the arguments, and the last one, a statement each.
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence: Option<Vec<String>>,
    /// The same in Elixir.
    #[serde(skip_serializing_if = "Option::is_none")]
    elixir: Option<ElixirFields>,
    class: String,
    reason: String,
    file: &'a str,
    line: u32,
    column: u32,
    message: &'a str,
    rank: &'static str,
    rank_reason: &'a str,
    /// Bugs of one function with the same text have one root.
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    /// The function explored before with the same crash in what both call.
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'a FailureCause>,
    path: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    opaque: &'a [String],
    #[serde(skip_serializing_if = "str::is_empty")]
    strategy: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    samples: &'a [String],
    confirmed: bool,
    /// True if an earlier run has found it and this one has not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    earlier: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<&'static str>,
    /// Of a loop: true if it is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    certain: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule: Option<ScheduleField>,
}

/// What a finding has in Elixir, too.
#[derive(Serialize)]
struct ElixirFields {
    call: String,
    args: Vec<String>,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<String>,
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
    long_runs: u64,
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
pub fn explored_line(explored: &JobResult, standings: &[Standing]) -> String {
    let exploration = &explored.exploration;
    let shown = exploration.findings.iter().zip(&explored.details);
    let statistics = &exploration.statistics;
    let part = |(covered, total): (usize, usize)| Part { covered, total };
    let fields = FunctionLine {
        function: explored.function.to_string(),
        language: is_other(explored).then(|| explored.language.name()),
        name: is_other(explored).then(|| notation::name(explored)),
        private: explored.is_private,
        property: explored.is_property,
        verdict: exploration.verdict.name(),
        complete: exploration.complete,
        reasons: exploration.causes.iter().map(reason).collect(),
        paths: statistics.paths,
        findings: shown.zip(standings).map(|(one, it)| finding(explored, one, it.same_as)).collect(),
        executions: execution_fields(explored),
        unconfirmed: exploration.unconfirmed.iter().map(|it| call(explored.function, &it.stimulus.inputs)).collect(),
        outside: exploration.outside.as_ref().map(|outside| call(explored.function, &outside.inputs)),
        ignored: exploration.ignored.iter().map(|it| ignored(explored, it)).collect(),
        warnings: &explored.warnings,
        spec_origin: explored.origin.as_deref(),
        on_vm: explored.on_vm.as_deref(),
        not_on_vm: explored.not_on_vm.as_deref(),
        empty: explored.empty(),
        coverage: CoverageFields { lines: part(explored.lines), branches: part(explored.branches) },
        stats: FunctionStats {
            runs: statistics.runs,
            long_runs: statistics.long_runs,
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

fn is_other(explored: &JobResult) -> bool {
    explored.language != Language::Erlang
}

/// A finding of a function of Elixir, in Elixir.
fn elixir(explored: &JobResult, finding: &Finding, detail: &FindingDetail) -> Option<ElixirFields> {
    explored.notation().is_elixir().then(|| ElixirFields {
        call: notation::finding_call(explored, finding, detail),
        args: finding.stimulus.inputs.iter().map(|input| explored.notation().term(input)).collect(),
        message: notation::message(finding, detail).to_owned(),
        cause: finding.cause.as_ref().map(|cause| notation::cause(explored, cause)),
    })
}

fn is_false(it: &bool) -> bool {
    !it
}

pub(crate) fn reason(cause: &Cause) -> ReasonField {
    ReasonField {
        code: cause.reason.code(),
        message: cause.reason.to_string(),
        help: lifted(&cause.reason),
        place: cause.at.as_ref().map(|at| at.to_string()),
        count: cause.count,
    }
}

fn ignored<'a>(explored: &JobResult, ignored: &'a IgnoredCrashes) -> IgnoredField<'a> {
    let IgnoredCrashes { rule, crashes, paths, inputs } = ignored;
    IgnoredField { rule, crashes: *crashes, paths: *paths, call: call(explored.function, inputs) }
}

fn written(inputs: &[Term]) -> Vec<String> {
    inputs.iter().map(|input| input.write(Style::Paste)).collect()
}

/// The reason of an exception, who waits where, or what a loop does.
fn reason_of(finding: &Finding) -> String {
    let defect = &finding.defect;
    match defect {
        Defect::Loop(endless) => loop_phrase(Notation::ERLANG, endless, finding.at.as_ref()),
        Defect::Crash(exception) => exception.reason.to_string(),
        Defect::Contract(value) | Defect::Property(value) => value.to_string(),
        Defect::Deadlock(_) | Defect::Leak(_) => waiting(Notation::ERLANG, defect.waiting()).join("; "),
    }
}

fn certain(defect: &Defect) -> Option<bool> {
    match defect {
        Defect::Loop(endless) => Some(endless.is_certain()),
        _ => None,
    }
}

fn finding<'a>(
    explored: &JobResult,
    (finding, detail): (&'a Finding, &'a FindingDetail),
    same_as: Option<Mfa>,
) -> FindingField<'a> {
    let inputs = &finding.stimulus.inputs;
    let sequence = CallSequence::of(explored.function, inputs, Notation::ERLANG);
    let made_args = sequence.as_ref().map(|sequence| sequence.args.clone());
    let args = detail.call.as_ref().map(|(_, args)| args.clone()).or(made_args);
    FindingField {
        kind: if explored.is_property { "property" } else { finding.defect.kind_name() },
        code: FindingCode::of(&finding.defect).name(),
        call: detail.call.as_ref().map_or_else(|| call(explored.function, inputs), |(call, _)| call.clone()),
        args: args.unwrap_or_else(|| written(inputs)),
        sequence: sequence.map(|sequence| sequence.statements),
        elixir: elixir(explored, finding, detail),
        class: finding.defect.name(),
        reason: reason_of(finding),
        file: &detail.file,
        line: detail.line,
        column: detail.column,
        message: &finding.text,
        rank: finding.ranking.rank.name(),
        rank_reason: &finding.ranking.reason,
        root: finding.root.as_ref().map(|root| root.to_string()),
        same_as: same_as.map(|function| function.to_string()),
        cause: finding.cause.as_ref(),
        path: &detail.path,
        opaque: &detail.opaque,
        strategy: &detail.strategy,
        samples: &detail.samples,
        confirmed: true,
        earlier: detail.is_earlier,
        baseline: detail.novelty.map(|novelty| match novelty {
            Novelty::New => "new",
            Novelty::Known => "known",
        }),
        certain: certain(&finding.defect),
        schedule: detail.schedule.as_ref().map(ScheduleField::of),
    }
}
