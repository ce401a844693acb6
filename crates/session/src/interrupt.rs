//! The request to end early, set by a signal.

use std::sync::atomic::{AtomicBool, Ordering};

use host::Deadline;
use term::cut::StopScope;

static WANTED: AtomicBool = AtomicBool::new(false);

/// Asks for an end.
pub fn request() {
    WANTED.store(true, Ordering::Relaxed);
}

/// True if an end was asked for.
pub fn is_wanted() -> bool {
    WANTED.load(Ordering::Relaxed)
}

/// Cuts long operations of this thread from a time on, or once an end was asked for, until the scope is dropped.
pub(crate) fn stop_at(end: Option<Deadline>) -> StopScope {
    StopScope::new(move || is_wanted() || end.is_some_and(Deadline::is_over))
}
