//! The interrupt from the keyboard: the first one asks for an end, the second one gets it at once.

use std::sync::atomic::{AtomicBool, Ordering};

/// What the shell says of a command that an interrupt has ended.
pub const CODE: u8 = 130;

static WANTED: AtomicBool = AtomicBool::new(false);

/// Takes interrupts from now on.
pub fn listen() {
    let handler = || {
        if WANTED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(CODE));
        }
    };
    // Without a handler the interrupt ends the command as usual.
    let _ = ctrlc::set_handler(handler);
}

/// Whether there was one.
pub fn is_wanted() -> bool {
    WANTED.load(Ordering::Relaxed)
}
