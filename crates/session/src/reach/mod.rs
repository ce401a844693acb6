//! The search for targets: the calls that get to places in the code, or the proof that none does.

mod marker;
mod reached;
mod scope;
mod target;
mod text;
mod uncovered;
mod witness;

use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use exec::forward::{Options as Recording, Recorder};
use host::{Deadline, Stopwatch, prepared};
use search::reach::{Goal, GoalResult, GoalVerdict, Graphs, ReachBounds, ReachContext};
use search::{Cause, ConfirmAll, Go, MachineSubject, Reason, TestSubject};
use solve::Portfolio;
use term::cut::ProgramLimit;
use term::{Atom, Mfa};

use crate::domain::Domain;
use crate::library::{SourcePath, enclosing, is_added};
use crate::resolve::opaque_functions;
use crate::solver::solver;
use crate::{Failure, FindingSchedule, Monitor, Opened, SearchBounds, Session, SessionOptions, interrupt, mebibytes};
use marker::Marker;
use scope::{EntryPoint, SearchScope};
use target::{Target, function_in};
use text::{TargetPlace, TargetWords};
use witness::LineWitness;

pub use reached::{Proof, Reached};
pub use uncovered::Tally;

/// The facts that the machine records about runs.
const RECORDING: Recording =
    Recording { coverage: true, clauses: true, events: false, mirrors: true, processes: true, any_clock: false };

/// Runs from each entry point before what they left uncovered is listed.
const FIRST_RUNS: u64 = 300;

/// A search for targets, as it is asked for.
pub struct Request {
    /// Sources, modules and targets.
    pub words: Vec<String>,
    /// Explore first; the targets are what is left.
    pub uncovered: bool,
    /// The function whose calls are targets.
    pub marker: Option<String>,
    /// The entry points; all exported functions if there are none.
    pub entry: Vec<String>,
    /// The name of a precondition.
    pub pre: Option<String>,
    /// Functions that are not looked into.
    pub opaque: Vec<String>,
    /// Timeouts and timers strike at any time, not only when nothing else can go on.
    pub any_clock: bool,
    /// The path to each target is explained.
    pub explain: bool,
    /// The bounds of the search.
    pub bounds: SearchBounds,
    /// The options of the session.
    pub code: SessionOptions,
}

/// All targets with their verdicts.
pub struct Results {
    /// A result for each target.
    pub reached: Vec<Reached>,
    /// The coverage before the search, if there was an exploration.
    pub tally: Option<Tally>,
    /// The files and folders given.
    pub sources: Vec<PathBuf>,
    /// True if an interrupt ended the search.
    pub interrupted: bool,
    /// Modules of files that could not be used, and why.
    pub failures: Vec<(Atom, Failure)>,
    /// What is to be said about the projects, in lines.
    pub notes: String,
}

/// Searches for the targets that the words name.
pub fn reach(request: &Request, monitor: &mut dyn Monitor) -> Result<Results, Failure> {
    let words = TargetWords::read(&request.words)?;
    let mut opened = Opened::new(&request.code, &words.sources)?;
    let modules = opened.all_modules(&words.modules);
    if let (true, Some(failure)) = (modules.is_empty(), opened.failure()) {
        return Err(failure);
    }
    let session = &opened.session;
    let mut targets = match request.uncovered {
        true => Vec::new(),
        false => words.targets.iter().map(|text| Target::read(session, &modules, text)).collect::<Result<_, _>>()?,
    };
    let scope = SearchScope::new(session, request, modules, &targets)?;
    if let Some(marker) = marker(request, &words)? {
        targets.extend(marked(session, &scope, &marker, request.marker.as_deref())?);
    }
    let chosen = chosen(session, request, &scope, &words)?;
    let entry_points = scope.entry_points(session, request)?;
    let opaque = opaque_functions(&request.opaque, session, scope.entries())?;
    let search = TargetSearch { request, session, scope: &scope, opaque, stopwatch: Stopwatch::start() };
    let (reached, tally) = search.run(entry_points, targets, &chosen, monitor);
    let (notes, sources) = (opened.notes(), given(&words.sources));
    Ok(Results { reached, tally, sources, interrupted: interrupt::is_wanted(), failures: opened.failures, notes })
}

/// The files and folders that were named.
fn given(sources: &[SourcePath]) -> Vec<PathBuf> {
    let named = sources.iter().filter(|source| **source != SourcePath::Here);
    named.map(|source| source.path().to_path_buf()).collect()
}

/// The marker to look for: the one named, or the usual one where there is no other target.
fn marker(request: &Request, words: &TargetWords) -> Result<Option<Marker>, Failure> {
    match &request.marker {
        Some(text) => Marker::read(text).map(Some),
        None if request.uncovered || !words.targets.is_empty() => Ok(None),
        None => Marker::read(marker::USUAL).map(Some),
    }
}

