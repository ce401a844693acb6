//! The interrupt from the keyboard: the first one asks for an end, the second one gets it at once.

use session::interrupt;

use crate::exit::Exit;

/// Takes interrupts from now on.
pub fn listen() {
    let handler = || {
        if interrupt::request() {
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
    };
    // Without a handler the interrupt ends the command as usual.
    let _ = ctrlc::set_handler(handler);
}
