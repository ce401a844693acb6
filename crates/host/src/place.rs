//! The places of modules and the Erlang installation, remembered so that a warm run need not ask.
//!
//! Nothing remembered is believed: a remembered file must still be there, nothing that comes earlier in the code path
//! may hide it, and what is extracted from it is looked up by the file's content.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};

use term::{Term, etf};

use crate::cache::{Cache, Key, read_entry, write_entry};
use crate::embedded::SOURCES;
use crate::error::HostError;
use crate::host::Host;

/// The remembered places.
pub(crate) struct Places {
    /// Keeps the VM's greeting.
    installation_file: PathBuf,
    installation: Option<Vec<u8>>,
    /// Directories that come before the standard library in the code path.
    first: Vec<PathBuf>,
    modules_file: PathBuf,
    modules_key: Key,
    modules: BTreeMap<String, PathBuf>,
}

/// The environment that the code path depends on.
const VARIABLES: [&str; 6] = ["ERL_LIBS", "ERL_FLAGS", "ERL_AFLAGS", "ERL_ZFLAGS", "ERL_ROOTDIR", "PATH"];

impl Places {
    /// Reads what is remembered.
    pub fn open(cache: &Cache, embedded: &Path, paths: &[PathBuf]) -> Places {
        let installation_file = embedded.join("installation");
        let installation = read_entry(&installation_file, &installation_key());
        let here = env::current_dir().unwrap_or_default();
        let modules_key = modules_key(embedded, paths, &here);
        let modules_file = cache.directory().join("places").join(modules_key.hex());
        let modules = read_entry(&modules_file, &modules_key).and_then(|data| read_modules(&data)).unwrap_or_default();
        let first = paths.iter().cloned().chain([here]).collect();
        Places { installation_file, installation, first, modules_file, modules_key, modules }
    }

    /// True if the installation is known.
    pub fn knows_installation(&self) -> bool {
        self.installation.is_some()
    }

    /// Names the Erlang installation: release, versions of emulator and compiler, root directory.
    pub fn installation(&self) -> Option<&[u8]> {
        self.installation.as_deref()
    }

    /// Remembers the VM's greeting.
    pub fn learn(&mut self, greeting: &[u8]) {
        let Some(lasting) = lasting(greeting) else { return };
        if self.installation.as_deref() != Some(&lasting) {
            // Being unable to remember only means asking again.
            let _ = write_entry(&self.installation_file, &installation_key(), &lasting);
            self.installation = Some(lasting);
        }
    }

    fn known(&self, module: &str) -> Option<PathBuf> {
        let path = self.modules.get(module)?;
        let beam = format!("{module}.beam");
        let hidden =
            self.first.iter().map(|directory| directory.join(&beam)).any(|file| file != *path && file.is_file());
        (!hidden && path.is_file()).then(|| path.clone())
    }

    fn remember(&mut self, module: &str, path: &Path) {
        let (Some(text), false) = (path.to_str(), module.contains(['\n', '\t'])) else { return };
        if text.contains('\n') {
            return;
        }
        self.modules.insert(module.to_string(), path.to_path_buf());
        let lines: Vec<String> =
            self.modules.iter().map(|(name, path)| format!("{name}\t{}", path.display())).collect();
        let _ = write_entry(&self.modules_file, &self.modules_key, lines.join("\n").as_bytes());
    }
}

impl Host {
    /// The .beam file of a module, preloaded modules such as `erlang` included. `None`: no such module.
    pub fn locate(&mut self, module: &str) -> Result<Option<PathBuf>, HostError> {
        if let Some(path) = self.places.known(module) {
            return Ok(Some(path));
        }
        if module.is_empty() || module.chars().count() > term::Atom::MAX_CHARS {
            return Ok(None);
        }
        let answer = self.ask(&Term::tuple([Term::atom_named("locate"), Term::binary(module.as_bytes())]), 30_000)?;
        let Some(bits) = answer.as_bits() else { return Ok(None) };
        let path = PathBuf::from(String::from_utf8_lossy(&bits.to_bytes()).into_owned());
        self.places.remember(module, &path);
        Ok(Some(path))
    }
}

fn installation_key() -> Key {
    Key::of(&[b"installation"])
}

fn modules_key(embedded: &Path, paths: &[PathBuf], here: &Path) -> Key {
    let variables = VARIABLES.map(|name| env::var_os(name).unwrap_or_default());
    let mut parts: Vec<&[u8]> = vec![b"places", embedded.as_os_str().as_encoded_bytes()];
    parts.push(here.as_os_str().as_encoded_bytes());
    parts.extend(variables.iter().map(|value| value.as_encoded_bytes()));
    parts.extend(paths.iter().map(|path| path.as_os_str().as_encoded_bytes()));
    Key::of(&parts)
}

fn read_modules(data: &[u8]) -> Option<BTreeMap<String, PathBuf>> {
    let text = std::str::from_utf8(data).ok()?;
    let pairs = text.lines().filter_map(|line| line.split_once('\t'));
    Some(pairs.map(|(name, path)| (name.to_string(), PathBuf::from(path))).collect())
}

/// The greeting without what changes from start to start.
fn lasting(greeting: &[u8]) -> Option<Vec<u8>> {
    let term = etf::decode(greeting).ok()?;
    let map = term.as_map()?.remove(&Term::atom_named("os_pid"))?;
    let mut pairs: Vec<String> = map.iter().map(|(key, value)| format!("{key}={value}")).collect();
    pairs.sort();
    Some(pairs.join(",").into_bytes())
}

/// A hash of the Erlang half's sources: what they extract changes when they do.
pub(crate) fn sources_hash() -> Key {
    let parts: Vec<&[u8]> = SOURCES.iter().map(|(_, source)| source.as_bytes()).collect();
    Key::of(&parts)
}
