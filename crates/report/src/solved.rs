//! What became of a condition written as text: the assignment, who found it, and what that took.

use serde::Serialize;
use std::fmt::Write;

use crate::json::{SCHEMA, line};

/// A condition that was asked about.
pub struct Solved {
    pub verdict: Verdict,
    /// The member that found it or proved that there is nothing to find.
    pub member: Option<&'static str>,
    /// What the walk did, in all.
    pub walk: Option<WalkCounts>,
    /// Ways to choose between the sides of `or`, and how many of them were tried.
    pub alternatives: usize,
    pub tried: usize,
    /// What was wrong with the solver outside.
    pub error: Option<String>,
}

pub enum Verdict {
    /// Names and values, in the order of the text.
    Found(Vec<(String, String)>),
    None,
    Unknown,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize)]
pub struct WalkCounts {
    pub evaluations: u64,
    pub steps: u64,
    pub starts: u64,
}

impl Verdict {
    /// The name in JSON; never changes.
    fn name(&self) -> &'static str {
        match self {
            Verdict::Found(_) => "solved",
            Verdict::None => "none",
            Verdict::Unknown => "unknown",
        }
    }

    pub fn exit_code(&self) -> u8 {
        u8::from(!matches!(self, Verdict::Found(_)))
    }
}

#[derive(Serialize)]
struct SolvedLine<'a> {
    schema: u32,
    kind: &'static str,
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
        Verdict::Found(values) => Some(values.iter().map(|(name, value)| ValueField { name, value }).collect()),
        _ => None,
    };
    line(&SolvedLine {
        schema: SCHEMA,
        kind: "solved",
        verdict: solved.verdict.name(),
        values,
        member: solved.member,
        walk: solved.walk,
        alternatives: solved.alternatives,
        tried: solved.tried,
        error: solved.error.as_deref(),
    })
}

/// For people.
pub fn solved_text(solved: &Solved) -> String {
    let mut text = String::new();
    let by = solved.member.unwrap_or("nobody");
    match &solved.verdict {
        Verdict::Found(values) => {
            values.iter().for_each(|(name, value)| put(&mut text, format_args!("{name} = {value}\n")));
            put(&mut text, format_args!("found by {by}"));
        }
        Verdict::None => put(&mut text, format_args!("there is no solution; proved by {by}")),
        Verdict::Unknown => text.push_str("no solution found, and no proof that there is none"),
    }
    if let Some(walk) = &solved.walk {
        let who = if solved.member == Some("walk") { "" } else { "the walk took " };
        let WalkCounts { evaluations, steps, starts } = walk;
        put(&mut text, format_args!(": {who}{evaluations} evaluations, {steps} steps, {starts} starting points"));
    }
    text.push('\n');
    if solved.alternatives > 1 {
        put(&mut text, format_args!("alternatives tried: {} of {}\n", solved.tried, solved.alternatives));
    }
    if let Some(error) = &solved.error {
        put(&mut text, format_args!("{error}\n"));
    }
    text
}

fn put(text: &mut String, args: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = text.write_fmt(args);
}
