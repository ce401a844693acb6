//! A finding in full: what is wrong, the source, the call that shows it, its cause, and what to do next.

use constraint::CallSequence;
use search::{Defect, Finding, FindingCode, FindingRank, Ranking};
use session::FindingSchedule;
use session::job::{FindingDetail, JobResult};
use term::Notation;

use super::advice::help;
use super::chart::{chart, turns};
use super::excerpt::Excerpt;
use super::loops::loop_standing;
use super::paint::Paint;
use super::text::{TextView, explored_name, folded_call};
use super::wording::sentence;
use crate::ending::waiting;
use crate::layout::{Layout, wrapped};
use crate::notation::{self, prose};
use crate::phrases::call;
use crate::shell::shell_word;

/// The number of clauses of a path that are shown, from its end.
const CLAUSES: usize = 8;
/// The calls of a witness that stand inside each other.
const NESTED: usize = 3;
/// Lines of the VM's own text of an exception.
const WORDS: usize = 8;

/// A fact about a finding.
struct Fact {
    /// Empty if it stands for itself.
    label: &'static str,
    text: String,
    layout: Layout,
}

impl Fact {
    fn prose(label: &'static str, text: impl Into<String>) -> Fact {
        Fact { label, text: text.into(), layout: Layout::Prose }
    }

    fn code(label: &'static str, text: impl Into<String>) -> Fact {
        Fact { label, text: text.into(), layout: Layout::Code }
    }
}

/// Writes a finding as compilers write what they find.
pub(super) fn write_finding(
    out: &mut String,
    explored: &JobResult,
    one @ (finding, detail): (&Finding, &FindingDetail),
    view: &TextView,
) {
    let TextView { paint, width, .. } = *view;
    let head = format!("{}[{}]", severity(finding.ranking.rank), FindingCode::of(&finding.defect).name());
    let sentence = sentence(explored, finding);
    let message = wrapped(&sentence, Layout::Prose, (head.len() + 2, 2), width);
    out.push_str(&format!("{}: {}\n", paint.rank(finding.ranking.rank, &head), paint.bold(&message)));
    let excerpt = Excerpt {
        detail,
        after: format!(" in {}", explored_name(explored)),
        label: label(finding),
        spec_label: spec_label(finding),
        paint,
        width,
    };
    excerpt.write(out);
    facts(explored, one, view).iter().for_each(|fact| write_fact(out, fact, excerpt.gutter(), view));
    if let Some(schedule) = &detail.schedule {
        let call = call(explored.function, &finding.stimulus.inputs);
        write_schedule(out, (schedule, explored.notation()), &view.files, &call, paint);
    }
}

/// Writes a fact beside the margin of the source.
fn write_fact(out: &mut String, Fact { label, text, layout }: &Fact, gutter: usize, view: &TextView) {
    let first = gutter + 3 + label.len() + 2;
    let (sign, label) = (view.paint.place("="), view.paint.bold(label));
    let text = wrapped(text, *layout, (first, first), view.width);
    out.push_str(&format!("{:gutter$} {sign} {label}: {text}\n", ""));
}

/// The word for a rank, as tools that read diagnostics know it.
fn severity(rank: FindingRank) -> &'static str {
    match rank {
        FindingRank::Bug => "error",
        FindingRank::Doubtful => "warning",
        FindingRank::Declared => "note",
    }
}

/// The words beside the failing expression.
fn label(finding: &Finding) -> String {
    match &finding.defect {
        Defect::Crash(exception) => match FindingCode::of(&finding.defect) {
            FindingCode::FunctionClause if finding.key.via.is_none() => "no clause matches".to_owned(),
            _ => format!("{} here", exception.class),
        },
        Defect::Deadlock(_) | Defect::Leak(_) => "it waits here".to_owned(),
        Defect::Loop(_) => "the loop begins here".to_owned(),
        Defect::Contract(_) | Defect::Property(_) => "it gives this value".to_owned(),
    }
}

/// The words beside the spec.
fn spec_label(finding: &Finding) -> String {
    let reason = &finding.ranking.reason;
    if reason.starts_with("the spec") { reason.clone() } else { "the spec allows these inputs".to_owned() }
}

/// All that is printed about a finding but its headline, for readers that show no colours.
pub(crate) fn finding_text(explored: &JobResult, one: (&Finding, &FindingDetail)) -> String {
    let mut text = String::new();
    for Fact { label, text: fact, .. } in facts(explored, one, &TextView::default()) {
        match label {
            "call" | "vm" => text.push_str(&format!("{fact}\n")),
            label => text.push_str(&format!("{label}: {fact}\n")),
        }
    }
    if let Some(schedule) = &one.1.schedule {
        let call = call(explored.function, &one.0.stimulus.inputs);
        let mut chart = String::new();
        write_schedule(&mut chart, (schedule, explored.notation()), "", &call, Paint::Plain);
        text.extend(chart.lines().map(|line| format!("{}\n", line.strip_prefix("  ").unwrap_or(line))));
    }
    text
}

