//! The terminal while a command works: a live line on standard error, and each result as soon as it is there.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use report::{Baseline, KnownFindings, Output, TextView};
use search::reach::{Goal, GoalResult};
use search::{ExplorationProgress, Finding, FindingRank, Go, MachineSubject};
use session::JobResult;
use session::Monitor;
use term::Mfa;

use crate::options::OutputFormat;
use crate::streams::print;
use crate::terminal::{is_quiet, is_verbose, paint, width};

/// The time between two moves of the live line.
const TICK: Duration = Duration::from_millis(200);

/// The time of a search after which its findings are shown before its end.
const LONG: Duration = Duration::from_secs(1);

/// The terminal of `explore` and `reach`.
pub struct Screen {
    /// The live line, if standard error is a terminal.
    bar: Option<ProgressBar>,
    /// The format of explored functions as they come; those before a search for targets are not printed.
    pub format: Option<OutputFormat>,
    /// The way in which explored functions are shown.
    pub view: TextView,
    /// True if executions are shown.
    pub paths: bool,
    /// True if lines of JSON have executions.
    pub executions: bool,
    /// The findings so far.
    pub known: KnownFindings,
    findings: usize,
    /// The findings that are known, if there is a file of them.
    pub baseline: Option<Baseline>,
    notices: Notices,
}

/// Findings of the function that is being explored, to be shown if that takes a while.
#[derive(Default)]
struct Notices {
    function: Option<Mfa>,
    began: Option<Instant>,
    waiting: String,
}

impl Screen {
    /// The terminal of an exploration of so many functions of these files, with all findings in full or only bugs.
    pub fn exploring(functions: usize, files: String, all: bool) -> Screen {
        let bar = has_live_line().then(|| ProgressBar::new(functions as u64));
        let style = ProgressStyle::with_template("{spinner} [{bar:20}] {pos}/{len} {wide_msg}");
        if let (Some(bar), Ok(style)) = (&bar, style) {
            bar.set_style(style.progress_chars("=> "));
        }
        let view = TextView { files, paint: paint(), all, width: width(), is_quiet: is_quiet() };
        Screen { view, ..Screen::new(bar) }
    }

    /// The terminal of a search for targets.
    pub fn searching() -> Screen {
        Screen::new(has_live_line().then(ProgressBar::new_spinner))
    }

    fn new(bar: Option<ProgressBar>) -> Screen {
        if let Some(bar) = &bar {
            bar.enable_steady_tick(TICK);
        }
        let view = TextView { files: String::new(), paint: paint(), all: true, width: width(), is_quiet: is_quiet() };
        Screen {
            bar,
            format: None,
            view,
            paths: false,
            executions: false,
            known: KnownFindings::default(),
            findings: 0,
            baseline: None,
            notices: Notices::default(),
        }
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

    /// Prints the findings of a function whose search has lasted for a while, for the report of it comes at its end.
    fn print_notices(&mut self, function: Mfa) {
        if self.notices.function != Some(function) {
            let waiting = std::mem::take(&mut self.notices.waiting);
            self.notices = Notices { function: Some(function), began: Some(Instant::now()), waiting };
        }
        let is_long = self.notices.began.is_some_and(|began| began.elapsed() >= LONG);
        if is_long && !self.notices.waiting.is_empty() {
            let err = std::mem::take(&mut self.notices.waiting);
            self.print(&Output { err, ..Output::default() });
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
        self.print_notices(function);
        self.show(|| match self.format {
            Some(_) => format!(
                "{function}: {} paths, {} branches taken, {} waiting; {findings} {noun} in all",
                now.paths, now.answers, now.waiting
            ),
            None => format!("exploring: {} paths, {} branches taken", now.paths, now.answers),
        });
        Go::On
    }

    fn found(&mut self, function: Mfa, finding: &Finding) {
        let is_shown = self.view.all || finding.ranking.rank == FindingRank::Bug;
        if is_shown && !is_quiet() && self.baseline.is_none() && self.format == Some(OutputFormat::Text) {
            self.notices.waiting.push_str(&format!("found: {}", report::found_text(function, finding)));
        }
    }

    fn explored(&mut self, explored: &JobResult) -> bool {
        self.notices = Notices::default();
        self.findings += explored.exploration.findings.len();
        let mut marked = explored.clone();
        self.baseline.iter().for_each(|baseline| baseline.mark(&mut marked));
        if !self.executions {
            marked.exploration.executions.clear();
        }
        let explored = &marked;
        let known = self.known.add(explored);
        let out = match self.format {
            Some(OutputFormat::Json) => report::explored_line(explored, &known),
            Some(OutputFormat::Text) => {
                let executions = if self.paths { report::executions_text(explored) } else { String::new() };
                report::explored_text(explored, &known, &self.view) + &executions
            }
            None => String::new(),
        };
        let err = if is_verbose() { report::verdict_line(explored) } else { String::new() };
        self.print(&Output { out, err });
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

/// True if standard error is a terminal, where progress can be shown, and it is wanted.
fn has_live_line() -> bool {
    std::io::stderr().is_terminal() && !is_quiet()
}
