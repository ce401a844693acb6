//! The terminal while a command works: a live line on standard error, and each result as soon as it is there.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use report::{Output, Paint};
use search::reach::{Goal, GoalResult};
use search::{ExplorationProgress, Go, MachineSubject};
use session::JobResult;
use session::Monitor;
use term::Mfa;

use crate::options::OutputFormat;
use crate::streams::print;

/// The time between two moves of the live line.
const TICK: Duration = Duration::from_millis(200);

/// The terminal of `explore` and `reach`.
pub struct Screen {
    /// The live line, if standard error is a terminal.
    bar: Option<ProgressBar>,
    /// The format of explored functions; those before a search for targets are not printed.
    format: Option<OutputFormat>,
    /// Colours of standard output.
    pub paint: Paint,
    findings: usize,
    /// The files given, as words of a command that replays a finding.
    files: String,
}

impl Screen {
    /// The terminal of an exploration of so many functions of these files.
    pub fn exploring(functions: usize, format: OutputFormat, files: String) -> Screen {
        let bar = std::io::stderr().is_terminal().then(|| ProgressBar::new(functions as u64));
        let style = ProgressStyle::with_template("{spinner} [{bar:20}] {pos}/{len} {wide_msg}");
        if let (Some(bar), Ok(style)) = (&bar, style) {
            bar.set_style(style.progress_chars("=> "));
        }
        Screen { files, ..Screen::new(bar, Some(format)) }
    }

    /// The terminal of a search for targets.
    pub fn searching() -> Screen {
        Screen::new(std::io::stderr().is_terminal().then(ProgressBar::new_spinner), None)
    }

    fn new(bar: Option<ProgressBar>, format: Option<OutputFormat>) -> Screen {
        if let Some(bar) = &bar {
            bar.enable_steady_tick(TICK);
        }
        Screen { bar, format, paint: paint(), findings: 0, files: String::new() }
    }

    fn show(&self, message: impl FnOnce() -> String) {
        if let Some(bar) = &self.bar {
            bar.set_message(message());
        }
    }

    /// Prints, with the live line out of the way.
    pub fn print(&self, output: &Output) {
        match &self.bar {
            Some(bar) => bar.suspend(|| print(output)),
            None => print(output),
        }
    }

    /// Removes the live line.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Monitor for Screen {
    fn exploring(&mut self, function: Mfa, progress: &ExplorationProgress) -> Go {
        let now = &progress.statistics;
        let findings = self.findings + progress.findings;
        let noun = if findings == 1 { "finding" } else { "findings" };
        self.show(|| match self.format {
            Some(_) => format!(
                "{function}: {} paths, {} branches taken, {} waiting; {findings} {noun} in all",
                now.paths, now.answers, now.waiting
            ),
            None => format!("exploring: {} paths, {} branches taken", now.paths, now.answers),
        });
        Go::On
    }

    fn explored(&mut self, explored: &JobResult) -> bool {
        self.findings += explored.exploration.findings.len();
        let out = match self.format {
            Some(OutputFormat::Json) => report::explored_line(explored),
            Some(OutputFormat::Text) => report::explored_text(explored, &self.files, self.paint),
            None => String::new(),
        };
        self.print(&Output { out, ..Output::default() });
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
        true
    }

    fn searching(&mut self, now: &search::reach::ReachProgress) {
        let (goals, settled, statistics) = (now.goals, now.settled, &now.statistics);
        self.show(|| {
            format!(
                "{settled} of {goals} targets settled; {} segments, {} queries, {} runs",
                statistics.explored, statistics.queries, statistics.runs
            )
        });
    }

    fn searched(&mut self, _: &mut [MachineSubject<'_>], _: &[Goal], _: &[GoalResult]) {
        self.finish();
    }
}

/// Colours, if standard output shows them and `NO_COLOR` is not set.
pub fn paint() -> Paint {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let shown = std::io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
    if shown && !refused { Paint::Colours } else { Paint::Plain }
}
