//! `hound reach`: the targets' verdicts, as they are printed.

use session::reach::{Reached, Results};
use session::{Failure, reach};

use crate::options::{Format, ReachOptions};
use crate::screen::Screen;
use crate::{FAILED, Printed, interrupt};

/// Searches for the targets that the words name; what to print, and the exit code.
pub(crate) fn reach(options: &ReachOptions) -> Result<(Printed, u8), Failure> {
    interrupt::listen();
    let mut screen = Screen::searching();
    let results = reach::reach(&options.request(), &mut screen).inspect_err(|_| screen.finish())?;
    Ok((printed(options.format, &results, &screen), code(&results.reached, !results.failures.is_empty())))
}

fn printed(format: Format, results: &Results, screen: &Screen) -> Printed {
    let mut printed = Printed::default();
    for (module, failure) in &results.failures {
        printed.err.push_str(&format!("hound: {module} was left out: {failure}\n"));
    }
    match format {
        Format::Json => results.reached.iter().for_each(|one| printed.out.push_str(&report::reached_line(one))),
        Format::Text => printed.out = report::reached_text(&results.reached, results.tally, screen.paint),
    }
    if results.interrupted {
        printed.err.push_str("hound: interrupted\n");
    }
    printed
}

fn code(reached: &[Reached], failed: bool) -> u8 {
    match reached.iter().any(Reached::is_reached) {
        true => 1,
        false if failed => FAILED,
        false if session::interrupt::is_wanted() => interrupt::CODE,
        false => 0,
    }
}
