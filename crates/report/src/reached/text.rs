//! Targets for a person: the verdict, the call to paste, how it was confirmed, or why it was not decided.

use search::reach::GoalVerdict;
use session::reach::{Proof, Reached, Tally};
use term::{Language, Mfa, Notation};

use super::explained::write_explanation;
use crate::Paint;
use crate::explored::{sentences, write_schedule};
use crate::notation::{by_name, prose};
use crate::phrases::{self, plural};

/// Returns every target, then how many there are of each verdict. Files: as for [`crate::explored_text`].
pub fn reached_text(all: &[Reached], files: &str, tally: Option<Tally>, paint: Paint) -> String {
    let mut out = String::new();
    all.iter().for_each(|one| write_target(&mut out, one, files, paint));
    if let Some(Tally { covered, total }) = tally {
        out.push_str(&format!("explored first: {covered} of {total} clauses and outcomes covered\n"));
    }
    let count = |wanted: fn(&GoalVerdict) -> bool| all.iter().filter(|one| wanted(&one.result.verdict)).count();
    let reached = count(|verdict| matches!(verdict, GoalVerdict::Reached { .. }));
    let unreachable = count(|verdict| matches!(verdict, GoalVerdict::Unreachable));
    let (noun, incomplete) = (plural(all.len(), "target"), all.len() - reached - unreachable);
    let total = all.len();
    out.push_str(&format!("{total} {noun}: {reached} reached, {unreachable} unreachable, {incomplete} incomplete\n"));
    out
}

fn write_target(out: &mut String, one: &Reached, files: &str, paint: Paint) {
    let verdict = match one.result.verdict {
        GoalVerdict::Reached { .. } => paint.good("reached"),
        GoalVerdict::Unreachable => paint.good("unreachable"),
        GoalVerdict::Incomplete => paint.undecided("incomplete"),
    };
    out.push_str(&format!("{}: {verdict}\n", paint.bold(&place(one))));
    if let Some((call, _)) = one.call() {
        let notation = entry(one).map_or(Notation::ERLANG, by_name);
        let native = one.native_call(notation).unwrap_or_else(|| call.clone());
        out.push_str(&format!("  {native}\n"));
        if let Some(schedule) = &one.schedule {
            write_schedule(out, (schedule, notation), files, &call, paint);
        }
    }
    if let Some(proof) = one.proof {
        out.push_str(&format!("  {}\n", paint.faint(&confirmed(proof))));
    }
    match one.result.verdict {
        GoalVerdict::Reached { .. } => {}
        GoalVerdict::Unreachable => out.push_str(&format!("  {}\n", paint.faint(&work(one)))),
        GoalVerdict::Incomplete => {
            sentences(&one.result.causes).iter().for_each(|sentence| out.push_str(&format!("  {sentence}\n")));
        }
    }
    if let Some(explanation) = &one.result.explanation {
        write_explanation(out, one, explanation, paint);
    }
    out.push('\n');
}

/// `shop.erl:12:3`, and the name where it says more.
fn place(one: &Reached) -> String {
    let place = phrases::place(&one.file, one.line, one.column);
    let language = entry(one).map_or(Language::Erlang, |entry| Language::of_name(entry.module));
    let name = prose(language, &one.name);
    match one.name.starts_with(&one.file) || one.name == place {
        _ if one.file.is_empty() => name,
        true => place,
        false => format!("{place}: {name}"),
    }
}

/// The function that the call begins with.
fn entry(one: &Reached) -> Option<Mfa> {
    match &one.result.verdict {
        GoalVerdict::Reached { entry, .. } => Some(*entry),
        _ => None,
    }
}

fn confirmed(proof: Proof) -> String {
    match proof {
        Proof::Line { line, counter: "cover" } => format!("confirmed on the VM: cover counted line {line}"),
        Proof::Line { line, .. } => format!("confirmed on the VM: line {line} was run"),
        Proof::Outcome { line: Some(line) } => {
            format!("confirmed on the VM: the same lines, line {line} among them, and the same outcome")
        }
        Proof::Outcome { line: None } => "confirmed on the VM: the same lines and the same outcome".to_owned(),
    }
}

fn work(one: &Reached) -> String {
    let statistics = one.result.statistics;
    let (segments, queries) = (statistics.explored, statistics.queries);
    if one.result.scheduled {
        let (runs, noun) = (statistics.runs, plural(statistics.runs as usize, "run"));
        let time = if one.any_clock { "timeouts strike at any time" } else { "time passes when nothing can go on" };
        return format!(
            "no input gets there under any schedule, where messages arrive at once and {time}; proved with {runs} {noun}"
        );
    }
    format!(
        "no input gets there; proved with {segments} {} and {queries} {}",
        plural(segments as usize, "segment"),
        if queries == 1 { "query" } else { "queries" }
    )
}
