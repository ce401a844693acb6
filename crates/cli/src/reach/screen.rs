//! What a person sees while targets are pursued: one live line on standard error.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::ProgressBar;
use search::reach::Progress;

const TICK: Duration = Duration::from_millis(200);

pub struct Screen {
    /// Only where standard error is a terminal.
    bar: Option<ProgressBar>,
}

impl Screen {
    pub fn new() -> Screen {
        let bar = std::io::stderr().is_terminal().then(ProgressBar::new_spinner);
        if let Some(bar) = &bar {
            bar.enable_steady_tick(TICK);
        }
        Screen { bar }
    }

    pub fn exploring(&self, now: &search::Progress) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!(
                "exploring: {} paths, {} branches taken",
                now.statistics.paths, now.statistics.answers
            ));
        }
    }

    pub fn show(&self, now: &Progress) {
        if let Some(bar) = &self.bar {
            let Progress { goals, settled, statistics } = now;
            bar.set_message(format!(
                "{settled} of {goals} targets settled; {} segments, {} queries, {} runs",
                statistics.explored, statistics.queries, statistics.runs
            ));
        }
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
