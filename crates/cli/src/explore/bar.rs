//! Progress on a terminal, and the wish to stop.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use report::Explored;
use search::{Go, Progress};
use solve::Stats;
use term::Mfa;

use super::Watch;

/// A live line on standard error: the function at work, its paths, coverage and findings.
pub struct Bar {
    bar: Option<ProgressBar>,
    findings: usize,
    stop: Stop,
}

impl Bar {
    pub fn new(functions: usize) -> Bar {
        let wanted = std::io::stderr().is_terminal();
        let bar = wanted.then(|| ProgressBar::new(functions as u64));
        if let (Some(bar), Ok(style)) = (&bar, ProgressStyle::with_template("{pos}/{len} {msg}")) {
            bar.set_style(style);
        }
        Bar { bar, findings: 0, stop: stop_on_interrupt() }
    }

    fn show(&self, function: Mfa, progress: &Progress) {
        let Some(bar) = &self.bar else { return };
        let now = &progress.statistics;
        let findings = self.findings + progress.findings;
        bar.set_message(format!(
            "{function}: {} paths, {} waiting, {} queries ({} unknown), {findings} findings",
            now.paths, now.waiting, now.queries, now.unknown
        ));
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Watch for Bar {
    fn on(&mut self, function: Mfa, progress: &Progress) -> Go {
        self.show(function, progress);
        if self.stop.is_set() { Go::Interrupt } else { Go::On }
    }

    fn done(&mut self, explored: &Explored, _: &Stats) -> bool {
        self.findings += explored.exploration.findings.len();
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
        !self.stop.is_set()
    }
}

/// Set when the user wants to stop; what was found until then is reported.
#[derive(Clone)]
struct Stop(Arc<AtomicBool>);

impl Stop {
    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The first interrupt from the keyboard asks for a stop, the second one gets it at once.
fn stop_on_interrupt() -> Stop {
    let stop = Stop(Arc::new(AtomicBool::new(false)));
    let flag = stop.clone();
    let handler = move || {
        if flag.0.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    // Without a handler the interrupt ends the command as usual.
    let _ = ctrlc::set_handler(handler);
    stop
}
