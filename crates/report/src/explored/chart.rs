//! The schedule of a finding as a sequence chart: a column per process, a line per event.

use exec::forward::{CLOCK, TIMER, channel_ends};
use session::{EventAction, FindingSchedule, ShownEvent};
use term::{Notation, Term};

use crate::ending::{process_name, with_process_names};

/// The widest chart, in characters; a wider one is a list.
const WIDTH: usize = 110;
/// The most characters of an event.
const EVENT: usize = 34;
/// The most events that are shown, from the end.
const EVENTS: usize = 40;
/// Spaces between columns.
const GAP: usize = 2;

/// Returns the lines of a chart.
pub(crate) fn chart(notation: Notation<'_>, schedule: &FindingSchedule) -> Vec<String> {
    let heads: Vec<String> = schedule.processes.iter().map(|process| head(notation, *process)).collect();
    let texts: Vec<String> = texts(notation, schedule).iter().map(|text| shortened(text)).collect();
    let left_out = texts.len().saturating_sub(EVENTS);
    let column = |event: &ShownEvent| schedule.processes.iter().position(|(number, _)| Some(*number) == event.process);
    let rows: Vec<(Option<usize>, String)> = schedule.events.iter().map(column).zip(texts).skip(left_out).collect();
    let width = |at: usize| {
        let own = rows.iter().filter(|(column, _)| *column == Some(at)).map(|(_, text)| text.chars().count());
        own.chain([heads[at].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let before = (left_out > 0).then(|| format!("… {left_out} earlier events"));
    let lines = match widths.iter().sum::<usize>() + GAP * heads.len() <= WIDTH {
        true => columns(&heads, &widths, &rows),
        false => list(&heads, &rows),
    };
    before.into_iter().chain(lines).collect()
}

fn columns(heads: &[String], widths: &[usize], rows: &[(Option<usize>, String)]) -> Vec<String> {
    let starts: Vec<usize> =
        widths.iter().scan(0, |at, width| Some(std::mem::replace(at, *at + width + GAP))).collect();
    let mut first = String::new();
    for (head, start) in heads.iter().zip(&starts) {
        first.push_str(&" ".repeat(start.saturating_sub(first.chars().count())));
        first.push_str(head);
    }
    let row = |(column, text): &(Option<usize>, String)| match column {
        Some(column) => format!("{}{text}", " ".repeat(starts[*column])),
        None => format!("-- {text} --"),
    };
    std::iter::once(first).chain(rows.iter().map(row)).collect()
}

fn list(heads: &[String], rows: &[(Option<usize>, String)]) -> Vec<String> {
    let widest = heads.iter().map(|head| head.chars().count()).max().unwrap_or(0);
    let row = |(column, text): &(Option<usize>, String)| match column {
        Some(column) => format!("{:widest$}  {text}", heads[*column]),
        None => format!("-- {text} --"),
    };
    rows.iter().map(row).collect()
}

/// `main`, `P1`, `P2 (cache)`.
pub(crate) fn head(notation: Notation<'_>, (number, name): (u32, Option<term::Atom>)) -> String {
    let number = process_name(number);
    name.map_or_else(|| number.clone(), |name| format!("{number} ({})", notation.atom(name)))
}

/// The events in words.
pub(crate) fn texts(notation: Notation<'_>, schedule: &FindingSchedule) -> Vec<String> {
    let mut known = Vec::new();
    schedule.events.iter().map(|event| with_short_references(text(notation, event), &mut known)).collect()
}

/// A text in which references have the numbers of their first use: those of the VM are others in every run.
fn with_short_references(text: String, known: &mut Vec<String>) -> String {
    let text = text.replace("#Reference<", "#Ref<");
    let mut parts = text.split("#Ref<");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (words, rest) = part.split_once('>').unwrap_or((part, ""));
        let at = known.iter().position(|it| it == words).unwrap_or_else(|| {
            known.push(words.to_owned());
            known.len() - 1
        });
        out.push_str(&format!("#Ref{}{rest}", at + 1));
    }
    out
}

fn text(notation: Notation<'_>, event: &ShownEvent) -> String {
    let shown = |term: &Term| with_process_names(notation, term);
    match &event.action {
        EventAction::Start(child) => format!("spawn {}", process_name(*child)),
        EventAction::Send { to, message } => format!("{} ! {}", process_name(*to), shown(message)),
        EventAction::Take { message, .. } => format!("receive {}", shown(message)),
        EventAction::Miss => "receive: no message".to_owned(),
        EventAction::TimeUp if event.early => "receive: time is up early".to_owned(),
        EventAction::TimeUp => "receive: time is up".to_owned(),
        EventAction::Arrive { from } => format!("signal of {} arrives", process_name(*from)),
        EventAction::Call { function, args } => {
            let args: Vec<String> = args.iter().map(shown).collect();
            match function.module {
                _ if notation.is_elixir() => notation.applied(function.module, function.function, &args),
                term::known::ERLANG => format!("{}({})", function.function, args.join(",")),
                module => format!("{module}:{}({})", function.function, args.join(",")),
            }
        }
        EventAction::End { reason } => match reason.as_tuple() {
            Some([reason, Term::Cons(..)]) => format!("ends: {}", shown(reason)),
            _ => format!("ends: {}", shown(reason)),
        },
        EventAction::Time(now) => format!("{now} ms"),
        EventAction::Strike { to, message } => format!("a timer: {} ! {}", process_name(*to), shown(message)),
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(EVENT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns the schedule as an argument of `--schedule`.
pub(super) fn turns(schedule: &FindingSchedule) -> String {
    if schedule.turns.is_empty() {
        return "0".to_owned();
    }
    let turn = |turn: &u32| match (*turn, channel_ends(*turn)) {
        (CLOCK, _) => "t".to_owned(),
        (number, _) if number & TIMER != 0 => format!("t{}", number & !TIMER),
        (_, Some((from, to))) => format!("{from}>{to}"),
        (number, None) => number.to_string(),
    };
    schedule.turns.iter().map(turn).collect::<Vec<_>>().join(",")
}
