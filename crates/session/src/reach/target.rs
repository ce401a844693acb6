//! Places in the code as goals of the search, with the names and positions that a person knows them by.

use std::path::Path;

use exec::forward::Clause;
use frontend::core::Name;
use ir::{CaseKind, Function, Op, Terminator, Unit};
use search::reach::Goal;
use term::{Atom, Mfa};

use super::words::{Wanted, WantedPlace};
use crate::Failure;
use crate::functions::local;
use crate::library::Module;
use crate::names::function_name;
use crate::session::Outside;

/// A place to get to: reached by any of its goals, unreachable if all of them are.
#[derive(Clone, Debug)]
pub struct Target {
    /// As the user wrote it, or as we name it.
    pub name: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub goals: Vec<Goal>,
}

/// The target that a word names.
pub fn target(outside: &mut Outside, modules: &[Atom], wanted: &Wanted) -> Result<Target, Failure> {
    let bad = |why: String| Failure::BadTarget(format!("{}: {why}", wanted.text));
    match &wanted.place {
        WantedPlace::FileLine { file, line } => {
            let module =
                module_of(outside, modules, file).ok_or_else(|| bad(format!("no module comes from {file}")))?;
            line_target(outside, module, *line, &wanted.text)
        }
        WantedPlace::ModuleLine { module, line } => line_target(outside, *module, *line, &wanted.text),
        WantedPlace::Function { name, clause } => {
            let function = function(outside, modules, name)?;
            function_target(outside, function, *clause, &wanted.text)
        }
    }
}

/// The module among these whose source has that name.
fn module_of(outside: &mut Outside, modules: &[Atom], file: &str) -> Option<Atom> {
    let Outside { host, library, .. } = outside;
    let named = |module: &Module| {
        let source = Path::new(&module.file);
        source.ends_with(file) || Path::new(file).ends_with(source) || source.file_name() == Path::new(file).file_name()
    };
    let own = modules.iter().find(|module| library.module(host, **module).is_ok_and(|module| named(module)));
    // A compiled file is asked about by its own name.
    own.or_else(|| modules.iter().find(|module| **module == crate::library::stem(Path::new(file)))).copied()
}

fn line_target(outside: &mut Outside, module: Atom, line: u32, text: &str) -> Result<Target, Failure> {
    let Outside { host, library, .. } = outside;
    let found = library.module(host, module)?;
    if !found.lines.contains(&line) {
        return Err(Failure::BadTarget(format!("{text}: {}", no_code(&found.lines, line))));
    }
    let goals = vec![Goal::Line { module, line }];
    Ok(Target { name: text.to_owned(), file: found.file.clone(), line, column: 0, goals })
}

/// That a line cannot be reached by anybody, and those nearest to it that can.
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
pub fn function(outside: &mut Outside, modules: &[Atom], name: &str) -> Result<Mfa, Failure> {
    let function = match function_name(name) {
        Ok(function) => function,
        Err(why) => owner(outside, modules, name).map_err(|own| Failure::BadTarget(own.unwrap_or(why)))?,
    };
    let Outside { host, library, .. } = outside;
    let module = library.module(host, function.module)?;
    let wanted = Name { function: function.function, arity: function.arity };
    match module.names().any(|other| other == wanted) {
        true => Ok(function),
        false => Err(module.missing_anywhere(function)),
    }
}

/// The one module that has a function of that name; why there is none, if that is known.
fn owner(outside: &mut Outside, modules: &[Atom], name: &str) -> Result<Mfa, Option<String>> {
    let Outside { host, library, .. } = outside;
    let mut owners = Vec::new();
    for module in modules {
        let function = local(*module, name).map_err(|_| None)?;
        let wanted = Name { function: function.function, arity: function.arity };
        if modules.len() == 1 || library.module(host, *module).is_ok_and(|it| it.names().any(|name| name == wanted)) {
            owners.push(function);
        }
    }
    match owners[..] {
        [function] => Ok(function),
        [] => Err(Some(format!("{name}: none of the sources has such a function"))),
        _ => Err(Some(format!("{name}: several modules have such a function; write module:{name}"))),
    }
}

fn function_target(outside: &mut Outside, mfa: Mfa, clause: Option<usize>, text: &str) -> Result<Target, Failure> {
    let Outside { host, library, .. } = outside;
    let file = library.module(host, mfa.module)?.file.clone();
    let broken = || Failure::BadTarget(format!("{text}: the code of {mfa} cannot be used"));
    let unit = library.unit(host, mfa, true).map_err(|_| broken())?;
    let graph = unit.functions.first().ok_or_else(broken)?;
    let (location, goals) = match clause {
        Some(number) => {
            let (case, clauses) = written(graph);
            let at = clauses.get(number - 1).copied().ok_or_else(|| {
                let noun = if clauses.len() == 1 { "clause" } else { "clauses" };
                Failure::BadTarget(format!("{text}: {mfa} has {} {noun}", clauses.len()))
            })?;
            let goal = Goal::Clause(Clause { function: mfa, case, clause: at as u32 });
            (graph.cases[case as usize].clauses[at], vec![goal])
        }
        None => (graph.location, entered(graph).ok_or_else(broken)?),
    };
    Ok(Target { name: text.to_owned(), file, line: location.line, column: location.column, goals })
}

/// The choice between a function's clauses, and those that somebody wrote.
fn written(graph: &Function) -> (u32, Vec<usize>) {
    let Some(case) = graph.cases.iter().position(|case| case.kind == CaseKind::Function) else {
        return (0, Vec::new());
    };
    let clauses = graph.cases[case].clauses.iter().enumerate();
    (case as u32, clauses.filter(|(_, at)| at.is_known()).map(|(at, _)| at).collect())
}

/// What happens whenever a function is called: its first clause or line, or either outcome of its first test.
fn entered(graph: &Function) -> Option<Vec<Goal>> {
    let function = graph.name;
    let mut block = 0;
    for _ in 0..graph.blocks.len() {
        let body = graph.blocks.get(block as usize)?;
        let event = body.body.iter().find_map(|it| match it.op {
            Op::Enter { case, clause } => Some(Goal::Clause(Clause { function, case, clause })),
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
    unit.files.get(file as usize).cloned().unwrap_or_default()
}
