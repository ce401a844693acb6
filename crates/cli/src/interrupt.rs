//! The interrupt from the keyboard: the first one asks for an end, the second one gets it at once.

use session::interrupt;

/// The exit code that the shell gives a command ended by an interrupt.
pub const CODE: u8 = 130;

/// Takes interrupts from now on.
pub fn listen() {
    let handler = || {
        if interrupt::request() {
            std::process::exit(i32::from(CODE));
        }
    };
    // Without a handler the interrupt ends the command as usual.
    let _ = ctrlc::set_handler(handler);
}
