//! The subject there usually is: a function on the concolic machine, after its precondition if it has one.

use std::rc::Rc;

use constraint::{Arena, Condition, Decision, Grammar, RuleId, Shape, Site, Stimulus, Test, outcome_term};
use exec::forward::{
    Coverage, Crash, Directions, Ending, EnteredClause, Machine, Patterns, PidTable, Place, ProcessEvent, RecordedRun,
    Recorder, RunStopped, Schedule, Script, WaitingProcess, World, branch_site, is_marked,
};
use rustc_hash::FxHashSet;
use term::{Call, Exception, Mfa, Outcome, Term, known};

use crate::finding::unmatched_args;
use crate::reach::Goal;
use crate::schedules::{FollowingCrash, Renumbering, is_overtaken, roots};
use crate::subject::{ConcolicRun, EntryPoint, PatternMatch, TestSubject};

/// The question whether a precondition's value is `true`, where that value is an input or a part of one.
const PRECONDITION: Site = Site(u64::MAX);

/// A function on the concolic machine, with its recorder and its precondition.
pub struct MachineSubject<'w> {
    pub machine: Machine,
    pub recorder: Recorder,
    world: &'w mut dyn World,
    grammar: Grammar,
    /// The rule of how calls end.
    outcome: RuleId,
    entry_point: EntryPoint,
    /// A function of the same arity, exported or not: inputs for which it is not `true` are outside.
    precondition: Option<Mfa>,
    branches: FxHashSet<(Site, bool)>,
    lines: Coverage,
    /// The coverage of the last run of the function itself, if its inputs were allowed.
    last: Coverage,
    /// The events of the last run's processes.
    events: Rc<[ProcessEvent]>,
    /// The roots among its crashes but for the first.
    others: Vec<(Exception, Vec<Place>)>,
    /// Its crashes that follow from others.
    consequences: Vec<FollowingCrash>,
    /// Processes that wait at its end, and that nothing can reach.
    leaks: Vec<WaitingProcess>,
    /// The recorder of patterns that are tried on messages; it has the arena while they are.
    trial: Recorder,
    /// True if runs are made on the VM and replayed, and the calls outside that the machine cannot make again.
    on_vm: Option<FxHashSet<u32>>,
}

/// The parts of a run that a report shows besides its end.
pub struct TracedRun {
    /// The clauses of the tested modules that the run enters, if the machine records them.
    pub clauses: Vec<EnteredClause>,
    /// The turns that its processes were given.
    pub turns: Vec<u32>,
    /// The events of its processes, with the arguments of operations.
    pub events: Vec<ProcessEvent>,
    /// The crashes of its processes.
    pub crashes: Vec<Crash>,
    /// The numbers of its processes, by those of the exploration.
    pub numbers: Renumbering,
}

