//! The modules a run can call, and the VM they come from: each is extracted when first asked for.

mod atoms;
mod differences;
mod lifted;
mod missing;
mod module;
mod sources;

use std::cell::{RefCell, RefMut};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use frontend::core::Name;
use host::{ErlOptions, ExtractError, Host, Source, preparing};
use rustc_hash::FxHashMap;
use term::{Atom, Mfa, cut};

use crate::project::Places;
use crate::{Failure, proper};

pub use differences::Differences;
pub use lifted::enclosing;
pub use module::LoadedModule;
pub(crate) use module::is_added;
pub(crate) use sources::{ModuleFile, compiled, files, included, modules_in};
pub use sources::{SourcePath, is_path, source_path};

/// Modules by name, with the VM that extracts them.
pub struct Library {
    host: RefCell<Host>,
    /// A module, or why it cannot be used.
    modules: RefCell<FxHashMap<Atom, Result<Rc<LoadedModule>, ExtractError>>>,
    /// The modules that were given, in that order.
    given: RefCell<Vec<Atom>>,
    /// The files of those that were given as files.
    files: RefCell<FxHashMap<Atom, PathBuf>>,
    /// Folders of the sources, which may hold modules that were not given.
    folders: Vec<PathBuf>,
    erl_options: ErlOptions,
    places: Rc<Places>,
}

/// The reason why there is no graph of a function.
#[derive(Debug)]
pub enum NoCode {
    /// There is no module of that name.
    NoModule,
    /// The module has or exports no such function.
    NoFunction,
    /// The module has no debug information.
    Closed,
    /// The module or the function cannot be used.
    Broken(ExtractError),
}

impl Library {
    /// Returns a library without modules that looks for sources in these folders, after the code path of the VM.
    pub fn new(host: Host, folders: Vec<PathBuf>, erl_options: ErlOptions) -> Library {
        Library {
            host: RefCell::new(host),
            modules: RefCell::default(),
            given: RefCell::default(),
            files: RefCell::default(),
            folders,
            erl_options,
            places: Rc::default(),
        }
    }

    /// The same, with sources named as they are found from the current folder.
    pub(crate) fn with_places(self, places: Places) -> Library {
        Library { places: Rc::new(places), ..self }
    }

