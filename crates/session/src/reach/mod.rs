//! From places in the code to the calls that get there, or the proof that none does.

mod graphs;
mod marker;
mod target;
mod uncovered;
mod witness;
mod words;

use std::time::{Duration, Instant};

use exec::forward::{Options as Recording, Recorder};
use frontend::core::Name;
use search::reach::{Goal, Options, Party, Pursuit};
use search::{Cause, ConfirmAll, Go, Reason, Tested};
use solve::Portfolio;
use term::{Atom, Mfa};

use crate::domain::{Domain, domain};
use crate::session::{Outside, Shared};
use crate::solver::solver;
use crate::start::{CodeOptions, start};
use crate::{Bounds, Failure, Reached, functions, interrupt, symbols};
use graphs::Shelf;
use marker::Marker;
use target::Target;
pub use uncovered::Count;
use witness::Observer;
use words::{WantedPlace, Words};

/// What the machine tells of its runs.
const RECORDING: Recording = Recording { coverage: true, clauses: true, events: false, mirrors: true };

/// Runs from each entry point before what they left uncovered is listed.
const FIRST_RUNS: u64 = 300;

/// What the sources are and where calls begin.
struct Field {
    /// The modules of the sources.
    modules: Vec<Atom>,
    /// All functions of these and of the targets' modules, in source order.
    functions: Vec<Mfa>,
    entries: Vec<Mfa>,
}

/// An entry point with its inputs.
struct Entry {
    function: Mfa,
    domain: Domain,
    precondition: Option<Mfa>,
}

/// What is to be reached, and how.
pub struct Request {
    /// Sources, modules and targets.
    pub words: Vec<String>,
    /// Explore first, then go for what is left.
    pub uncovered: bool,
    /// The function whose calls are targets.
    pub marker: Option<String>,
    /// The entry points; all exported functions if there are none.
    pub entry: Vec<String>,
    /// A precondition's name.
    pub pre: Option<String>,
    /// Functions that are not looked into.
    pub opaque: Vec<String>,
    pub bounds: Bounds,
    pub code: CodeOptions,
}

