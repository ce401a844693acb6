//! How a target was reached: phase one's path and condition, phase two's steps with fit and change, as text and JSON.

use search::reach::{BackwardExplanation, GoalExplanation, InputTrial, PathFit};
use serde::Serialize;
use session::reach::Reached;
use term::{Style, Term};

use crate::Paint;
use crate::phrases::plural;

/// Characters of an input in the table of steps.
const WIDEST: usize = 60;

/// Writes the explanation below a target.
pub fn write_explanation(out: &mut String, one: &Reached, explanation: &GoalExplanation, paint: Paint) {
    if let Some(backward) = &explanation.backward {
        write_backward(out, one, backward, paint);
    }
    if explanation.steps.is_empty() {
        return;
    }
    out.push_str(&format!("  {}\n", paint.bold("phase two: the path that was run, and the inputs that were tried")));
    for (at, condition) in explanation.conditions.iter().enumerate() {
        out.push_str(&format!("    {:>3}  fit({condition})\n", at + 1));
    }
    let total = explanation.conditions.len();
    let rows = explanation.steps.iter().map(|step| row(step, total)).collect::<Vec<[String; 5]>>();
    write_table(out, ["step", "change", "inputs", "fit", "missed"].map(str::to_owned), &rows);
    if explanation.tried > explanation.steps.len() {
        let (tried, noun) = (explanation.tried, plural(explanation.tried, "input"));
        out.push_str(&format!("    {tried} {noun} tried in all\n"));
    }
}

fn write_backward(out: &mut String, one: &Reached, backward: &BackwardExplanation, paint: Paint) {
    let head = format!("phase one: from line {} back to {}", one.line, backward.entry);
    out.push_str(&format!("  {}\n", paint.bold(&head)));
    for step in &backward.path {
        let line = if step.line == 0 { String::new() } else { format!("line {}: ", step.line) };
        out.push_str(&format!("    {line}{} in {}\n", step.what, step.function));
    }
    for fit in &backward.conditions {
        let change = if fit.change { "   change" } else { "" };
        out.push_str(&format!("    fit({}){change}\n", fit.text));
    }
    let inputs: Vec<String> = backward.inputs.iter().map(text).collect();
    out.push_str(&format!("    inputs: {}\n", inputs.join(", ")));
}

fn row(step: &InputTrial, total: usize) -> [String; 5] {
    let changed: Vec<String> = step.changed.iter().map(|at| format!("X{}", at + 1)).collect();
    let missed = match step.missed {
        None => String::new(),
        Some((at, None)) => format!("{}", at + 1),
        Some((at, Some(by))) => format!("{} by {by}", at + 1),
    };
    let inputs: Vec<String> = step.inputs.iter().map(text).collect();
    let inputs: String = inputs.join(", ");
    let short: String = inputs.chars().take(WIDEST).collect();
    let inputs = if short.len() < inputs.len() { format!("{short}…") } else { inputs };
    [step.number.to_string(), changed.join(", "), inputs, format!("{} of {}", step.fit, total.max(step.fit)), missed]
}

fn text(term: &Term) -> String {
    term.write(Style::Paste)
}

fn write_table(out: &mut String, head: [String; 5], rows: &[[String; 5]]) {
    let widths: Vec<usize> = (0..head.len())
        .map(|at| rows.iter().chain([&head]).map(|row| row[at].chars().count()).max().unwrap_or(0))
        .collect();
    for row in [&head].into_iter().chain(rows) {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        out.push_str(&format!("    {}\n", cells.collect::<Vec<String>>().join("  ").trim_end()));
    }
}

/// An explanation in JSON.
#[derive(Serialize)]
pub struct ExplanationRecord {
    phase_one: Option<PathRecord>,
    phase_two: StepsRecord,
}

#[derive(Serialize)]
struct PathRecord {
    entry: String,
    path: Vec<SegmentRecord>,
    conditions: Vec<ConditionRecord>,
    inputs: Vec<String>,
}

#[derive(Serialize)]
struct SegmentRecord {
    function: String,
    line: u32,
    what: String,
}

#[derive(Serialize)]
struct ConditionRecord {
    fit: String,
    inputs: Vec<u32>,
    change: bool,
}

#[derive(Serialize)]
struct StepsRecord {
    conditions: Vec<String>,
    steps: Vec<StepRecord>,
    tried: usize,
}

#[derive(Serialize)]
struct StepRecord {
    step: usize,
    change: Vec<u32>,
    inputs: Vec<String>,
    fit: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    missed: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<f64>,
}

impl ExplanationRecord {
    /// The fields of an explanation; inputs and conditions are counted from 1.
    pub fn of(explanation: &GoalExplanation) -> ExplanationRecord {
        let steps = explanation.steps.iter().map(|step| StepRecord {
            step: step.number,
            change: step.changed.iter().map(|at| at + 1).collect(),
            inputs: step.inputs.iter().map(text).collect(),
            fit: step.fit,
            missed: step.missed.map(|(at, _)| at + 1),
            by: step.missed.and_then(|(_, by)| by),
        });
        ExplanationRecord {
            phase_one: explanation.backward.as_ref().map(PathRecord::of),
            phase_two: StepsRecord {
                conditions: explanation.conditions.clone(),
                steps: steps.collect(),
                tried: explanation.tried,
            },
        }
    }
}

impl PathRecord {
    fn of(backward: &BackwardExplanation) -> PathRecord {
        let path = backward.path.iter().map(|step| SegmentRecord {
            function: step.function.to_string(),
            line: step.line,
            what: step.what.clone(),
        });
        let condition = |fit: &PathFit| ConditionRecord {
            fit: fit.text.clone(),
            inputs: fit.inputs.iter().map(|at| at + 1).collect(),
            change: fit.change,
        };
        PathRecord {
            entry: backward.entry.to_string(),
            path: path.collect(),
            conditions: backward.conditions.iter().map(condition).collect(),
            inputs: backward.inputs.iter().map(text).collect(),
        }
    }
}
