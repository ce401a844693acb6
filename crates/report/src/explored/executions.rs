//! The executions of an exploration: input, end and path of each, for people and as lines of JSON.

use exec::forward::Ending;
use search::TestCase;
use serde::Serialize;
use session::JobResult;
use session::job::ExecutionTrace;
use term::{Notation, Style};

use crate::ending;
use crate::json::line;
use crate::notation;
use crate::phrases::call;

/// The executions of a function that are printed.
pub const SHOWN_EXECUTIONS: usize = 1_000;

/// An execution as a line of JSON.
#[derive(Serialize)]
struct ExecutionLine<'a> {
    function: String,
    #[serde(flatten)]
    execution: ExecutionFields<'a>,
}

/// An execution as JSON has it.
#[derive(Serialize)]
pub(crate) struct ExecutionFields<'a> {
    /// Its number, from 1 on.
    run: usize,
    call: String,
    args: Vec<String>,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The clauses that it goes through.
    path: &'a [String],
    /// Its path condition.
    conditions: &'a [String],
    /// The turns of its processes, if there are several.
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    turns: &'a [u32],
}

/// Returns the executions of a function in words; empty if none were kept.
pub fn executions_text(explored: &JobResult) -> String {
    let kept = shown(explored);
    if kept.is_empty() {
        return String::new();
    }
    let paths = explored.exploration.statistics.paths;
    let mut text = format!("{}: executions\n", notation::name(explored));
    for (number, (case, trace)) in (1..).zip(&kept) {
        let call = notation::call(explored, &case.stimulus.inputs);
        text.push_str(&format!("  {number:4}  {call}  {}\n", end(explored.notation(), &case.ending)));
        if !trace.path.is_empty() {
            text.push_str(&format!("        {}\n", trace.path.join(", ")));
        }
    }
    if let Some(more @ 1..) = paths.checked_sub(kept.len() as u64) {
        text.push_str(&format!("  and {more} more paths\n"));
    }
    text.push('\n');
    text
}

/// Returns the executions that were kept of a function, a line of JSON each.
pub fn execution_lines(explored: &JobResult) -> String {
    let function = || explored.function.to_string();
    let all = (1..).zip(explored.exploration.executions.iter().zip(&explored.traces));
    all.map(|(run, one)| {
        line("execution", &ExecutionLine { function: function(), execution: fields(explored, run, one) })
    })
    .collect()
}

/// The executions that a function's own line of JSON has.
pub(crate) fn execution_fields(explored: &JobResult) -> Vec<ExecutionFields<'_>> {
    (1..).zip(shown(explored)).map(|(run, one)| fields(explored, run, one)).collect()
}

fn shown(explored: &JobResult) -> Vec<(&TestCase, &ExecutionTrace)> {
    explored.exploration.executions.iter().zip(&explored.traces).take(SHOWN_EXECUTIONS).collect()
}

fn fields<'a>(
    explored: &JobResult,
    run: usize,
    (case, trace): (&'a TestCase, &'a ExecutionTrace),
) -> ExecutionFields<'a> {
    let (value, raised) = match &case.ending {
        Ending::Value(value) => (Some(value.write(Style::Paste)), None),
        Ending::Raised(raised) => (None, Some(raised)),
        _ => (None, None),
    };
    ExecutionFields {
        run,
        call: call(explored.function, &case.stimulus.inputs),
        args: case.stimulus.inputs.iter().map(|input| input.write(Style::Paste)).collect(),
        outcome: ending::name(&case.ending),
        value,
        class: raised.map(|raised| raised.class.to_string()),
        reason: raised.map(|raised| raised.reason.write(Style::Paste)),
        path: &trace.path,
        conditions: &trace.conditions,
        turns: &case.stimulus.schedule,
    }
}

/// The end of an execution in a few words.
fn end(notation: Notation<'_>, ending: &Ending) -> String {
    match ending {
        Ending::Value(value) => format!("gives {}", notation.shown(value)),
        Ending::Raised(raised) => format!("raises {}:{}", raised.class, notation.shown(&raised.reason)),
        other => format!("has no end: {}", ending::name(other).replace('_', " ")),
    }
}