fn marked(
    session: &Session,
    scope: &SearchScope,
    marker: &Marker,
    named: Option<&str>,
) -> Result<Vec<Target>, Failure> {
    let found = marker::targets(session, &scope.functions, marker);
    match (found.is_empty(), named) {
        (false, _) => Ok(found),
        (true, Some(name)) => Err(Failure::BadTarget(format!("--marker {name}: nothing in the sources calls it"))),
        (true, None) => Err(Failure::BadTarget(format!(
            "no target: name one (FILE:LINE, m:f/a or m:f/a#CLAUSE), give --uncovered, or call {}() in the code",
            marker::USUAL
        ))),
    }
}

/// The functions whose uncovered places are targets.
fn chosen(session: &Session, request: &Request, scope: &SearchScope, words: &TargetWords) -> Result<Vec<Mfa>, Failure> {
    if !request.uncovered {
        return Ok(Vec::new());
    }
    let function = |target: &text::TargetText| match &target.place {
        TargetPlace::Function { name, clause: None } => function_in(session, &scope.modules, name),
        _ => {
            let why = format!("{}: --uncovered takes functions, f/1 or m:f/1, or none for all", target.text);
            Err(Failure::BadTarget(why))
        }
    };
    let mut chosen = words.targets.iter().map(function).collect::<Result<Vec<Mfa>, Failure>>()?;
    if chosen.is_empty() {
        chosen.extend(scope.functions.iter().filter(|function| !is_added(function.function)));
    }
    Ok(chosen)
}

/// A search with everything it needs.
struct TargetSearch<'a> {
    request: &'a Request,
    session: &'a Session,
    scope: &'a SearchScope,
    opaque: Vec<Mfa>,
    stopwatch: Stopwatch,
}

impl TargetSearch<'_> {
    fn run(
        &self,
        entry_points: Vec<EntryPoint>,
        mut targets: Vec<Target>,
        chosen: &[Mfa],
        monitor: &mut dyn Monitor,
    ) -> (Vec<Reached>, Option<Tally>) {
        let bounds = &self.request.bounds;
        let end = self.end(targets.len().max(1));
        let mut worlds: Vec<Session> = entry_points.iter().map(|_| self.session.until(end)).collect();
        let sampled = entry_points.iter().flat_map(|entry| entry.domain.sampled.clone());
        let mut reasons: Vec<Reason> = sampled.map(|name| Reason::Opaque { name }).collect();
        let mut subjects: Vec<MachineSubject<'_>> = Vec::new();
        for (EntryPoint { function, domain, precondition }, world) in entry_points.into_iter().zip(&mut worlds) {
            let mut machine = bounds.machine(Recording { any_clock: self.request.any_clock, ..RECORDING });
            machine.set_opaque(self.opaque.iter().copied().filter(|opaque| *opaque != function));
            let Domain { target, grammar, .. } = domain;
            subjects.push(MachineSubject::new(machine, Recorder::default(), world, grammar, target, precondition));
        }
        let _memory = ProgramLimit::new(mebibytes(bounds.memory));
        self.session.host().end = end;
        self.session.host().limit_memory(mebibytes(bounds.memory));
        let mut solver = solver(bounds, end);
        let mut tally = None;
        if self.request.uncovered {
            self.explore(&mut subjects, &mut solver, monitor, end);
            let (left, count) = uncovered::targets(self.session, chosen, &subjects);
            targets.extend(left);
            tally = Some(count);
        }
        let goals: Vec<Goal> = targets.iter().flat_map(|target| target.goals.clone()).collect();
        let end = self.end(targets.len().max(1));
        let mut witness = LineWitness::new(self.session.until(end), bounds, self.request.any_clock);
        self.session.host().end = end;
        let _stop = interrupt::stop_at(end);
        let mut progress = |now: &search::reach::ReachProgress| {
            monitor.searching(now);
            go(end, bounds)
        };
        let context = ReachContext {
            graphs: &mut self.session.clone(),
            subjects: &mut subjects,
            functions: &self.scope.functions,
            solver: &mut solver,
            confirm: &mut witness,
            progress: &mut progress,
        };
        let results = search::reach::reach(context, &goals, &self.options());
        monitor.searched(&mut subjects, &goals, &results);
        reasons.extend(self.session.take_changes());
        let disputes = solver.stats().rechecks.refuted.iter().cloned();
        reasons.extend(disputes.map(|what| Reason::Disputed { what }));
        let mut reached = self.reached(targets, &goals, results, &witness, &reasons);
        reached.iter_mut().for_each(|one| one.schedule = schedule(&mut subjects, &one.result.verdict));
        (reached, tally)
    }

    fn end(&self, targets: usize) -> Option<Deadline> {
        let seconds = self.request.bounds.time.saturating_mul(targets as u64);
        Some(self.stopwatch.deadline(Duration::from_secs(seconds)))
    }

    fn options(&self) -> ReachBounds {
        let bounds = &self.request.bounds;
        ReachBounds {
            max_runs: bounds.runs,
            max_schedules: bounds.schedules,
            max_depth: bounds.depth,
            max_input_size: bounds.size,
            explain: self.request.explain,
            ..ReachBounds::default()
        }
    }

    /// A short exploration of every entry point.
    fn explore(
        &self,
        subjects: &mut [MachineSubject<'_>],
        solver: &mut Portfolio,
        monitor: &mut dyn Monitor,
        end: Option<Deadline>,
    ) {
        let bounds = &self.request.bounds;
        let options = search::ExplorationOptions {
            max_runs: bounds.runs.min(FIRST_RUNS),
            max_schedules: bounds.schedules,
            max_depth: bounds.depth,
            max_input_size: bounds.size,
            max_shrink: 0,
            ..search::ExplorationOptions::default()
        };
        for subject in subjects {
            let function = subject.entry_point().function;
            let mut progress = |now: &search::ExplorationProgress| match monitor.exploring(function, now) {
                Go::On => go(end, bounds),
                go => go,
            };
            search::explore(subject, solver, &mut ConfirmAll, &options, &mut progress);
        }
    }

    /// Each target with the result of its goals.
    fn reached(
        &self,
        targets: Vec<Target>,
        goals: &[Goal],
        results: Vec<GoalResult>,
        witness: &LineWitness,
        reasons: &[Reason],
    ) -> Vec<Reached> {
        let mut settled = goals.iter().zip(results);
        let millis = self.stopwatch.elapsed().as_millis();
        let preparation = prepared().as_millis();
        let mut all = Vec::new();
        for target in targets {
            let mine: Vec<(&Goal, GoalResult)> = settled.by_ref().take(target.goals.len()).collect();
            let (goal, mut result) = joined(mine);
            weaken(&mut result, reasons);
            let proof = goal.and_then(|goal| witness.proof(goal));
            let Target { name, file, line, column, .. } = target;
            let (schedule, any_clock) = (None, self.request.any_clock);
            all.push(Reached { name, file, line, column, result, proof, schedule, any_clock, millis, preparation });
        }
        all
    }
}

