//! From options to a running VM and a library that knows the files given.

use std::path::{Path, PathBuf};

use host::{ErlOptions, ExtractError, Host, Source};
use term::{Atom, Mfa, Term};

use crate::Failure;
use crate::library::Library;
use crate::session::Outside;
use crate::sources::CodeSource;

/// How deep below a given folder compiled modules are looked for: `_build/default/lib/app/ebin`.
const DEPTH: usize = 5;

/// Where code comes from and what it may do.
#[derive(Clone, Default, Debug)]
pub struct CodeOptions {
    /// Functions with outside effects that may run.
    pub allow: Vec<Mfa>,
    /// Folders of included files.
    pub include: Vec<PathBuf>,
    /// Macros, `NAME` or `NAME=TERM`.
    pub define: Vec<String>,
    /// Folders of compiled modules.
    pub paths: Vec<PathBuf>,
    /// Neither read nor write the cache of extracted modules.
    pub no_cache: bool,
}

/// What a run starts from.
pub struct Start {
    pub outside: Outside,
    /// The modules of the files given, in order.
    pub given: Vec<Atom>,
    /// Files that could not be taken, and why.
    pub failures: Vec<(Atom, ExtractError)>,
}

/// Starts the VM and takes in the files.
pub fn start(options: &CodeOptions, sources: &[CodeSource]) -> Result<Start, Failure> {
    let folders: Vec<PathBuf> = sources.iter().filter_map(folder).collect();
    let paths = options.paths.iter().cloned().chain(folders.iter().flat_map(|folder| compiled(folder))).collect();
    let host_options = host::Options { paths, use_cache: !options.no_cache, ..host::Options::default() };
    let host = Host::start(host_options).map_err(|error| Failure::Host(error.to_string()))?;
    let library = Library::new(folders, erl_options(options)?);
    let outside = Outside::new(host, library, options.allow.iter().copied());
    let mut start = Start { outside, given: Vec::new(), failures: Vec::new() };
    sources.iter().filter_map(file).for_each(|path| start.take(path));
    if start.acts_when_loaded() {
        start.outside.guard()?;
    }
    Ok(start)
}

impl Start {
    /// Whether a module of the files has something run when it is loaded; without a guard that is left out.
    fn acts_when_loaded(&mut self) -> bool {
        let Outside { host, library, .. } = &mut self.outside;
        self.given.iter().any(|name| library.module(host, *name).is_ok_and(|module| module.acts_when_loaded()))
    }

    fn take(&mut self, path: &Path) {
        let Outside { host, library, .. } = &mut self.outside;
        let source = match path.extension().and_then(|ending| ending.to_str()) {
            Some("erl") => library.erl(path.to_path_buf()),
            Some("core") => Source::CoreFile(path.to_path_buf()),
            _ => Source::BeamFile(path.to_path_buf()),
        };
        match library.add_file(host, source, path) {
            Ok(module) => self.given.push(module),
            Err(error) => self.failures.push((crate::library::stem(path), error)),
        }
    }
}

fn folder(source: &CodeSource) -> Option<PathBuf> {
    match source {
        CodeSource::Folder(path) => Some(path.clone()),
        CodeSource::File(_) => None,
    }
}

fn file(source: &CodeSource) -> Option<&Path> {
    match source {
        CodeSource::File(path) => Some(path),
        CodeSource::Folder(_) => None,
    }
}

/// The compiled modules in a folder among the sources, or if there are none its .erl files, in order of their paths.
pub fn modules_in(source: &CodeSource) -> Vec<PathBuf> {
    let Some(top) = folder(source) else { return Vec::new() };
    let mut found: Vec<PathBuf> = compiled(&top).iter().flat_map(|folder| files(folder, "beam")).collect();
    if found.is_empty() {
        found = files(&top, "erl");
    }
    found.sort();
    found
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.filter(|path| path.extension().is_some_and(|it| it == ending)).collect()
}

/// The folders at and below this one that hold compiled modules, in order of their names.
fn compiled(top: &Path) -> Vec<PathBuf> {
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

fn erl_options(options: &CodeOptions) -> Result<ErlOptions, Failure> {
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
