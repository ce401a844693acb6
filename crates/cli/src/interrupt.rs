//! Interrupts from the keyboard and requests to terminate: the first asks for an end, a later one gets it at once.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use session::interrupt;

use crate::exit::Exit;

/// Signals closer together than this are one request: `timeout` sends its signal to the command and to its group.
const TOGETHER: Duration = Duration::from_millis(500);

/// The time of the first request.
static FIRST: OnceLock<Instant> = OnceLock::new();

/// Takes SIGINT, SIGTERM and SIGHUP from now on.
pub fn listen() {
    let handler = || {
        interrupt::request();
        if FIRST.get_or_init(Instant::now).elapsed() > TOGETHER {
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
    };
    // Without a handler a signal ends the command as usual.
    let _ = ctrlc::set_handler(handler);
}
