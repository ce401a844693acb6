//! The lines of the source that a finding is about: where it fails, and the clause of the spec that allows its inputs.

mod extent;

use std::path::{Path, PathBuf};

use term::{Atom, Mfa};

use crate::Session;
use crate::job::{FindingDetail, MarkedLine, SpecLines};
use extent::{extent, whole};

/// Lines of a spec that are shown.
const SPEC_LINES: usize = 4;
/// Sources that are larger are not shown.
const LARGEST: u64 = 8 << 20;
/// Folders above a compiled module in which its source is looked for.
const ABOVE: usize = 6;

impl FindingDetail {
    /// Adds the lines of the source; `clause` is that of the spec of `function`.
    pub(crate) fn read_source(&mut self, session: &Session, at: Option<Mfa>, function: Mfa, clause: usize) {
        let failing = at.unwrap_or(function).module;
        self.failing = source(session, failing, &self.file).and_then(|text| {
            let line = text.lines().nth(self.line.checked_sub(1)? as usize)?;
            Some(marked(line, self.line, self.column))
        });
        self.spec = spec_lines(session, function, clause);
    }
}

/// The text of a file that stack traces name so, unless it was edited after its module was compiled.
fn source(session: &Session, module: Atom, file: &str) -> Option<String> {
    let given = session.file_of(module);
    let named = PathBuf::from(file);
    let is_given = given.iter().any(|given| given.extension() == named.extension());
    let compiled = given.as_deref().filter(|_| !is_given);
    let mut places = given
        .clone()
        .filter(|given| is_given && given.file_name() == named.file_name())
        .into_iter()
        .chain([named.clone()]);
    let found = places.find(|place| place.is_file()).or_else(|| beside(compiled?, &named))?;
    let is_large = found.metadata().map_or(true, |it| it.len() > LARGEST);
    let is_stale = compiled.is_some_and(|compiled| is_newer(&found, compiled));
    if is_large || is_stale {
        return None;
    }
    std::fs::read_to_string(found).ok()
}

/// The source of a compiled module, found in the folders above it.
fn beside(compiled: &Path, named: &Path) -> Option<PathBuf> {
    let name = named.file_name()?;
    let above = compiled.ancestors().skip(1).take(ABOVE);
    let places =
        above.flat_map(|folder| [folder.join(named), folder.join("src").join(name), folder.join("lib").join(name)]);
    places.into_iter().find(|place| place.is_file())
}

fn is_newer(source: &Path, compiled: &Path) -> bool {
    let time = |path: &Path| path.metadata().and_then(|it| it.modified()).ok();
    time(source) > time(compiled)
}

/// A line with the expression marked that begins at a column, or all of it if that is not known.
fn marked(line: &str, number: u32, column: u32) -> MarkedLine {
    let text = line.trim_end().to_owned();
    let start = (column as usize).checked_sub(1).and_then(|at| text.char_indices().nth(at)).map(|(at, _)| at);
    let (start, end) = start.map_or_else(|| whole(&text), |start| (start, extent(&text, start)));
    MarkedLine { line: number, text, start, end }
}

/// The clause of a function's own spec, if the source has it there.
fn spec_lines(session: &Session, function: Mfa, clause: usize) -> Option<SpecLines> {
    let module = session.module(function.module).ok()?;
    let first = module.declarations().spec_line(function.function, function.arity, clause)?;
    let text = source(session, function.module, &module.file)?;
    let lines = text.lines().enumerate().skip(first as usize - 1).take(SPEC_LINES);
    let mut shown = Vec::new();
    for (at, line) in lines {
        shown.push(marked(line, at as u32 + 1, 0));
        if is_last(line) || module.is_elixir() && is_balanced(&text, first as usize - 1, at) {
            break;
        }
    }
    let is_there = |line: &MarkedLine| {
        let text = line.text.trim_start();
        text.contains(function.function.name()) || text.contains("spec") || text.starts_with([';', '('])
    };
    shown.first().is_some_and(is_there).then_some(SpecLines { file: module.file.clone(), lines: shown })
}

/// True if a line ends a clause of a spec in Erlang.
fn is_last(line: &str) -> bool {
    let code = line.split('%').next().unwrap_or_default().trim_end();
    code.ends_with(['.', ';'])
}

/// True if the brackets of some lines are closed, and the next line does not go on.
fn is_balanced(text: &str, from: usize, to: usize) -> bool {
    let mut lines = text.lines().skip(from);
    let opened: i64 = lines
        .by_ref()
        .take(to + 1 - from)
        .flat_map(str::chars)
        .map(|char| match char {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        })
        .sum();
    let goes_on = |line: &str| ["|", "when ", "::", "->"].iter().any(|word| line.trim_start().starts_with(word));
    opened <= 0 && !lines.next().is_some_and(goes_on)
}
