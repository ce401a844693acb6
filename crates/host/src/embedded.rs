//! The Erlang half: its sources are part of this binary, compiled once per Erlang installation and kept in the cache.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::{env, fs, io};

use crate::cache::{Key, unique_name};
use crate::error::HostError;
use crate::installation::{self, DESCRIBE, Installation};
use crate::launch::VARIABLES;

/// Every module of the Erlang half: name and source.
pub(crate) const SOURCES: &[(&str, &str)] = &[
    ("hound_admit", include_str!("../erl/hound_admit.erl")),
    ("hound_atoms", include_str!("../erl/hound_atoms.erl")),
    ("hound_code", include_str!("../erl/hound_code.erl")),
    ("hound_compile", include_str!("../erl/hound_compile.erl")),
    ("hound_compiled", include_str!("../erl/hound_compiled.erl")),
    ("hound_conductor", include_str!("../erl/hound_conductor.erl")),
    ("hound_cover", include_str!("../erl/hound_cover.erl")),
    ("hound_edoc", include_str!("../erl/hound_edoc.erl")),
    ("hound_events", include_str!("../erl/hound_events.erl")),
    ("hound_extract", include_str!("../erl/hound_extract.erl")),
    ("hound_flight", include_str!("../erl/hound_flight.erl")),
    ("hound_gate", include_str!("../erl/hound_gate.erl")),
    ("hound_guard", include_str!("../erl/hound_guard.erl")),
    ("hound_handler", include_str!("../erl/hound_handler.erl")),
    ("hound_host", include_str!("../erl/hound_host.erl")),
    ("hound_inline", include_str!("../erl/hound_inline.erl")),
    ("hound_io", include_str!("../erl/hound_io.erl")),
    ("hound_keeper", include_str!("../erl/hound_keeper.erl")),
    ("hound_lines", include_str!("../erl/hound_lines.erl")),
    ("hound_locate", include_str!("../erl/hound_locate.erl")),
    ("hound_marks", include_str!("../erl/hound_marks.erl")),
    ("hound_patch", include_str!("../erl/hound_patch.erl")),
    ("hound_run", include_str!("../erl/hound_run.erl")),
    ("hound_signal", include_str!("../erl/hound_signal.erl")),
    ("hound_state", include_str!("../erl/hound_state.erl")),
    ("hound_table", include_str!("../erl/hound_table.erl")),
    ("hound_text", include_str!("../erl/hound_text.erl")),
    ("hound_trim", include_str!("../erl/hound_trim.erl")),
    ("hound_turn", include_str!("../erl/hound_turn.erl")),
];

/// Held while the Erlang half is compiled.
static TURN: Mutex<()> = Mutex::new(());

/// The compiled Erlang half, and the installation that compiled it. A folder that is there is never changed and never
/// removed: other commands may run from it.
pub(crate) struct Embedded {
    /// The folder.
    pub directory: PathBuf,
    /// The installation.
    pub installation: Installation,
}

/// The number of folders that are tried when those before are damaged.
const ATTEMPTS: usize = 16;

impl Embedded {
    /// Finds it in the cache, or compiles it.
    pub fn prepare(erl: &Path, cache: &Path) -> Result<Embedded, HostError> {
        // Threads that start hosts at the same time need not all compile.
        let _turn = TURN.lock();
        let name = format!("host-{}", identity(erl));
        let folders: Vec<PathBuf> = (0..ATTEMPTS).map(|number| cache.join(format!("{name}-{number}"))).collect();
        if let Some(found) = folders.iter().find_map(|folder| Embedded::read(folder)) {
            return Ok(found);
        }
        let work = cache.join(unique_name("host"));
        let built = write_sources(&work).map_err(|error| failure(&work, &error)).and_then(|()| compile(erl, &work));
        // Another process may have been faster: its result is as good as ours.
        let placed = built.map(|()| {
            folders.iter().find_map(|folder| {
                let _ = fs::rename(&work, folder);
                Embedded::read(folder)
            })
        });
        // After success there is nothing left to remove.
        let _ = fs::remove_dir_all(&work);
        placed?.ok_or_else(|| failure(cache, &io::Error::other("every copy of the Erlang half there is damaged")))
    }