    /// Returns the VM, for one request.
    pub fn host(&self) -> RefMut<'_, Host> {
        self.host.borrow_mut()
    }

    /// Returns the modules that were given, in that order.
    pub fn given(&self) -> Vec<Atom> {
        self.given.borrow().clone()
    }

    /// Adds the module of an .erl, .core or .beam file. An error is kept too: it is the answer to calls of the module.
    pub fn add_file(&self, path: &Path) -> Result<Atom, ExtractError> {
        let added = self.add(self.source_at(path)).inspect_err(|error| {
            self.modules.borrow_mut().insert(stem(path), Err(error.clone()));
        })?;
        self.files.borrow_mut().insert(added, path.to_path_buf());
        Ok(added)
    }

    /// Adds a module of a project, or its source where it has no debug information. It is known by its source.
    pub(crate) fn add_module(&self, module: &ModuleFile) -> Result<Atom, ExtractError> {
        let added = self.add_file(&module.file);
        let source = module.source.as_ref().filter(|source| source.extension().is_some_and(|ending| ending == "erl"));
        let added = match (added, source) {
            (Err(ExtractError::NoDebugInfo { .. }), Some(source)) => self.add_file(source)?,
            (added, _) => added?,
        };
        module.source.iter().for_each(|source| drop(self.files.borrow_mut().insert(added, source.clone())));
        Ok(added)
    }

    fn source_at(&self, path: &Path) -> Source {
        let path_buf = path.to_path_buf();
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("erl") => Source::ErlFile { path: path_buf, options: self.erl_options.clone() },
            Some("core") => Source::CoreFile(path_buf),
            _ => Source::BeamFile(path_buf),
        }
    }

    /// Returns the file that a module was given as, by its whole path.
    pub fn file_of(&self, name: Atom) -> Option<PathBuf> {
        self.files.borrow().get(&name).and_then(|path| path.canonicalize().ok())
    }

    /// Adds a module from any source; it stands for its name from now on.
    pub fn add(&self, source: Source) -> Result<Atom, ExtractError> {
        let module = self.extract(source)?;
        let name = module.name;
        self.modules.borrow_mut().insert(name, Ok(module));
        self.given.borrow_mut().push(name);
        Ok(name)
    }

    /// Adds a module of the tool's own, which stands for its name from now on.
    pub fn add_source(&self, name: Atom, text: String) -> Result<(), ExtractError> {
        let module = self.extract(Source::ErlText { file: "hound_sequences.erl".to_owned(), text })?;
        self.modules.borrow_mut().insert(name, Ok(module));
        Ok(())
    }

    /// Returns the module of that name: one that was given, one on the code path, or a source in one of the folders.
    pub fn module(&self, name: Atom) -> Result<Rc<LoadedModule>, ExtractError> {
        if let Some(known) = self.modules.borrow().get(&name) {
            return known.clone();
        }
        let found = self.find(name);
        self.modules.borrow_mut().insert(name, found.clone());
        found
    }

    fn find(&self, name: Atom) -> Result<Rc<LoadedModule>, ExtractError> {
        if let Some(source) = ops::prelude::source(name) {
            return self.extract(Source::ErlText { file: format!("{name}.erl"), text: source.to_owned() });
        }
        if name.name() == proper::MODULE {
            return self.extract(Source::ErlText { file: format!("{name}.erl"), text: proper::SOURCE.to_owned() });
        }
        match self.extract(Source::Module(name.name().to_owned())) {
            Err(error @ ExtractError::NoModule { .. }) => match self.source(name) {
                Some(path) => self.extract(self.source_at(&path)),
                None => Err(error),
            },
            found => found,
        }
    }

    fn extract(&self, source: Source) -> Result<Rc<LoadedModule>, ExtractError> {
        let extract = || LoadedModule::new(self.host().extract(source)?, &self.places).map(Rc::new);
        preparing(|| cut::unlimited(extract))
    }

    /// Returns the hash of a module's code; nothing if the module cannot be used.
    pub fn content(&self, name: Atom) -> Option<[u8; 16]> {
        self.module(name).ok().map(|module| module.md5)
    }

    fn source(&self, name: Atom) -> Option<PathBuf> {
        let places = ["erl", "beam"].into_iter().flat_map(|ending| {
            let file = format!("{}.{ending}", name.name());
            self.source_folders().map(move |folder| folder.join(&file))
        });
        places.into_iter().find(|path| path.is_file())
    }

    fn source_folders(&self) -> impl Iterator<Item = PathBuf> {
        self.folders.iter().flat_map(|folder| [folder.clone(), folder.join("src")])
    }

    /// Returns the modules under test, given those whose functions are: all that were given, and those whose sources stand
    /// beside them.
    pub fn tested(&self, modules: &[Atom]) -> Vec<Atom> {
        let given = self.given.borrow();
        let files = self.source_folders().flat_map(|folder| [files(&folder, "erl"), files(&folder, "beam")].concat());
        let mut beside: Vec<Atom> = files.map(|path| stem(&path)).collect();
        beside.sort_unstable_by_key(|module| module.name());
        let mut tested = modules.to_vec();
        for module in given.iter().chain(&beside) {
            if !tested.contains(module) {
                tested.push(*module);
            }
        }
        tested
    }

    /// Returns the graph of a function; with `local`, of one that its module does not export too.
    pub fn unit(&self, function: Mfa, local: bool) -> Result<Rc<ir::Unit>, NoCode> {
        let module = self.module(function.module)?;
        if !local && !module.exports(function.function, function.arity) {
            return Err(NoCode::NoFunction);
        }
        cut::unlimited(|| module.unit(Name { function: function.function, arity: function.arity }))
    }

    /// Returns the functions that a module exports with that arity, by name; nothing if the module cannot be used.
    pub fn exports(&self, module: Atom, arity: u8) -> Option<Vec<Atom>> {
        match self.module(module).map_err(NoCode::from) {
            Ok(module) => Some(module.exports_of(arity)),
            Err(NoCode::NoModule) => Some(Vec::new()),
            Err(_) => None,
        }
    }

    /// Returns the graph of a function or of a fun in one.
    pub fn graph(&self, function: Mfa) -> Option<(Rc<ir::Unit>, usize)> {
        let own = self.unit(function, true).ok();
        let unit = own.or_else(|| self.unit(enclosing(function)?, true).ok())?;
        let at = unit.functions.iter().position(|graph| graph.name == function)?;
        Some((unit, at))
    }

    /// Returns the functions of the same module that a function can reach, itself included, in the order of discovery.
    pub fn reachable(&self, function: Mfa) -> Vec<Mfa> {
        let mut reached = vec![function];
        let mut at = 0;
        while let Some(&next) = reached.get(at) {
            at += 1;
            let Ok(unit) = self.unit(next, true) else { continue };
            let graph = ir::CallGraph::new(&unit);
            let called = unit.functions.iter().flat_map(|it| graph.callees(it.name)).filter_map(ir::CallEdge::name);
            for callee in called.filter(|callee| callee.module == function.module) {
                let is_lifted = unit.functions.iter().any(|lifted| lifted.name == callee);
                if !is_lifted && !reached.contains(&callee) && self.unit(callee, true).is_ok() {
                    reached.push(callee);
                }
            }
        }
        reached
    }

    /// Returns the lines that coverage counts in these functions.
    pub fn lines_of(&self, functions: &[Mfa]) -> BTreeSet<u32> {
        let units: Vec<Rc<ir::Unit>> = functions.iter().filter_map(|it| self.unit(*it, true).ok()).collect();
        units.iter().flat_map(|unit| lines(unit)).collect()
    }

    /// Returns the names of a function's graph: itself and what was lifted out of it.
    pub fn lifted(&self, function: Mfa) -> Vec<Mfa> {
        let unit = self.unit(function, true);
        unit.map(|unit| unit.functions.iter().map(|function| function.name).collect()).unwrap_or_default()
    }

    /// Returns the VM's index and hash of a fun, by its lifted function.
    pub fn fun_identity(&self, lifted: Mfa) -> Option<(u32, u32)> {
        self.modules.borrow().get(&lifted.module)?.as_ref().ok()?.fun_identity(lifted)
    }

    /// Returns the name of a module's file as it is found from the current folder, given the one in stack traces.
    pub(crate) fn shown_file(&self, module: Atom, file: &str) -> String {
        match self.modules.borrow().get(&module) {
            Some(Ok(module)) => module.shown_file(file),
            _ => file.to_owned(),
        }
    }

    /// Returns a module that was loaded under that name.
    pub fn loaded(&self, name: &str) -> Option<Rc<LoadedModule>> {
        self.modules.borrow().get(&Atom::new(name))?.as_ref().ok().cloned()
    }

    /// Returns the exported function of that name, or the failure that names what there is instead.
    pub fn exported(&self, function: Mfa) -> Result<Mfa, Failure> {
        let module = self.module(function.module)?;
        if module.exports(function.function, function.arity) { Ok(function) } else { Err(module.missing(function)) }
    }
}

/// The lines that a unit counts, once for each place in the graph.
pub(crate) fn lines(unit: &ir::Unit) -> impl Iterator<Item = u32> {
    let instructions = unit.functions.iter().flat_map(|function| &function.blocks).flat_map(|block| &block.body);
    instructions.filter_map(|instruction| match instruction.op {
        ir::Op::Line(line) => Some(line),
        _ => None,
    })
}

/// Returns the module that a file is about, judged by its name.
pub fn stem(path: &Path) -> Atom {
    Atom::new(&path.file_stem().unwrap_or_default().to_string_lossy())
}

impl From<ExtractError> for NoCode {
    fn from(error: ExtractError) -> NoCode {
        match error {
            ExtractError::NoModule { .. } => NoCode::NoModule,
            ExtractError::NoDebugInfo { .. } | ExtractError::Encrypted { .. } => NoCode::Closed,
            other => NoCode::Broken(other),
        }
    }
}
