//! The host: one VM at a time, started when needed, asked one thing after another.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::{env, fs};

use term::etf::{self, Visits};
use term::{Atom, Term};

use crate::cache::Cache;
use crate::clock::{Deadline, preparing};
use crate::compiler::Compiler;
use crate::embedded::{self, Embedded};
use crate::error::HostError;
use crate::guard::Guard;
use crate::installation;
use crate::launch::{Launch, absolute};
use crate::options::{CallLimits, Options};
use crate::stateful::Processes;
use crate::vm::Vm;
use crate::wall::Reads;
use crate::wire::Frame;

/// The time after its own limit until a call must be reported.
pub(crate) const GRACE: u64 = 2_000;

/// The time that a call has after the end: what was found last is confirmed.
const LATE: u64 = 300;

/// The time after that until it must be reported.
const LATE_GRACE: u64 = 200;

/// The real VM. It lives in a process of its own, which ends with this value.
pub struct Host {
    pub(crate) options: Options,
    embedded: Embedded,
    elixir: Vec<PathBuf>,
    /// The VM that runs programs.
    runner: Vm,
    compiler: Compiler,
    pub(crate) cache: Cache,
    pub(crate) processes: Processes,
    /// The machine's closures that the running VM has been shown.
    pub(crate) visits: Visits,
    modules: Modules,
    /// The guard, if there is one.
    pub(crate) guard: Option<Guard>,
    /// The time when answers are not wanted any more; calls end soon after it.
    pub end: Option<Deadline>,
}

/// Modules that were given to the host; a new VM gets them again.
#[derive(Default)]
struct Modules {
    originals: BTreeMap<Atom, Vec<u8>>,
    replacements: BTreeMap<Atom, Vec<u8>>,
    /// The modules that the current VM has not got yet.
    pending: Vec<(Role, Atom)>,
    using_originals: bool,
}

/// The version of a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Original,
    Replacement,
}

impl Role {
    fn term(self) -> Term {
        Term::atom_named(match self {
            Role::Original => "original",
            Role::Replacement => "replacement",
        })
    }
}

impl Host {
    /// Starts the VM that runs programs, without waiting for it; failures show in what is asked.
    pub fn start(options: Options) -> Result<Host, HostError> {
        Host::start_with(options, None)
    }

    /// The same with a folder that the VM can read.
    pub(crate) fn start_reading(options: Options, folder: &Path) -> Result<Host, HostError> {
        Host::start_with(options, Some(folder))
    }

    fn start_with(options: Options, readable: Option<&Path>) -> Result<Host, HostError> {
        let erl = embedded::command(&options.erl).ok_or_else(|| HostError::NoErlang { erl: options.erl.clone() })?;
        let cache = Cache::open(options.cache_dir.clone());
        let here = env::current_dir().ok();
        let folders = options.paths.iter().map(PathBuf::as_path).chain([cache.directory()]).chain(here.as_deref());
        folders.into_iter().try_for_each(HostError::check_name)?;
        let embedded = Embedded::prepare(&erl, cache.directory())?;
        let elixir = installation::elixir(&erl);
        let mut launch = Launch::of_installation(&embedded, &elixir).with_paths(&options.paths);
        readable.into_iter().for_each(|folder| launch.reads.tree(folder));
        let compiler = Compiler::new(&embedded, &elixir, &options.paths);
        Ok(Host {
            runner: Vm::start(Launch { openings: options.openings, ..launch })?,
            compiler,
            options,
            embedded,
            elixir,
            cache,
            processes: Processes::default(),
            visits: Visits::new(RandomState::new().hash_one("visits")),
            modules: Modules::default(),
            guard: None,
            end: None,
        })
    }

    /// Bounds what each process of a program may hold; large binaries do not count.
    pub fn limit_memory(&mut self, bytes: usize) {
        self.options.limits.heap_words = (bytes / size_of::<u64>()) as u64;
    }

    /// The operating system's number for the running VM, if there is one.
    pub fn os_pid(&self) -> Option<u32> {
        self.runner.os_pid()
    }

    /// The release, the versions of the emulator and of the compiler, and the root of the installation.
    pub(crate) fn installation(&self) -> &str {
        &self.embedded.installation.identity
    }

