//! Jobs: the exploration of one function as data, and its result as data.
//!
//! A job names the code by hash, not by place. So it can be written, read in another process whose session has the same
//! code, and run there: the result is the same up to times.

mod fingerprint;
mod result;
mod source;

use std::time::Duration;

use exec::forward::{Concretize, Machine, Options as Recording, Recorder};
use search::{ExplorationProgress, Go, Ignore, Strategy};
use serde::{Deserialize, Serialize};
use term::{Atom, Call, Mfa};

use crate::explore::{Engine, engine};
use crate::{Failure, SearchBounds, Session};

pub use fingerprint::Fingerprints;
pub use result::{CoverageDetail, CoveredBranch, ExecutionTrace, FindingDetail, JobResult, Novelty};
pub use source::{MarkedLine, SpecLines};

/// A function to explore, with everything that the result depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The function.
    pub function: Mfa,
    /// Exceptions that are not findings.
    pub ignore: Vec<Ignore>,
    /// A function that is true for the allowed inputs.
    pub precondition: Option<Mfa>,
    /// True if it has to give `true` for all inputs.
    pub is_property: bool,
    /// True if its module does not export it: it is explored on our machine, and confirmed through a door of its own.
    pub is_private: bool,
    /// The settings that all functions of an exploration share.
    pub settings: Settings,
}

/// The settings of an exploration that hold for all functions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// The bounds of the search.
    pub bounds: SearchBounds,
    /// The order in which branches are tried.
    pub strategy: Strategy,
    /// The treatment of results that no solver can see.
    pub concretize: Concretize,
    /// The number of paths of a function that are kept to write tests from.
    pub keep: usize,
    /// The number of executions of a function that are kept to be shown.
    pub executions: usize,
    /// The number of decisions of a function that are kept to be shown, with its lines and branches; 0 if these are not.
    #[serde(default)]
    pub decisions: usize,
    /// The modules of the functions, each with the hash of its code.
    pub modules: Vec<(Atom, Option<[u8; 16]>)>,
    /// The modules under test: these, all that were given, and those whose sources stand beside them.
    pub tested: Vec<Atom>,
    /// Functions with outside effects that may run.
    pub allowed: Vec<Mfa>,
    /// Functions that are not looked into.
    pub opaque: Vec<Mfa>,
    /// Calls that are made first, whose inputs are known to be fit.
    pub starts: Vec<Call>,
    /// Calls to learn from: of the function itself seeds, of opaque ones samples.
    pub learn: Vec<Call>,
    /// The place where runs are made.
    pub engine: Engine,
    /// The seed of what is made by chance.
    pub seed: u64,
    /// True if timeouts and timers strike at any time.
    pub any_clock: bool,
    /// Modules whose functions are called in states that earlier calls make, whatever their specs say.
    pub states: Vec<Atom>,
}

impl Settings {
    /// Returns the modules of the functions.
    pub fn modules(&self) -> impl Iterator<Item = Atom> {
        self.modules.iter().map(|(module, _)| *module)
    }

    /// Instruments the modules of the functions if every run is one on the VM.
    pub fn instrument(&self, session: &Session) -> Result<(), Failure> {
        let mut modules = self.modules().filter(|_| self.engine == Engine::Beam);
        modules.try_for_each(|module| session.instrument(module).map(drop))
    }

    /// The machine that explores a function, and the recorder of its runs.
    pub(crate) fn machine(&self, on_vm: bool, function: Mfa) -> (Machine, Recorder) {
        let mut recorder = Recorder::default();
        recorder.concretize = self.concretize;
        let recording =
            Recording { coverage: true, events: true, mirrors: true, processes: !on_vm, ..Recording::default() };
        let mut machine = self.bounds.machine(Recording { any_clock: self.any_clock, ..recording });
        machine.set_opaque(self.opaque.iter().copied().filter(|opaque| *opaque != function));
        (machine, recorder)
    }

    /// Refuses a session with other code or other permissions.
    fn check(&self, session: &Session) -> Result<(), Failure> {
        let changed = self.modules.iter().find(|(module, hash)| session.content(*module) != *hash);
        match changed {
            Some((module, _)) => Err(Failure::Unusable(format!("{module} is not the code that the job is about"))),
            None if session.allowed() != self.allowed => {
                Err(Failure::Unusable("other functions are allowed than the job says".to_owned()))
            }
            None => Ok(()),
        }
    }
}

impl Job {
    /// Returns the options of the search.
    pub(crate) fn search_options(&self) -> search::ExplorationOptions {
        let (settings, defaults) = (&self.settings, search::ExplorationOptions::default());
        let seeds = settings.starts.iter().chain(&settings.learn).filter(|call| call.mfa() == self.function);
        search::ExplorationOptions {
            strategy: settings.strategy,
            max_runs: settings.bounds.runs,
            more_runs: settings.bounds.more_runs,
            max_schedules: settings.bounds.schedules,
            max_depth: settings.bounds.depth,
            most_depth: settings.bounds.most_depth,
            max_input_size: settings.bounds.size,
            max_calls: settings.bounds.calls,
            ignore: self.ignore.clone(),
            seed: settings.seed,
            keep: settings.keep,
            executions: settings.executions,
            decisions: settings.decisions,
            // A pin that keeps the search sound is never dropped.
            max_pins: if settings.concretize == Concretize::Sound { 0 } else { defaults.max_pins },
            seeds: seeds.map(|call| call.args.clone()).collect(),
            ..defaults
        }
    }
}

/// Runs a job in a session that has its code; `progress` is asked before every run whether to go on.
pub fn run(
    job: &Job,
    session: &Session,
    progress: &mut dyn FnMut(&ExplorationProgress) -> Go,
) -> Result<JobResult, Failure> {
    run_within(job, session, Duration::MAX, progress)
}

/// Runs a job with no more than so much time, and no more than its bounds allow.
pub(crate) fn run_within(
    job: &Job,
    session: &Session,
    time: Duration,
    progress: &mut dyn FnMut(&ExplorationProgress) -> Go,
) -> Result<JobResult, Failure> {
    job.settings.check(session)?;
    job.settings.instrument(session)?;
    if job.is_private {
        session.expose(job.function.module)?;
    }
    Ok(engine::explore(job, session, time, progress))
}
