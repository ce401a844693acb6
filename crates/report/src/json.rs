//! A run as one line of JSON. Fields are only ever added; terms are Erlang source text.

use std::collections::BTreeMap;

use exec::forward::{Crash, Ending};
use serde::Serialize;
use session::run::{Evaluation, ModuleCoverage};
use term::{Exception, Notation};

use crate::ending::{message, name, place, process_name, waiting};
use crate::explored::ScheduleField;

/// The number that changes when a field changes its meaning.
const SCHEMA: u32 = 1;

/// A line of output, of any kind.
#[derive(Serialize)]
struct Line<'a, T> {
    schema: u32,
    kind: &'static str,
    #[serde(flatten)]
    fields: &'a T,
}

#[derive(Serialize)]
struct RunLine<'a> {
    call: &'a str,
    outcome: &'static str,
    #[serde(flatten)]
    detail: OutcomeFields,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<PlaceField<'a>>,
    output: &'a str,
    stats: RunStats,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<&'a [ModuleCoverage]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule: Option<ScheduleField>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    crashes: Vec<CrashField>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    leaks: Vec<String>,
}

/// The crash of another process than that of the call.
#[derive(Serialize)]
struct CrashField {
    process: String,
    class: String,
    reason: String,
}

impl CrashField {
    fn of(crash: &Crash) -> CrashField {
        let Exception { class, reason, .. } = &crash.exception;
        CrashField { process: process_name(crash.process), class: class.to_string(), reason: reason.to_string() }
    }
}

/// The fields that only some outcomes have.
#[derive(Serialize, Default)]
struct OutcomeFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stack: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

#[derive(Serialize)]
struct PlaceField<'a> {
    function: String,
    file: &'a str,
    line: u32,
}

#[derive(Serialize)]
struct RunStats {
    steps: u64,
}

#[derive(Serialize)]
struct FactsLine<'a> {
    facts: BTreeMap<&'a str, &'a str>,
    missing: &'a [&'a str],
}

#[derive(Serialize)]
struct FailureLine<'a> {
    code: &'a str,
    message: &'a str,
}

#[derive(Serialize)]
struct TestsLine<'a> {
    file: &'a str,
    tests: usize,
}

/// `{"schema":1,"kind":"tests",…}` with its newline: a file of tests that was written.
pub fn tests_line(file: &str, tests: usize) -> String {
    line("tests", &TestsLine { file, tests })
}

/// `{"schema":1,"kind":"run",…}` with its newline.
pub fn run_line(run: &Evaluation) -> String {
    let place = place(&run.ending).map(|place| PlaceField {
        function: place.function.to_string(),
        file: &place.file,
        line: place.line,
    });
    let fields = RunLine {
        call: &run.call,
        outcome: name(&run.ending),
        detail: detail(run),
        place,
        output: &run.output,
        stats: RunStats { steps: run.steps },
        coverage: run.coverage.as_deref(),
        schedule: run.schedule.as_ref().map(ScheduleField::of),
        crashes: run.crashes.iter().map(CrashField::of).collect(),
        leaks: waiting(Notation::ERLANG, &run.leaks),
    };
    line("run", &fields)
}

/// `{"schema":1,"kind":"error",…}`: the tool or its use failed before there was a run.
pub fn failure_line(code: &str, message: &str) -> String {
    line("error", &FailureLine { code, message })
}

/// What hound runs on as a line: facts by name, and what the operating system cannot keep programs from.
pub fn facts_line(facts: &[(&'static str, String)], missing: &[&str]) -> String {
    let facts = facts.iter().map(|(name, value)| (*name, value.as_str())).collect();
    line("doctor", &FactsLine { facts, missing })
}

fn detail(run: &Evaluation) -> OutcomeFields {
    match &run.ending {
        Ending::Value(value) => OutcomeFields { value: Some(value.to_string()), ..OutcomeFields::default() },
        Ending::Raised(raised) => exception(raised, run.shown.clone()),
        Ending::Refused { function, .. } | Ending::Unsupported { function, .. } | Ending::Vm { function, .. } => {
            OutcomeFields {
                function: Some(function.to_string()),
                message: Some(message(run)),
                ..OutcomeFields::default()
            }
        }
        _ => OutcomeFields { message: Some(message(run)), ..OutcomeFields::default() },
    }
}

fn exception(raised: &Exception, message: Option<String>) -> OutcomeFields {
    OutcomeFields {
        class: Some(raised.class.to_string()),
        reason: Some(raised.reason.to_string()),
        stack: Some(raised.stack.to_string()),
        message,
        ..OutcomeFields::default()
    }
}

/// A line of a kind. Everything that is written serialises: strings, numbers and lists of them.
pub(crate) fn line(kind: &'static str, fields: &impl Serialize) -> String {
    let written = serde_json::to_string(&Line { schema: SCHEMA, kind, fields });
    let mut text = written.unwrap_or_else(|error| format!("{{\"schema\":1,\"error\":\"{error}\"}}"));
    text.push('\n');
    text
}
