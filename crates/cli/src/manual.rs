//! The command about itself: pages on codes, scripts for shells, manual pages, the versions of its parts.

use std::path::Path;

use clap::Command;
use report::Output;
use session::{Failure, SessionOptions};

use crate::exit::Exit;
use crate::options::{CompletionsOptions, ExplainOptions, ManOptions};
use crate::terminal;

/// The commit that this was built from.
const COMMIT: &str = env!("HOUND_COMMIT");

/// Shows the page of a code, or lists all codes.
pub(crate) fn explain(options: &ExplainOptions) -> Result<(Output, Exit), Failure> {
    let width = terminal::width();
    let Some(code) = &options.code else { return Ok(printed(report::explained_codes(width))) };
    match report::explained(code, width) {
        Some(page) => Ok(printed(page)),
        None => Err(unknown(code)),
    }
}

fn unknown(code: &str) -> Failure {
    let instead = match &report::similar_codes(code)[..] {
        [] => "hound explain lists all".to_owned(),
        codes => format!("did you mean {}?", codes.join(" or ")),
    };
    Failure::Unusable(format!("{code:?} is no code; {instead}"))
}

/// Prints a script for a shell.
pub(crate) fn completions(options: &CompletionsOptions, mut command: Command) -> Result<(Output, Exit), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut command, "hound", &mut script);
    Ok(printed(String::from_utf8_lossy(&script).into_owned()))
}

/// Writes the manual pages into a folder, or prints the first one.
pub(crate) fn man(options: &ManOptions, command: Command) -> Result<(Output, Exit), Failure> {
    let Some(folder) = &options.folder else {
        let mut page = Vec::new();
        let rendered = clap_mangen::Man::new(command).render(&mut page);
        rendered.map_err(|error| Failure::Unusable(error.to_string()))?;
        return Ok(printed(String::from_utf8_lossy(&page).into_owned()));
    };
    let failed = |error: std::io::Error| Failure::Unusable(format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(command, folder).map_err(failed)?;
    Ok(printed(written(folder)))
}

fn written(folder: &Path) -> String {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut pages: Vec<String> = names.filter(|name| name.starts_with("hound") && name.ends_with(".1")).collect();
    pages.sort();
    pages.iter().map(|page| format!("{}\n", folder.join(page).display())).collect()
}

fn printed(out: String) -> (Output, Exit) {
    (Output { out, ..Output::default() }, Exit::Printed)
}

/// The version with the commit, and what it runs on: Erlang and Z3.
pub(crate) fn long_version() -> String {
    let diagnosis = session::doctor::diagnose(&SessionOptions::default());
    let facts = diagnosis.facts.iter().filter(|(name, _)| matches!(*name, "erlang" | "z3"));
    let lines: String = facts.map(|(name, value)| format!("\n{name}: {value}")).collect();
    format!("{}{lines}", version())
}

/// The version with the commit.
pub(crate) fn version() -> String {
    format!("{} ({COMMIT})", env!("CARGO_PKG_VERSION"))
}
