//! What a person sees while an exploration goes on: a live line, and what each function gave as soon as it is done.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use report::Paint;
use search::{Go, Progress};
use session::explore::Watch;
use session::{Explored, interrupt};
use solve::Stats;
use term::Mfa;

use crate::options::Format;
use crate::{Printed, print};

/// How often the live line moves, whatever happens.
const TICK: Duration = Duration::from_millis(200);

pub struct Screen {
    /// The live line on standard error, if that is a terminal.
    bar: Option<ProgressBar>,
    format: Format,
    pub paint: Paint,
    findings: usize,
}

impl Screen {
    pub fn new(functions: usize, format: Format) -> Screen {
        let bar = std::io::stderr().is_terminal().then(|| ProgressBar::new(functions as u64));
        let style = ProgressStyle::with_template("{spinner} [{bar:20}] {pos}/{len} {wide_msg}");
        if let (Some(bar), Ok(style)) = (&bar, style) {
            bar.set_style(style.progress_chars("=> "));
            bar.enable_steady_tick(TICK);
        }
        Screen { bar, format, paint: paint(), findings: 0 }
    }

    fn show(&self, function: Mfa, progress: &Progress) {
        let Some(bar) = &self.bar else { return };
        let now = &progress.statistics;
        let findings = self.findings + progress.findings;
        bar.set_message(format!(
            "{function}: {} paths, {} branches taken, {} waiting; {findings} {} in all",
            now.paths,
            now.answers,
            now.waiting,
            if findings == 1 { "finding" } else { "findings" }
        ));
    }

    /// Prints, with the live line out of the way.
    pub fn say(&self, out: String, err: String) {
        let printed = Printed { out, err };
        match &self.bar {
            Some(bar) => bar.suspend(|| print(&printed)),
            None => print(&printed),
        }
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Watch for Screen {
    fn on(&mut self, function: Mfa, progress: &Progress) -> Go {
        self.show(function, progress);
        if interrupt::is_wanted() { Go::Interrupt } else { Go::On }
    }

    fn done(&mut self, explored: &Explored, _: &Stats) -> bool {
        self.findings += explored.exploration.findings.len();
        let text = match self.format {
            Format::Json => report::explored_line(explored),
            Format::Text => report::explored_text(explored, self.paint),
        };
        self.say(text, String::new());
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
        !interrupt::is_wanted()
    }
}

/// Colours only where they can be seen, and only for those who do not mind (NO_COLOR).
pub fn paint() -> Paint {
    let minds = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let seen = std::io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
    if seen && !minds { Paint::Colours } else { Paint::Plain }
}
