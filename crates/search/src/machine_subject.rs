//! The subject there usually is: a function on the concolic machine, after its precondition if it has one.

mod concrete;
mod loops;
mod points;
mod replay;
mod traced;

use std::rc::Rc;

use constraint::{Arena, Condition, Decision, Grammar, RuleId, Shape, Site, Stimulus, Test, outcome_term};
use exec::forward::{
    Branch, BranchCounts, Coverage, Ending, Machine, NameOrder, Patterns, Place, ProcessEvent, Recorder, RoundWatch,
    Schedule, WaitingProcess, World, branch_site, is_marked,
};
use rustc_hash::FxHashSet;
use term::{Atom, Call, Exception, Mfa, Term, known};

use crate::contract::ContractCheck;
use crate::endless::LoopLearner;
use crate::finding::unmatched_args;
use crate::reach::Goal;
use crate::schedules::{FollowingCrash, is_overtaken, roots};
use crate::subject::{Around, ConcolicRun, ConcreteRun, EntryPoint, LoopRounds, PatternMatch, Signature, TestSubject};

pub use traced::TracedRun;

/// The question whether a precondition's value is `true`, where that value is an input or a part of one.
const PRECONDITION: Site = Site(u64::MAX);

/// The same for the value of a property.
const PROPERTY: Site = Site(u64::MAX - 1);

/// The function of a driver that gives the values of all inputs.
const MADE: &str = "made";

/// The value of a driver if a call that was to make an input failed.
pub const OUTSIDE: &str = "$hound_outside";

