//! The lines of a module that the processes of a call run on the real VM: a VM of its own with a copy of the module that
//! counts them.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use term::{Atom, Call, Term};

use crate::cache::unique_name;
use crate::call::CallResult;
use crate::clock::preparing;
use crate::compile::COMPILE_MILLIS;
use crate::conductor::{NotPerformed, Passage, Performed};
use crate::error::HostError;
use crate::extract::lines;
use crate::host::{Host, Role};

/// The time of a request about counters.
const MILLIS: u64 = 30_000;

/// The counter of lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counter {
    /// The VM's own `cover`.
    Cover,
    /// Marks of ours where `cover` would count, for an Erlang that comes without it.
    Marks,
}

/// A VM whose modules count the lines that are run.
pub struct LineWatch {
    host: Host,
    /// Compiled modules that are nowhere else in a file; the VM can read it.
    folder: PathBuf,
    counters: Vec<Counter>,
    watched: BTreeMap<Atom, Watched>,
}

struct Watched {
    /// The VM that this holds for: in a new one the module is instrumented again.
    generation: u64,
    counter: Counter,
}

/// A call whose lines were counted.
pub struct WatchedCall<T> {
    /// The end of the call.
    pub result: T,
    /// The lines of the watched module that it ran, sorted; none if the VM ended first.
    pub lines: Vec<u32>,
    /// The counter that was used.
    pub counter: Counter,
}

impl LineWatch {
    /// Starts a VM beside this one, with the same options.
    pub fn beside(host: &Host) -> Result<LineWatch, HostError> {
        LineWatch::with(host, vec![Counter::Cover, Counter::Marks])
    }

    /// The same, with only these counters, the first that works.
    pub fn with(host: &Host, counters: Vec<Counter>) -> Result<LineWatch, HostError> {
        LineWatch::guarded(host, counters, |own| own.guard_like(host))
    }

    /// Starts a VM beside this one whose processes take turns as a schedule says.
    pub fn conducting(host: &Host) -> Result<LineWatch, HostError> {
        // What `cover` does at each line would be an event.
        LineWatch::guarded(host, vec![Counter::Marks], |own| own.conduct_like(host))
    }

    fn guarded(
        host: &Host,
        counters: Vec<Counter>,
        guard: impl FnOnce(&mut Host) -> Result<(), HostError>,
    ) -> Result<LineWatch, HostError> {
        let folder = host.cache.directory().join(unique_name("lines"));
        let made = fs::create_dir_all(&folder);
        made.map_err(|error| HostError::NotStarted { detail: format!("{}: {error}", folder.display()) })?;
        let mut own = Host::start_reading(host.options.clone(), &folder)?;
        guard(&mut own)?;
        Ok(LineWatch { host: own, folder, counters, watched: BTreeMap::new() })
    }

    /// Runs a call, with the modules that the other VM was given, and counts the lines of one module.
    pub fn call(&mut self, beside: &Host, call: &Call, module: Atom) -> Result<WatchedCall<CallResult>, HostError> {
        self.counted(beside, module, |host| host.confirm(call))
    }

    /// The same under a schedule, if this VM is [conducting](Self::conducting).
    pub fn perform(
        &mut self,
        beside: &Host,
        call: &Call,
        turns: &[Passage],
        module: Atom,
    ) -> Result<WatchedCall<Result<Performed, NotPerformed>>, HostError> {
        self.counted(beside, module, |host| host.perform(call, turns))
    }

    fn counted<T>(
        &mut self,
        beside: &Host,
        module: Atom,
        run: impl FnOnce(&mut Host) -> T,
    ) -> Result<WatchedCall<T>, HostError> {
        beside.originals().for_each(|(name, beam)| {
            // Loading it again would put it in the place of the copy that counts.
            if !self.watched.contains_key(&name) {
                self.host.give(Role::Original, name, beam);
            }
        });
        self.host.end = beside.end;
        let counter = preparing(|| self.watch(beside, module))?;
        let clear = Term::tuple([Term::atom_named("clear_lines"), Term::atom(module)]);
        self.host.ask(&clear, self.host.patience(MILLIS))?;
        let result = run(&mut self.host);
        let lines = if self.is_watched(module) { self.seen(module)? } else { Vec::new() };
        Ok(WatchedCall { result, lines, counter })
    }

    fn is_watched(&self, module: Atom) -> bool {
        self.watched.get(&module).is_some_and(|watched| watched.generation == self.host.generation())
    }

    fn watch(&mut self, beside: &Host, module: Atom) -> Result<Counter, HostError> {
        self.host.ready()?;
        match self.watched.get(&module) {
            Some(watched) if watched.generation == self.host.generation() => return Ok(watched.counter),
            _ => {}
        }
        let given = beside.originals().find(|(name, _)| *name == module).map(|(_, beam)| beam);
        let counter = match given {
            Some(beam) => self.instrument_given(module, beam),
            None => self.instrument(module, Term::atom_named("none")),
        }?;
        self.watched.insert(module, Watched { generation: self.host.generation(), counter });
        Ok(counter)
    }

    /// `cover` reads modules from files only.
    fn instrument_given(&mut self, module: Atom, beam: &[u8]) -> Result<Counter, HostError> {
        let file = self.folder.join(format!("{}.beam", module.name()));
        let path = Term::binary(file.as_os_str().as_encoded_bytes());
        match fs::write(&file, beam) {
            Ok(()) => self.instrument(module, path),
            Err(error) => Err(HostError::NotSent { detail: format!("{}: {error}", file.display()) }),
        }
    }

    fn instrument(&mut self, module: Atom, file: Term) -> Result<Counter, HostError> {
        let counters = Term::list(self.counters.iter().map(|counter| Term::atom_named(counter.name())));
        let request = Term::tuple([Term::atom_named("watch_lines"), Term::atom(module), file, counters]);
        let answer = self.host.ask(&request, COMPILE_MILLIS)?;
        let named = |name: &str| [Counter::Cover, Counter::Marks].into_iter().find(|counter| counter.name() == name);
        let counter = match answer.as_tuple() {
            Some([_, counter, _]) => counter.as_atom().and_then(|name| named(name.name())),
            _ => None,
        };
        let why = || HostError::Failed { detail: format!("the lines of {module} cannot be counted: {answer}") };
        counter.ok_or_else(why)
    }

    fn seen(&mut self, module: Atom) -> Result<Vec<u32>, HostError> {
        let seen = Term::tuple([Term::atom_named("seen_lines"), Term::atom(module)]);
        let answer = self.host.ask(&seen, self.host.patience(MILLIS))?;
        let malformed = || HostError::Failed { detail: format!("no lines: {answer}") };
        let mut seen = lines(&answer).ok_or_else(malformed)?;
        seen.sort_unstable();
        seen.dedup();
        Ok(seen)
    }
}

impl Drop for LineWatch {
    fn drop(&mut self) {
        // A file that is left there does no harm.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Counter {
    /// Returns the name in requests and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Counter::Cover => "cover",
            Counter::Marks => "marks",
        }
    }
}
