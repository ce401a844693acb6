//! A session: the library with its VM, what the user allows, and the state of the run that goes on.

use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::path::PathBuf;
use std::rc::Rc;

use constraint::Path;
use exec::forward::Numbers;
use frontend::instrument::EventTable;
use host::{
    CallResult, Conductor, Deadline, ErlOptions, Host, HostError, NotPerformed, Passage, Performed, StatefulProcess,
    preparing, standing_walls,
};
use rustc_hash::{FxHashMap, FxHashSet};
use search::{CompilerChange, Finding, Reason};
use term::{Atom, Call, Mfa, Term};

use crate::explore::shown::show;
use crate::gathered::Gathered;
use crate::library::{Library, ModuleFile, SourcePath, stem};
use crate::project::BuiltProject;
use crate::{Failure, guard};

/// A library with its VM and the runs in it, which follow one another. Clones are handles to the same session.
#[derive(Clone)]
pub struct Session {
    state: Rc<State>,
    /// The time when runs are to stop.
    until: Option<Deadline>,
}

/// The parts of a session that its handles share.
pub(crate) struct State {
    library: Library,
    pub(crate) allowed: FxHashSet<Mfa>,
    /// The process of the VM that keeps the current run's state; opened when first needed.
    pub(crate) process: Cell<Option<StatefulProcess>>,
    /// The meaning of the numbers of events.
    pub(crate) numbers: RefCell<Rc<Numbers>>,
    /// The next free number of an event.
    pub(crate) next_event: Cell<u32>,
    /// The tables of events of modules that were instrumented on the VM.
    pub(crate) tables: RefCell<FxHashMap<Atom, Rc<EventTable>>>,
    /// The functions that runs called and that the compiler may have changed.
    pub(crate) changed: RefCell<FxHashMap<Mfa, CompilerChange>>,
    /// Findings that were confirmed and that no monitor has heard of, with the functions explored.
    found: RefCell<Vec<(Mfa, Finding)>>,
    /// The VM that replays schedules, once there was one to replay.
    conductor: RefCell<Option<Conductor>>,
    /// The modules whose private functions the VM can call.
    pub(crate) exposed: RefCell<FxHashSet<Atom>>,
}

impl Deref for Session {
    type Target = Library;

    fn deref(&self) -> &Library {
        &self.state.library
    }
}

impl From<Host> for Session {
    /// A session without given modules that allows nothing.
    fn from(host: Host) -> Session {
        Session::new(Library::new(host, Vec::new(), ErlOptions::default()), [])
    }
}

