//! An explored function for a person.

use std::collections::BTreeSet;

use constraint::CallSequence;
use search::{Cause, Defect, Finding, FindingRank, IgnoredCrashes, Ranking, Reason, Verdict};
use session::FindingSchedule;
use session::job::{FindingDetail, JobResult, Novelty};
use term::{Mfa, Notation};

use super::chart::{chart, turns};
use super::known::{KnownFindings, Standing};
use super::loops::{loop_phrase, loop_standing};
use super::paint::Paint;
use super::roots;
use crate::ending::waiting;
use crate::notation::{self, prose};
use crate::phrases::{LEAK, call, counted, place, plural};
use crate::shell::shell_word;

/// The number of reasons that are shown; the others are counted.
const REASONS: usize = 6;
/// Characters of an exception's reason in the line that names the place.
const REASON: usize = 160;
/// The number of clauses of a path that are shown, from its end.
const CLAUSES: usize = 8;

/// The way in which explored functions are shown.
#[derive(Clone, Debug)]
pub struct TextView {
    /// The files that were given, as words of a command, each with a space after it.
    pub files: String,
    pub paint: Paint,
    /// All findings in full, whatever their rank.
    pub all: bool,
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
    let notes = notes(explored);
    if !notes.is_empty() {
        let verdict = explored.exploration.verdict;
        let said = match verdict {
            Verdict::Incomplete => paint.verdict(verdict, " incomplete"),
            Verdict::Ignored => paint.verdict(verdict, &format!(" safe but for {}", ignored(explored))),
            Verdict::Crash | Verdict::Safe => String::new(),
        };
        out.push_str(&format!("{}:{said}\n", paint.bold(&notation::name(explored))));
        notes.iter().for_each(|note| out.push_str(&format!("  {note}\n")));
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

/// `m:f/1`, with what its kind is if that is not plain.
fn explored_name(explored: &JobResult) -> String {
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
    let call = notation::finding_call(explored, finding, detail);
    let (headline, rank) = (headline(explored, (finding, detail)), finding.ranking.rank.name());
    let others = match others {
        0 => String::new(),
        others => format!("; {} with it", counted(others as u64, "other bug")),
    };
    let first = notation::other_name(explored, first);
    format!("{headline} in {} ({rank}, as in {first}): {call}{others}\n", explored_name(explored))
}

fn write_finding(out: &mut String, explored: &JobResult, one: (&Finding, &FindingDetail), view: &TextView) {
    let ((finding, detail), paint) = (one, view.paint);
    let place = place(&detail.file, detail.line, detail.column);
    let class = paint.bad(&finding.defect.name());
    let reason = reason(explored.notation(), finding, Some(detail));
    out.push_str(&format!("{}: {class}: {reason} in {}\n", paint.bold(&place), explored_name(explored)));
    write_facts(out, explored, one, view);
}

/// All that is printed about a finding but its headline, for readers that show no colours.
pub(crate) fn finding_text(explored: &JobResult, one: (&Finding, &FindingDetail)) -> String {
    let mut text = String::new();
    write_facts(&mut text, explored, one, &TextView { files: String::new(), paint: Paint::Plain, all: false });
    text.lines().map(|line| format!("{}\n", line.strip_prefix("  ").unwrap_or(line))).collect()
}

fn write_facts(
    out: &mut String,
    explored: &JobResult,
    (finding, detail): (&Finding, &FindingDetail),
    TextView { files, paint, all }: &TextView,
) {
    let (FindingDetail { path, opaque, strategy, samples, schedule, .. }, paint) = (detail, *paint);
    out.push_str(&format!("  {}\n", witness(explored, finding, detail)));
    notation::message(finding, detail).lines().for_each(|line| out.push_str(&format!("  {line}\n")));
    if let Defect::Loop(endless) = &finding.defect {
        out.push_str(&format!("  {}\n", loop_standing(endless)));
    }
    waiting(finding.defect.waiting()).iter().for_each(|line| out.push_str(&format!("  {line}\n")));
    if let Some(cause) = finding.cause.as_ref().filter(|cause| !cause.inputs.is_empty()) {
        out.push_str(&format!("  {}\n", paint.faint(&format!("cause: {}", notation::cause(explored, cause)))));
    }
    let Ranking { rank, reason } = &finding.ranking;
    let reason = prose(explored.language, reason);
    out.push_str(&format!("  {}\n", paint.faint(&format!("rank: {}, {reason}", rank.name()))));
    if let Some(root) = finding.root.as_ref().filter(|_| *all) {
        out.push_str(&format!(
            "  {}\n",
            paint.faint(&format!("root: {}", prose(explored.language, &root.to_string())))
        ));
    }
    if detail.is_earlier {
        out.push_str(&format!("  {}\n", paint.faint("still there: an earlier run found it, this search did not")));
    }
    write_path(out, path, paint);
    if let Some(schedule) = schedule {
        write_schedule(out, schedule, files, &call(explored.function, &finding.stimulus.inputs), paint);
    }
    if !opaque.is_empty() {
        out.push_str(&format!("  {}\n", paint.faint(&format!("opaque: {}", opaque.join(", ")))));
        out.push_str(&format!("  {}\n", paint.faint(&format!("strategy: {strategy}"))));
        out.push_str(&format!("  {}\n", paint.faint(&format!("samples: {}", samples.join("; ")))));
    }
}

/// The call with those that make its inputs: a line each if there are many.
fn witness(explored: &JobResult, finding: &Finding, detail: &FindingDetail) -> String {
    match CallSequence::of(explored.function, &finding.stimulus.inputs, explored.notation()) {
        Some(sequence) if sequence.statements.len() > NESTED => notation::statements(explored, &sequence.statements),
        _ => notation::finding_call(explored, finding, detail),
    }
}

/// The calls of a witness that stand inside each other.
const NESTED: usize = 3;

/// The last clauses that a run went through.
fn write_path(out: &mut String, path: &[String], paint: Paint) {
    if !path.is_empty() {
        let from = path.len().saturating_sub(CLAUSES);
        let before = if from > 0 { "… " } else { "" };
        out.push_str(&format!("  {}\n", paint.faint(&format!("path: {before}{}", path[from..].join(", ")))));
    }
}

fn reason(notation: Notation<'_>, finding: &Finding, detail: Option<&FindingDetail>) -> String {
    match &finding.defect {
        Defect::Crash(_) => shortened(notation::reason(notation, finding, detail)),
        Defect::Deadlock(_) => "no process can go on".to_owned(),
        Defect::Leak(_) => LEAK.to_owned(),
        Defect::Property(value) => format!("gives {}, not true", shortened(notation.shown(value))),
        Defect::Loop(endless) => loop_phrase(notation, endless, finding.at.as_ref()),
        Defect::Contract(value) => format!("the value {} is none of its spec", shortened(notation.shown(value))),
    }
}

/// The chart of a schedule, and the command that replays it.
pub(crate) fn write_schedule(out: &mut String, schedule: &FindingSchedule, files: &str, call: &str, paint: Paint) {
    chart(schedule).iter().for_each(|line| out.push_str(&format!("    {line}\n")));
    if schedule.events.iter().any(|event| event.early) {
        out.push_str("  with a timeout before its time\n");
    }
    if !schedule.replayed {
        out.push_str("  the VM shows it under a schedule of its own; it did not follow this one\n");
    }
    let clock = if schedule.any_clock { "--clock any " } else { "" };
    let replay =
        format!("replay: hound run {clock}--schedule {} {files}{}", shell_word(&turns(schedule)), shell_word(call));
    out.push_str(&format!("  {}\n", paint.faint(&replay)));
}

/// A reason that fits a line; the VM's own text of the exception has the whole of it.
fn shortened(mut reason: String) -> String {
    if let Some((end, _)) = reason.char_indices().nth(REASON) {
        reason.truncate(end);
        reason.push('…');
    }
    reason
}

/// The number of crashes that rules of the user cover.
fn ignored(explored: &JobResult) -> String {
    let crashes = explored.exploration.ignored.iter().map(|one| one.crashes).sum();
    counted(crashes, "ignored crash")
}

/// The facts besides findings, a sentence each.
fn notes(explored: &JobResult) -> Vec<String> {
    let exploration = &explored.exploration;
    let mut notes = Vec::new();
    for unconfirmed in &exploration.unconfirmed {
        let call = notation::call(explored, &unconfirmed.stimulus.inputs);
        let shown = match &unconfirmed.defect {
            Defect::Crash(raised) => format!("{}:{}", raised.class, explored.notation().shown(&raised.reason)),
            other => format!("a {}", other.name()),
        };
        notes.push(format!("not confirmed: {call} gives {shown} here; on the VM: {}", unconfirmed.got));
    }
    for IgnoredCrashes { rule, crashes, paths, inputs } in &exploration.ignored {
        let (crashes, paths) = (counted(*crashes, "crash"), counted(*paths, "path"));
        notes.push(format!("ignored by {rule}: {crashes} on {paths}, such as {}", notation::call(explored, inputs)));
    }
    if let Some(outside) = &exploration.outside {
        notes.push(format!("no spec; no clause takes {}", notation::call(explored, &outside.inputs)));
    }
    notes.extend(explored.origin.iter().map(|origin| prose(explored.language, origin)));
    notes.extend(explored.empty().map(str::to_owned));
    notes.extend(explored.on_vm.iter().map(|why| format!("explored on the BEAM: {why}")));
    notes.extend(explored.not_on_vm.iter().map(|why| format!("could not be explored on the BEAM: {why}")));
    notes.extend(explored.warnings.iter().map(|warning| format!("spec: {warning}")));
    match exploration.verdict {
        Verdict::Safe | Verdict::Ignored if exploration.statistics.events > 0 => {
            let time =
                if explored.any_clock { "timeouts strike at any time" } else { "time passes when nothing can go on" };
            notes.push(format!("safe for every schedule, where messages arrive at once and {time}"));
        }
        Verdict::Safe | Verdict::Ignored => {}
        Verdict::Incomplete => {
            // A warning for all functions together names the modules that are missing.
            let others = exploration.causes.iter().filter(|cause| !matches!(cause.reason, Reason::Missing { .. }));
            let sentences = sentences(&others.cloned().collect::<Vec<_>>());
            notes.extend(sentences.iter().map(|sentence| prose(explored.language, sentence)));
        }
        Verdict::Crash => {
            let ended = exploration.causes.iter().filter(|cause| cause.reason.ends_runs());
            let sentences = sentences(&ended.cloned().collect::<Vec<_>>());
            notes.extend(sentences.iter().map(|sentence| prose(explored.language, sentence)));
        }
    }
    notes
}

/// A warning for each module that explored functions call and that is not there.
/// `remedy` says what brings a module, where that is known.
pub fn missing_modules(all: &[JobResult], remedy: impl Fn(&str) -> Option<String>) -> String {
    let causes = all.iter().flat_map(|one| &one.exploration.causes);
    let missing: BTreeSet<&str> = causes
        .filter_map(|cause| match &cause.reason {
            Reason::Missing { module } => Some(module.as_str()),
            _ => None,
        })
        .collect();
    let warning = |module: &&str| {
        let remedy = remedy(module).unwrap_or_else(|| "--pa DIR adds modules".to_owned());
        format!("hound: warning: the module {module} is not there; runs end where it is called ({remedy})\n")
    };
    missing.iter().map(warning).collect()
}

/// A sentence per kind of reason, whatever the number of its places.
pub(crate) fn sentences(causes: &[Cause]) -> Vec<String> {
    let mut kinds: Vec<(String, Vec<&Cause>)> = Vec::new();
    for cause in causes {
        let reason = cause.reason.to_string();
        match kinds.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, places)) => places.push(cause),
            None => kinds.push((reason, vec![cause])),
        }
    }
    let more = kinds.len().saturating_sub(REASONS);
    let shown = kinds.iter().take(REASONS).map(|(reason, causes)| sentence(reason, causes));
    let rest = (more > 0).then(|| format!("and {more} more {}", plural(more, "reason")));
    shown.chain(rest).collect()
}

