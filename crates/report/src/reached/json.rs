//! A target as one line of JSON. Fields are only ever added; terms are Erlang source text.

use search::reach::ReachStatistics;
use serde::Serialize;
use session::reach::{Proof, Reached};
use term::Style;

use super::explained::ExplanationRecord;
use crate::explored::{ReasonField, ScheduleField, reason};
use crate::json::line;

#[derive(Serialize)]
struct TargetLine<'a> {
    target: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Vec<String>>,
    confirmed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule: Option<ScheduleField>,
    reasons: Vec<ReasonField>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<ExplanationRecord>,
    stats: TargetStats,
}

#[derive(Serialize)]
struct TargetStats {
    #[serde(flatten)]
    statistics: ReachStatistics,
    wall_ms: u128,
    prepare_ms: u128,
}

/// `{"schema":1,"kind":"target",…}` with its newline.
pub fn reached_line(reached: &Reached) -> String {
    let call = reached.call();
    let args = call.as_ref().map(|(_, inputs)| inputs.iter().map(|input| input.write(Style::Paste)).collect());
    let fields = TargetLine {
        target: &reached.name,
        file: &reached.file,
        line: reached.line,
        column: reached.column,
        verdict: reached.result.verdict.name(),
        args,
        confirmed: call.is_some(),
        call: call.map(|(call, _)| call),
        by: reached.proof.map(by),
        schedule: reached.schedule.as_ref().map(ScheduleField::of),
        reasons: reached.result.causes.iter().map(reason).collect(),
        explanation: reached.result.explanation.as_ref().map(|it| ExplanationRecord::of(it)),
        stats: TargetStats {
            statistics: reached.result.statistics,
            wall_ms: reached.millis,
            prepare_ms: reached.preparation,
        },
    };
    line("target", &fields)
}

fn by(proof: Proof) -> &'static str {
    match proof {
        Proof::Line { counter, .. } => counter,
        Proof::Outcome { .. } => "outcome",
    }
}
