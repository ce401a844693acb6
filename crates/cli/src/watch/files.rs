//! The files of a watch: which there are, and which have changed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use session::interrupt;

use crate::options::ExploreOptions;

/// The endings of files that explorations read.
const ENDINGS: [&str; 8] = ["erl", "hrl", "core", "beam", "ex", "exs", "toml", "config"];

/// Folders that build tools write: what is in them follows from what is looked at.
const BUILT: [&str; 3] = ["_build", "deps", "node_modules"];

/// The depth of folders below a given one.
const DEPTH: usize = 6;

/// The state of a file as the file system has it.
type FileState = (Option<SystemTime>, u64);

/// The folders that are looked at, with the files in them when they were last acted upon.
pub struct WatchedFiles {
    /// Each with true if the folders in it are looked at.
    folders: BTreeMap<PathBuf, bool>,
    files: BTreeMap<PathBuf, FileState>,
}

impl WatchedFiles {
    /// The files that an exploration may read.
    pub fn of(options: &ExploreOptions) -> WatchedFiles {
        // Without files and folders it is the project around the current folder.
        let is_project = !options.words.iter().any(|word| Path::new(word).exists());
        let mut folders = BTreeMap::from([(PathBuf::from("."), is_project)]);
        for word in options.words.iter().map(Path::new).filter(|word| word.exists()) {
            if word.is_dir() {
                folders.insert(word.to_owned(), true);
                continue;
            }
            let folder = word.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            for beside in ["", "include", "../include"] {
                folders.entry(folder.join(beside)).or_insert(false);
            }
        }
        let beside = [&options.config, &options.learn].into_iter().flatten().filter_map(|file| file.parent());
        let named = options.code.include.iter().chain(&options.code.pa).map(PathBuf::as_path);
        for folder in beside.chain(named) {
            folders.entry(folder.to_owned()).or_insert(false);
        }
        let mut watched = WatchedFiles { folders, files: BTreeMap::new() };
        watched.files = watched.now();
        watched
    }

    fn now(&self) -> BTreeMap<PathBuf, FileState> {
        let mut found = BTreeMap::new();
        self.folders.iter().for_each(|(folder, is_deep)| collect(folder, if *is_deep { DEPTH } else { 0 }, &mut found));
        found
    }

    /// True if files are not what they were when they were last acted upon.
    pub fn have_changed(&self) -> bool {
        self.now() != self.files
    }

    /// Waits until files change and change no more; returns their names. An interrupt ends it, too.
    pub fn wait(&mut self, look: Duration, together: Duration) -> Vec<String> {
        while !interrupt::is_wanted() && !self.have_changed() {
            std::thread::sleep(look);
        }
        let mut now = self.now();
        loop {
            std::thread::sleep(together);
            let later = self.now();
            if later == now || interrupt::is_wanted() {
                break;
            }
            now = later;
        }
        let all: BTreeSet<&PathBuf> = now.keys().chain(self.files.keys()).collect();
        let changed = all.into_iter().filter(|path| now.get(*path) != self.files.get(*path));
        let names = changed.map(|path| path.strip_prefix("./").unwrap_or(path).display().to_string()).collect();
        self.files = now;
        names
    }
}

fn collect(folder: &Path, depth: usize, found: &mut BTreeMap<PathBuf, FileState>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let Ok(about) = path.metadata() else { continue };
        let name = entry.file_name().to_string_lossy().into_owned();
        if about.is_dir() && depth > 0 && !name.starts_with('.') && !BUILT.contains(&name.as_str()) {
            collect(&path, depth - 1, found);
        } else if about.is_file() && path.extension().is_some_and(|it| ENDINGS.iter().any(|ending| it == *ending)) {
            found.insert(path, (about.modified().ok(), about.len()));
        }
    }
}