fn sentence(reason: &str, causes: &[&Cause]) -> String {
    let place = causes.iter().find_map(|cause| cause.at.as_ref());
    let place = place.map_or(String::new(), |at| format!(", in {at}"));
    let others = match causes.len() - 1 {
        0 => String::new(),
        others => format!(" and {others} other {}", plural(others, "place")),
    };
    let times = match causes.iter().map(|cause| cause.count).sum::<u64>() {
        1 => String::new(),
        _ if causes.iter().any(|cause| cause.reason.ends_search()) => String::new(),
        times => format!(" ({times} times)"),
    };
    format!("{reason}{place}{others}{times}")
}

/// Returns a table with a line per function, the findings that several show, and a line for all.
pub fn summary(all: &[JobResult], known: &KnownFindings, view: &TextView) -> String {
    let paint = view.paint;
    let width = all.iter().map(|one| notation::name(one).chars().count()).max().unwrap_or(0).max(8);
    let mut out = String::new();
    let head = format!(
        "{:width$}  {:<10} {:<8} {:>7} {:>7} {:>9} {:>10} {:>7}",
        "function", "verdict", "complete", "paths", "runs", "lines", "branches", "ms"
    );
    out.push_str(&format!("{}\n", paint.bold(&head)));
    all.iter().for_each(|one| out.push_str(&format!("{}\n", row(one, width, paint))));
    let count = |verdict| all.iter().filter(|one| one.exploration.verdict == verdict).count();
    let (crash, safe) = (count(Verdict::Crash), count(Verdict::Safe));
    let incomplete = count(Verdict::Incomplete);
    let ignored = match count(Verdict::Ignored) {
        0 => String::new(),
        ignored => format!(", {ignored} safe but for ignored crashes"),
    };
    known.shared(view.all).iter().for_each(|line| out.push_str(&format!("{line}\n")));
    let (findings, hint) = findings(known, view.all);
    out.push_str(&format!("{findings}; {crash} crash, {safe} safe, {incomplete} incomplete{ignored}\n{hint}"));
    let prepared: u64 = all.iter().map(|one| one.preparation).sum();
    out.push_str(&format!("prepared in {prepared} ms, which are not in the times above\n"));
    out
}

