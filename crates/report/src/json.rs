//! A run as one line of JSON. Fields are only ever added; terms are Erlang source text.

use exec::forward::Ending;
use serde::Serialize;
use session::run::{Evaluation, ModuleCoverage};
use term::{Class, Exception};

use crate::EndingKind;
use crate::kind::{message, place};

/// The number that changes when a field changes its meaning.
pub(crate) const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct RunLine<'a> {
    schema: u32,
    kind: &'static str,
    call: &'a str,
    outcome: &'static str,
    #[serde(flatten)]
    detail: OutcomeFields,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<PlaceField<'a>>,
    output: &'a str,
    stats: RunStats,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<Vec<CoverageField<'a>>>,
}

/// The fields that only some outcomes have.
#[derive(Serialize, Default)]
struct OutcomeFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<&'static str>,
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
struct CoverageField<'a> {
    module: &'a str,
    file: &'a str,
    covered: &'a [u32],
    total: usize,
}

#[derive(Serialize)]
struct FailureLine<'a> {
    schema: u32,
    kind: &'static str,
    code: &'a str,
    message: &'a str,
}

#[derive(Serialize)]
struct TestsLine<'a> {
    schema: u32,
    kind: &'static str,
    file: &'a str,
    tests: usize,
}

/// `{"schema":1,"kind":"tests",…}` with its newline: a file of tests that was written.
pub fn tests_line(file: &str, tests: usize) -> String {
    line(&TestsLine { schema: SCHEMA, kind: "tests", file, tests })
}

/// `{"schema":1,"kind":"run",…}` with its newline.
pub fn run_line(run: &Evaluation) -> String {
    let place = place(&run.ending).map(|place| PlaceField {
        function: place.function.to_string(),
        file: &place.file,
        line: place.line,
    });
    let coverage = run.coverage.as_ref().map(|coverage| coverage.iter().map(CoverageField::new).collect());
    line(&RunLine {
        schema: SCHEMA,
        kind: "run",
        call: &run.call,
        outcome: EndingKind::of(&run.ending).name(),
        detail: detail(run),
        place,
        output: &run.output,
        stats: RunStats { steps: run.steps },
        coverage,
    })
}

/// `{"schema":1,"kind":"error",…}`: the tool or its use failed before there was a run.
pub fn failure_line(code: &str, message: &str) -> String {
    line(&FailureLine { schema: SCHEMA, kind: "error", code, message })
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
        class: Some(class(raised.class)),
        reason: Some(raised.reason.to_string()),
        stack: Some(raised.stack.to_string()),
        message,
        ..OutcomeFields::default()
    }
}

fn class(class: Class) -> &'static str {
    match class {
        Class::Error => "error",
        Class::Exit => "exit",
        Class::Throw => "throw",
    }
}

/// Everything above serialises: strings, numbers and lists of them.
pub(crate) fn line(value: &impl Serialize) -> String {
    let mut text =
        serde_json::to_string(value).unwrap_or_else(|error| format!("{{\"schema\":1,\"error\":\"{error}\"}}"));
    text.push('\n');
    text
}

impl<'a> CoverageField<'a> {
    fn new(lines: &'a ModuleCoverage) -> CoverageField<'a> {
        CoverageField { module: &lines.module, file: &lines.file, covered: &lines.covered, total: lines.total }
    }
}
