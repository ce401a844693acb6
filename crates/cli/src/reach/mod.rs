//! `hound reach`: the targets' verdicts, as they are printed.

mod screen;

use report::Tally;
use session::reach::{Count, Done, pursue};
use session::{Failure, Reached};

use crate::explore::screen::paint;
use crate::interrupt;
use crate::options::{Format, ReachOptions};
use crate::{FAILED, Printed};
use screen::Screen;

/// Gets to what the words name; what to print, and the exit code.
pub(crate) fn reach(options: &ReachOptions) -> Result<(Printed, u8), Failure> {
    interrupt::listen();
    let done = pursue(&options.request(), &mut Screen::default())?;
    let failures = done.failures.concat();
    Ok((printed(options.format, &done, failures), code(&done.reached, !done.failures.is_empty())))
}

fn printed(format: Format, done: &Done, failures: String) -> Printed {
    let tally = done.tally.map(|Count { covered, total }| Tally { covered, total });
    let mut printed = Printed { out: String::new(), err: failures };
    match format {
        Format::Json => done.reached.iter().for_each(|one| printed.out.push_str(&report::reached_line(one))),
        Format::Text => printed.out = report::reached_text(&done.reached, tally, paint()),
    }
    if done.interrupted {
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