impl Session {
    /// Returns a session in which these functions with outside effects may run.
    pub fn new(library: Library, allowed: impl IntoIterator<Item = Mfa>) -> Session {
        let state = State {
            library,
            allowed: allowed.into_iter().collect(),
            process: Cell::new(None),
            numbers: RefCell::default(),
            next_event: Cell::new(0),
            tables: RefCell::default(),
            changed: RefCell::default(),
            found: RefCell::default(),
            conductor: RefCell::default(),
            exposed: RefCell::default(),
        };
        Session { state: Rc::new(state), until: None }
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// Returns a handle whose runs stop at that time.
    pub fn until(&self, end: Option<Deadline>) -> Session {
        Session { state: Rc::clone(&self.state), until: end }
    }

    /// The time when this handle's runs stop.
    pub(crate) fn end(&self) -> Option<Deadline> {
        self.until
    }

    /// True if the time of this handle's runs is over.
    pub(crate) fn is_over(&self) -> bool {
        self.until.is_some_and(Deadline::is_over)
    }

    /// Returns the functions with outside effects that may run, in an order that is always the same.
    pub fn allowed(&self) -> Vec<Mfa> {
        let mut allowed: Vec<Mfa> = self.state.allowed.iter().copied().collect();
        allowed.sort_unstable();
        allowed
    }

    /// Lets runs on the VM do nothing that our machine refuses: from now on their modules are patched.
    pub fn guard(&self) -> Result<(), Failure> {
        self.give_rules()?;
        Ok(self.host().raise_guard()?)
    }

    /// Gives the VM the rules of the guard, which it raises when a run may need it.
    fn give_rules(&self) -> Result<(), Failure> {
        if guard::is_off() {
            return Ok(());
        }
        let rules = guard::rules(self.state.allowed.iter().copied());
        Ok(self.host().guard(&rules)?)
    }

    /// Runs a call on the VM under a schedule.
    pub(crate) fn perform(&self, call: &Call, turns: &[Passage]) -> Result<Performed, NotPerformed> {
        let mut conductor = self.state.conductor.borrow_mut();
        let host = self.host();
        if conductor.is_none() {
            let started = preparing(|| Conductor::beside(&host));
            let died = |error: HostError| NotPerformed::Ended(Box::new(CallResult::HostDied(error.to_string())));
            *conductor = Some(started.map_err(died)?);
        }
        let Some(conductor) = conductor.as_mut() else { unreachable!("it was started") };
        conductor.perform(&host, call, turns)
    }

    /// Notes a function of a run or of a proof, if the compiler may have changed it.
    pub(crate) fn note_change(&self, function: Mfa) {
        let module = self.module(function.module);
        if let Some(change) = module.ok().and_then(|it| it.differences.of(function.function, function.arity)) {
            self.state.changed.borrow_mut().insert(function, change);
        }
    }

    /// Returns and forgets what was noted, as reasons why nothing is proved; so is a release that no test was made on.
    pub(crate) fn take_changes(&self) -> Vec<Reason> {
        let changed = std::mem::take(&mut *self.state.changed.borrow_mut());
        let mut changed: Vec<(Mfa, CompilerChange)> = changed.into_iter().collect();
        // Atoms have no order that is the same in every run of the tool.
        changed.sort_by_cached_key(|(function, _)| function.to_string());
        let changed = changed.into_iter().map(|(function, change)| Reason::Compiled { function, change });
        let untested = self.host().untested_release().map(|release| Reason::Release { release: release.to_owned() });
        changed.chain(untested).collect()
    }

    /// Notes a finding that was confirmed while a function is explored.
    pub(crate) fn note_found(&self, function: Mfa, finding: &Finding) {
        let mut finding = Finding { path: Path::default(), ..finding.clone() };
        show(self, &mut finding);
        self.state.found.borrow_mut().push((function, finding));
    }

    /// Returns the findings of a function that were noted, and forgets all.
    pub(crate) fn take_found(&self, function: Mfa) -> Vec<Finding> {
        let found = std::mem::take(&mut *self.state.found.borrow_mut());
        found.into_iter().filter(|(of, _)| *of == function).map(|(_, finding)| finding).collect()
    }

    /// Ends the current run: returns its output and drops its state in the VM.
    pub fn end_run(&self) -> Result<Vec<u8>, HostError> {
        let Some(process) = self.state.process.take() else { return Ok(Vec::new()) };
        let output = self.host().process_output(process);
        self.host().close_process(process);
        output
    }
}

/// The options of a session: where code comes from and what it may do.
#[derive(Clone, Default, Debug)]
pub struct SessionOptions {
    /// Functions with outside effects that may run.
    pub allow: Vec<Mfa>,
    /// Folders of included files.
    pub include: Vec<PathBuf>,
    /// Macros, `NAME` or `NAME=TERM`.
    pub define: Vec<String>,
    /// Folders of compiled modules.
    pub paths: Vec<PathBuf>,
    /// The `erl` to run, if it is not the first in the path of commands.
    pub erl: Option<PathBuf>,
    /// Neither read nor write the cache of extracted modules.
    pub no_cache: bool,
    /// Run nothing where a wall of the operating system is missing.
    pub require_sandbox: bool,
}

impl SessionOptions {
    /// Starts the VM with compiled modules in these folders.
    pub(crate) fn start_host(&self, paths: Vec<PathBuf>) -> Result<Host, Failure> {
        let missing = standing_walls().missing();
        if self.require_sandbox && !missing.is_empty() {
            return Err(Failure::NoSandbox(missing.join(", ")));
        }
        let openings = guard::openings(&self.allow);
        let mut options = host::Options { paths, use_cache: !self.no_cache, openings, ..host::Options::default() };
        options.erl = self.erl.clone().unwrap_or(options.erl);
        Ok(Host::start(options)?)
    }
}

/// A session with the modules of its sources.
pub struct Opened {
    pub session: Session,
    /// The modules of the files given, in order.
    pub modules: Vec<Atom>,
    /// Modules of files that could not be used, and why.
    pub failures: Vec<(Atom, Failure)>,
    /// The projects around the sources.
    pub projects: Vec<BuiltProject>,
    /// The modules of the folders.
    in_folders: Vec<ModuleFile>,
}

impl Opened {
    /// Starts the VM and adds the modules of the files; others are looked for in the folders, and beside the files.
    pub fn new(options: &SessionOptions, sources: &[SourcePath]) -> Result<Opened, Failure> {
        let from_sources = !options.define.is_empty() || !options.include.is_empty();
        let gathered = Gathered::new(sources, from_sources)?;
        let erlang = gathered.erlang(erl_options(options)?);
        let Gathered { projects, files, in_folders, paths, folders, places, .. } = gathered;
        // The last of these folders is the first in the code path.
        let host = options.start_host(paths.into_iter().rev().chain(options.paths.iter().cloned()).collect())?;
        let library = Library::new(host, folders.into_iter().collect(), erlang).with_places(places);
        let session = Session::new(library, options.allow.iter().copied());
        session.give_rules()?;
        let mut opened = Opened { session, modules: Vec::new(), failures: Vec::new(), projects, in_folders };
        opened.modules = opened.add(files);
        if opened.acts_when_loaded() {
            opened.session.guard()?;
        }
        Ok(opened)
    }

