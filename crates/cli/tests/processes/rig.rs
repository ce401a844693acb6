//! Explorations inside this process, over modules that are compiled once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

use constraint::{Arena, Grammar, Shape, Site, Stimulus};
use exec::forward::{Ending, Limits, Machine, Options as Recording, Patterns, Place, ProcessEvent, Recorder};
use host::{Host, Options};
use search::{
    ConcolicRun, ConfirmAll, EntryFacts, EntryPoint, Exploration, ExplorationOptions, Go, MachineSubject, PatternMatch,
    Signature, TestSubject, explore,
};
use session::Session;
use solve::Portfolio;
use term::{Atom, Mfa, Term};

/// The folder of the Erlang sources beside this file.
pub fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/processes")
}

/// Compiles sources into a folder.
pub fn compile(folder: &Path, sources: &[PathBuf]) {
    let mut erlc = Command::new("erlc");
    let done = erlc
        .current_dir(folder)
        .args(["+debug_info", "-W0", "-o"])
        .arg(folder)
        .args(sources)
        .output()
        .expect("erlc runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
}

/// A session with the modules of a folder.
pub fn session(folder: &Path) -> Session {
    let options = Options { paths: vec![folder.to_path_buf()], ..Options::default() };
    Session::from(Host::start(options).expect("Erlang is installed"))
}

/// The result of exploring a function.
pub struct Explored {
    pub exploration: Exploration,
    /// The outcomes of all runs, as text.
    pub outcomes: BTreeSet<String>,
    /// The events of each run.
    pub runs: Vec<Rc<[ProcessEvent]>>,
    /// The first turns of each run, and its outcome.
    pub schedules: Vec<(Vec<u32>, String)>,
}

/// Explores functions of a session one by one.
pub struct Explorer {
    session: Session,
    /// True if timeouts strike at any time.
    pub any_clock: bool,
}

impl Explorer {
    pub fn new(session: Session) -> Explorer {
        Explorer { session, any_clock: false }
    }

    pub fn session(&self) -> &Session {
        &self.session
    }

    pub fn explore(&mut self, module: &str, function: &str, max_runs: u64) -> Explored {
        self.explore_inputs(module, function, &[], max_runs)
    }

    /// Explores a function whose inputs are integers from 0 to these.
    pub fn explore_inputs(&mut self, module: &str, function: &str, most: &[u32], max_runs: u64) -> Explored {
        let function = Mfa { module: Atom::new(module), function: Atom::new(function), arity: most.len() as u8 };
        let mut grammar = Grammar::default();
        let inputs = most
            .iter()
            .map(|most| grammar.intern(vec![Shape::Integer { low: Some(0.into()), high: Some((*most).into()) }]));
        let signatures = vec![Signature { inputs: inputs.collect(), result: None, no_return: false }];
        let entry_point = EntryPoint {
            function,
            signatures,
            specified: true,
            modules: vec![function.module],
            facts: EntryFacts::default(),
        };
        let recording = Recording { processes: true, any_clock: self.any_clock, ..Recording::default() };
        let machine = Machine::new(Limits::default(), recording);
        let subject = MachineSubject::new(machine, Recorder::default(), &mut self.session, grammar, entry_point, None);
        let mut subject = Recorded { subject, runs: Vec::new(), schedules: Vec::new() };
        let options = ExplorationOptions { max_runs, ..ExplorationOptions::default() };
        let exploration = explore(&mut subject, &mut Portfolio::new(None), &mut ConfirmAll, &options, &mut |_| Go::On);
        let outcomes = subject.schedules.iter().map(|(_, outcome)| outcome.clone()).collect();
        Explored { exploration, outcomes, runs: subject.runs, schedules: subject.schedules }
    }
}

/// A subject whose runs are written down.
struct Recorded<'w> {
    subject: MachineSubject<'w>,
    runs: Vec<Rc<[ProcessEvent]>>,
    schedules: Vec<(Vec<u32>, String)>,
}

/// The end of a run as text.
pub fn outcome(ending: &Ending) -> String {
    match ending {
        Ending::Value(value) => value.to_string(),
        Ending::Raised(raised) => format!("{}:{}", raised.class, raised.reason),
        Ending::Deadlock { .. } => "deadlock".to_owned(),
        other => format!("{other:?}"),
    }
}

impl TestSubject for Recorded<'_> {
    fn run(&mut self, stimulus: &Stimulus) -> ConcolicRun {
        let run = self.subject.run(stimulus);
        self.runs.push(Rc::clone(&run.events));
        self.schedules.push((stimulus.schedule.to_vec(), outcome(&run.ending)));
        run
    }

    fn arena(&self) -> &Arena {
        self.subject.arena()
    }

    fn arena_mut(&mut self) -> &mut Arena {
        self.subject.arena_mut()
    }

    fn grammar(&self) -> &Grammar {
        self.subject.grammar()
    }

    fn entry_point(&self) -> &EntryPoint {
        self.subject.entry_point()
    }

    fn takes(&mut self, patterns: &Patterns, message: &Term) -> PatternMatch {
        self.subject.takes(patterns, message)
    }

    fn place(&self, site: Site) -> Option<Place> {
        self.subject.place(site)
    }
}
