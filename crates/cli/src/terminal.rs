//! The terminal that text is made for: its columns, its colours, and how much is wanted.

use std::io::IsTerminal;
use std::sync::OnceLock;

use report::{Paint, USUAL_WIDTH};

use crate::options::{ColorChoice, TerminalOptions};

/// The columns beyond which lines are hard to read.
const WIDEST: usize = 160;

/// The options of the command line.
static OPTIONS: OnceLock<TerminalOptions> = OnceLock::new();

/// Sets the options of the command line, once.
pub(crate) fn set(options: TerminalOptions) {
    // There is one command line.
    let _ = OPTIONS.set(options);
}

/// True if only findings are wanted.
pub(crate) fn is_quiet() -> bool {
    OPTIONS.get().is_some_and(|options| options.quiet)
}

/// True if more is wanted than results.
pub(crate) fn is_verbose() -> bool {
    OPTIONS.get().is_some_and(|options| options.verbose)
}

/// Colours as `--color` says: by itself if standard output shows them and `NO_COLOR` is not set.
pub(crate) fn paint() -> Paint {
    let is_shown = match OPTIONS.get().map_or(ColorChoice::Auto, |options| options.color) {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let is_refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let is_able = std::env::var_os("TERM").is_none_or(|term| term != "dumb");
            std::io::stdout().is_terminal() && is_able && !is_refused
        }
    };
    if is_shown { Paint::Colours } else { Paint::Plain }
}

/// The columns of the terminal; of no terminal what `COLUMNS` says.
pub(crate) fn width() -> usize {
    let terminal = std::io::stdout().is_terminal().then(terminal_size::terminal_size).flatten();
    let of_terminal = terminal.map(|(terminal_size::Width(width), _)| usize::from(width));
    let said = || std::env::var("COLUMNS").ok()?.trim().parse().ok();
    of_terminal.map(|width| width.min(WIDEST)).or_else(said).filter(|width| *width > 0).unwrap_or(USUAL_WIDTH)
}