    fn add(&mut self, files: Vec<ModuleFile>) -> Vec<Atom> {
        let mut added = Vec::new();
        for module in files {
            match self.session.add_module(&module) {
                Ok(module) => added.push(module),
                Err(error) => self.failures.push((stem(&module.file), error.into())),
            }
        }
        added
    }

    /// True if a module of the files has a function that runs when it is loaded; without a guard that is left out.
    fn acts_when_loaded(&self) -> bool {
        self.modules.iter().any(|name| self.session.module(*name).is_ok_and(|module| module.acts_when_loaded()))
    }

    /// Returns the modules of the files, those named, and those in the folders, which it adds.
    pub fn all_modules(&mut self, named: &[Atom]) -> Vec<Atom> {
        let in_folders = std::mem::take(&mut self.in_folders);
        let found = self.add(in_folders);
        self.modules.iter().chain(named).copied().chain(found).collect()
    }

    /// Returns what is to be said about the projects, in lines.
    pub fn notes(&self) -> String {
        let notes = self.projects.iter().flat_map(|built| &built.notes);
        notes.map(|note| format!("hound: note: {note}\n")).collect()
    }

    /// Returns what brings a module that is not there, if a project names a dependency of that name.
    pub fn remedy(&self, module: &str) -> Option<String> {
        self.projects.iter().find_map(|built| {
            let (name, tool) = (built.project.dependency_of(module)?, built.project.tool);
            Some(format!("{name} of {} is not built: type `{}`", tool.file(), tool.fetching()))
        })
    }

    /// Returns the first failure of a file.
    pub fn failure(&self) -> Option<Failure> {
        self.failures.first().map(|(_, failure)| failure.clone())
    }
}

fn erl_options(options: &SessionOptions) -> Result<ErlOptions, Failure> {
    let macros = options.define.iter().map(|text| define(text)).collect::<Result<_, _>>()?;
    Ok(ErlOptions { include_dirs: options.include.clone(), macros, others: Vec::new() })
}

/// `NAME` or `NAME=TERM`.
fn define(text: &str) -> Result<(String, Option<Term>), Failure> {
    let Some((name, value)) = text.split_once('=') else { return Ok((text.to_owned(), None)) };
    match Term::read(value) {
        Ok(value) => Ok((name.to_owned(), Some(value))),
        Err(error) => Err(Failure::BadMacro(text.to_owned(), error.to_string())),
    }
}
