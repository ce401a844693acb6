//! The host: one VM at a time, started when needed, asked one thing after another.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use term::etf::{self, Visits};
use term::{Atom, Term};

use crate::cache::Cache;
use crate::embedded::{self, Embedded};
use crate::error::HostError;
use crate::options::Options;
use crate::place::Places;
use crate::process::{Process, ProcessError};
use crate::stateful::Processes;
use crate::wire::{Frame, operation, tag};

/// The time to start.
const START: Duration = Duration::from_secs(30);

/// The time after its own limit until a call must be reported.
pub(crate) const GRACE: u64 = 2_000;

/// The real VM. It lives in a process of its own, which ends with this value.
pub struct Host {
    pub(crate) options: Options,
    erl: PathBuf,
    embedded: Embedded,
    process: Option<Process>,
    /// The answer to the greeting has been read.
    greeted: bool,
    /// Counts the VMs started, so that what belonged to an earlier one is known to be lost.
    pub(crate) generation: u64,
    next_id: u64,
    pub(crate) cache: Cache,
    pub(crate) places: Places,
    pub(crate) processes: Processes,
    /// The machine's closures that this VM has been shown.
    pub(crate) visits: Visits,
    modules: Modules,
    /// The rules of the guard, if there is one.
    pub(crate) guard: Option<Term>,
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
    /// Starts the VM. Only the very first start on an installation waits for it; later failures show in what is asked.
    pub fn start(options: Options) -> Result<Host, HostError> {
        let erl = embedded::command(&options.erl).ok_or_else(|| HostError::NoErlang { erl: options.erl.clone() })?;
        let cache = Cache::open(options.cache_dir.clone());
        let embedded = Embedded::prepare(&erl, cache.directory())?;
        let places = Places::open(&cache, &embedded.directory, &options.paths);
        let mut host = Host {
            options,
            erl,
            embedded,
            process: None,
            greeted: false,
            generation: 0,
            next_id: 0,
            cache,
            places,
            processes: Processes::default(),
            visits: Visits::new(RandomState::new().hash_one("visits")),
            modules: Modules::default(),
            guard: None,
        };
        host.spawn()?;
        if !host.places.knows_installation() {
            host.ready()?;
        }
        Ok(host)
    }

    /// The operating system's number for the running VM, if there is one.
    pub fn os_pid(&self) -> Option<u32> {
        self.process.as_ref().map(Process::os_pid)
    }

    pub(crate) fn is_greeted(&self) -> bool {
        self.greeted
    }

    fn spawn(&mut self) -> Result<(), HostError> {
        let arguments = embedded::arguments(&self.embedded.directory, &self.options.paths);
        let process = Process::spawn(&self.erl, &arguments)
            .map_err(|error| HostError::NotStarted { detail: format!("{}: {error}", self.erl.display()) })?;
        self.process = Some(process);
        self.greeted = false;
        self.generation += 1;
        Ok(())
    }

    /// A VM that has greeted us and knows the modules it was given.
    pub(crate) fn ready(&mut self) -> Result<(), HostError> {
        // One that ended between requests does no harm: only the state of runs is lost. One that ended before it greeted
        // has a reason to give.
        if self.greeted && self.process.as_mut().is_some_and(Process::is_over) {
            self.process = None;
        }
        if self.process.is_none() {
            self.spawn()?;
        }
        if !self.greeted {
            self.greet()?;
            self.modules.pend_all();
            self.send_guard()?;
        }
        self.send_modules()
    }

    /// Awaits the greeting; if the cached Erlang half does not come up it is compiled afresh, once.
    fn greet(&mut self) -> Result<(), HostError> {
        if let Err(detail) = self.greeting() {
            if !self.embedded.proven {
                return Err(HostError::NotStarted { detail });
            }
            self.process = None;
            self.embedded = Embedded::rebuild(&self.erl, self.cache.directory())?;
            self.spawn()?;
            self.greeting().map_err(|detail| HostError::NotStarted { detail })?;
        }
        self.embedded.proven = true;
        Ok(())
    }

