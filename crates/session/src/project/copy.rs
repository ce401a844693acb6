//! Private copies of projects, in which their tools build: nothing is written to the project itself.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, io};

use host::lock;

use super::copy_of;

/// Folders that no build needs.
const SKIPPED: [&str; 8] = [".git", ".hg", ".svn", "node_modules", ".elixir_ls", ".idea", ".vscode", "cover"];

/// Files of a project that are copied at most, and their bytes.
const FILES: usize = 100_000;
const BYTES: u64 = 2 << 30;

/// Copies that are kept.
const COPIES: usize = 40;

/// The name of the file that says what was copied and whether it was built.
const RECORD: &str = "copied";

/// A copy of a project and of the folders outside that it is built from, each at its whole path below `tree`.
pub(super) struct Copy {
    folder: PathBuf,
    /// A lock that is held as long as the copy is in use.
    _lock: fs::File,
}

/// The size and the time of a file, or where a link goes, as text.
type Stamps = BTreeMap<PathBuf, String>;

impl Copy {
    /// Opens the copy that belongs to a name, once no other process uses it.
    pub fn open(name: &impl Hash) -> io::Result<Copy> {
        let folder = host::build_folder(&hashed(name));
        fs::create_dir_all(&folder)?;
        let file = fs::File::create(folder.join("lock"))?;
        lock(&file, true)?;
        file.set_modified(SystemTime::now())?;
        prune(&folder);
        Ok(Copy { folder, _lock: file })
    }

    /// The folder of everything.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder below which whole paths begin anew.
    pub fn tree(&self) -> PathBuf {
        self.folder.join("tree")
    }

    /// Brings the copy up to what the folders hold now. Returns the state that this is, or nothing if it is too much.
    pub fn update(&self, folders: &[PathBuf], left_out: &[PathBuf]) -> io::Result<Option<String>> {
        let mut now = Stamps::new();
        let mut bytes = 0;
        for folder in folders {
            if list(folder, folder, left_out, &mut now, &mut bytes).is_none() {
                return Ok(None);
            }
        }
        let before = self.record();
        let place = |path: &Path| copy_of(&self.tree(), path);
        for path in before.keys().filter(|path| !now.contains_key(*path)) {
            // What a tool has removed itself is gone already.
            let _ = fs::remove_file(place(path));
        }
        for (path, _) in now.iter().filter(|(path, stamp)| before.get(*path) != Some(stamp)) {
            copy_one(path, &place(path))?;
        }
        let lines: Vec<String> = now.iter().map(|(path, stamp)| format!("{stamp}\t{}\n", path.display())).collect();
        let text = lines.concat();
        fs::write(self.folder.join(RECORD), &text)?;
        Ok(Some(hashed(&text)))
    }

    /// Links a folder of the project into the copy.
    pub fn link(&self, path: &Path) -> io::Result<()> {
        let place = copy_of(&self.tree(), path);
        if path.exists() && !place.is_symlink() {
            symlink(path, place)?;
        }
        Ok(())
    }

    /// True if this state was built.
    pub fn is_built(&self, state: &str) -> bool {
        fs::read_to_string(self.folder.join("built")).is_ok_and(|built| built == state)
    }

    /// Notes that this state was built.
    pub fn note_built(&self, state: &str) -> io::Result<()> {
        fs::write(self.folder.join("built"), state)
    }

    fn record(&self) -> Stamps {
        let text = fs::read_to_string(self.folder.join(RECORD)).unwrap_or_default();
        let lines = text.lines().filter_map(|line| line.split_once('\t'));
        lines.map(|(stamp, path)| (PathBuf::from(path), stamp.to_owned())).collect()
    }
}

/// Removes the copies that were not used for the longest time, beyond so many.
fn prune(folder: &Path) {
    let others = folder.parent().and_then(|all| fs::read_dir(all).ok()).into_iter().flatten().flatten();
    let dated = |entry: fs::DirEntry| Some((entry.path().join("lock").metadata().ok()?.modified().ok()?, entry.path()));
    let mut others: Vec<(SystemTime, PathBuf)> = others.filter_map(dated).collect();
    others.sort();
    for (_, old) in others.iter().take(others.len().saturating_sub(COPIES)) {
        let file = fs::File::open(old.join("lock"));
        if file.is_ok_and(|file| lock(&file, false).is_ok()) {
            // One that is gone already needs no removing.
            let _ = fs::remove_dir_all(old);
        }
    }
}

/// A short name for anything.
pub(super) fn hashed(what: &impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Adds the files below a folder. Nothing if there are too many.
fn list(folder: &Path, top: &Path, left_out: &[PathBuf], found: &mut Stamps, bytes: &mut u64) -> Option<()> {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        // Dependencies keep theirs: tools ask it for versions.
        let is_skipped = SKIPPED.iter().any(|skipped| name == *skipped) && (folder == top || name != ".git");
        let (Ok(metadata), false) = (entry.metadata(), is_skipped || left_out.contains(&path)) else { continue };
        if metadata.is_dir() {
            list(&path, top, left_out, found, bytes)?;
        } else if metadata.is_symlink() {
            found.insert(path.clone(), format!("link {}", fs::read_link(&path).ok()?.display()));
        } else if metadata.is_file() {
            let time = metadata.modified().ok()?.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
            found.insert(path, format!("{} {time}", metadata.len()));
            *bytes += metadata.len();
        }
        if found.len() > FILES || *bytes > BYTES {
            return None;
        }
    }
    Some(())
}

/// Copies a file with its time, or a link.
fn copy_one(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    if to.is_symlink() || to.exists() {
        fs::remove_file(to)?;
    }
    if from.is_symlink() {
        return symlink(fs::read_link(from)?, to);
    }
    fs::copy(from, to)?;
    let file = fs::File::options().write(true).open(to).or_else(|_| fs::File::open(to))?;
    file.set_modified(fs::metadata(from)?.modified()?)
}
