//! The exploration of functions, one after the other, each by the engine that can do it.

use std::time::Instant;

use exec::forward::{Concretize, Options as Recording, Recorder};
use search::{Go, Progress, Reason, Strategy, Tested};
use solve::Stats;
use term::{Atom, Call, Mfa};

use crate::confirm::Replay;
use crate::domain::{Domain, domain};
use crate::engine::{self, Turn};
use crate::job::Job;
use crate::session::Shared;
use crate::solver::solver;
use crate::{Bounds, Explored, Failure, detail};

/// How often a finding is tried again when processes were at it, which need not take the same turns.
const TRIES: u32 = 10;

/// Where a program runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// On our own machine.
    Machine,
    /// On the BEAM, instrumented; the machine replays each run from its events.
    Beam,
    /// On our machine, and on the BEAM for functions that need what it cannot do.
    Auto,
}

/// What holds for all functions of an exploration.
pub struct Plan {
    pub bounds: Bounds,
    pub strategy: Strategy,
    pub concretize: Concretize,
    /// Paths of a function that are kept to write tests from.
    pub keep: usize,
    /// The modules under test.
    pub modules: Vec<Atom>,
    /// Functions that are not looked into.
    pub opaque: Vec<Mfa>,
    /// Calls to learn from.
    pub learn: Vec<Call>,
    pub engine: Engine,
}

impl Plan {
    /// Instruments the modules under test if every run is one of the VM.
    pub fn prepare(&self, outside: &Shared) -> Result<(), Failure> {
        match self.engine {
            Engine::Beam => {
                self.modules.iter().try_for_each(|module| outside.borrow_mut().instrument(*module).map(drop))
            }
            Engine::Machine | Engine::Auto => Ok(()),
        }
    }

    fn search_options(&self, job: &Job) -> search::Options {
        let defaults = search::Options::default();
        let seeds = self.learn.iter().filter(|call| call.mfa() == job.function);
        search::Options {
            strategy: self.strategy,
            max_runs: self.bounds.runs,
            max_depth: self.bounds.depth,
            max_input_size: self.bounds.size,
            ignore: job.ignore.clone(),
            keep: self.keep,
            // What is held for soundness' sake alone is never let go.
            max_pins: if self.concretize == Concretize::Sound { 0 } else { defaults.max_pins },
            seeds: seeds.map(|call| call.args.clone()).collect(),
            ..defaults
        }
    }
}

/// Who follows explorations, and may end them.
pub trait Watch {
    fn on(&mut self, function: Mfa, progress: &Progress) -> Go;
    /// A function is done; returns true if there is to be another.
    fn done(&mut self, explored: &Explored, solver: &Stats) -> bool;
}

/// Explores the functions of the jobs as the plan says, until the watch ends it.
pub fn explore_all(plan: &Plan, outside: &Shared, jobs: &[Job], watch: &mut dyn Watch) -> Vec<Explored> {
    let mut all = Vec::new();
    for job in jobs {
        let mut on = |progress: &Progress| watch.on(job.function, progress);
        let (explored, stats) = engine::explored(plan, job, outside, &mut on);
        let go_on = watch.done(&explored, &stats);
        all.push(explored);
        if !go_on {
            break;
        }
    }
    all
}

/// Explores one function on one engine.
pub(crate) fn one(
    plan: &Plan,
    job: &Job,
    outside: &Shared,
    turn: Turn,
    progress: &mut dyn FnMut(&Progress) -> Go,
) -> (Explored, Stats) {
    let began = Instant::now();
    let function = job.function;
    let Domain { target, grammar, warnings, made } = domain(outside, function, plan.modules.clone());
    let end = turn.end;
    let mut world = outside.until(end);
    let mut recorder = Recorder::default();
    recorder.concretize = plan.concretize;
    let recording = Recording { coverage: true, events: true, mirrors: true, ..Recording::default() };
    let mut machine = plan.bounds.machine(recording);
    machine.set_opaque(plan.opaque.iter().copied().filter(|opaque| *opaque != function));
    let mut program = Tested::new(machine, recorder, &mut world, grammar, target, job.precondition);
    plan.learn.iter().filter(|call| call.mfa() != function).for_each(|call| program.learn(call));
    if turn.on_vm {
        program.run_on_vm();
    }
    let mut solver = solver(plan.bounds.workers, end);
    let mut replay = Replay { outside: outside.clone(), function, tries: if turn.on_vm { TRIES } else { 1 } };
    let mut go = |now: &Progress| match progress(now) {
        Go::On if turn.is_over(now) => Go::Time,
        go => go,
    };
    let mut exploration = search::explore(&mut program, &mut solver, &mut replay, &plan.search_options(job), &mut go);
    made.into_iter().for_each(|name| exploration.add(Reason::Opaque { name }));
    let details = exploration.findings.iter().map(|finding| detail::of(outside, &mut program, finding)).collect();
    let (lines, branches) = detail::coverage(outside, &program, function);
    let warnings = warnings.iter().map(|warning| warning.to_string()).collect();
    let millis = began.elapsed().as_millis();
    let (on_vm, not_on_vm) = (None, None);
    let explored = Explored { function, exploration, details, lines, branches, warnings, millis, on_vm, not_on_vm };
    (explored, solver.stats().clone())
}
