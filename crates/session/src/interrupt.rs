//! The request to end early, set by a signal.

use std::sync::atomic::{AtomicBool, Ordering};

static WANTED: AtomicBool = AtomicBool::new(false);

/// Asks for an end.
pub fn request() {
    WANTED.store(true, Ordering::Relaxed);
}

/// True if an end was asked for.
pub fn is_wanted() -> bool {
    WANTED.load(Ordering::Relaxed)
}