/// Follows a search for targets.
pub trait Monitor {
    /// Follows the exploration before it.
    fn exploring(&mut self, _: &search::Progress) {}
    /// Follows the search.
    fn searching(&mut self, _: &search::reach::Progress) {}
    /// The entry points, the goals, and the result of each; the search is over.
    fn finished(&mut self, _: &mut [Tested<'_>], _: &[Goal], _: &[Pursuit]) {}
}

impl Monitor for () {}

/// Gets to what the words name.
pub fn pursue(options: &Request, monitor: &mut dyn Monitor) -> Result<Done, Failure> {
    let began = Instant::now();
    let words = Words::read(&options.words)?;
    let mut start = start(&options.code, &words.sources)?;
    let given = functions::in_sources(&mut start, &words.sources, &words.modules);
    if let ([], Some((_, error))) = (&given[..], start.failures.first()) {
        return Err(Failure::from(error.clone()));
    }
    let mut named = if options.uncovered { Vec::new() } else { targets_of(&mut start.outside, &given, &words)? };
    let field = field(&mut start.outside, options, given, &named)?;
    if let Some(marker) = marker(options, &words)? {
        named.extend(marked(&mut start.outside, &field, &marker, options.marker.as_deref())?);
    }
    let chosen = chosen(&mut start.outside, options, &field, &words)?;
    let outside = Shared::new(start.outside);
    let entries = entries(&outside, options, &field)?;
    let opaque = symbols::opaque(&options.opaque, &outside, &field.entries)?;
    let failures = start.failures.iter().map(|(module, error)| {
        let failure = Failure::from(error.clone());
        format!("hound: {module} was left out: {failure}\n")
    });
    let chase = Chase { options, outside: &outside, field: &field, opaque, began };
    Ok(Done { failures: failures.collect(), ..chase.run(entries, named, &chosen, monitor) })
}

/// All targets with their verdicts.
pub struct Done {
    pub reached: Vec<Reached>,
    /// What was covered before, if that was asked for.
    pub tally: Option<Count>,
    pub interrupted: bool,
    /// What is to be said of files that could not be taken.
    pub failures: Vec<String>,
}

fn targets_of(outside: &mut Outside, given: &[Atom], words: &Words) -> Result<Vec<Target>, Failure> {
    words.places.iter().map(|wanted| target::target(outside, given, wanted)).collect()
}

fn field(outside: &mut Outside, options: &Request, given: Vec<Atom>, named: &[Target]) -> Result<Field, Failure> {
    let mut modules = given;
    let goals = named.iter().flat_map(|target| &target.goals);
    let entries = options.entry.iter().map(|name| target::function(outside, &modules, name)).collect::<Vec<_>>();
    let mut entries = entries.into_iter().collect::<Result<Vec<Mfa>, Failure>>()?;
    for module in goals.map(Goal::module).chain(entries.iter().map(|entry| entry.module)) {
        if !modules.contains(&module) {
            modules.push(module);
        }
    }
    let (mut functions, mut exported) = (Vec::new(), Vec::new());
    for &module in &modules {
        let Outside { host, library, .. } = outside;
        let found = library.module(host, module)?;
        let whole = |Name { function, arity }: Name| Mfa { module, function, arity };
        functions.extend(found.names().map(whole));
        exported.extend(found.exported().into_iter().map(whole));
        if let Some(hidden) =
            entries.iter().find(|entry| entry.module == module && !found.exports(entry.function, entry.arity))
        {
            return Err(found.missing(*hidden));
        }
    }
    if entries.is_empty() {
        entries = exported;
    }
    if entries.is_empty() {
        return Err(Failure::Unusable("nowhere to begin: no module was found, or none that exports a function".into()));
    }
    Ok(Field { modules, functions, entries })
}

/// The marker to look for: the one named, or the usual one where nothing else is.
fn marker(options: &Request, words: &Words) -> Result<Option<Marker>, Failure> {
    match &options.marker {
        Some(text) => Marker::read(text).map(Some),
        None if options.uncovered || !words.places.is_empty() => Ok(None),
        None => Marker::read(marker::USUAL).map(Some),
    }
}

fn marked(outside: &mut Outside, field: &Field, marker: &Marker, named: Option<&str>) -> Result<Vec<Target>, Failure> {
    let found = marker::targets(outside, &field.functions, marker);
    match (found.is_empty(), named) {
        (false, _) => Ok(found),
        (true, Some(name)) => Err(Failure::BadTarget(format!("--marker {name}: nothing in the sources calls it"))),
        (true, None) => Err(Failure::BadTarget(format!(
            "no target: name one (FILE:LINE, m:f/a or m:f/a#CLAUSE), give --uncovered, or call {}() in the code",
            marker::USUAL
        ))),
    }
}

/// The functions whose uncovered places are wanted.
fn chosen(outside: &mut Outside, options: &Request, field: &Field, words: &Words) -> Result<Vec<Mfa>, Failure> {
    if !options.uncovered {
        return Ok(Vec::new());
    }
    let mut chosen = Vec::new();
    for wanted in &words.places {
        match &wanted.place {
            WantedPlace::Function { name, clause: None } => {
                chosen.push(target::function(outside, &field.modules, name)?);
            }
            _ => {
                let why = format!("{}: --uncovered takes functions, f/1 or m:f/1, or none for all", wanted.text);
                return Err(Failure::BadTarget(why));
            }
        }
    }
    let added = |function: &&Mfa| matches!(function.function.name(), "module_info" | "behaviour_info" | "__info__");
    if chosen.is_empty() {
        chosen.extend(field.functions.iter().filter(|function| !added(function)));
    }
    Ok(chosen)
}

fn entries(outside: &Shared, options: &Request, field: &Field) -> Result<Vec<Entry>, Failure> {
    let fits =
        |function: &&Mfa| options.pre.is_none() || symbols::arity(options.pre.as_deref()) == Some(function.arity);
    // Of many entry points a precondition can hold only for those with as many arguments.
    let wanted: Vec<Mfa> = match options.entry.is_empty() {
        true if field.entries.iter().any(|function| fits(&function)) => {
            field.entries.iter().filter(fits).copied().filter(|function| !is_precondition(options, *function)).collect()
        }
        _ => field.entries.clone(),
    };
    let entry = |function: Mfa| {
        let precondition = match &options.pre {
            Some(text) => {
                let found = symbols::precondition(outside, function, text);
                Some(found.map_err(|why| symbols::unusable_option("--pre", text, &why))?)
            }
            None => None,
        };
        Ok(Entry { function, domain: domain(outside, function, field.modules.clone()), precondition })
    };
    wanted.into_iter().map(entry).collect()
}

fn is_precondition(options: &Request, function: Mfa) -> bool {
    let pre = options.pre.as_deref().and_then(|text| functions::local(function.module, text).ok());
    pre == Some(function)
}

/// One run of the command.
struct Chase<'a> {
    options: &'a Request,
    outside: &'a Shared,
    field: &'a Field,
    opaque: Vec<Mfa>,
    began: Instant,
}

impl Chase<'_> {
    fn run(&self, entries: Vec<Entry>, mut targets: Vec<Target>, chosen: &[Mfa], monitor: &mut dyn Monitor) -> Done {
        let bounds = &self.options.bounds;
        let end = self.end(targets.len().max(1));
        let mut worlds: Vec<Shared> = entries.iter().map(|_| self.outside.until(end)).collect();
        let made: Vec<String> = entries.iter().flat_map(|entry| entry.domain.made.clone()).collect();
        let mut subjects: Vec<Tested<'_>> = Vec::new();
        for (Entry { function, domain, precondition }, world) in entries.into_iter().zip(&mut worlds) {
            let mut machine = bounds.machine(RECORDING);
            machine.set_opaque(self.opaque.iter().copied().filter(|opaque| *opaque != function));
            let Domain { target, grammar, .. } = domain;
            subjects.push(Tested::new(machine, Recorder::default(), world, grammar, target, precondition));
        }
        let mut solver = solver(bounds.workers, end);
        let mut tally = None;
        if self.options.uncovered {
            self.explore(&mut subjects, &mut solver, monitor, end);
            let (left, count) = uncovered::targets(&mut self.outside.borrow_mut(), chosen, &subjects);
            targets.extend(left);
            tally = Some(count);
        }
        let goals: Vec<Goal> = targets.iter().flat_map(|target| target.goals.clone()).collect();
        let mut observer = Observer::new(self.outside.clone(), bounds);
        let end = self.end(targets.len().max(1));
        let mut progress = |now: &search::reach::Progress| {
            monitor.searching(now);
            go(end)
        };
        let party = Party {
            graphs: &mut Shelf(self.outside.clone()),
            subjects: &mut subjects,
            functions: &self.field.functions,
            solver: &mut solver,
            witness: &mut observer,
            progress: &mut progress,
        };
        let pursuits = search::reach::reach(party, &goals, &self.search_options());
        monitor.finished(&mut subjects, &goals, &pursuits);
        let reached = self.reached(targets, &goals, pursuits, &observer, &made);
        Done { reached, tally, interrupted: interrupt::is_wanted(), failures: Vec::new() }
    }

