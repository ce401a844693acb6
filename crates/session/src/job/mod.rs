//! Jobs: the exploration of one function as data, and its result as data.
//!
//! A job names the code by hash, not by place. So it can be written, read in another process whose session has the same
//! code, and run there: the result is the same up to times.

mod result;

use exec::forward::Concretize;
use search::{ExplorationProgress, Go, Ignore, Strategy};
use serde::{Deserialize, Serialize};
use term::{Atom, Call, Mfa};

use crate::explore::{Engine, engine};
use crate::{Failure, SearchBounds, Session};

pub use result::{FindingDetail, JobResult};

/// A function to explore, with everything that the result depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The function.
    pub function: Mfa,
    /// Exceptions that are not findings.
    pub ignore: Vec<Ignore>,
    /// A function that is true for the allowed inputs.
    pub precondition: Option<Mfa>,
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
    /// The modules under test, each with the hash of its code.
    pub modules: Vec<(Atom, Option<[u8; 16]>)>,
    /// Functions with outside effects that may run.
    pub allowed: Vec<Mfa>,
    /// Functions that are not looked into.
    pub opaque: Vec<Mfa>,
    /// Calls to learn from: of the function itself seeds, of opaque ones samples.
    pub learn: Vec<Call>,
    /// The place where runs are made.
    pub engine: Engine,
    /// True if timeouts and timers strike at any time.
    pub any_clock: bool,
}

impl Settings {
    /// Returns the modules under test.
    pub fn modules(&self) -> impl Iterator<Item = Atom> {
        self.modules.iter().map(|(module, _)| *module)
    }

    /// Instruments the modules under test if every run is one on the VM.
    pub fn instrument(&self, session: &Session) -> Result<(), Failure> {
        let mut modules = self.modules().filter(|_| self.engine == Engine::Beam);
        modules.try_for_each(|module| session.instrument(module).map(drop))
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
        let seeds = settings.learn.iter().filter(|call| call.mfa() == self.function);
        search::ExplorationOptions {
            strategy: settings.strategy,
            max_runs: settings.bounds.runs,
            max_schedules: settings.bounds.schedules,
            max_depth: settings.bounds.depth,
            max_input_size: settings.bounds.size,
            ignore: self.ignore.clone(),
            keep: settings.keep,
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
    job.settings.check(session)?;
    job.settings.instrument(session)?;
    Ok(engine::explore(job, session, progress))
}
