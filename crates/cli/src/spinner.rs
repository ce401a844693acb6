//! A spinner on standard error for work that takes more than a second, where a person is watching.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::ProgressBar;

/// The time before it shows.
const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(100);

/// Shows that something is going on until it is dropped.
pub struct Spinner {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Spinner {
    /// Starts a spinner with a message.
    pub fn start(message: String) -> Spinner {
        if !std::io::stderr().is_terminal() {
            return Spinner { stop: None, thread: None };
        }
        let (stop, stopped) = channel();
        let thread = std::thread::spawn(move || {
            if stopped.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::new_spinner().with_message(message);
            bar.enable_steady_tick(TICK);
            // An error here means that the other end is gone: either way it is over.
            let _ = stopped.recv();
            bar.finish_and_clear();
        });
        Spinner { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A spinner that panicked is no reason to fail the work.
            let _ = thread.join();
        }
    }
}
