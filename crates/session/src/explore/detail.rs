//! The facts about a finding that the search does not know: its column, its path in words, the coverage.

use constraint::Stimulus;
use exec::forward::{EnteredClause, Place};
use ir::{CaseKind, Function, Location};
use rustc_hash::FxHashSet;
use search::{Finding, MachineSubject, TestCase, TestSubject};
use term::Mfa;

use super::shown::show;
use crate::Session;
use crate::job::{CoverageDetail, CoveredBranch, ExecutionTrace, FindingDetail};
use crate::library::enclosing;
use crate::schedule::FindingSchedule;

/// Returns the details of a finding, whose processes get the numbers that a run of their own gives them.
pub(crate) fn detail(session: &Session, program: &mut MachineSubject<'_>, finding: &mut Finding) -> FindingDetail {
    let search::Explanation { functions, strategy, samples } =
        search::explain(program.arena(), &finding.path, &finding.stimulus.inputs);
    let opaque = functions.iter().map(|function| function.to_string()).collect();
    let run = program.trace(&finding.stimulus);
    finding.defect.renumber(&run.numbers);
    show(session, finding);
    let path = counted(run.clauses.iter().filter_map(|event| phrase(session, event)));
    let schedule = FindingSchedule::of_finding(finding, &run, &program.entry_point().modules);
    let place = finding.at.as_ref().map_or(String::new(), |at| relative(session, at));
    let (is_earlier, novelty) = (false, None);
    let Some(at) = finding.at.as_ref().filter(|at| at.line > 0) else {
        return FindingDetail {
            path,
            opaque,
            strategy,
            samples,
            schedule,
            place,
            native: None,
            ..beginning(session, program.entry_point().function)
        };
    };
    let column = if at.column > 0 { at.column } else { column(session, at.function, at.line) };
    FindingDetail {
        file: at.file.clone(),
        line: at.line,
        column,
        path,
        opaque,
        strategy,
        samples,
        call: None,
        schedule,
        place,
        native: None,
        is_earlier,
        novelty,
        failing: None,
        spec: None,
        record_call: None,
    }
}

/// Returns the path of an execution.
pub(crate) fn execution_trace(
    session: &Session,
    program: &mut MachineSubject<'_>,
    stimulus: &Stimulus,
) -> ExecutionTrace {
    let run = program.trace(stimulus);
    let path = counted(run.clauses.iter().filter_map(|event| phrase(session, event)));
    ExecutionTrace { path, conditions: run.conditions }
}

/// `m:f/1 line 3`: the line counts from the beginning of the function, or of the one that a fun is in.
fn relative(session: &Session, at: &Place) -> String {
    let outer = enclosing(at.function);
    let function = outer.unwrap_or(at.function);
    let before = if outer.is_some() { "fun in " } else { "" };
    let unit = session.unit(function, true).ok();
    let first = unit.as_ref().and_then(|unit| unit.functions.first()).map(|first| first.location.line);
    match first.filter(|first| *first > 0 && at.line >= *first) {
        Some(first) => format!("{before}{function} line {}", at.line - first + 1),
        None => format!("{before}{function}"),
    }
}

impl FindingDetail {
    /// Places a finding where a function begins.
    pub(crate) fn begin_at(&mut self, session: &Session, function: Mfa) {
        let FindingDetail { file, line, column, .. } = beginning(session, function);
        (self.file, self.line, self.column) = (file, line, column);
    }
}

/// The beginning of a function: the place of a crash that no line of code has.
fn beginning(session: &Session, function: Mfa) -> FindingDetail {
    let unit = session.unit(function, true).ok();
    let found = unit.as_ref().and_then(|unit| Some((unit, unit.functions.first()?.location)));
    let (file, line, column) =
        found.map_or((String::new(), 0, 0), |(unit, at)| (unit.file(at.file).to_owned(), at.line, at.column));
    let (path, opaque, strategy, samples) = (Vec::new(), Vec::new(), String::new(), Vec::new());
    let (place, native, is_earlier, novelty) = (String::new(), None, false, None);
    FindingDetail {
        file,
        line,
        column,
        path,
        opaque,
        strategy,
        samples,
        call: None,
        schedule: None,
        place,
        native,
        is_earlier,
        novelty,
        failing: None,
        spec: None,
        record_call: None,
    }
}

