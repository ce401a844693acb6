//! Progress on a terminal.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};
use report::Explored;
use search::{Go, Progress};
use solve::Stats;
use term::Mfa;

use super::Watch;
use crate::interrupt;

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
        if interrupt::is_wanted() { Go::Interrupt } else { Go::On }
    }

    fn done(&mut self, explored: &Explored, _: &Stats) -> bool {
        self.findings += explored.exploration.findings.len();
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
        !interrupt::is_wanted()
    }
}
