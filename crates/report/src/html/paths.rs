//! The paths of a function: the tree of its decisions, and its executions.

use exec::forward::Ending;
use search::{DecisionTree, ShownBranch, ShownDecision};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use session::job::JobResult;

use super::{PAGE_EXECUTIONS, PageView, file_name, shortened};
use crate::ending;
use crate::phrases::call;

/// Characters of a condition that are shown.
const CONDITION: usize = 160;

/// Characters of an input or a result that are shown: findings have theirs in full.
const TEXT: usize = 400;

/// The last clauses of an execution that are shown.
const CLAUSES: usize = 6;

#[derive(Serialize)]
pub(super) struct TreeData<'a> {
    roots: Vec<BranchData<'a>>,
    decisions: Vec<DecisionData<'a>>,
    /// Decisions that are not among these.
    more: usize,
}

#[derive(Serialize)]
struct DecisionData<'a> {
    /// As it is; and negated, unless that is `not` of it.
    conditions: Vec<String>,
    /// File and line.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<(&'a str, u32)>,
    branches: [BranchData<'a>; 2],
}

/// The sequel of an outcome, as an object with one key.
struct BranchData<'a>(&'a ShownBranch);

impl Serialize for BranchData<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        match self.0 {
            ShownBranch::Decisions(decisions) => map.serialize_entry("decisions", decisions)?,
            ShownBranch::End(execution) => {
                map.serialize_entry("end", &execution.filter(|execution| *execution < PAGE_EXECUTIONS))?;
            }
            ShownBranch::Cut => map.serialize_entry("open", "cut")?,
            ShownBranch::Open(open) => map.serialize_entry("open", open.name())?,
        }
        map.end()
    }
}

#[derive(Serialize)]
pub(super) struct ExecutionData<'a> {
    call: String,
    outcome: &'static str,
    text: String,
    path: &'a [String],
}

pub(super) fn tree<'a>(shown: &'a DecisionTree, view: &PageView) -> TreeData<'a> {
    let decision = |decision: &'a ShownDecision| {
        let at = decision.at.as_ref().filter(|at| at.line > 0 && !ops::prelude::is_prelude(at.function.module));
        DecisionData {
            conditions: conditions(decision),
            at: at.map(|at| (file_name(&at.file, view), at.line)),
            branches: decision.branches.each_ref().map(BranchData),
        }
    };
    TreeData {
        roots: shown.roots.iter().map(BranchData).collect(),
        decisions: shown.decisions.iter().map(decision).collect(),
        more: shown.left_out,
    }
}

fn conditions(decision: &ShownDecision) -> Vec<String> {
    let [negated, plain] = &decision.conditions;
    let is_plain = *negated == format!("not ({plain})");
    let texts = std::iter::once(plain).chain((!is_plain).then_some(negated));
    texts.map(|text| shortened(text.clone(), CONDITION)).collect()
}

pub(super) fn executions(explored: &JobResult) -> Vec<ExecutionData<'_>> {
    let kept = explored.exploration.executions.iter().zip(&explored.traces).take(PAGE_EXECUTIONS);
    let execution = kept.map(|(case, trace)| ExecutionData {
        call: shortened(call(explored.function, &case.stimulus.inputs), TEXT),
        outcome: ending::name(&case.ending),
        text: shortened(end(&case.ending), TEXT),
        path: &trace.path[trace.path.len().saturating_sub(CLAUSES)..],
    });
    execution.collect()
}

/// The value or the exception; other endings have a name.
fn end(ending: &Ending) -> String {
    match ending {
        Ending::Value(value) => value.to_string(),
        Ending::Raised(raised) => format!("{}: {}", raised.class, raised.reason),
        other => ending::name(other).replace('_', " "),
    }
}