    /// The compiled half in a folder, if every file of it is as it was written.
    fn read(directory: &Path) -> Option<Embedded> {
        let seal = fs::read_to_string(directory.join(SEAL)).ok()?;
        (seal == contents_hash(directory)?).then_some(())?;
        Some(Embedded { directory: directory.to_path_buf(), installation: Installation::read(directory)? })
    }
}

/// The file with the hash of all others.
const SEAL: &str = "seal";

/// A hash of every compiled module and of the installation's description.
fn contents_hash(directory: &Path) -> Option<String> {
    let mut hash = blake3::Hasher::new();
    let modules = SOURCES.iter().map(|(name, _)| format!("{name}.beam"));
    for name in modules.chain([installation::FILE.to_owned()]) {
        let bytes = fs::read(directory.join(name)).ok()?;
        hash.update(&(bytes.len() as u64).to_le_bytes());
        hash.update(&bytes);
    }
    Some(hash.finalize().to_hex().to_string())
}

/// Changes with our sources and with the Erlang installation.
fn identity(erl: &Path) -> String {
    let mut hash = blake3::Hasher::new();
    let real = fs::canonicalize(erl).unwrap_or_else(|_| erl.to_path_buf());
    hash.update(real.as_os_str().as_encoded_bytes());
    if let Ok(data) = fs::metadata(&real) {
        hash.update(&data.len().to_le_bytes());
        hash.update(&data.mtime().to_le_bytes());
        hash.update(&data.mtime_nsec().to_le_bytes());
    }
    for (name, source) in SOURCES {
        hash.update(name.as_bytes());
        hash.update(source.as_bytes());
    }
    hash.finalize().to_hex()[..16].to_string()
}

fn failure(directory: &Path, error: &io::Error) -> HostError {
    HostError::NotStarted { detail: format!("cannot write to {}: {error}", directory.display()) }
}

fn write_sources(work: &Path) -> io::Result<()> {
    fs::create_dir_all(work)?;
    SOURCES.iter().try_for_each(|(name, source)| fs::write(work.join(format!("{name}.erl")), source))
}

/// Compiles the modules of the current folder and describes the installation.
fn program() -> String {
    format!("[{{ok, _}} = compile:file(F, [report]) || F <- filelib:wildcard(\"*.erl\")], {DESCRIBE}, halt(0).")
}

/// Neither a file nor a variable of the user has a say in this.
fn compile(erl: &Path, work: &Path) -> Result<(), HostError> {
    let mut compiler = Command::new(erl);
    compiler.args(["-noshell", "-noinput", "-boot", "no_dot_erlang", "-eval", &program()]);
    for name in VARIABLES {
        compiler.env_remove(name);
    }
    let output = compiler
        .current_dir(work)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| HostError::NotStarted { detail: format!("{}: {error}", erl.display()) })?;
    if let (Some(hash), Some(_)) = (contents_hash(work), Installation::read(work)) {
        return fs::write(work.join(SEAL), hash).map_err(|error| failure(work, &error));
    }
    let printed = [output.stdout, output.stderr].concat();
    let (status, printed) = (output.status, String::from_utf8_lossy(&printed));
    Err(HostError::NotStarted { detail: format!("its own modules did not compile ({status}) {}", printed.trim()) })
}

/// Looks a command up in `PATH`, as a shell would.
pub(crate) fn command(name: &Path) -> Option<PathBuf> {
    if name.components().count() > 1 {
        // What runs it may stand elsewhere.
        return std::path::absolute(name).ok().filter(|file| file.is_file());
    }
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|directory| directory.join(name)).find(|file| file.is_file())
}

/// A hash of the Erlang half's sources: what they extract changes when they do.
pub(crate) fn sources_hash() -> Key {
    let parts: Vec<&[u8]> = SOURCES.iter().map(|(_, source)| source.as_bytes()).collect();
    Key::of(&parts)
}