impl<'w> MachineSubject<'w> {
    /// A subject without any run.
    pub fn new(
        machine: Machine,
        recorder: Recorder,
        world: &'w mut dyn World,
        grammar: Grammar,
        entry_point: EntryPoint,
        precondition: Option<Mfa>,
    ) -> MachineSubject<'w> {
        let mut grammar = grammar;
        let outcome = outcomes(&mut grammar);
        MachineSubject {
            machine,
            recorder,
            world,
            grammar,
            outcome,
            entry_point,
            precondition,
            branches: FxHashSet::default(),
            lines: Coverage::default(),
            last: Coverage::default(),
            events: Rc::new([]),
            others: Vec::new(),
            consequences: Vec::new(),
            leaks: Vec::new(),
            trial: Recorder::default(),
            on_vm: None,
        }
    }

    /// Returns true if the spec has inputs like these.
    pub fn allows(&self, inputs: &[Term]) -> bool {
        self.entry_point.signatures.iter().any(|signature| signature.allows(&self.grammar, inputs))
    }

    /// From now on runs are made on the VM, whose programs emit their events, and replayed.
    pub fn run_on_vm(&mut self) {
        self.on_vm = Some(FxHashSet::default());
    }

    /// Runs a call for what its opaque functions give.
    pub fn learn(&mut self, call: &Call) {
        self.machine.run_local_symbolic(self.world, call, &mut self.recorder);
        self.world.end_run();
    }

    /// True if any run had this answer at this branch.
    pub fn has_taken(&self, site: Site, answer: bool) -> bool {
        self.branches.contains(&(site, answer))
    }

    /// True if the last run came to a goal, if the machine records lines and clauses.
    pub fn was_at(&self, goal: &Goal) -> bool {
        let taken = |function, block, holds| self.recorder.branches.contains(&(branch_site(function, block), holds));
        goal.is_in(&self.last, taken)
    }

    /// The lines and clauses of all runs, if the machine records them.
    pub fn lines(&self) -> &Coverage {
        &self.lines
    }

    /// Outcomes of branches in these functions' graphs: had by any run, and all.
    pub fn branch_coverage(&self, functions: &[Mfa]) -> (usize, usize) {
        let branches = functions.iter().filter_map(|function| self.machine.branches(*function)).flatten();
        branches.fold((0, 0), |(covered, all), branch| {
            let answers = [true, false].iter().filter(|answer| self.has_taken(branch.site, **answer)).count();
            (covered + answers, all + 2)
        })
    }

    /// Runs the function once more, for what is to be shown of the run. Its processes have the numbers that they get in a
    /// run of their own: those of an exploration are given in the order in which it comes to know them.
    pub fn trace(&mut self, stimulus: &Stimulus) -> TracedRun {
        let traced = self.trace_turns(&stimulus.inputs, &stimulus.schedule);
        let numbers = Renumbering::of(&traced.events);
        if numbers.is_identity() {
            return traced;
        }
        let turns: Vec<u32> = stimulus.schedule.iter().map(|turn| numbers.turn(*turn)).collect();
        let known = self.machine.number_by(PidTable::default());
        let traced = self.trace_turns(&stimulus.inputs, &turns);
        self.machine.number_by(known);
        TracedRun { numbers, ..traced }
    }

    fn trace_turns(&mut self, inputs: &[Term], turns: &[u32]) -> TracedRun {
        let entry = call(self.entry_point.function, inputs);
        let mut schedule = Schedule::shown(turns.to_vec());
        let directions = Directions { script: None, schedule: Some(&mut schedule) };
        self.recorder.begin();
        self.machine.go_on_symbolic(self.world, &entry, &mut self.recorder, directions);
        self.world.end_run();
        let tested = |event: &&EnteredClause| self.entry_point.modules.contains(&event.function.module);
        let clauses = self.recorder.events.iter().filter(tested).cloned().collect();
        let (events, crashes) = (schedule.events, schedule.crashes);
        TracedRun { clauses, turns: turns.to_vec(), events, crashes, numbers: Renumbering::default() }
    }

    /// Runs the precondition; says how it ended and whether it allows the inputs.
    fn check(&mut self, precondition: Mfa, inputs: &[Term]) -> (exec::forward::Run, bool) {
        let run = self.machine.run_local_symbolic(self.world, &call(precondition, inputs), &mut self.recorder);
        self.world.end_run();
        let Ending::Value(value) = &run.ending else { return (run, false) };
        let allowed = value.as_atom() == Some(known::TRUE);
        if let Some(expr) = self.recorder.arena.of_mark(value.mark()) {
            let yes = self.recorder.arena.literal(Term::atom(known::TRUE));
            let condition = Condition { test: Test::Same(expr, yes), holds: allowed };
            self.recorder.path.push(Decision::branch(PRECONDITION, condition));
        }
        (run, allowed)
    }

    /// Runs the precondition, and if it allows the inputs, the function.
    fn run_under(&mut self, inputs: &[Term], schedule: Schedule) -> ConcolicRun {
        let entry = call(self.entry_point.function, inputs);
        let Some(precondition) = self.precondition else {
            self.recorder.begin();
            let run = self.go_on(&entry, schedule);
            return self.result(run, 0, true);
        };
        match self.check(precondition, inputs) {
            (before, true) => {
                let run = self.go_on(&entry, schedule);
                self.result(run, before.steps, true)
            }
            (before, false) => self.result(before, 0, false),
        }
    }

    /// Runs the function itself, on the machine or on the VM.
    fn go_on(&mut self, entry: &Call, mut schedule: Schedule) -> exec::forward::Run {
        let recorded = if self.on_vm.is_some() { self.world.record(entry) } else { None };
        let run = match recorded {
            Some(recorded) => self.replay(entry, &entry.args, &recorded),
            None => {
                let directions = Directions { script: None, schedule: Some(&mut schedule) };
                self.machine.go_on_symbolic(self.world, entry, &mut self.recorder, directions)
            }
        };
        let (roots, consequences) = roots(&schedule.events, schedule.crashes);
        self.events = schedule.events.into();
        self.consequences = consequences;
        // A run that comes to its end ends with the first.
        let shown = usize::from(matches!(run.ending, Ending::Raised(_)));
        self.others = roots.into_iter().skip(shown).map(|crash| (crash.exception, crash.trace)).collect();
        self.leaks = schedule.leaks;
        self.world.end_run();
        run
    }

    /// Replays a run. Where the machine could not make a call outside it begins anew, and takes what the VM got.
    fn replay(&mut self, entry: &Call, inputs: &[Term], recorded: &RecordedRun) -> exec::forward::Run {
        if recorded.outcome.is_err() {
            // How far the VM came before its limit is chance; what the machine finds out by itself is not.
            let run = self.machine.go_on_symbolic(self.world, entry, &mut self.recorder, Directions::default());
            if !cannot_do(&run.ending) {
                return run;
            }
            self.begin_again(inputs);
        }
        let raised = match &recorded.outcome {
            Ok(Outcome::Raised(exception)) => Some(exception.clone()),
            _ => None,
        };
        loop {
            let given = self.on_vm.clone().unwrap_or_default();
            let mut script =
                Script::new(Rc::clone(&recorded.events), Rc::clone(&recorded.numbers), raised.clone(), given);
            let run = self.machine.go_on_symbolic(
                self.world,
                entry,
                &mut self.recorder,
                Directions { script: Some(&mut script), schedule: None },
            );
            let stuck = script.open_call().filter(|_| cannot_do(&run.ending));
            let new = stuck.is_some_and(|call| self.on_vm.as_mut().is_some_and(|given| given.insert(call)));
            if !new {
                return self.settled(run, recorded);
            }
            self.begin_again(inputs);
        }
    }

    /// Forgets a run up to its precondition.
    fn begin_again(&mut self, inputs: &[Term]) {
        self.world.end_run();
        self.recorder.begin();
        if let Some(precondition) = self.precondition {
            self.check(precondition, inputs);
        }
    }

    /// The VM is right about how a run ends.
    fn settled(&mut self, run: exec::forward::Run, recorded: &RecordedRun) -> exec::forward::Run {
        let ending = match (&run.ending, &recorded.outcome) {
            (Ending::Value(_), Ok(Outcome::Value(_))) => return run,
            (Ending::Raised(ours), Ok(Outcome::Raised(theirs))) if ours.class == theirs.class => return run,
            (_, Ok(Outcome::Value(value))) => Ending::Value(value.clone()),
            (_, Ok(Outcome::Raised(exception))) => Ending::Raised(exception.clone()),
            (Ending::Refused { function: ours, .. }, Err(RunStopped::Refused { function, .. })) if ours == function => {
                return run;
            }
            (_, Err(stop)) => stopped(stop, self.entry_point.function),
        };
        // What the run asked after the two parted is not known.
        self.recorder.truncated = true;
        exec::forward::Run { ending, ..run }
    }

    /// True if a run ends because no clause of the function under test takes what it was given.
    fn is_unmatched(&self, ending: &Ending) -> bool {
        let entry = self.entry_point.function;
        let Ending::Raised(exception) = ending else { return false };
        unmatched_args(exception, entry).is_some_and(|args| self.machine.blames_inputs(&self.recorder, entry, &args))
    }

    fn result(&mut self, run: exec::forward::Run, steps: u64, in_domain: bool) -> ConcolicRun {
        let fresh = self.recorder.branches.iter().filter(|branch| self.branches.insert(**branch)).count();
        self.last = Coverage::default();
        let events = std::mem::take(&mut self.events);
        let is_possible = !is_overtaken(&events, &mut |patterns, message| self.takes(patterns, message));
        if let Some(coverage) = run.coverage {
            for (module, lines) in &coverage.modules {
                self.lines.modules.entry(module.clone()).or_default().extend(lines);
            }
            self.lines.clauses.extend(&coverage.clauses);
            self.last = if in_domain && is_possible { coverage } else { Coverage::default() };
        }
        ConcolicRun {
            unmatched: self.is_unmatched(&run.ending),
            ending: run.ending,
            trace: run.trace,
            events,
            others: std::mem::take(&mut self.others),
            consequences: std::mem::take(&mut self.consequences),
            leaks: std::mem::take(&mut self.leaks),
            path: std::mem::take(&mut self.recorder.path),
            gaps: self.recorder.gaps.clone(),
            steps: steps + run.steps,
            fresh: fresh as u32,
            truncated: self.recorder.truncated,
            in_domain,
            is_possible,
        }
    }
}

