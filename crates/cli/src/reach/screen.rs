//! The live line on standard error while targets are searched for.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::ProgressBar;
use search::Tested;
use search::reach::{Goal, Progress, Pursuit};
use session::reach::Monitor;

const TICK: Duration = Duration::from_millis(200);

/// The live line; it begins with the first progress.
#[derive(Default)]
pub struct Screen {
    bar: Option<ProgressBar>,
}

impl Screen {
    /// Shows a message where standard error is a terminal.
    fn show(&mut self, message: impl FnOnce() -> String) {
        if self.bar.is_none() && std::io::stderr().is_terminal() {
            let bar = ProgressBar::new_spinner();
            bar.enable_steady_tick(TICK);
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_message(message());
        }
    }
}

impl Monitor for Screen {
    fn exploring(&mut self, now: &search::Progress) {
        let statistics = &now.statistics;
        self.show(|| format!("exploring: {} paths, {} branches taken", statistics.paths, statistics.answers));
    }

    fn searching(&mut self, now: &Progress) {
        let Progress { goals, settled, statistics } = now;
        self.show(|| {
            format!(
                "{settled} of {goals} targets settled; {} segments, {} queries, {} runs",
                statistics.explored, statistics.queries, statistics.runs
            )
        });
    }

    fn finished(&mut self, _: &mut [Tested<'_>], _: &[Goal], _: &[Pursuit]) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
