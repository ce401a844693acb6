//! Targets: places in the code as goals of the search, with the names and positions that users know them by.

use std::path::Path;

use exec::forward::ClauseId;
use ir::{CaseKind, Function, Op, Terminator, Unit};
use search::reach::Goal;
use term::{Atom, Mfa};

use super::text::{TargetPlace, TargetText};
use crate::library::{LoadedModule, stem};
use crate::near::nearest_file;
use crate::{Failure, Session, words};

/// A place to get to: reached by any of its goals, unreachable if all of them are.
#[derive(Clone, Debug)]
pub struct Target {
    /// The user's name, or ours.
    pub name: String,
    /// The source file.
    pub file: String,
    /// The line; 0 if unknown.
    pub line: u32,
    /// The column; 0 if unknown.
    pub column: u32,
    /// The goals, any of which is enough.
    pub goals: Vec<Goal>,
}

impl Target {
    /// Returns the target that a word names.
    pub fn read(session: &Session, modules: &[Atom], target: &TargetText) -> Result<Target, Failure> {
        let text = &target.text;
        match &target.place {
            TargetPlace::FileLine { file, line } => {
                let unknown = || {
                    let near = nearest_file(Path::new(file)).map(|near| format!("; did you mean {}?", near.display()));
                    Failure::BadTarget(format!("{text}: no module comes from {file}{}", near.unwrap_or_default()))
                };
                line_target(session, module_of(session, modules, file).ok_or_else(unknown)?, *line, text)
            }
            TargetPlace::ModuleLine { module, line } => line_target(session, *module, *line, text),
            TargetPlace::Function { name, clause } => {
                function_target(session, function_in(session, modules, name)?, *clause, text)
            }
        }
    }
}

/// The module among these whose source has that name.
fn module_of(session: &Session, modules: &[Atom], file: &str) -> Option<Atom> {
    let named = |module: &LoadedModule| {
        let source = Path::new(&module.file);
        source.ends_with(file) || Path::new(file).ends_with(source) || source.file_name() == Path::new(file).file_name()
    };
    let own = modules.iter().find(|module| session.module(**module).is_ok_and(|module| named(&module)));
    // A compiled file is asked about by its own name.
    own.or_else(|| modules.iter().find(|module| **module == stem(Path::new(file)))).copied()
}

fn line_target(session: &Session, module: Atom, line: u32, text: &str) -> Result<Target, Failure> {
    let found = session.module(module)?;
    if !found.lines.contains(&line) {
        return Err(Failure::BadTarget(format!("{text}: {}", no_code(&found.lines, line))));
    }
    let goals = vec![Goal::Line { module, line }];
    Ok(Target { name: text.to_owned(), file: found.file.clone(), line, column: 0, goals })
}

/// The message that a line has no code, with the nearest that have.
fn no_code(lines: &[u32], line: u32) -> String {
    let before = lines.iter().rev().find(|other| **other < line);
    let after = lines.iter().find(|other| **other > line);
    match (before, after) {
        (Some(before), Some(after)) => format!("line {line} has no code to run; the nearest are {before} and {after}"),
        (Some(near), None) | (None, Some(near)) => format!("line {line} has no code to run; the nearest is {near}"),
        (None, None) => "nothing is known of the module's lines".to_owned(),
    }
}

/// `f/1` of one of the modules, exported or not, or `m:f/1`.
pub fn function_in(session: &Session, modules: &[Atom], name: &str) -> Result<Mfa, Failure> {
    let function = words::function_in(session, modules, name).map_err(Failure::BadTarget)?;
    let module = session.module(function.module)?;
    match module.has(function.function, function.arity) {
        true => Ok(function),
        false => Err(module.missing_anywhere(function)),
    }
}

fn function_target(session: &Session, mfa: Mfa, clause: Option<usize>, text: &str) -> Result<Target, Failure> {
    let file = session.module(mfa.module)?.file.clone();
    let broken = || Failure::BadTarget(format!("{text}: the code of {mfa} cannot be used"));
    let unit = session.unit(mfa, true).map_err(|_| broken())?;
    let graph = unit.functions.first().ok_or_else(broken)?;
    let (location, goals) = match clause {
        Some(number) => {
            let (case, clauses) = written(graph);
            let at = clauses.get(number - 1).copied().ok_or_else(|| {
                let noun = if clauses.len() == 1 { "clause" } else { "clauses" };
                Failure::BadTarget(format!("{text}: {mfa} has {} {noun}", clauses.len()))
            })?;
            let goal = Goal::Clause(ClauseId { function: mfa, case, clause: at as u32 });
            (graph.cases[case as usize].clauses[at], vec![goal])
        }
        None => (graph.location, entered(graph).ok_or_else(broken)?),
    };
    Ok(Target { name: text.to_owned(), file, line: location.line, column: location.column, goals })
}

/// The choice between a function's clauses, and those of the source.
fn written(graph: &Function) -> (u32, Vec<usize>) {
    let Some(case) = graph.cases.iter().position(|case| case.kind == CaseKind::Function) else {
        return (0, Vec::new());
    };
    let clauses = graph.cases[case].clauses.iter().enumerate();
    (case as u32, clauses.filter(|(_, at)| at.is_known()).map(|(at, _)| at).collect())
}

/// The goals that every call of a function meets: its first clause or line, or either outcome of its first test.
fn entered(graph: &Function) -> Option<Vec<Goal>> {
    let function = graph.name;
    let mut block = 0;
    for _ in 0..graph.blocks.len() {
        let body = graph.blocks.get(block as usize)?;
        let event = body.body.iter().find_map(|it| match it.op {
            Op::Enter { case, clause } => Some(Goal::Clause(ClauseId { function, case, clause })),
            Op::Line(line) => Some(Goal::Line { module: function.module, line }),
            _ => None,
        });
        match (event, &body.end) {
            (Some(goal), _) => return Some(vec![goal]),
            (None, Terminator::Branch { .. }) => {
                return Some([true, false].map(|holds| Goal::Branch { function, block, holds }).to_vec());
            }
            (None, Terminator::Jump(to)) => block = to.0,
            _ => return None,
        }
    }
    None
}

/// The file that a place of a unit stands in, as targets name it.
pub fn file_of(unit: &Unit, file: u16) -> String {
    unit.file(file).to_owned()
}