/// Points of a function that are kept at most.
const KEPT_POINTS: usize = 256;

/// The points to be kept of new and old ones; `None` if they are the old ones.
fn merged(new: Vec<Vec<Term>>, before: Vec<Vec<Term>>) -> Option<Vec<Vec<Term>>> {
    let plain = |args: &Vec<Term>| args.iter().all(is_plain);
    let mut points: Vec<Vec<Term>> = new.into_iter().filter(plain).take(KEPT_POINTS).collect();
    if points.iter().all(|point| before.contains(point)) {
        return None;
    }
    for point in before {
        if points.len() < KEPT_POINTS && !points.contains(&point) {
            points.push(point);
        }
    }
    Some(points)
}

/// True if a term means the same in another VM.
fn is_plain(term: &Term) -> bool {
    term::deeper(|| match term {
        Term::Handle(..) | Term::Fun(..) => false,
        Term::Tuple(_, items) => items.iter().all(is_plain),
        Term::Map(_, map) => map.iter().all(|(key, value)| is_plain(key) && is_plain(value)),
        Term::Cons(..) => {
            let mut cells = term.cells();
            cells.by_ref().all(is_plain) && is_plain(cells.rest())
        }
        _ => true,
    })
}

/// `{Value}`, or the class and reason of an exception.
fn outcomes(grammar: &mut Grammar) -> RuleId {
    let any = grammar.intern(vec![Shape::Any]);
    let classes = [known::ERROR, known::EXIT, known::THROW].map(|class| Shape::Literal(Term::atom(class)));
    let class = grammar.intern(classes.to_vec());
    grammar.intern(vec![Shape::Tuple(vec![any]), Shape::Tuple(vec![class, any])])
}

