//! Reading the graph back from its text; the form is described with the printer.

mod block;
mod cursor;

use term::ReadError;

use self::cursor::{Line, Lines};
use crate::{Case, CaseKind, Function, Location, Unit};

type Result<T> = std::result::Result<T, ReadError>;

impl Unit {
    /// Reads what printing a unit gives. The graph is well formed text, not necessarily a well formed graph: see
    /// [`crate::verify`].
    pub fn read(text: &str) -> Result<Unit> {
        let mut lines = Lines::new(text);
        let mut unit = Unit { functions: Vec::new(), files: Vec::new(), shown: Vec::new() };
        while let Some(mut line) = lines.take_if("file ") {
            unit.files.push(line.quoted()?);
            line.end()?;
        }
        while let Some(line) = lines.take_if("function ") {
            unit.functions.push(function(line, &mut lines)?);
        }
        match lines.next() {
            None => Ok(unit),
            Some(line) => line.error("'file', 'function' or the end of the text expected"),
        }
    }
}

fn function(mut line: Line<'_>, lines: &mut Lines<'_>) -> Result<Function> {
    let name = line.mfa()?;
    line.expect(" (")?;
    let params = line.row(Line::register)?;
    line.expect(" captured ")?;
    let captured = line.number()?;
    line.expect(" registers ")?;
    let registers = line.number()?;
    let location = line.last_location()?;
    let cases = cases(lines)?;
    let blocks = block::blocks(lines)?;
    Ok(Function { name, params, captured, blocks, registers, cases, location })
}

fn cases(lines: &mut Lines<'_>) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    while let Some(mut line) = lines.take_if("case ") {
        line.expect(&format!("{} ", cases.len()))?;
        let kind = match line.word() {
            "function" => CaseKind::Function,
            "case" => CaseKind::Case,
            _ => return line.error("'function' or 'case' expected"),
        };
        let location = line.location()?;
        line.expect(" [")?;
        let clauses = clauses(&mut line)?;
        line.end()?;
        cases.push(Case { kind, location, clauses });
    }
    Ok(cases)
}

fn clauses(line: &mut Line<'_>) -> Result<Vec<Location>> {
    let mut clauses = Vec::new();
    if line.accept("]") {
        return Ok(clauses);
    }
    loop {
        clauses.push(if line.accept("-") { Location::NONE } else { line.place()? });
        if line.accept("]") {
            return Ok(clauses);
        }
        line.expect(", ")?;
    }
}

#[cfg(test)]
mod tests;
