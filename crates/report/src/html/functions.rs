//! Functions and findings of a page.

use constraint::CallSequence;
use search::{Cause, Finding};
use serde::Serialize;
use session::job::{FindingDetail, JobResult, Novelty};
use term::{Mfa, Notation};

use super::paths::{ExecutionData, TreeData, executions, tree};
use super::schedules::ScheduleData;
use super::{PageView, file_name};
use crate::ending::waiting;
use crate::explored::{KnownFindings, defect, facts, lifted, loop_standing};
use crate::notation::{self, prose};
use crate::phrases::call;

#[derive(Serialize)]
pub(super) struct FunctionData<'a> {
    name: String,
    verdict: &'static str,
    complete: bool,
    #[serde(skip_serializing_if = "is_false")]
    private: bool,
    #[serde(skip_serializing_if = "is_false")]
    property: bool,
    file: &'a str,
    line: u32,
    /// Covered and all.
    lines: (usize, usize),
    branches: (usize, usize),
    paths: u64,
    runs: u64,
    schedules: u64,
    queries: u64,
    infeasible: u64,
    /// The numbers of its findings.
    findings: Vec<usize>,
    remains: Vec<RemainsData<'a>>,
    notes: Vec<String>,
    tree: TreeData<'a>,
    executions: Vec<ExecutionData<'a>>,
}

/// A reason why a search is not a proof.
#[derive(Serialize)]
struct RemainsData<'a> {
    code: &'static str,
    text: String,
    /// The option that lifts it, or what else does.
    help: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<PlaceData<'a>>,
    count: u64,
}

/// A place that the page can show.
#[derive(Serialize)]
pub(super) struct PlaceData<'a> {
    function: String,
    file: &'a str,
    line: u32,
}

#[derive(Serialize)]
pub(super) struct FindingData<'a> {
    function: String,
    kind: &'static str,
    title: String,
    rank: &'static str,
    rank_reason: String,
    file: &'a str,
    line: u32,
    column: u32,
    call: String,
    /// The calls that make its inputs, and the last one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sequence: Vec<String>,
    /// What the VM prints.
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    path: &'a [String],
    paths: u64,
    /// Other facts, a sentence each.
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule: Option<ScheduleData<'a>>,
}

impl<'a> PlaceData<'a> {
    pub(super) fn of(at: &'a exec::forward::Place, view: &PageView) -> PlaceData<'a> {
        PlaceData { function: at.function.to_string(), file: file_name(&at.file, view), line: at.line }
    }
}

/// The functions, and all findings in their order; the number of a finding is its place among these, from 1.
pub(super) fn data<'a>(all: &'a [JobResult], view: &PageView) -> (Vec<FunctionData<'a>>, Vec<FindingData<'a>>) {
    let (mut functions, mut findings, mut known) = (Vec::new(), Vec::new(), KnownFindings::default());
    for explored in all {
        let first = findings.len();
        let standings = known.add(explored);
        let shown = explored.exploration.findings.iter().zip(&explored.details).zip(standings);
        findings.extend(shown.map(|(one, standing)| finding(explored, one, standing.same_as, view)));
        functions.push(function(explored, (first + 1..=findings.len()).collect(), view));
    }
    (functions, findings)
}

fn function<'a>(explored: &'a JobResult, findings: Vec<usize>, view: &PageView) -> FunctionData<'a> {
    let (exploration, coverage) = (&explored.exploration, &explored.coverage);
    let statistics = &exploration.statistics;
    FunctionData {
        name: notation::name(explored),
        verdict: exploration.verdict.name(),
        complete: exploration.complete,
        private: explored.is_private,
        property: explored.is_property,
        file: file_name(&coverage.file, view),
        line: coverage.line,
        lines: explored.lines,
        branches: explored.branches,
        paths: statistics.paths,
        runs: statistics.runs,
        schedules: statistics.schedules,
        queries: statistics.queries,
        infeasible: statistics.infeasible,
        findings,
        remains: exploration.causes.iter().map(|cause| remains(explored, cause, view)).collect(),
        notes: facts(explored),
        tree: tree(&exploration.decisions, view),
        executions: executions(explored),
    }
}

fn remains<'a>(explored: &JobResult, cause: &'a Cause, view: &PageView) -> RemainsData<'a> {
    RemainsData {
        code: cause.reason.code(),
        text: prose(explored.language, &cause.reason.to_string()),
        help: lifted(&cause.reason),
        at: cause.at.as_ref().map(|at| PlaceData::of(at, view)),
        count: cause.count,
    }
}

fn finding<'a>(
    explored: &'a JobResult,
    (finding, detail): (&'a Finding, &'a FindingDetail),
    same_as: Option<Mfa>,
    view: &PageView,
) -> FindingData<'a> {
    let sequence = CallSequence::of(explored.function, &finding.stimulus.inputs, explored.notation())
        .filter(|_| detail.call.is_none());
    let cause = finding.cause.as_ref().filter(|cause| !cause.inputs.is_empty());
    FindingData {
        function: notation::name(explored),
        kind: finding.defect.kind_name(),
        title: defect(explored, (finding, detail)),
        rank: finding.ranking.rank.name(),
        rank_reason: prose(explored.language, &finding.ranking.reason),
        file: file_name(&detail.file, view),
        line: detail.line,
        column: detail.column,
        call: notation::finding_call(explored, finding, detail),
        sequence: sequence.map(|sequence| sequence.statements).unwrap_or_default(),
        message: notation::message(finding, detail),
        cause: cause.map(|cause| notation::cause(explored, cause)),
        root: finding.root.as_ref().map(|root| prose(explored.language, &root.to_string())),
        path: &detail.path,
        paths: finding.paths,
        notes: notes(explored.notation(), finding, detail),
        same_as: same_as.map(|function| notation::other_name(explored, function)),
        schedule: detail.schedule.as_ref().map(|schedule| {
            let call = call(explored.function, &finding.stimulus.inputs);
            ScheduleData::of(explored.notation(), schedule, &call, view)
        }),
    }
}

fn notes(notation: Notation<'_>, finding: &Finding, detail: &FindingDetail) -> Vec<String> {
    let mut notes = Vec::new();
    if let search::Defect::Loop(endless) = &finding.defect {
        notes.push(loop_standing(endless));
    }
    notes.extend(waiting(notation, finding.defect.waiting()));
    if detail.is_earlier {
        notes.push("still there: an earlier run found it, this search did not".to_owned());
    }
    match detail.novelty {
        Some(Novelty::New) => notes.push("new: the baseline does not have it".to_owned()),
        Some(Novelty::Known) => notes.push("known: the baseline has it".to_owned()),
        None => {}
    }
    if !detail.opaque.is_empty() {
        notes.push(format!("opaque: {}", detail.opaque.join(", ")));
        notes.push(format!("strategy: {}", detail.strategy));
        notes.push(format!("samples: {}", detail.samples.join("; ")));
    }
    notes
}

fn is_false(it: &bool) -> bool {
    !it
}
