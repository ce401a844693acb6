//! Progress on a terminal, and the wish to stop.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use report::Explored;
use search::Progress;
use term::Mfa;

/// A live line on standard error: the function at work, its paths, coverage and findings.
pub struct Bar {
    bar: Option<ProgressBar>,
    findings: usize,
}

impl Bar {
    pub fn new(functions: usize) -> Bar {
        let wanted = std::io::stderr().is_terminal();
        let bar = wanted.then(|| ProgressBar::new(functions as u64));
        if let (Some(bar), Ok(style)) = (&bar, ProgressStyle::with_template("{pos}/{len} {msg}")) {
            bar.set_style(style);
        }
        Bar { bar, findings: 0 }
    }

    pub fn show(&mut self, function: Mfa, progress: &Progress) {
        let Some(bar) = &self.bar else { return };
        let now = &progress.statistics;
        let findings = self.findings + progress.findings;
        bar.set_message(format!(
            "{function}: {} paths, {} waiting, {} queries ({} unknown), {findings} findings",
            now.paths, now.waiting, now.queries, now.unknown
        ));
    }

    pub fn done(&mut self, explored: &Explored) {
        self.findings += explored.exploration.findings.len();
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Set when the user wants to stop; what was found until then is reported.
#[derive(Clone)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The first interrupt from the keyboard asks for a stop, the second one gets it at once.
pub fn stop_on_interrupt() -> Stop {
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