/// `total/2 clause 1 (line 3)`; a clause that only the compiler wrote is where no other one matches. A match that leaves
/// no choice has a phrase only if it fails.
fn phrase(session: &Session, event: &EnteredClause) -> Option<String> {
    let (written, at) = choice(session, event);
    let what = match event.kind {
        CaseKind::Function => name(event.function),
        CaseKind::Case if written == 1 => "match".to_owned(),
        CaseKind::Case => "case".to_owned(),
    };
    match (event.location.line, event.kind) {
        (0, CaseKind::Function) => Some(format!("{what}: no clause matches")),
        (0, CaseKind::Case) if written == 1 => Some(format!("no match (line {at})")),
        (0, CaseKind::Case) => Some(format!("case (line {at}): no clause matches")),
        (_, CaseKind::Case) if written == 1 => None,
        (line, _) if written == 1 => Some(format!("{what} (line {line})")),
        (line, _) => Some(format!("{what} clause {} (line {line})", event.clause + 1)),
    }
}

/// `total/2`, or `fun in total/2`.
fn name(function: Mfa) -> String {
    let (Mfa { function, arity, .. }, before) = match enclosing(function) {
        Some(outer) => (outer, "fun in "),
        None => (function, ""),
    };
    format!("{before}{function}/{arity}")
}

/// The number of clauses in the source for this choice, and the line where it begins.
fn choice(session: &Session, event: &EnteredClause) -> (usize, u32) {
    let Some((unit, at)) = session.graph(event.function) else { return (0, 0) };
    let Some(case) = unit.functions[at].cases.get(event.case as usize) else { return (0, 0) };
    (case.clauses.iter().filter(|clause| clause.is_known()).count(), case.location.line)
}

/// Phrases that repeat in a row stand once, with their count.
fn counted(phrases: impl Iterator<Item = String>) -> Vec<String> {
    let mut runs: Vec<(String, usize)> = Vec::new();
    for phrase in phrases {
        match runs.last_mut() {
            Some((last, count)) if *last == phrase => *count += 1,
            _ => runs.push((phrase, 1)),
        }
    }
    let phrase = |(phrase, count)| if count == 1 { phrase } else { format!("{phrase} {count} times") };
    runs.into_iter().map(phrase).collect()
}

/// The first column of the line that the function's graph names: of an exception that was caught and raised again only
/// the line may be known.
fn column(session: &Session, function: Mfa, line: u32) -> u32 {
    let Ok(unit) = session.unit(function, true) else { return 0 };
    let here = |location: &Location| location.line == line && location.column > 0;
    let places = unit.functions.iter().flat_map(locations).filter(here);
    places.map(|location| location.column).min().unwrap_or(0)
}

fn locations(function: &Function) -> impl Iterator<Item = Location> {
    let blocks = function.blocks.iter();
    blocks.flat_map(|block| block.body.iter().map(|it| it.location).chain([block.end_location]))
}

/// Forgets the branches of cases that are not the module's own.
pub(crate) fn keep_own_branches(
    session: &Session,
    program: &MachineSubject<'_>,
    function: Mfa,
    cases: &mut [TestCase],
) {
    let names: Vec<Mfa> = session.reachable(function).iter().flat_map(|function| session.lifted(*function)).collect();
    let own: FxHashSet<u64> = program.branch_sites(&names).map(|site| site.0).collect();
    cases.iter_mut().for_each(|case| case.branches.retain(|(site, _)| own.contains(site)));
}

/// Returns the lines and branches of the module's functions that can be reached from this one, each for itself.
pub(crate) fn coverage_detail(session: &Session, program: &MachineSubject<'_>, function: Mfa) -> CoverageDetail {
    let reached = session.reachable(function);
    let run = program.lines().modules.get(function.module.name());
    let is_covered = |line: &u32| run.is_some_and(|run| run.contains(line));
    let lines = session.lines_of(&reached).into_iter().map(|line| (line, is_covered(&line))).collect();
    let branches = |function: Mfa| {
        let outcomes = program.branch_outcomes(function).enumerate();
        outcomes.map(move |(index, (branch, taken))| {
            let Location { line, column, .. } = branch.location;
            CoveredBranch { function, index, line, column, taken }
        })
    };
    let names = reached.iter().flat_map(|function| session.lifted(*function));
    let FindingDetail { file, line, .. } = beginning(session, function);
    CoverageDetail { file, line, lines, branches: names.flat_map(branches).collect() }
}

/// Returns lines and branches of the module's functions that can be reached from this one: covered, and all.
pub(crate) fn coverage(
    session: &Session,
    program: &MachineSubject<'_>,
    function: Mfa,
) -> ((usize, usize), (usize, usize)) {
    let reached = session.reachable(function);
    let lines = session.lines_of(&reached);
    let run = program.lines().modules.get(function.module.name());
    let covered = run.map_or(0, |run| run.intersection(&lines).count());
    let names: Vec<Mfa> = reached.iter().flat_map(|function| session.lifted(*function)).collect();
    ((covered, lines.len()), program.branch_coverage(&names))
}
