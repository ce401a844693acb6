//! The standard streams: what a command prints, and the failure to print it.

use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use report::Output;

use crate::exit::Exit;

/// Set once standard output has refused something.
static LOST: AtomicBool = AtomicBool::new(false);

/// Prints to both standard streams.
pub(crate) fn print(output: &Output) {
    let mut out = io::stdout();
    let mut err = output.err.clone();
    if let Err(error) = out.write_all(output.out.as_bytes()).and_then(|()| out.flush()) {
        err.push_str(&lost(&error));
    }
    // There is no other place to report a failure of this one.
    let _ = io::stderr().write_all(err.as_bytes());
}

/// Prints the help, or what is wrong with the command line.
pub(crate) fn print_usage(error: &clap::Error) -> Exit {
    let exit = if error.use_stderr() { Exit::Failed } else { Exit::Printed };
    if let Err(error) = error.print().and_then(|()| io::stdout().flush()) {
        print(&Output { err: lost(&error), ..Output::default() });
    }
    of_printed(exit)
}

/// The exit of a command whose output was printed, which fails if some of it was lost.
pub(crate) fn of_printed(exit: Exit) -> Exit {
    if LOST.load(Ordering::Relaxed) { Exit::Failed } else { exit }
}

/// Remembers a failure to write and returns its message, once. A reader that has gone away is no failure.
fn lost(error: &io::Error) -> String {
    if error.kind() == ErrorKind::BrokenPipe || LOST.swap(true, Ordering::Relaxed) {
        return String::new();
    }
    format!("hound: standard output: {error}\n")
}