impl Graphs for Session {
    fn unit(&mut self, function: Mfa) -> Option<Rc<ir::Unit>> {
        let (unit, _) = self.graph(function)?;
        self.note_change(enclosing(function).unwrap_or(function));
        self.note_change(function);
        Some(unit)
    }

    fn is_exported(&mut self, function: Mfa) -> bool {
        self.module(function.module).is_ok_and(|module| module.exports(function.function, function.arity))
    }
}

/// The schedule of the call that gets to a target.
fn schedule(subjects: &mut [MachineSubject<'_>], verdict: &GoalVerdict) -> Option<FindingSchedule> {
    let GoalVerdict::Reached { entry, stimulus } = verdict else { return None };
    let subject = subjects.iter_mut().find(|subject| subject.entry_point().function == *entry)?;
    let run = subject.trace(stimulus);
    FindingSchedule::new(&run.turns, &run.events, None, &subject.entry_point().modules)
}

fn go(end: Option<Deadline>, bounds: &SearchBounds) -> Go {
    match interrupt::is_wanted() {
        true => Go::Interrupt,
        false if end.is_some_and(Deadline::is_over) => Go::Time,
        false if bounds.is_memory_used_up() => Go::Memory,
        false => Go::On,
    }
}

/// Several goals as one: reached if one is, unreachable if all are.
fn joined(goals: Vec<(&Goal, GoalResult)>) -> (Option<&Goal>, GoalResult) {
    let rank = |result: &GoalResult| match result.verdict {
        GoalVerdict::Reached { .. } => 0,
        GoalVerdict::Incomplete => 1,
        GoalVerdict::Unreachable => 2,
    };
    match goals.into_iter().min_by_key(|(_, result)| rank(result)) {
        Some((goal, result)) => (Some(goal), result),
        None => (
            None,
            GoalResult {
                verdict: GoalVerdict::Incomplete,
                causes: Vec::new(),
                scheduled: false,
                statistics: Default::default(),
                explanation: None,
            },
        ),
    }
}

/// Takes a proof back if there are reasons against it that the search did not know.
fn weaken(result: &mut GoalResult, reasons: &[Reason]) {
    if reasons.is_empty() || matches!(result.verdict, GoalVerdict::Reached { .. }) {
        return;
    }
    result.verdict = GoalVerdict::Incomplete;
    result.causes.extend(reasons.iter().map(|reason| Cause { reason: reason.clone(), at: None, count: 1 }));
}