    fn end(&self, targets: usize) -> Option<Instant> {
        let seconds = self.options.bounds.time.saturating_mul(targets as u64);
        self.began.checked_add(Duration::from_secs(seconds))
    }

    fn search_options(&self) -> Options {
        let bounds = &self.options.bounds;
        Options { max_runs: bounds.runs, max_depth: bounds.depth, max_input_size: bounds.size, ..Options::default() }
    }

    /// A short exploration of every entry point.
    fn explore(
        &self,
        subjects: &mut [Tested<'_>],
        solver: &mut Portfolio,
        monitor: &mut dyn Monitor,
        end: Option<Instant>,
    ) {
        let bounds = &self.options.bounds;
        let options = search::Options {
            max_runs: bounds.runs.min(FIRST_RUNS),
            max_depth: bounds.depth,
            max_input_size: bounds.size,
            max_shrink: 0,
            ..search::Options::default()
        };
        for subject in subjects {
            let mut progress = |now: &search::Progress| {
                monitor.exploring(now);
                go(end)
            };
            search::explore(subject, solver, &mut ConfirmAll, &options, &mut progress);
        }
    }

    /// Each target with what became of its goals.
    fn reached(
        &self,
        targets: Vec<Target>,
        goals: &[Goal],
        pursuits: Vec<Pursuit>,
        observer: &Observer,
        made: &[String],
    ) -> Vec<Reached> {
        let mut settled = goals.iter().zip(pursuits);
        let millis = self.began.elapsed().as_millis();
        let mut all = Vec::new();
        for target in targets {
            let mine: Vec<(&Goal, Pursuit)> = settled.by_ref().take(target.goals.len()).collect();
            let (goal, mut pursuit) = joined(mine);
            doubt(&mut pursuit, made);
            let proof = goal.and_then(|goal| observer.proof(goal));
            let Target { name, file, line, column, .. } = target;
            all.push(Reached { name, file, line, column, pursuit, proof, millis });
        }
        all
    }
}

fn go(end: Option<Instant>) -> Go {
    match interrupt::is_wanted() {
        true => Go::Interrupt,
        false if end.is_some_and(|end| Instant::now() >= end) => Go::Time,
        false => Go::On,
    }
}

/// Several goals as one: reached if one is, unreachable if all are.
fn joined(goals: Vec<(&Goal, Pursuit)>) -> (Option<&Goal>, Pursuit) {
    use search::reach::Verdict;
    let rank = |pursuit: &Pursuit| match pursuit.verdict {
        Verdict::Reached { .. } => 0,
        Verdict::Incomplete => 1,
        Verdict::Unreachable => 2,
    };
    let best = goals.into_iter().min_by_key(|(_, pursuit)| rank(pursuit));
    best.map_or_else(
        || {
            let nothing = Pursuit { verdict: Verdict::Incomplete, causes: Vec::new(), statistics: Default::default() };
            (None, nothing)
        },
        |(goal, pursuit)| (Some(goal), pursuit),
    )
}

/// Where only some values of an opaque type were tried, nothing is proved.
fn doubt(pursuit: &mut Pursuit, made: &[String]) {
    use search::reach::Verdict;
    if made.is_empty() || matches!(pursuit.verdict, Verdict::Reached { .. }) {
        return;
    }
    pursuit.verdict = Verdict::Incomplete;
    let cause = |name: &String| Cause { reason: Reason::Opaque { name: name.clone() }, at: None, count: 1 };
    pursuit.causes.extend(made.iter().map(cause));
}