    fn greeting(&mut self) -> Result<(), String> {
        let Some(process) = self.process.as_mut() else { return Err("there is no process".to_string()) };
        let received = process.receive(Instant::now() + START);
        let frame = received.map_err(|silence| {
            self.process = None;
            silence.detail()
        })?;
        if frame.id != 0 || frame.tag != tag::ANSWER {
            self.process = None;
            return Err("it greeted with something else".to_string());
        }
        self.places.learn(&frame.data);
        self.greeted = true;
        Ok(())
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
        self.exchange_raw(operation, parts, millis, events)
    }

    fn exchange_raw(
        &mut self,
        operation: u8,
        parts: &[&[u8]],
        millis: u64,
        events: &mut dyn FnMut(&[u8]),
    ) -> Result<Frame, HostError> {
        self.next_id += 1;
        let id = self.next_id;
        let request = Frame::request(id, operation, parts)
            .ok_or_else(|| HostError::NotSent { detail: "it is too large".to_string() })?;
        let Some(process) = self.process.as_mut() else {
            return Err(HostError::Died { detail: "there is no process".to_string() });
        };
        let deadline = Instant::now() + Duration::from_millis(millis);
        let mut answer = process.send(&request, deadline).and_then(|()| process.receive(deadline));
        while let Ok(frame) = &answer
            && frame.id == id
            && frame.tag == tag::EVENTS
        {
            events(&frame.data);
            answer = process.receive(deadline);
        }
        match answer {
            Ok(frame) if frame.id == id => Ok(frame),
            Ok(_) => Err(self.discard(ProcessError::Garbage("an answer without a question".to_string()), millis)),
            Err(silence) => Err(self.discard(silence, millis)),
        }
    }

    /// Gives up on the VM. The next one starts at once, so that it is up when it is needed.
    fn discard(&mut self, silence: ProcessError, millis: u64) -> HostError {
        self.process = None;
        // A failure to start shows when the next request finds no process.
        let _ = self.spawn();
        match silence {
            ProcessError::TimedOut => HostError::Hung { millis },
            other => HostError::Died { detail: other.detail() },
        }
    }

    /// The VM wrote something that is no term.
    pub(crate) fn discard_garbage(&mut self, problem: String) -> HostError {
        self.discard(ProcessError::Garbage(problem), 0)
    }

    /// Asks for anything but a call.
    pub fn ask(&mut self, request: &Term, millis: u64) -> Result<Term, HostError> {
        let data = self.ask_raw(request, millis)?;
        etf::decode(&data).map_err(|error| self.discard_garbage(error.to_string()))
    }

    /// The same, with the answer still in external format.
    pub(crate) fn ask_raw(&mut self, request: &Term, millis: u64) -> Result<Vec<u8>, HostError> {
        self.ready()?;
        self.ask_ready(request, millis)
    }

    pub(crate) fn ask_ready(&mut self, request: &Term, millis: u64) -> Result<Vec<u8>, HostError> {
        let data = self.visits.encode(request).map_err(|error| HostError::NotSent { detail: error.to_string() })?;
        let frame = self.exchange_raw(operation::REQUEST, &[&data], millis, &mut |_| {})?;
        match frame.tag {
            tag::ANSWER => Ok(frame.data),
            tag::FAILED => Err(HostError::Failed { detail: text_of(&frame.data) }),
            other => Err(self.discard_garbage(format!("an answer of kind {other}"))),
        }
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

impl ProcessError {
    fn detail(self) -> String {
        match self {
            ProcessError::Died(detail) => detail,
            ProcessError::TimedOut => "it gave no answer".to_string(),
            ProcessError::Garbage(detail) => format!("it wrote garbage: {detail}"),
        }
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

/// A text that came as a binary.
fn text_of(data: &[u8]) -> String {
    let term = etf::decode(data).ok();
    let bytes = term.as_ref().and_then(Term::as_bits).map(|bits| bits.to_bytes());
    bytes.map_or_else(|| "no reason given".to_string(), |bytes| String::from_utf8_lossy(&bytes).into_owned())
}
