//! A run as text for a person: what the program printed, then the value or exception as the Erlang shell shows it.

use exec::forward::{Crash, Ending};
use session::run::Evaluation;
use term::{Exception, Notation};

use crate::ending::{message, place, process_name, waiting, with_process_names};
use crate::explored::chart;
use crate::phrases::{LEAK, counted};

/// The most crashes of other processes that are shown.
const CRASHES: usize = 10;

/// The text for standard output and for standard error.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Output {
    pub out: String,
    pub err: String,
}

/// Both streams of a run; each is empty or ends in a newline.
pub fn run_text(run: &Evaluation) -> Output {
    let mut text = Output { out: lines(&run.output), err: String::new() };
    if let Some(schedule) = &run.schedule {
        text.out.push_str(&lines(&chart(Notation::ERLANG, schedule).join("\n")));
    }
    match &run.ending {
        Ending::Value(_) | Ending::Raised(_) => text.out.push_str(&lines(&result(run))),
        _ => text.err.push_str(&lines(&stopped(run))),
    }
    if !run.leaks.is_empty() {
        text.out.push_str(&lines(&format!("leak: {LEAK}\n  {}", waiting(Notation::ERLANG, &run.leaks).join("\n  "))));
    }
    text.err.push_str(&crashes(&run.crashes));
    if let Some(coverage) = &run.coverage {
        coverage.iter().for_each(|module| text.out.push_str(&lines(&module.to_string())));
    }
    text
}

/// The shell's own words where the VM gave them.
fn result(run: &Evaluation) -> String {
    match (&run.shown, &run.ending) {
        (Some(shown), _) => shown.clone(),
        (None, Ending::Raised(_)) => format!("** exception {}", message(run)),
        (None, _) => message(run),
    }
}

/// A line for each crash of another process; at most [`CRASHES`].
fn crashes(crashes: &[Crash]) -> String {
    let more = crashes.len().saturating_sub(CRASHES);
    let shown = crashes.iter().take(CRASHES).map(|crash| {
        let at = crash.trace.iter().find(|place| place.is_known());
        let at = at.map_or(String::new(), |at| format!(" in {at}"));
        let Exception { class, reason, .. } = &crash.exception;
        format!(
            "hound: process {} crashed: {class}: {}{at}\n",
            process_name(crash.process),
            with_process_names(Notation::ERLANG, reason)
        )
    });
    let rest = (more > 0).then(|| format!("hound: and {}\n", counted(more as u64, "more crash")));
    shown.chain(rest).collect()
}

fn stopped(run: &Evaluation) -> String {
    match place(&run.ending) {
        Some(place) => format!("hound: {}\n  in {place}", message(run)),
        None => format!("hound: {}", message(run)),
    }
}

/// The text, ended by a newline unless it is empty.
fn lines(text: &str) -> String {
    match text {
        "" => String::new(),
        text if text.ends_with('\n') => text.to_owned(),
        text => format!("{text}\n"),
    }
}