/// Endings that say something about the machine, not about the program.
fn cannot_do(ending: &Ending) -> bool {
    matches!(ending, Ending::Unsupported { .. } | Ending::Refused { .. } | Ending::Broken { .. } | Ending::Vm { .. })
}

/// The end of a run that the VM did not let end by itself; where it was is not known.
fn stopped(stop: &RunStopped, entry: Mfa) -> Ending {
    let at = Place { function: entry, file: String::new(), line: 0, column: 0 };
    match stop {
        RunStopped::Refused { function, effect } => {
            Ending::Refused { function: *function, effect: effect.to_string(), at }
        }
        RunStopped::Other(what) => Ending::Vm { function: entry, what: what.clone(), at },
    }
}

fn call(function: Mfa, inputs: &[Term]) -> Call {
    Call { module: function.module, function: function.function, args: inputs.to_vec() }
}

impl TestSubject for MachineSubject<'_> {
    fn run(&mut self, stimulus: &Stimulus) -> ConcolicRun {
        self.run_under(&stimulus.inputs, Schedule::new(stimulus.schedule.clone()))
    }

    fn run_sampled(&mut self, inputs: &[Term], seed: u64) -> ConcolicRun {
        self.run_under(inputs, Schedule::sampled(seed))
    }

    fn arena(&self) -> &Arena {
        &self.recorder.arena
    }

    fn arena_mut(&mut self) -> &mut Arena {
        &mut self.recorder.arena
    }

    fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    fn outcome_rule(&self) -> Option<RuleId> {
        Some(self.outcome)
    }

    fn sample(&mut self, function: Mfa, args: &[Term]) {
        let Some(outcome) = self.machine.sample(self.world, &call(function, args)) else {
            return self.recorder.arena.samples.learn_state(function);
        };
        self.recorder.arena.samples.learn(function, args, outcome_term(&outcome));
    }

    fn recall(&mut self, function: Mfa) {
        for args in self.world.points(function) {
            self.sample(function, &args);
        }
    }

    fn takes(&mut self, patterns: &Patterns, message: &Term) -> PatternMatch {
        let takes = self.machine.takes(self.world, patterns, message);
        if !is_marked(message) && !patterns.slots.iter().any(is_marked) {
            return PatternMatch { takes, is_open: false };
        }
        std::mem::swap(&mut self.recorder.arena, &mut self.trial.arena);
        let always = self.machine.always_takes(self.world, patterns, message, &mut self.trial);
        std::mem::swap(&mut self.recorder.arena, &mut self.trial.arena);
        PatternMatch { takes, is_open: always != Some(takes) }
    }

    fn keep_samples(&mut self) {
        let samples = &self.recorder.arena.samples;
        if !self.recorder.arena.has_opaque() {
            return;
        }
        for function in samples.functions() {
            let points: Vec<Vec<Term>> = samples.points(function).map(|(args, _)| args.to_vec()).collect();
            let steady = !samples.is_stateful(function) && !samples.is_unsteady(function);
            if steady && !points.is_empty() {
                let before = self.world.points(function);
                if let Some(points) = merged(points, before) {
                    self.world.keep_points(function, &points);
                }
            }
        }
    }

    fn entry_point(&self) -> &EntryPoint {
        &self.entry_point
    }

    fn place_of_decision(&mut self, site: Site, inputs: &[Term], at: usize) -> Option<Place> {
        let info = self.recorder.site(site)?;
        if !ops::prelude::is_prelude(info.function.module) {
            return None;
        }
        (self.recorder.wanted, self.recorder.found) = (Some(at), None);
        self.run(&Stimulus::from(inputs.to_vec()));
        self.recorder.wanted = None;
        self.recorder.found.take()
    }

    fn place(&self, site: Site) -> Option<Place> {
        let info = self.recorder.site(site)?;
        Some(Place {
            function: info.function,
            file: info.file.clone(),
            line: info.location.line,
            column: info.location.column,
        })
    }
}
