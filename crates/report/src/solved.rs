//! The answer to a condition written as text: the assignment, the member that found it, and its work.

use crate::json::line;
use serde::Serialize;
use session::solve::{Solution, Solved, WalkCounts};

/// The name in JSON; never changes.
fn name(solution: &Solution) -> &'static str {
    match solution {
        Solution::Sat(_) => "solved",
        Solution::Unsat => "none",
        Solution::Unknown => "unknown",
    }
}

#[derive(Serialize)]
struct SolvedLine<'a> {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<ValueField<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    walk: Option<WalkCounts>,
    alternatives: usize,
    tried: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

#[derive(Serialize)]
struct ValueField<'a> {
    name: &'a str,
    value: &'a str,
}

/// `{"schema":1,"kind":"solved",…}`; values are Erlang source text.
pub fn solved_line(solved: &Solved) -> String {
    let values = match &solved.verdict {
        Solution::Sat(values) => Some(values.iter().map(|(name, value)| ValueField { name, value }).collect()),
        _ => None,
    };
    let fields = SolvedLine {
        verdict: name(&solved.verdict),
        values,
        member: solved.member,
        walk: solved.walk,
        alternatives: solved.alternatives,
        tried: solved.tried,
        error: solved.error.as_deref(),
    };
    line("solved", &fields)
}

/// Returns the text for people.
pub fn solved_text(solved: &Solved) -> String {
    let mut text = String::new();
    let by = solved.member.unwrap_or("no member");
    match &solved.verdict {
        Solution::Sat(values) => {
            values.iter().for_each(|(name, value)| text.push_str(&format!("{name} = {value}\n")));
            text.push_str(&format!("found by {by}"));
        }
        Solution::Unsat => text.push_str(&format!("there is no solution; proved by {by}")),
        Solution::Unknown => text.push_str("no solution found, and no proof that there is none"),
    }
    if let Some(walk) = &solved.walk {
        let who = if solved.member == Some("walk") { "" } else { "the walk took " };
        let WalkCounts { evaluations, steps, starts } = walk;
        text.push_str(&format!(": {who}{evaluations} evaluations, {steps} steps, {starts} starting points"));
    }
    text.push('\n');
    if solved.alternatives > 1 {
        text.push_str(&format!("alternatives tried: {} of {}\n", solved.tried, solved.alternatives));
    }
    if let Some(error) = &solved.error {
        text.push_str(&format!("{error}\n"));
    }
    text
}