/// A function on the concolic machine, with its recorder and its precondition.
pub struct MachineSubject<'w> {
    pub machine: Machine,
    pub recorder: Recorder,
    world: &'w mut dyn World,
    grammar: Grammar,
    /// The rule of how calls end.
    outcome: RuleId,
    /// The rule of all terms.
    any: RuleId,
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
    /// The counts of the last run on values alone.
    counts: BranchCounts,
    /// The functions of the tested modules that may call themselves, once they were asked for.
    recursive: Option<Rc<FxHashSet<Mfa>>>,
    /// The functions that were opaque before loops were.
    opaque: Vec<Mfa>,
    /// The function that is called instead: it makes inputs by calls, then calls the function.
    driver: Option<Mfa>,
    /// The types of what it makes.
    declared: Option<(Grammar, Vec<Signature>)>,
    /// What is known of loops.
    loops: LoopLearner,
    /// True if runs are made on the VM and replayed, and the calls outside that the machine cannot make again.
    on_vm: Option<FxHashSet<u32>>,
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
        let any = grammar.intern(vec![Shape::Any]);
        MachineSubject {
            machine,
            recorder,
            world,
            grammar,
            outcome,
            any,
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
            counts: BranchCounts::default(),
            recursive: None,
            opaque: Vec::new(),
            driver: None,
            declared: None,
            loops: LoopLearner::default(),
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

    /// From now on the names of processes and references have this order.
    pub fn order_names(&mut self, order: NameOrder) {
        self.machine.order_names(order);
    }

    /// From now on so many schedulers are online, or as many as usual; what was asked of their number is forgotten.
    pub fn assume_schedulers(&mut self, number: Option<i64>) {
        self.machine.assume_schedulers(number);
        self.recorder.asked_of_schedulers.clear();
    }

    /// True if all that runs have asked of the number of schedulers online has the same answers for this one.
    pub fn answers_hold_for(&mut self, schedulers: i64) -> bool {
        self.recorder.answers_hold_for(schedulers)
    }

    /// From now on inputs stand for calls, which a driver makes before that of the function. Their values must be of the
    /// declared types, if these are given.
    pub fn enter_through(&mut self, driver: Mfa, declared: Option<(Grammar, Vec<Signature>)>) {
        (self.driver, self.declared) = (Some(driver), declared);
    }

    /// True if calls make values of other types than are declared, as a spec may promise more than a function keeps, or if
    /// one of them loops or waits for ever.
    fn is_undeclared(&mut self, inputs: &[Term], ending: &Ending) -> bool {
        let is_stuck = matches!(ending, Ending::Endless(_) | Ending::Deadlock { .. });
        let Some(driver) = self.driver.filter(|_| self.declared.is_some() || is_stuck) else { return false };
        let made = call(Mfa { function: Atom::new(MADE), ..driver }, inputs);
        let (mut schedule, mut counts) = (Schedule::default(), BranchCounts::default());
        let steps = self.machine.steps();
        let run = self.machine.run_counted(self.world, (&made, false), &mut schedule, &mut counts, steps);
        self.world.end_run();
        match (&run.ending, &self.declared) {
            (Ending::Value(Term::Tuple(_, made)), Some((grammar, signatures))) => {
                !signatures.iter().any(|it| it.allows(grammar, made))
            }
            (Ending::Value(Term::Tuple(..)), None) => false,
            _ => true,
        }
    }

    /// The call that a run makes.
    fn entry(&self, inputs: &[Term]) -> Call {
        call(self.driver.unwrap_or(self.entry_point.function), inputs)
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

    /// The branches of a function's graph, each with the outcomes that any run had: `false` and `true`.
    pub fn branch_outcomes(&self, function: Mfa) -> impl Iterator<Item = (Branch, [bool; 2])> {
        let branches = self.machine.branches(function).unwrap_or_default().into_iter();
        branches.map(|branch| {
            let taken = [false, true].map(|outcome| self.has_taken(branch.site, outcome));
            (branch, taken)
        })
    }

    /// Outcomes of branches in these functions' graphs: had by any run, and all.
    pub fn branch_coverage(&self, functions: &[Mfa]) -> (usize, usize) {
        let branches = functions.iter().flat_map(|function| self.branch_outcomes(*function));
        branches.fold((0, 0), |(covered, all), (_, outcomes)| {
            (covered + outcomes.iter().filter(|taken| **taken).count(), all + 2)
        })
    }

    /// The branches in these functions' graphs.
    pub fn branch_sites(&self, functions: &[Mfa]) -> impl Iterator<Item = Site> {
        let branches = functions.iter().filter_map(|function| self.machine.branches(*function)).flatten();
        branches.map(|branch| branch.site)
    }

    /// Runs the precondition; says how it ended and whether it allows the inputs.
    fn check(&mut self, precondition: Mfa, inputs: &[Term]) -> (exec::forward::Run, bool) {
        let run = self.machine.run_local_symbolic(self.world, &call(precondition, inputs), &mut self.recorder);
        self.world.end_run();
        let Ending::Value(value) = &run.ending else { return (run, false) };
        let allowed = value.as_atom() == Some(known::TRUE);
        self.ask_if_true(PRECONDITION, value);
        (run, allowed)
    }

    /// Makes a decision of the question whether a value is `true`.
    fn ask_if_true(&mut self, site: Site, value: &Term) {
        if let Some(expr) = self.recorder.arena.of_mark(value.mark()) {
            let yes = self.recorder.arena.literal(Term::atom(known::TRUE));
            let condition = Condition { test: Test::Same(expr, yes), holds: value.as_bool() == Some(true) };
            self.recorder.path.push(Decision::branch(site, condition));
        }
    }

    /// Runs the precondition, and if it allows the inputs, the function.
    fn run_under(&mut self, inputs: &[Term], schedule: Schedule) -> ConcolicRun {
        let entry = self.entry(inputs);
        let Some(precondition) = self.precondition else {
            self.recorder.begin();
            let run = self.go_on(&entry, schedule);
            return self.checked(inputs, run, 0);
        };
        match self.check(precondition, inputs) {
            (before, true) => {
                let run = self.go_on(&entry, schedule);
                self.checked(inputs, run, before.steps)
            }
            (before, false) => self.result(before, 0, false),
        }
    }

    /// True if a call that was to make an input failed.
    fn is_outside(&self, ending: &Ending) -> bool {
        let is_said = |value: &Term| value.as_atom().is_some_and(|atom| atom.name() == OUTSIDE);
        self.driver.is_some() && matches!(ending, Ending::Value(value) if is_said(value))
    }

    /// The result of a run in the domain, whose value is held to the spec.
    fn checked(&mut self, inputs: &[Term], run: exec::forward::Run, steps: u64) -> ConcolicRun {
        if self.is_outside(&run.ending) {
            return self.result(run, steps, false);
        }
        let is_declared = !self.is_undeclared(inputs, &run.ending);
        let is_property = self.entry_point.facts.is_property;
        if let (Ending::Value(value), true) = (&run.ending, is_property) {
            self.ask_if_true(PROPERTY, value);
        }
        let mut run = self.result(run, steps, is_declared);
        run.contract = match &run.ending {
            Ending::Value(value) if is_property => ContractCheck::of_property(value),
            Ending::Value(value) => {
                ContractCheck::of(&self.entry_point, &self.grammar, &mut self.recorder.arena, inputs, value)
            }
            _ => ContractCheck::default(),
        };
        if run.contract.is_broken {
            run.trace = self.machine.place_of(self.entry_point.function).into_iter().collect();
        }
        run
    }

    /// Runs the function itself, on the machine or on the VM.
    fn go_on(&mut self, entry: &Call, schedule: Schedule) -> exec::forward::Run {
        let recorded = if self.on_vm.is_some() { self.world.record(entry) } else { None };
        let (run, schedule) = match recorded {
            Some(recorded) => (self.replay(entry, &entry.args, &recorded), schedule),
            None => self.go_on_machine(entry, schedule),
        };
        self.end(&run, schedule);
        run
    }

    /// Keeps what the schedule of a run has recorded.
    fn end(&mut self, run: &exec::forward::Run, schedule: Schedule) {
        let (roots, consequences) = roots(&schedule.events, schedule.crashes);
        self.events = schedule.events.into();
        self.consequences = consequences;
        // A run that comes to its end ends with the first.
        let shown = usize::from(matches!(run.ending, Ending::Raised(_)));
        self.others = roots.into_iter().skip(shown).map(|crash| (crash.exception, crash.trace)).collect();
        self.leaks = schedule.leaks;
        self.world.end_run();
    }

    /// Forgets a run up to its precondition.
    fn begin_again(&mut self, inputs: &[Term]) {
        self.world.end_run();
        self.recorder.begin();
        if let Some(precondition) = self.precondition {
            self.check(precondition, inputs);
        }
    }

    /// True if a run ends because no clause of the function under test takes what it was given.
    fn is_unmatched(&self, ending: &Ending) -> bool {
        let entry = self.entry_point.function;
        let Ending::Raised(exception) = ending else { return false };
        unmatched_args(exception, entry).is_some_and(|args| self.machine.blames_inputs(&self.recorder, entry, &args))
    }

    fn is_tested(&self, function: Mfa) -> bool {
        self.entry_point.modules.contains(&function.module)
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
            branches: self.recorder.branches.as_slice().into(),
            truncated: self.recorder.truncated,
            in_domain,
            is_possible,
            contract: ContractCheck::default(),
        }
    }
}

