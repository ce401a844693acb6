//! `hound reach`: from places in the code to the calls that get there, or the proof that none does.

mod graphs;
mod marker;
mod screen;
mod target;
mod uncovered;
mod witness;
mod words;

use std::time::{Duration, Instant};

use exec::forward::{Options as Recording, Recorder};
use frontend::core::Name;
use report::{Reached, Tally};
use search::reach::{Goal, Options, Party, Pursuit};
use search::{Cause, ConfirmAll, Go, Reason, Tested};
use solve::Portfolio;
use term::{Atom, Mfa};

use crate::explore::screen::paint;
use crate::explore::{self, job, symbols, targets, types};
use crate::failure::Failure;
use crate::interrupt;
use crate::options::{Format, ReachOptions};
use crate::start::start;
use crate::world::{Outside, Shared};
use crate::{FAILED, Printed};
use graphs::Shelf;
use marker::Marker;
use screen::Screen;
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
    domain: types::Domain,
    precondition: Option<Mfa>,
}

/// Who looks at a finished pursuit.
pub trait Look {
    /// The entry points, what was to be reached from them, and what became of it.
    fn look(&mut self, subjects: &mut [Tested<'_>], goals: &[Goal], pursuits: &[Pursuit]);
}

/// Nobody does.
impl Look for () {
    fn look(&mut self, _: &mut [Tested<'_>], _: &[Goal], _: &[Pursuit]) {}
}

/// Gets to what the words name; what to print, and the exit code.
pub(crate) fn reach(options: &ReachOptions) -> Result<(Printed, u8), Failure> {
    let done = pursue(options, &mut ())?;
    let failures = done.failures.concat();
    Ok((printed(options.format, &done, failures), code(&done.reached, !done.failures.is_empty())))
}

/// Gets to what the words name.
pub fn pursue(options: &ReachOptions, look: &mut dyn Look) -> Result<Done, Failure> {
    interrupt::listen();
    let began = Instant::now();
    let words = Words::read(&options.words)?;
    let mut start = start(&options.code, &words.sources)?;
    let given = targets::in_sources(&mut start, &words.sources, &words.modules);
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
    let opaque = symbols::opaque(&options.opaque, &Default::default(), &outside, &field.entries)?;
    let failures = start.failures.iter().map(|(module, error)| {
        let failure = Failure::from(error.clone());
        format!("hound: {module} was left out: {failure}\n")
    });
    let chase = Chase { options, outside: &outside, field: &field, opaque, began };
    Ok(Done { failures: failures.collect(), ..chase.run(entries, named, &chosen, look) })
}

/// All targets with their verdicts.
pub struct Done {
    pub reached: Vec<Reached>,
    /// What was covered before, if that was asked for.
    pub tally: Option<Count>,
    interrupted: bool,
    /// What is to be said of files that could not be taken.
    failures: Vec<String>,
}

fn printed(format: Format, done: &Done, failures: String) -> Printed {
    let tally = done.tally.map(|Count { covered, total }| Tally { covered, total });
    let mut printed = Printed { out: String::new(), err: failures };
    match format {
        Format::Json => done.reached.iter().for_each(|one| printed.out.push_str(&report::reached_line(one))),
        Format::Text => printed.out = report::reached_text(&done.reached, tally, paint()),
    }
    if done.interrupted {
        printed.err.push_str("hound: interrupted\n");
    }
    printed
}

fn code(reached: &[Reached], failed: bool) -> u8 {
    match reached.iter().any(Reached::is_reached) {
        true => 1,
        false if failed => FAILED,
        false if interrupt::is_wanted() => interrupt::CODE,
        false => 0,
    }
}

fn targets_of(outside: &mut Outside, given: &[Atom], words: &Words) -> Result<Vec<Target>, Failure> {
    words.places.iter().map(|wanted| target::target(outside, given, wanted)).collect()
}

fn field(outside: &mut Outside, options: &ReachOptions, given: Vec<Atom>, named: &[Target]) -> Result<Field, Failure> {
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
fn marker(options: &ReachOptions, words: &Words) -> Result<Option<Marker>, Failure> {
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
fn chosen(outside: &mut Outside, options: &ReachOptions, field: &Field, words: &Words) -> Result<Vec<Mfa>, Failure> {
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

fn entries(outside: &Shared, options: &ReachOptions, field: &Field) -> Result<Vec<Entry>, Failure> {
    let fits = |function: &&Mfa| options.pre.is_none() || job::arity(options.pre.as_deref()) == Some(function.arity);
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
                let found = job::precondition(outside, function, text);
                Some(found.map_err(|why| job::unusable("--pre", text, &why))?)
            }
            None => None,
        };
        Ok(Entry { function, domain: types::domain(outside, function, field.modules.clone()), precondition })
    };
    wanted.into_iter().map(entry).collect()
}

fn is_precondition(options: &ReachOptions, function: Mfa) -> bool {
    let pre = options.pre.as_deref().and_then(|text| targets::local(function.module, text).ok());
    pre == Some(function)
}

/// One run of the command.
struct Chase<'a> {
    options: &'a ReachOptions,
    outside: &'a Shared,
    field: &'a Field,
    opaque: Vec<Mfa>,
    began: Instant,
}

impl Chase<'_> {
    fn run(&self, entries: Vec<Entry>, mut targets: Vec<Target>, chosen: &[Mfa], look: &mut dyn Look) -> Done {
        let search = self.options.bounds.search();
        let end = self.end(targets.len().max(1));
        let mut worlds: Vec<Shared> = entries.iter().map(|_| self.outside.until(end)).collect();
        let made: Vec<String> = entries.iter().flat_map(|entry| entry.domain.made.clone()).collect();
        let mut subjects: Vec<Tested<'_>> = Vec::new();
        for (Entry { function, domain, precondition }, world) in entries.into_iter().zip(&mut worlds) {
            let mut machine = explore::machine(&search, RECORDING);
            machine.set_opaque(self.opaque.iter().copied().filter(|opaque| *opaque != function));
            let types::Domain { target, grammar, .. } = domain;
            subjects.push(Tested::new(machine, Recorder::default(), world, grammar, target, precondition));
        }
        let mut solver = explore::solver(self.options.bounds.workers, end);
        let mut screen = Screen::new();
        let mut tally = None;
        if self.options.uncovered {
            self.explore(&mut subjects, &mut solver, &mut screen, end);
            let (left, count) = uncovered::targets(&mut self.outside.borrow_mut(), chosen, &subjects);
            targets.extend(left);
            tally = Some(count);
        }
        let goals: Vec<Goal> = targets.iter().flat_map(|target| target.goals.clone()).collect();
        let mut observer = Observer::new(self.outside.clone(), &search);
        let end = self.end(targets.len().max(1));
        let mut progress = |now: &search::reach::Progress| {
            screen.show(now);
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
        screen.finish();
        look.look(&mut subjects, &goals, &pursuits);
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
    fn explore(&self, subjects: &mut [Tested<'_>], solver: &mut Portfolio, screen: &mut Screen, end: Option<Instant>) {
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
                screen.exploring(now);
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
