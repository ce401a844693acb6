//! Files and folders of code, as they are named on a command line.

use std::path::{Path, PathBuf};

use crate::Failure;

/// A file that holds a module, and its source if the file is compiled from one that is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ModuleFile {
    pub file: PathBuf,
    pub source: Option<PathBuf>,
}

impl From<PathBuf> for ModuleFile {
    fn from(file: PathBuf) -> ModuleFile {
        ModuleFile { file, source: None }
    }
}

/// A file or folder to take modules from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourcePath {
    /// An .erl, .ex, .beam or .core file.
    File(PathBuf),
    /// A folder of modules.
    Folder(PathBuf),
    /// The project around the current folder, or the modules in it.
    Here,
}

impl SourcePath {
    /// Returns the path.
    pub(crate) fn path(&self) -> &Path {
        match self {
            SourcePath::File(path) | SourcePath::Folder(path) => path,
            SourcePath::Here => Path::new("."),
        }
    }

    /// Returns the path of a folder.
    pub(crate) fn folder(&self) -> Option<PathBuf> {
        match self {
            SourcePath::Folder(_) | SourcePath::Here => Some(self.path().to_path_buf()),
            SourcePath::File(_) => None,
        }
    }

    /// Returns the folder that its modules stand in.
    pub(crate) fn around(&self) -> PathBuf {
        match self {
            SourcePath::Folder(_) | SourcePath::Here => self.path().to_path_buf(),
            SourcePath::File(path) => path.parent().map_or_else(PathBuf::new, Path::to_path_buf),
        }
    }
}

/// The depth below a given folder at which compiled modules are looked for: `_build/default/lib/app/ebin`.
const DEPTH: usize = 5;

/// True if a word is meant as a file: it ends like one, or there is one of that name and it is no expression.
pub fn is_path(word: &str) -> bool {
    let ends = [".erl", ".ex", ".beam", ".core"].iter().any(|ending| word.ends_with(ending));
    (ends && !word.contains('(')) || (Path::new(word).is_dir() && word.contains(['/', '\\', '.']))
}

/// Returns the source at a path.
pub fn source_path(path: &Path) -> Result<SourcePath, Failure> {
    if path.is_dir() {
        return Ok(SourcePath::Folder(path.to_path_buf()));
    }
    if !path.exists() {
        return Err(Failure::no_file(path));
    }
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("erl" | "ex" | "beam" | "core") => Ok(SourcePath::File(path.to_path_buf())),
        Some("exs") => Err(Failure::Unusable(format!(
            "{}: this is a script of Elixir; modules to explore are in .ex files, or compiled",
            path.display()
        ))),
        _ => Err(Failure::NotSource(path.to_path_buf())),
    }
}

/// Returns the folders that hold what the sources in a folder include: beside it, or in it if it is that of a project.
pub(crate) fn included(folder: &Path) -> Vec<PathBuf> {
    let places = [folder.join("include"), folder.join("../include")];
    places.into_iter().filter(|place| place.is_dir()).collect()
}

/// Returns the compiled modules in a folder among the sources, or if there are none its .erl files, in order of their paths.
pub(crate) fn modules_in(source: &SourcePath) -> Vec<PathBuf> {
    let Some(top) = source.folder() else { return Vec::new() };
    let mut found: Vec<PathBuf> = compiled(&top).iter().flat_map(|folder| files(folder, "beam")).collect();
    if found.is_empty() {
        found = files(&top, "erl");
    }
    found.sort();
    found
}

/// Returns the files in a folder with that ending.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(here).into_iter().flatten();
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.filter(|path| path.extension().is_some_and(|it| it == ending)).collect()
}

/// Returns the folders at and below this one that hold compiled modules, in order of their names.
pub(crate) fn compiled(top: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(top, DEPTH, &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let entries: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    if entries.iter().any(|path| path.extension().is_some_and(|ending| ending == "beam")) {
        found.push(folder.to_path_buf());
    }
    if depth > 0 {
        entries.iter().filter(|path| path.is_dir()).for_each(|path| collect(path, depth - 1, found));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_distinguish_files_from_expressions() {
        assert!(is_path("a/m.erl") && is_path("m.beam") && is_path("."));
        assert!(!is_path("m:f(\"x.erl\")") && !is_path("lists:sort([])") && !is_path("f:g(x.erl"));
    }
}