/// `{Value}`, or the class and reason of an exception.
fn outcomes(grammar: &mut Grammar) -> RuleId {
    let any = grammar.intern(vec![Shape::Any]);
    let classes = [known::ERROR, known::EXIT, known::THROW].map(|class| Shape::Literal(Term::atom(class)));
    let class = grammar.intern(classes.to_vec());
    grammar.intern(vec![Shape::Tuple(vec![any]), Shape::Tuple(vec![class, any])])
}

fn call(function: Mfa, inputs: &[Term]) -> Call {
    Call { module: function.module, function: function.function, args: inputs.to_vec() }
}

impl TestSubject for MachineSubject<'_> {
    fn run_concretely(&mut self, stimulus: &Stimulus, steps: u64) -> Option<ConcreteRun> {
        Some(self.run_on_values(stimulus, steps))
    }

    fn steps(&self) -> u64 {
        self.machine.steps()
    }

    fn allow_steps(&mut self, steps: u64) {
        self.machine.allow_steps(steps);
    }

    fn run(&mut self, stimulus: &Stimulus) -> ConcolicRun {
        self.run_under(&stimulus.inputs, Schedule::new(stimulus.schedule.clone()))
    }

    fn run_sampled(&mut self, inputs: &[Term], seed: u64) -> ConcolicRun {
        self.run_under(inputs, Schedule::sampled(seed))
    }

    fn visits(&mut self, stimulus: &Stimulus) -> Option<LoopRounds> {
        self.recorder.rounds = Some(RoundWatch::of_modules(self.entry_point.modules.clone()));
        let run = self.run(stimulus);
        let visits = self.recorder.rounds.take()?.visits;
        (run.counts() && run.gaps.is_empty()).then_some(LoopRounds { visits, called: Vec::new(), path: run.path })
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

    fn outcome(&mut self, function: Mfa, args: &[Term]) -> Option<Term> {
        self.machine.sample(self.world, &call(function, args)).map(|outcome| outcome_term(&outcome))
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

    fn has_module(&mut self, module: Atom) -> bool {
        // Every module exports it.
        let is_there = |names: Vec<Atom>| names.iter().any(|name| name.name() == "module_info");
        self.world.exports(module, 0).is_none_or(is_there)
    }

    fn is_exported(&mut self, function: Mfa) -> bool {
        let names = self.world.exports(function.module, function.arity);
        names.is_none_or(|names| names.contains(&function.function))
    }

    fn is_closed(&mut self, function: Mfa) -> bool {
        self.machine.is_closed(function)
    }

    fn recursive(&mut self) -> Rc<FxHashSet<Mfa>> {
        if self.recursive.is_none() {
            let calls = self.calls();
            let found = calls.keys().copied().filter(|function| loops::reaches(&calls, *function)).collect();
            self.recursive = Some(Rc::new(found));
        }
        self.recursive.clone().unwrap_or_default()
    }

    fn keep_samples(&mut self) {
        self.keep_points();
    }

    fn go_around(&mut self, calls: Option<Around>) -> bool {
        self.set_around(calls)
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

    fn library(&self, site: Site) -> Option<Mfa> {
        let function = self.recorder.site(site)?.function;
        (!self.is_tested(function)).then_some(function)
    }

    fn branch(&self, site: Site) -> Option<Place> {
        let place = self.place(site)?;
        let branches = self.machine.branches(place.function)?;
        branches.iter().any(|branch| branch.site == site).then_some(place)
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