fn facts(explored: &JobResult, (finding, detail): (&Finding, &FindingDetail), view: &TextView) -> Vec<Fact> {
    let mut facts = what_happens(explored, (finding, detail));
    let root = finding.root.iter().filter(|_| view.all);
    facts.extend(root.map(|root| Fact::prose("root", prose(explored.language, &root.to_string()))));
    facts.extend(how_it_happens(detail));
    facts.push(Fact::prose("help", help(explored, finding)));
    if detail.schedule.is_none() && !explored.is_private && !view.files.is_empty() {
        // A command takes Erlang.
        let call = match explored.notation().is_elixir() {
            true => call(explored.function, &finding.stimulus.inputs),
            false => folded_call(explored, finding, detail),
        };
        let call = shell_word(&call);
        facts.push(Fact { layout: Layout::Command, ..Fact::code("replay", format!("hound run {}{call}", view.files)) });
    }
    facts
}

/// The call, the VM's words, the cause and the rank.
fn what_happens(explored: &JobResult, (finding, detail): (&Finding, &FindingDetail)) -> Vec<Fact> {
    let mut facts = vec![Fact::code("call", witness(explored, finding, detail))];
    facts.extend(detail.record_call.iter().map(|call| Fact::code("records", call.as_str())));
    let message = notation::message(finding, detail);
    if !message.is_empty() {
        facts.push(Fact::prose("vm", first_lines(message)));
    }
    if let Defect::Loop(endless) = &finding.defect {
        facts.push(Fact::prose("loop", loop_standing(endless)));
    }
    facts.extend(
        waiting(explored.notation(), finding.defect.waiting()).into_iter().map(|line| Fact::prose("waits", line)),
    );
    if let Some(cause) = finding.cause.as_ref().filter(|cause| !cause.inputs.is_empty()) {
        facts.push(Fact::code("cause", notation::cause(explored, cause)));
    }
    let Ranking { rank, reason } = &finding.ranking;
    facts.push(Fact::prose("rank", format!("{}, {}", rank.name(), prose(explored.language, reason))));
    facts
}

/// The path to it, and the opaque functions that it depends on.
fn how_it_happens(FindingDetail { path, opaque, strategy, samples, is_earlier, .. }: &FindingDetail) -> Vec<Fact> {
    let mut facts = Vec::new();
    if *is_earlier {
        facts.push(Fact::prose("still there", "an earlier run found it, this search did not"));
    }
    if !path.is_empty() {
        let from = path.len().saturating_sub(CLAUSES);
        let before = if from > 0 { "… " } else { "" };
        facts.push(Fact::prose("path", format!("{before}{}", path[from..].join(", "))));
    }
    if !opaque.is_empty() {
        facts.push(Fact::prose("opaque", opaque.join(", ")));
        facts.push(Fact::prose("strategy", strategy.as_str()));
        facts.push(Fact::prose("samples", samples.join("; ")));
    }
    facts
}

/// The first lines of a text.
fn first_lines(text: &str) -> String {
    let more = if text.lines().count() > WORDS { "\n…" } else { "" };
    text.lines().filter(|line| !line.trim().is_empty()).take(WORDS).collect::<Vec<&str>>().join("\n") + more
}

/// The call with those that make its inputs: a line each if there are many.
fn witness(explored: &JobResult, finding: &Finding, detail: &FindingDetail) -> String {
    match CallSequence::of(explored.function, &finding.stimulus.inputs, explored.notation()) {
        Some(sequence) if sequence.statements.len() > NESTED => notation::statements(explored, &sequence.statements),
        _ => folded_call(explored, finding, detail),
    }
}

/// The chart of a schedule, and the command that replays it.
pub(crate) fn write_schedule(
    out: &mut String,
    (schedule, notation): (&FindingSchedule, Notation<'_>),
    files: &str,
    call: &str,
    paint: Paint,
) {
    chart(notation, schedule).iter().for_each(|line| out.push_str(&format!("    {line}\n")));
    if schedule.events.iter().any(|event| event.early) {
        out.push_str("  with a timeout before its time\n");
    }
    if !schedule.replayed {
        out.push_str("  the VM shows it under a schedule of its own; it did not follow this one\n");
    }
    let replay = format!("replay: {}", replay_command(schedule, files, call));
    out.push_str(&format!("  {}\n", paint.faint(&replay)));
}

/// The command that replays a schedule, with the files as words of it.
pub(crate) fn replay_command(schedule: &FindingSchedule, files: &str, call: &str) -> String {
    let clock = if schedule.any_clock { "--clock any " } else { "" };
    format!("hound run {clock}--schedule {} {files}{}", shell_word(&turns(schedule)), shell_word(call))
}
