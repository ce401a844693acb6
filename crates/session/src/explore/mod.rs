//! The exploration of functions, one after the other, each by the engine that can do it.

mod cases;
mod detail;
mod engine;
mod explored;
mod functions;

use std::time::Instant;

use exec::forward::{Concretize, Options as Recording, Recorder};
use search::{Go, Progress, Reason, Strategy, Tested};
use solve::Stats;
use term::{Atom, Call, Mfa};

use crate::confirm::Replay;
use crate::domain::{Domain, domain};
use crate::job::Job;
use crate::solver::solver;
use crate::{Failure, Monitor, SearchBounds, Session, interrupt};
use detail::{coverage, detail};
use engine::Share;

pub use cases::confirmed_cases;
pub use engine::Engine;
pub use explored::{Explored, FindingDetail};
pub use functions::{modules, open};

/// The number of tries of a finding on the VM, where processes need not take the same turns.
const TRIES: u32 = 10;

/// The settings of an exploration that hold for all functions.
pub struct Plan {
    /// The bounds.
    pub bounds: SearchBounds,
    /// The order in which branches are tried.
    pub strategy: Strategy,
    /// The treatment of results that no solver can see.
    pub concretize: Concretize,
    /// The number of paths of a function that are kept to write tests from.
    pub keep: usize,
    /// The modules under test.
    pub modules: Vec<Atom>,
    /// Functions that are not looked into.
    pub opaque: Vec<Mfa>,
    /// Calls to learn from.
    pub learn: Vec<Call>,
    /// The place where runs are made.
    pub engine: Engine,
}

impl Plan {
    /// Instruments the modules under test if every run is one on the VM.
    pub fn instrument(&self, session: &Session) -> Result<(), Failure> {
        let modules = if self.engine == Engine::Beam { &self.modules[..] } else { &[] };
        modules.iter().try_for_each(|module| session.instrument(*module).map(drop))
    }

    /// True if every finding of a function must be confirmed: runs on the VM need not repeat.
    pub fn is_repeatable(&self, explored: &Explored) -> bool {
        self.engine != Engine::Beam && explored.on_vm.is_none()
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
            // A pin that keeps the search sound is never dropped.
            max_pins: if self.concretize == Concretize::Sound { 0 } else { defaults.max_pins },
            seeds: seeds.map(|call| call.args.clone()).collect(),
            ..defaults
        }
    }
}

/// Explores the functions of the jobs as the plan says, until the monitor or an interrupt ends it.
pub fn explore(plan: &Plan, session: &Session, jobs: &[Job], monitor: &mut dyn Monitor) -> Vec<Explored> {
    let mut all = Vec::new();
    for job in jobs {
        let mut progress = |now: &Progress| match monitor.exploring(job.function, now) {
            Go::On if interrupt::is_wanted() => Go::Interrupt,
            go => go,
        };
        let (explored, stats) = engine::explore(plan, job, session, &mut progress);
        let go_on = monitor.explored(&explored, &stats);
        all.push(explored);
        if !go_on || interrupt::is_wanted() {
            break;
        }
    }
    all
}

/// Explores one function on one engine.
fn explore_on(
    plan: &Plan,
    job: &Job,
    session: &Session,
    share: Share,
    progress: &mut dyn FnMut(&Progress) -> Go,
) -> (Explored, Stats) {
    let began = Instant::now();
    let function = job.function;
    let Domain { target, grammar, warnings, sampled } = domain(session, function, plan.modules.clone());
    let mut world = session.until(share.end);
    let mut recorder = Recorder::default();
    recorder.concretize = plan.concretize;
    let recording = Recording { coverage: true, events: true, mirrors: true, ..Recording::default() };
    let mut machine = plan.bounds.machine(recording);
    machine.set_opaque(plan.opaque.iter().copied().filter(|opaque| *opaque != function));
    let mut program = Tested::new(machine, recorder, &mut world, grammar, target, job.precondition);
    plan.learn.iter().filter(|call| call.mfa() != function).for_each(|call| program.learn(call));
    if share.on_vm {
        program.run_on_vm();
    }
    let mut solver = solver(plan.bounds.workers, share.end);
    let tries = if share.on_vm { TRIES } else { 1 };
    let mut replay = Replay { session: session.clone(), function, tries };
    let mut go = |now: &Progress| match progress(now) {
        Go::On if share.is_over(now) => Go::Time,
        go => go,
    };
    let mut exploration = search::explore(&mut program, &mut solver, &mut replay, &plan.search_options(job), &mut go);
    sampled.into_iter().for_each(|name| exploration.add(Reason::Opaque { name }));
    let details = exploration.findings.iter().map(|finding| detail(session, &mut program, finding)).collect();
    let (lines, branches) = coverage(session, &program, function);
    let warnings = warnings.iter().map(|warning| warning.to_string()).collect();
    let millis = began.elapsed().as_millis();
    let (on_vm, not_on_vm) = (None, None);
    let explored = Explored { function, exploration, details, lines, branches, warnings, millis, on_vm, not_on_vm };
    (explored, solver.stats().clone())
}
