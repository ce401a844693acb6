//! `hound reach`: the targets' verdicts, as they are output.

use report::Output;
use session::reach::Results;
use session::{Failure, mebibytes, reach};

use crate::allocator::limit_program;
use crate::exit::Exit;
use crate::options::{OutputFormat, ReachOptions};
use crate::screen::Screen;
use crate::{failed, interrupt};

/// Searches for the targets that the words name.
pub(crate) fn reach(options: &ReachOptions) -> Result<(Output, Exit), Failure> {
    interrupt::listen();
    limit_program(mebibytes(options.bounds.memory));
    let mut screen = Screen::searching();
    let results = reach::reach(&options.request(), &mut screen).inspect_err(|_| screen.finish())?;
    let exit = Exit::of_reached(&results.reached, !results.failures.is_empty());
    Ok((output(options.format, &results, &screen), exit))
}

fn output(format: OutputFormat, results: &Results, screen: &Screen) -> Output {
    let mut output = Output { err: results.notes.clone(), ..Output::default() };
    for (module, failure) in &results.failures {
        output.err.push_str(&failed(&format!("{module} was left out: "), failure, OutputFormat::Text).err);
    }
    match format {
        OutputFormat::Json => results.reached.iter().for_each(|one| output.out.push_str(&report::reached_line(one))),
        OutputFormat::Text => {
            let files: String = results
                .sources
                .iter()
                .map(|path| format!("{} ", report::shell_word(&path.display().to_string())))
                .collect();
            output.out = report::reached_text(&results.reached, &files, results.tally, screen.view.paint);
        }
    }
    if results.interrupted {
        output.err.push_str("hound: interrupted\n");
    }
    output
}
