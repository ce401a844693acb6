//! An explored function for a person.

use constraint::CallSequence;
use search::{Defect, Finding, FindingRank, Ranking, Verdict};
use session::job::{FindingDetail, JobResult, Novelty};
use term::{Call, Mfa, Notation};

use super::diagnostic::write_finding;
use super::known::Standing;
use super::loops::loop_phrase;
use super::notes::{ignored, notes};
use super::paint::Paint;
use super::roots;
use crate::layout::{Layout, USUAL_WIDTH, wrapped};
use crate::notation::{self, prose};
use crate::phrases::{LEAK, counted, place, shortened};

/// Characters of an exception's reason in the line that names the place.
const REASON: usize = 160;
/// Characters of a call from which on large values in it are folded.
const LONG_CALL: usize = 100;

/// The way in which explored functions are shown.
#[derive(Clone, Debug)]
pub struct TextView {
    /// The files that were given, as words of a command, each with a space after it.
    pub files: String,
    pub paint: Paint,
    /// All findings in full, whatever their rank.
    pub all: bool,
    /// The columns of the terminal.
    pub width: usize,
    /// Findings alone: neither notes nor counts.
    pub is_quiet: bool,
}

impl Default for TextView {
    fn default() -> TextView {
        TextView { files: String::new(), paint: Paint::Plain, all: false, width: USUAL_WIDTH, is_quiet: false }
    }
}

/// Returns the findings, then what the search could not do; empty if there is neither. Bugs come in full, those with the root
/// of one below it, and others in a line.
pub fn explored_text(explored: &JobResult, standings: &[Standing], view: &TextView) -> String {
    let (mut out, mut lines) = (String::new(), String::new());
    let paint = view.paint;
    let shown = explored.exploration.findings.iter().zip(&explored.details);
    for (at, ((finding, detail), standing)) in shown.zip(standings).enumerate() {
        let one = (finding, detail);
        match (standing.same_as, standing.head, standing.usual) {
            _ if detail.novelty == Some(Novelty::Known) && !view.all => {}
            _ if view.all => write_finding(&mut out, explored, one, view),
            (Some(_), Some(_), _) => {}
            (Some(first), None, _) => {
                lines.push_str(&repeated(explored, one, first, roots::repeated_with(standings, at)));
            }
            _ if finding.ranking.rank != FindingRank::Bug => lines.push_str(&shortly(explored, one)),
            (None, Some(head), _) if standings[head].same_as.is_some() => {
                lines.push_str(&roots::of_known(explored, one, head));
            }
            (None, Some(_), _) => {}
            (None, None, Some(before)) => {
                lines.push_str(&roots::usual(explored, one, (before, roots::shown_with(standings, at))));
            }
            (None, None, None) => {
                write_finding(&mut out, explored, one, view);
                roots::write_others(&mut out, explored, standings, at);
                out.push('\n');
            }
        }
        if view.all {
            out.push('\n');
        }
    }
    if !lines.is_empty() {
        out.push_str(&lines);
        out.push('\n');
    }
    let notes = if view.is_quiet { Vec::new() } else { notes(explored) };
    if !notes.is_empty() {
        let verdict = explored.exploration.verdict;
        let said = match verdict {
            Verdict::Incomplete => paint.verdict(verdict, " incomplete"),
            Verdict::Ignored => paint.verdict(verdict, &format!(" safe but for {}", ignored(explored))),
            Verdict::Crash if !explored.exploration.complete => " not all of it was explored".to_owned(),
            Verdict::Crash | Verdict::Safe => String::new(),
        };
        out.push_str(&format!("{}:{said}\n", paint.bold(&notation::name(explored))));
        for note in notes {
            out.push_str(&format!("  {}\n", wrapped(&note, Layout::Prose, (2, 4), view.width)));
        }
        out.push('\n');
    }
    out
}

/// `shop.erl:12:3: error: badarith`.
pub(super) fn headline(explored: &JobResult, (finding, detail): (&Finding, &FindingDetail)) -> String {
    let FindingDetail { file, line, column, .. } = detail;
    format!("{}: {}", place(file, *line, *column), defect(explored, (finding, detail)))
}

/// `error: badarith`.
pub(crate) fn defect(explored: &JobResult, (finding, detail): (&Finding, &FindingDetail)) -> String {
    format!("{}: {}", finding.defect.name(), reason(explored.notation(), finding, Some(detail)))
}

/// A finding as soon as it is there, in a line.
pub fn found_text(function: Mfa, finding: &Finding) -> String {
    let at = finding.at.as_ref().map_or(String::new(), |at| format!("{}: ", place(&at.file, at.line, at.column)));
    let notation = notation::by_name(function);
    let (defect, reason) = (finding.defect.name(), reason(notation, finding, None));
    let call = notation::call_in(notation, function, &finding.stimulus.inputs);
    format!("{at}{defect}: {reason} in {}: {call}\n", notation.function(function))
}

/// The call that shows a finding, for people: large values in it are expressions that make them.
pub(super) fn folded_call(explored: &JobResult, finding: &Finding, detail: &FindingDetail) -> String {
    let (whole, inputs) = (notation::finding_call(explored, finding, detail), &finding.stimulus.inputs);
    let is_made = detail.call.is_some() || CallSequence::of(explored.function, inputs, explored.notation()).is_some();
    if is_made || whole.len() < LONG_CALL {
        return whole;
    }
    let Mfa { module, function, .. } = explored.function;
    explored.notation().folded_call(&Call { module, function, args: inputs.clone() })
}

/// `m:f/1`, with what its kind is if that is not plain.
pub(super) fn explored_name(explored: &JobResult) -> String {
    let property = if explored.is_property { "the property " } else { "" };
    let private = if explored.is_private { ", which is private" } else { "" };
    format!("{property}{}{private}", notation::name(explored))
}

/// A finding in a line: what it is, its rank and the number of its paths.
fn shortly(explored: &JobResult, (finding, detail): (&Finding, &FindingDetail)) -> String {
    let Ranking { rank, reason } = &finding.ranking;
    let (headline, paths) = (headline(explored, (finding, detail)), counted(finding.paths, "path"));
    let reason = prose(explored.language, reason);
    format!("{headline} in {} ({}: {reason}; {paths})\n", explored_name(explored), rank.name())
}

/// A finding that another function has shown before, in a line, with the number of those that are shown with it.
fn repeated(explored: &JobResult, (finding, detail): (&Finding, &FindingDetail), first: Mfa, others: usize) -> String {
    let call = folded_call(explored, finding, detail);
    let (headline, rank) = (headline(explored, (finding, detail)), finding.ranking.rank.name());
    let others = match others {
        0 => String::new(),
        others => format!("; {} with it", counted(others as u64, "other bug")),
    };
    let first = notation::other_name(explored, first);
    format!("{headline} in {} ({rank}, as in {first}): {call}{others}\n", explored_name(explored))
}

fn reason(notation: Notation<'_>, finding: &Finding, detail: Option<&FindingDetail>) -> String {
    match &finding.defect {
        Defect::Crash(_) => shortened(notation::reason(notation, finding, detail), REASON),
        Defect::Deadlock(_) => "no process can go on".to_owned(),
        Defect::Leak(_) => LEAK.to_owned(),
        Defect::Property(value) => format!("gives {}, not true", shortened(notation.shown(value), REASON)),
        Defect::Loop(endless) => loop_phrase(notation, endless, finding.at.as_ref()),
        Defect::Contract(value) => {
            format!("the value {} is none of its spec", shortened(notation.shown(value), REASON))
        }
    }
}
