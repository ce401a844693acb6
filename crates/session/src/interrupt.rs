//! The request to end early, set by an interrupt from the keyboard.

use std::sync::atomic::{AtomicBool, Ordering};

static WANTED: AtomicBool = AtomicBool::new(false);

/// Asks for an end; returns true if it had been asked for before.
pub fn request() -> bool {
    WANTED.swap(true, Ordering::Relaxed)
}

/// True if an end was asked for.
pub fn is_wanted() -> bool {
    WANTED.load(Ordering::Relaxed)
}
