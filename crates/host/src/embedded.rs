//! The Erlang half: its sources are part of this binary, compiled once per Erlang installation and kept in the cache.

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::{env, fs, io};

use crate::cache::unique_name;
use crate::error::HostError;

/// Every module of the Erlang half: name and source.
pub(crate) const SOURCES: &[(&str, &str)] = &[
    ("hound_admit", include_str!("../erl/hound_admit.erl")),
    ("hound_code", include_str!("../erl/hound_code.erl")),
    ("hound_compile", include_str!("../erl/hound_compile.erl")),
    ("hound_cover", include_str!("../erl/hound_cover.erl")),
    ("hound_events", include_str!("../erl/hound_events.erl")),
    ("hound_extract", include_str!("../erl/hound_extract.erl")),
    ("hound_gate", include_str!("../erl/hound_gate.erl")),
    ("hound_guard", include_str!("../erl/hound_guard.erl")),
    ("hound_handler", include_str!("../erl/hound_handler.erl")),
    ("hound_host", include_str!("../erl/hound_host.erl")),
    ("hound_inline", include_str!("../erl/hound_inline.erl")),
    ("hound_io", include_str!("../erl/hound_io.erl")),
    ("hound_lines", include_str!("../erl/hound_lines.erl")),
    ("hound_locate", include_str!("../erl/hound_locate.erl")),
    ("hound_marks", include_str!("../erl/hound_marks.erl")),
    ("hound_patch", include_str!("../erl/hound_patch.erl")),
    ("hound_run", include_str!("../erl/hound_run.erl")),
    ("hound_state", include_str!("../erl/hound_state.erl")),
    ("hound_table", include_str!("../erl/hound_table.erl")),
    ("hound_text", include_str!("../erl/hound_text.erl")),
    ("hound_trim", include_str!("../erl/hound_trim.erl")),
];

/// Held while the Erlang half is compiled.
static TURN: Mutex<()> = Mutex::new(());

/// The directory that holds the compiled Erlang half.
pub(crate) struct Embedded {
    /// The folder.
    pub directory: PathBuf,
    /// It was there already: an earlier host has run from it.
    pub proven: bool,
}

impl Embedded {
    /// Finds it in the cache, or compiles it.
    pub fn prepare(erl: &Path, cache: &Path) -> Result<Embedded, HostError> {
        let directory = cache.join(format!("host-{}", identity(erl)));
        // Threads that start hosts at the same time need not all compile.
        let _turn = TURN.lock();
        if complete(&directory) {
            return Ok(Embedded { directory, proven: true });
        }
        build(erl, &directory)?;
        Ok(Embedded { directory, proven: false })
    }

    /// Compiles it again, for when what was in the cache did not work.
    pub fn rebuild(erl: &Path, cache: &Path) -> Result<Embedded, HostError> {
        // What is not there need not be removed.
        let _ = fs::remove_dir_all(cache.join(format!("host-{}", identity(erl))));
        Embedded::prepare(erl, cache)
    }
}

fn complete(directory: &Path) -> bool {
    SOURCES.iter().all(|(name, _)| beam(directory, name).is_file())
}

fn beam(directory: &Path, name: &str) -> PathBuf {
    directory.join(format!("{name}.beam"))
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

/// Compiles into a directory of its own and then puts it in place, so that no process finds it half done.
fn build(erl: &Path, directory: &Path) -> Result<(), HostError> {
    let work = directory.with_file_name(unique_name("host"));
    let built = write_sources(&work).map_err(|error| failure(&work, &error)).and_then(|()| compile(erl, &work));
    let placed = built.and_then(|()| place(&work, directory).map_err(|error| failure(directory, &error)));
    // After success there is nothing left to remove.
    let _ = fs::remove_dir_all(&work);
    placed
}

fn failure(directory: &Path, error: &io::Error) -> HostError {
    HostError::NotStarted { detail: format!("cannot write to {}: {error}", directory.display()) }
}

fn write_sources(work: &Path) -> io::Result<()> {
    fs::create_dir_all(work)?;
    SOURCES.iter().try_for_each(|(name, source)| fs::write(work.join(format!("{name}.erl")), source))
}

/// Another process may have been faster: its result is as good as ours.
fn place(work: &Path, directory: &Path) -> io::Result<()> {
    if fs::rename(work, directory).is_ok() || complete(directory) {
        return Ok(());
    }
    let _ = fs::remove_dir_all(directory);
    fs::rename(work, directory).or_else(|error| if complete(directory) { Ok(()) } else { Err(error) })
}

const COMPILE: &str = "case [F || F <- filelib:wildcard(\"*.erl\"), {ok, _} <- [compile:file(F, [report])], true] of \
                       Done when length(Done) > 0 -> halt(0); _ -> halt(1) end.";

fn compile(erl: &Path, work: &Path) -> Result<(), HostError> {
    let output = Command::new(erl)
        .args(["-noshell", "-noinput", "-boot", "no_dot_erlang", "-eval", COMPILE])
        .current_dir(work)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| HostError::NotStarted { detail: format!("{}: {error}", erl.display()) })?;
    if complete(work) {
        return Ok(());
    }
    let printed = [output.stdout, output.stderr].concat();
    let (status, printed) = (output.status, String::from_utf8_lossy(&printed));
    Err(HostError::NotStarted { detail: format!("its own modules did not compile ({status}) {}", printed.trim()) })
}

/// Returns the arguments of `erl`.
pub(crate) fn arguments(directory: &Path, paths: &[PathBuf]) -> Vec<OsString> {
    // A list of all processes costs as much as there could be.
    let fixed = "-noshell -noinput -boot no_dot_erlang -nostick -kernel logger_level none +t 4194304 +P 32768 +S 1:1 \
                 +SDcpu 1:1 +SDio 1 +A 1";
    let mut arguments: Vec<OsString> = fixed.split_whitespace().map(OsString::from).collect();
    for path in paths {
        arguments.extend(["-pa".into(), path.into()]);
    }
    // Last, hence first in the path: no module of the same name comes before ours.
    arguments.extend(["-pa".into(), directory.into(), "-s".into(), "hound_host".into()]);
    arguments
}

/// Looks a command up in `PATH`, as a shell would.
pub(crate) fn command(name: &Path) -> Option<PathBuf> {
    if name.components().count() > 1 {
        return name.is_file().then(|| name.to_path_buf());
    }
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|directory| directory.join(name)).find(|file| file.is_file())
}