/// `3 findings (1 bug, 2 doubtful)`, and how to see those that were shown in a line.
fn findings(known: &KnownFindings, all: bool) -> (String, String) {
    let ranks = [FindingRank::Bug, FindingRank::Doubtful, FindingRank::Declared];
    let [bugs, doubtful, declared] = ranks.map(|rank| known.count(rank));
    let (count, others) = (bugs + doubtful + declared, known.short() + doubtful + declared);
    let parts = [(bugs, plural(bugs, "bug")), (doubtful, "doubtful".to_owned()), (declared, "declared".to_owned())];
    let parts: Vec<String> =
        parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, noun)| format!("{count} {noun}")).collect();
    let ranks = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
    let hint = match others {
        0 => String::new(),
        _ if all => String::new(),
        others => format!("{others} {} shown in short; --all shows all in full\n", plural(others, "finding")),
    };
    (format!("{count} {}{ranks}", plural(count, "finding")), hint)
}

fn row(one: &JobResult, width: usize, paint: Paint) -> String {
    let (exploration, statistics) = (&one.exploration, &one.exploration.statistics);
    let part = |(covered, total): (usize, usize)| format!("{covered}/{total}");
    format!(
        "{:width$}  {} {:<8} {:>7} {:>7} {:>9} {:>10} {:>7}",
        notation::name(one),
        paint.verdict(exploration.verdict, &format!("{:<10}", exploration.verdict.name())),
        if exploration.complete { "yes" } else { "no" },
        statistics.paths,
        statistics.runs,
        part(one.lines),
        part(one.branches),
        one.millis
    )
}
