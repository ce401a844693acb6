//! A round of a watch: the findings that are new, gone, and still there.

use serde::Serialize;
use session::job::{JobResult, Novelty};

use super::baseline::Baseline;
use super::known::KnownFindings;
use super::text::{TextView, explored_text, folded_call, headline};
use crate::json::line;
use crate::phrases::counted;

/// The work of a round.
#[derive(Clone, Default, Debug)]
pub struct WatchedRound {
    /// The files that have changed.
    pub changed: Vec<String>,
    /// The number of functions that were explored; the others had their results.
    pub explored: usize,
    pub millis: u64,
}

#[derive(Serialize)]
struct RoundLine<'a> {
    changed: &'a [String],
    explored: usize,
    functions: usize,
    new: usize,
    gone: Vec<String>,
    still: usize,
    millis: u64,
}

/// Says of each finding of a round whether the round before it had it; nothing is known before the first.
fn marked(results: &[JobResult], before: &Baseline) -> Vec<JobResult> {
    let mut marked = results.to_vec();
    marked.iter_mut().for_each(|one| before.mark(one));
    marked
}

fn count(all: &[JobResult], novelty: Novelty) -> usize {
    all.iter().flat_map(|one| &one.details).filter(|detail| detail.novelty == Some(novelty)).count()
}

/// A round in words: new findings in full, a line for each that is still there or gone, and a line for all.
pub fn watched_text(results: &[JobResult], before: &Baseline, round: &WatchedRound, view: &TextView) -> String {
    let marked = marked(results, before);
    let (new, still) = shown(&marked, view);
    let gone = before.gone_headlines(&marked);
    let gone_lines: String = gone.iter().map(|one| format!("gone: {one}\n")).collect();
    let (new_count, gone_count, still_count) =
        (count(&marked, Novelty::New), gone.len(), count(&marked, Novelty::Known));
    let changed = if round.changed.is_empty() { String::new() } else { format!("{}: ", round.changed.join(", ")) };
    let functions = counted(results.len() as u64, "function");
    format!(
        "{new}{still}{gone_lines}{changed}{new_count} new, {gone_count} gone, {still_count} still there; \
         {} of {functions} explored, {} ms\n",
        round.explored, round.millis
    )
}

/// The findings that are new, in full, and those that are still there, a line each.
fn shown(marked: &[JobResult], view: &TextView) -> (String, String) {
    let (mut new, mut still, mut known) = (String::new(), String::new(), KnownFindings::default());
    for explored in marked {
        let standings = known.add(explored);
        if explored.details.iter().any(|detail| detail.novelty == Some(Novelty::New)) {
            new.push_str(&explored_text(explored, &standings, view));
        }
        for (finding, detail) in explored.exploration.findings.iter().zip(&explored.details) {
            if detail.novelty == Some(Novelty::Known) {
                let call = folded_call(explored, finding, detail);
                still.push_str(&format!("still: {}: {call}\n", headline(explored, (finding, detail))));
            }
        }
    }
    (new, still)
}

/// The same as a line of JSON.
pub fn watched_line(results: &[JobResult], before: &Baseline, round: &WatchedRound) -> String {
    let marked = marked(results, before);
    let fields = RoundLine {
        changed: &round.changed,
        explored: round.explored,
        functions: results.len(),
        new: count(&marked, Novelty::New),
        gone: before.gone_headlines(&marked),
        still: count(&marked, Novelty::Known),
        millis: round.millis,
    };
    line("watched", &fields)
}
