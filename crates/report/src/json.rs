//! A run as one line of JSON. Fields are only ever added; terms are Erlang source text.

use exec::forward::Ending;
use serde::Serialize;
use session::run::{Lines, Run};
use term::{Class, Exception};

use crate::Kind;
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
    detail: Detail,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<PlaceField<'a>>,
    output: &'a str,
    stats: Stats,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<Vec<CoverageField<'a>>>,
}

/// What each outcome has of its own.
#[derive(Serialize, Default)]
struct Detail {
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
struct Stats {
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
pub fn run_line(run: &Run) -> String {
    let place = place(&run.ending).map(|place| PlaceField {
        function: place.function.to_string(),
        file: &place.file,
        line: place.line,
    });
    let coverage = run.coverage.as_ref().map(|coverage| coverage.modules.iter().map(CoverageField::new).collect());
    line(&RunLine {
        schema: SCHEMA,
        kind: "run",
        call: &run.call,
        outcome: Kind::of(&run.ending).name(),
        detail: detail(run),
        place,
        output: &run.output,
        stats: Stats { steps: run.steps },
        coverage,
    })
}

/// `{"schema":1,"kind":"error",…}`: the tool or its use failed before there was a run.
pub fn failure_line(code: &str, message: &str) -> String {
    line(&FailureLine { schema: SCHEMA, kind: "error", code, message })
}

fn detail(run: &Run) -> Detail {
    match &run.ending {
        Ending::Value(value) => Detail { value: Some(value.to_string()), ..Detail::default() },
        Ending::Raised(raised) => exception(raised, run.shown.clone()),
        Ending::Refused { function, .. } | Ending::Unsupported { function, .. } | Ending::Vm { function, .. } => {
            Detail { function: Some(function.to_string()), message: Some(message(run)), ..Detail::default() }
        }
        _ => Detail { message: Some(message(run)), ..Detail::default() },
    }
}

fn exception(raised: &Exception, message: Option<String>) -> Detail {
    Detail {
        class: Some(class(raised.class)),
        reason: Some(raised.reason.to_string()),
        stack: Some(raised.stack.to_string()),
        message,
        ..Detail::default()
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
    fn new(lines: &'a Lines) -> CoverageField<'a> {
        CoverageField { module: &lines.module, file: &lines.file, covered: &lines.covered, total: lines.total }
    }
}
