//! `hound solve`: the portfolio on a condition written as text.

use std::path::Path;
use std::time::Duration;

use constraint::Text;
use report::Output;
use session::{Failure, solve};

use crate::config::Config;
use crate::exit::Exit;
use crate::options::{OutputFormat, SolveOptions};

/// Solves the condition in the file.
pub(crate) fn solve(options: &SolveOptions) -> Result<(Output, Exit), Failure> {
    let text = read(&options.file)?;
    let file = options.file.display().to_string();
    let config = Config::read(options.config.as_deref())?;
    let walk = options.walk.clone().or(&config.walk).settings();
    let effort = solve::Effort { evaluations: options.evaluations, walk, time: Duration::from_secs(options.time) };
    let solved = solve::solve(text, &file, effort, &options.code.session())?;
    let out = match options.format() {
        OutputFormat::Json => report::solved_line(&solved),
        OutputFormat::Text => report::solved_text(&solved),
    };
    Ok((Output { out, ..Output::default() }, Exit::of_solution(&solved.verdict)))
}

fn read(path: &Path) -> Result<Text, Failure> {
    let shown = path.display();
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Failure::no_file(path),
        _ => Failure::Unusable(format!("{shown}: {error}")),
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
        Failure::BadCondition(format!("{shown}:{line}:{column}: this is no UTF-8 text"))
    })?;
    Text::read(&text).map_err(|fault| Failure::BadCondition(format!("{shown}:{fault}")))
}