    /// The release, if its operations were not compared with ours.
    pub fn untested_release(&self) -> Option<&str> {
        let installation = &self.embedded.installation;
        (!installation.is_tested()).then(|| installation.release())
    }

    /// The installation and the places that this host uses, each with a name.
    pub fn facts(&self) -> [(&'static str, String); 4] {
        let elixir = self.elixir.first().and_then(|folder| folder.ancestors().nth(2));
        [
            ("erlang", self.embedded.installation.description()),
            ("emulator", self.embedded.installation.emulator().display().to_string()),
            ("elixir", elixir.map_or_else(|| "not installed".to_owned(), |folder| folder.display().to_string())),
            ("cache", self.cache.directory().display().to_string()),
        ]
    }

    /// The .beam file of a module, those included that are part of the emulator. `None`: no such module.
    pub fn locate(&self, module: &str) -> Option<PathBuf> {
        if module.contains('/') || module.is_empty() {
            return None;
        }
        // The last of the user's folders is the first in the code path.
        let libraries = env::var_os("ERL_LIBS").map(|libraries| library_paths(&libraries)).unwrap_or_default();
        let own = [self.embedded.directory.clone()].into_iter();
        let paths = self.options.paths.iter().rev().map(|path| absolute(path));
        let first: Vec<PathBuf> = own.chain(paths).chain(libraries).collect();
        let found = self.embedded.installation.find(first.iter(), module);
        found.or_else(|| self.elixir.iter().map(|path| path.join(format!("{module}.beam"))).find(|file| file.is_file()))
    }

    pub(crate) fn is_greeted(&self) -> bool {
        self.runner.is_greeted()
    }

    /// Counts the VMs started for programs.
    pub(crate) fn generation(&self) -> u64 {
        self.runner.generation
    }

    /// A VM that has greeted us and knows the modules it was given.
    pub(crate) fn ready(&mut self) -> Result<(), HostError> {
        // One that is started again is started by the program.
        let is_first = !self.is_greeted() && self.generation() == 1;
        if is_first { preparing(|| self.get_ready()) } else { self.get_ready() }
    }

    fn get_ready(&mut self) -> Result<(), HostError> {
        if self.runner.ready()? {
            self.modules.pend_all();
            self.send_guard()?;
        }
        self.send_modules()
    }

    /// The limits of a call that begins now, and the milliseconds to wait for its answer.
    pub(crate) fn limits(&self) -> (CallLimits, u64) {
        let limits = self.options.limits;
        let Some(end) = self.end else { return (limits, limits.millis + GRACE) };
        let left = end.left().as_millis() as u64;
        let millis = limits.millis.min(left + LATE);
        (CallLimits { millis, ..limits }, millis + LATE_GRACE)
    }

    /// The milliseconds to wait for an answer that may take so many if there is time.
    pub(crate) fn patience(&self, millis: u64) -> u64 {
        self.end.map_or(millis, |end| millis.min(end.left().as_millis() as u64 + LATE + LATE_GRACE))
    }

    /// Sends one frame and awaits its answer. A VM that does not answer properly is killed.
    pub(crate) fn exchange(&mut self, operation: u8, parts: &[&[u8]], millis: u64) -> Result<Frame, HostError> {
        self.exchange_events(operation, parts, millis, &mut |_| {})
    }

    /// The same for a request whose answer comes after frames of events, each of which is shown.
    pub(crate) fn exchange_events(
        &mut self,
        operation: u8,
        parts: &[&[u8]],
        millis: u64,
        events: &mut dyn FnMut(&[u8]),
    ) -> Result<Frame, HostError> {
        self.ready()?;
        self.runner.exchange(operation, parts, millis, events)
    }

    /// The VM wrote something that is no term.
    pub(crate) fn discard_garbage(&mut self, problem: String) -> HostError {
        self.runner.discard_garbage(problem)
    }

    /// Asks the VM that runs programs for anything but a call.
    pub fn ask(&mut self, request: &Term, millis: u64) -> Result<Term, HostError> {
        self.ready()?;
        let data = self.ask_ready(request, millis)?;
        etf::decode(&data).map_err(|error| self.discard_garbage(error.to_string()))
    }

    pub(crate) fn ask_ready(&mut self, request: &Term, millis: u64) -> Result<Vec<u8>, HostError> {
        let data = self.visits.encode(request).map_err(|error| HostError::NotSent { detail: error.to_string() })?;
        self.runner.ask(&data, millis)
    }

    /// Asks the VM that compiles; the answer is in external format. What it cannot compile is tried by a VM that may run
    /// the code that lies in the user's folders.
    pub(crate) fn ask_compiler(&mut self, request: &Term, reads: &Reads, millis: u64) -> Result<Vec<u8>, HostError> {
        let data = etf::encode(request).map_err(|error| HostError::NotSent { detail: error.to_string() })?;
        let answer = self.compiler.ask(&data, reads, millis)?;
        if is_ok(&answer) { Ok(answer) } else { self.compiler.ask_apart(&data, reads, millis) }
    }

    /// Makes a module known to this and all later VMs.
    pub(crate) fn give(&mut self, role: Role, module: Atom, beam: &[u8]) {
        let store = match role {
            Role::Original => &mut self.modules.originals,
            Role::Replacement => &mut self.modules.replacements,
        };
        if store.get(&module).is_none_or(|known| known != beam) {
            store.insert(module, beam.to_vec());
            self.modules.pending.push((role, module));
        }
    }

    /// A module that could not replace another is not given to the next VM either.
    pub(crate) fn forget(&mut self, module: Atom) {
        self.modules.replacements.remove(&module);
    }

    /// The modules that this host was given, by name.
    pub(crate) fn originals(&self) -> impl Iterator<Item = (Atom, &[u8])> {
        self.modules.originals.iter().map(|(module, beam)| (*module, &beam[..]))
    }

    fn send_modules(&mut self) -> Result<(), HostError> {
        for (role, module) in std::mem::take(&mut self.modules.pending) {
            let store = match role {
                Role::Original => &self.modules.originals,
                Role::Replacement => &self.modules.replacements,
            };
            let Some(beam) = store.get(&module) else { continue };
            let load = [Term::atom_named("load"), role.term(), Term::atom(module), Term::binary(beam.clone())];
            let answer = self.ask_ready(&Term::tuple(load), 60_000)?;
            loaded(module, &answer)?;
        }
        Ok(())
    }

    /// Has every replaced module run in the given version.
    pub(crate) fn switch(&mut self, role: Role) -> Result<(), HostError> {
        self.ready()?;
        let originals = role == Role::Original;
        if self.modules.replacements.is_empty() || self.modules.using_originals == originals {
            return Ok(());
        }
        self.ask_ready(&Term::tuple([Term::atom_named("use"), role.term()]), 60_000)?;
        self.modules.using_originals = originals;
        Ok(())
    }
}

impl Modules {
    /// For a new VM, which knows nothing.
    fn pend_all(&mut self) {
        let originals = self.originals.keys().map(|&module| (Role::Original, module));
        let replacements = self.replacements.keys().map(|&module| (Role::Replacement, module));
        self.pending = originals.chain(replacements).collect();
        self.using_originals = false;
    }
}

fn loaded(module: Atom, answer: &[u8]) -> Result<(), HostError> {
    match etf::decode(answer) {
        Ok(Term::Atom(_, ok)) if ok == term::known::OK => Ok(()),
        Ok(Term::Tuple(_, parts)) if parts.last() == Some(&Term::atom_named("in_use")) => {
            let detail = format!("module {} cannot be replaced: the VM itself runs in it", module.name());
            Err(HostError::Failed { detail })
        }
        Ok(other) => Err(HostError::Failed { detail: format!("module {} was not loaded: {other}", module.name()) }),
        Err(error) => Err(HostError::Failed { detail: error.to_string() }),
    }
}

/// True for `{ok, …}` and the like.
fn is_ok(answer: &[u8]) -> bool {
    let answer = etf::decode(answer).ok();
    let first = answer.as_ref().and_then(Term::as_tuple).and_then(|parts| parts.first());
    first.and_then(Term::as_atom) == Some(term::known::OK)
}

/// The folders of compiled code in the folders of a variable.
fn library_paths(variable: &OsStr) -> Vec<PathBuf> {
    let entries = env::split_paths(variable).flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let mut folders: Vec<PathBuf> =
        entries.map(|entry| entry.path().join("ebin")).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}
