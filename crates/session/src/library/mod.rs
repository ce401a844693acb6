//! The modules a run can call: extracted when first asked for, each function flattened and lowered at its first call.

mod atoms;
mod missing;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use frontend::core::{self, CoreError, Files, Name};
use frontend::flat;
use frontend::grammar::Declarations;
use frontend::instrument::{self, Numbering, Table};
use host::{ErlOptions, ExtractError, Extracted, FunEntry, Host, Source};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Atom, Mfa};

use crate::Failure;

/// Modules by name.
pub struct Library {
    modules: FxHashMap<Atom, Entry>,
    /// Those that were given, in that order.
    pub given: Vec<Atom>,
    /// Folders that may hold sources of modules that are not compiled.
    folders: Vec<PathBuf>,
    erl_options: ErlOptions,
}

/// What is known of a module.
enum Entry {
    Ready(Box<Module>),
    Failed(ExtractError),
}

/// A module that was extracted and whose names were read.
pub struct Module {
    pub name: Atom,
    /// The main source file as stack traces name it.
    pub file: String,
    pub lines: Vec<u32>,
    md5: [u8; 16],
    /// Index and hash of funs, by the name of the lifted function.
    funs: FxHashMap<Atom, (u32, u32)>,
    core: core::Module,
    exports: FxHashSet<Name>,
    units: FxHashMap<Name, Result<Rc<ir::Unit>, String>>,
    /// Its events, if runs in it are observed.
    events: Option<Rc<Table>>,
    /// The functions that tell them.
    told: FxHashSet<Name>,
}

/// Why there is no graph of a function.
#[derive(Debug)]
pub enum NoCode {
    NoModule,
    NoFunction,
    /// The module or the function cannot be used.
    Broken(ExtractError),
}

impl Library {
    pub fn new(folders: Vec<PathBuf>, erl_options: ErlOptions) -> Library {
        Library { modules: FxHashMap::default(), given: Vec::new(), folders, erl_options }
    }

    /// Takes a module from a file; what is wrong with it is kept for whoever calls into it, and returned.
    pub fn add_file(&mut self, host: &mut Host, source: Source, path: &Path) -> Result<Atom, ExtractError> {
        match self.add(host, source) {
            Ok(name) => Ok(name),
            Err(error) => {
                self.modules.insert(stem(path), Entry::Failed(error.clone()));
                Err(error)
            }
        }
    }

    /// Takes a module from any source; it stands for its name from now on.
    pub fn add(&mut self, host: &mut Host, source: Source) -> Result<Atom, ExtractError> {
        let module = Module::new(host.extract(source)?)?;
        let name = module.name;
        self.modules.insert(name, Entry::Ready(Box::new(module)));
        self.given.push(name);
        Ok(name)
    }

    /// The module of that name: one that was given, one on the code path, or a source in one of the folders.
    pub fn module(&mut self, host: &mut Host, name: Atom) -> Result<&mut Module, ExtractError> {
        if !self.modules.contains_key(&name) {
            let entry = match self.find(host, name) {
                Ok(module) => Entry::Ready(Box::new(module)),
                Err(error) => Entry::Failed(error),
            };
            self.modules.insert(name, entry);
        }
        match self.modules.get_mut(&name) {
            Some(Entry::Ready(module)) => Ok(module),
            Some(Entry::Failed(error)) => Err(error.clone()),
            None => Err(ExtractError::NoModule { module: name.name().to_owned() }),
        }
    }

    fn find(&self, host: &mut Host, name: Atom) -> Result<Module, ExtractError> {
        if let Some(source) = ops::prelude::source(name) {
            let (file, text) = (format!("{name}.erl"), source.to_owned());
            return Module::new(host.extract(Source::ErlText { file, text })?);
        }
        match host.extract(Source::Module(name.name().to_owned())) {
            Ok(extracted) => Module::new(extracted),
            Err(error @ ExtractError::NoModule { .. }) => match self.source(name) {
                Some(path) => Module::new(host.extract(self.erl(path))?),
                None => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    /// A hash of a module's code; nothing if the module cannot be used.
    pub fn content(&mut self, host: &mut Host, name: Atom) -> Option<[u8; 16]> {
        self.module(host, name).ok().map(|module| module.md5)
    }

    /// An .erl file as a source, compiled with this run's options.
    pub fn erl(&self, path: PathBuf) -> Source {
        Source::ErlFile { path, options: self.erl_options.clone() }
    }

    fn source(&self, name: Atom) -> Option<PathBuf> {
        let file = format!("{}.erl", name.name());
        let places = self.folders.iter().flat_map(|folder| [folder.join(&file), folder.join("src").join(&file)]);
        places.into_iter().find(|path| path.is_file())
    }

    /// The graph of a function; with `local`, one that its module does not export too.
    pub fn unit(&mut self, host: &mut Host, function: Mfa, local: bool) -> Result<Rc<ir::Unit>, NoCode> {
        let module = self.module(host, function.module).map_err(NoCode::from)?;
        let name = Name { function: function.function, arity: function.arity };
        if !local && !module.exports.contains(&name) {
            return Err(NoCode::NoFunction);
        }
        module.unit(name)
    }

    /// The functions that a module exports with that arity, by name; nothing if the module cannot be used.
    pub fn exports(&mut self, host: &mut Host, module: Atom, arity: u8) -> Option<Vec<Atom>> {
        let mut names: Vec<Atom> = match self.module(host, module).map_err(NoCode::from) {
            Ok(module) => module.exports.iter().filter(|name| name.arity == arity).map(|name| name.function).collect(),
            Err(NoCode::NoModule) => Vec::new(),
            Err(_) => return None,
        };
        names.sort_unstable_by(|a, b| a.name().cmp(b.name()));
        Some(names)
    }

    /// The graph of a function or of a fun in one.
    pub fn graph(&mut self, host: &mut Host, function: Mfa) -> Option<(Rc<ir::Unit>, usize)> {
        let own = self.unit(host, function, true).ok();
        let unit = own.or_else(|| self.unit(host, around(function)?, true).ok())?;
        let at = unit.functions.iter().position(|graph| graph.name == function)?;
        Some((unit, at))
    }

    /// The functions of the same module that a function can reach, itself included, in the order they are met.
    pub fn reachable(&mut self, host: &mut Host, function: Mfa) -> Vec<Mfa> {
        let mut reached = vec![function];
        let mut at = 0;
        while let Some(&next) = reached.get(at) {
            at += 1;
            let Ok(unit) = self.unit(host, next, true) else { continue };
            let graph = ir::CallGraph::new(&unit);
            let called = unit.functions.iter().flat_map(|it| graph.callees(it.name)).filter_map(ir::Callee::name);
            let own: Vec<Mfa> = called.filter(|callee| callee.module == function.module).collect();
            for callee in own {
                let is_lifted = unit.functions.iter().any(|lifted| lifted.name == callee);
                if !is_lifted && !reached.contains(&callee) && self.unit(host, callee, true).is_ok() {
                    reached.push(callee);
                }
            }
        }
        reached
    }

    /// The lines that coverage counts in these functions.
    pub fn lines_of(&mut self, host: &mut Host, functions: &[Mfa]) -> BTreeSet<u32> {
        let mut lines = BTreeSet::new();
        for function in functions {
            let Ok(unit) = self.unit(host, *function, true) else { continue };
            let blocks = unit.functions.iter().flat_map(|function| &function.blocks);
            lines.extend(blocks.flat_map(|block| &block.body).filter_map(|instruction| match instruction.op {
                ir::Op::Line(line) => Some(line),
                _ => None,
            }));
        }
        lines
    }

    /// The names of a function's graph: itself and what was lifted out of it.
    pub fn lifted(&mut self, host: &mut Host, function: Mfa) -> Vec<Mfa> {
        let unit = self.unit(host, function, true);
        unit.map(|unit| unit.functions.iter().map(|function| function.name).collect()).unwrap_or_default()
    }

    /// The VM's index and hash of a fun, by its lifted function.
    pub fn fun_identity(&self, lifted: Mfa) -> Option<(u32, u32)> {
        match self.modules.get(&lifted.module)? {
            Entry::Ready(module) => module.fun_identity(lifted),
            Entry::Failed(_) => None,
        }
    }

    /// The modules that were loaded, by name.
    pub fn loaded(&self) -> impl Iterator<Item = &Module> {
        self.modules.values().filter_map(|entry| match entry {
            Entry::Ready(module) => Some(&**module),
            Entry::Failed(_) => None,
        })
    }
}

impl Module {
    fn new(extracted: Extracted) -> Result<Module, ExtractError> {
        let core = core::read(&extracted.core).map_err(|error| broken(extracted.module, &error.to_string()))?;
        Ok(Module {
            name: extracted.module,
            file: extracted.file.unwrap_or_default(),
            lines: extracted.executable_lines,
            md5: extracted.md5,
            funs: extracted.funs.iter().map(|fun| (lifted_name(fun), (fun.index, fun.uniq))).collect(),
            exports: core.exports.iter().copied().collect(),
            core,
            units: FxHashMap::default(),
            events: None,
            told: FxHashSet::default(),
        })
    }

    /// The VM counts named funs together with loops that it lifts and we do not: then it is their order that tells.
    fn fun_identity(&self, lifted: Mfa) -> Option<(u32, u32)> {
        let Some((stem, _)) = counted(lifted.function.name()) else { return self.funs.get(&lifted.function).copied() };
        let around = around(lifted)?;
        let unit = self.units.get(&Name { function: around.function, arity: around.arity })?.as_ref().ok()?;
        let ours = alike(stem, unit.functions.iter().map(|function| function.name.function));
        let theirs = alike(stem, self.funs.keys().copied());
        let place = ours.iter().position(|name| *name == lifted.function)?;
        theirs.get(place).filter(|_| ours.len() == theirs.len()).and_then(|name| self.funs.get(name)).copied()
    }

    /// The types, records and specs that the module declares.
    pub fn declarations(&self) -> Declarations {
        Declarations::read(&self.core.attributes)
    }

    /// Whether the module has something run when it is loaded.
    pub fn acts_when_loaded(&self) -> bool {
        self.core.attributes.iter().any(|(name, _)| name.as_atom().is_some_and(|name| name.name() == "on_load"))
    }

    /// The functions that the module exports, in source order; those that the compiler adds are left out.
    pub fn exported(&self) -> Vec<Name> {
        let added = |name: &Name| matches!(name.function.name(), "module_info" | "behaviour_info" | "__info__");
        self.names().filter(|name| self.exports.contains(name) && !added(name)).collect()
    }

    pub fn exports(&self, function: Atom, arity: u8) -> bool {
        self.exports.contains(&Name { function, arity })
    }

    /// That a function is not among the exports, and what may have been meant.
    pub fn missing(&self, function: Mfa) -> Failure {
        Failure::NoFunction(function, missing::instead(self, function))
    }

    /// That there is no such function, exported or not.
    pub fn missing_anywhere(&self, function: Mfa) -> Failure {
        Failure::NoFunction(function, missing::instead_of_any(self, function))
    }

    /// Every function's name, in source order.
    pub fn names(&self) -> impl Iterator<Item = Name> {
        self.core.definitions.iter().map(|definition| definition.name)
    }

    fn unit(&mut self, name: Name) -> Result<Rc<ir::Unit>, NoCode> {
        if !self.units.contains_key(&name) {
            let unit = self.lowered(name).ok_or(NoCode::NoFunction)?;
            self.units.insert(name, unit.map(Rc::new));
        }
        self.units[&name].clone().map_err(|why| NoCode::Broken(broken(self.name, &why)))
    }

    /// The graph of one function, or why there is none; `None` if there is no such function.
    pub fn lowered(&self, name: Name) -> Option<Result<ir::Unit, String>> {
        let (function, files) = match self.flat(name)? {
            Ok(flat) => flat,
            Err(error) => return Some(Err(error.to_string())),
        };
        let frame = flat::Module {
            name: self.name,
            exports: Vec::new(),
            attributes: Vec::new(),
            functions: Vec::new(),
            files: files.names().to_vec(),
        };
        let lowered = match &self.events {
            Some(table) if self.told.contains(&name) => {
                let first = table.function(name).map_or(0, |events| events.first);
                let (_, sites) = self.numbering().number(&function, first);
                frontend::lower::lower_observed(&frame, &function, &sites)
            }
            _ => frontend::lower::lower(&frame, &function),
        };
        Some(lowered.map_err(|error| error.to_string()))
    }

    fn numbering(&self) -> Numbering<'_> {
        Numbering { module: self.name, functions: &self.told, exports: &self.exports, known: &is_known }
    }

    /// From now on runs in this module tell their events, with numbers from `first` on. Gives the module that tells them on the VM and the table that
    /// both refer to, or what is wrong with the module.
    pub fn observe(&mut self, first: u32) -> Result<(flat::Module, Rc<Table>), Vec<CoreError>> {
        let (flat, errors) = self.flat_module();
        if !errors.is_empty() {
            return Err(errors);
        }
        let (told, table) = instrument::instrumented(&flat, first, &is_known);
        let table = Rc::new(table);
        self.told = self.names().filter(|name| table.tells(*name)).collect();
        self.events = Some(Rc::clone(&table));
        self.units.clear();
        Ok((told, table))
    }

    /// The same again, for a module that has been released.
    pub fn observe_again(&mut self, table: Rc<Table>) {
        self.events = Some(table);
        self.units.clear();
    }

    /// From now on runs in this module tell nothing.
    pub fn release(&mut self) {
        self.events = None;
        self.units.clear();
    }

    /// The flat form of one function, with the files that its places name.
    pub fn flat(&self, name: Name) -> Option<Result<(flat::Function, Files), CoreError>> {
        let definition = self.core.definition(name)?;
        let mut files = Files::new(self.file.clone());
        let flat = definition.read(&mut files).and_then(|function| flat::flatten(&function));
        Some(flat.map(|function| (function, files)))
    }

    /// The flat form of the whole module, and what is wrong with functions that have none.
    pub fn flat_module(&self) -> (flat::Module, Vec<CoreError>) {
        flat::flatten_module(&self.core, &self.file)
    }
}

/// The function that a lifted one, such as `'-main/1-fun-0-'` or `'-main/1-lc$^0/1-0-'`, was taken out of.
pub fn around(lifted: Mfa) -> Option<Mfa> {
    let name = lifted.function.name().strip_prefix('-')?;
    name.match_indices('/').find_map(|(slash, _)| {
        let arity = name[slash + 1..].split('-').next()?.parse().ok()?;
        Some(Mfa { module: lifted.module, function: Atom::new(&name[..slash]), arity })
    })
}

/// The VM lists a fun of a module's own function under that function; we make one that calls it.
fn lifted_name(fun: &FunEntry) -> Atom {
    match fun.name.name() {
        name if name.starts_with('-') => fun.name,
        name => Atom::new(&format!("-fun.{name}/{}-", fun.arity)),
    }
}

/// The name of a named fun, such as `'-main/1-Loop/2-0-'`, without its number, and that.
fn counted(name: &str) -> Option<(&str, u32)> {
    let (stem, number) = name.strip_suffix('-')?.rsplit_once('-')?;
    Some((stem, number.parse().ok()?)).filter(|(stem, _)| !stem.ends_with("-fun"))
}

/// The named funs of one name, in the order of their numbers.
fn alike(stem: &str, names: impl Iterator<Item = Atom>) -> Vec<Atom> {
    let numbered = |name: Atom| counted(name.name()).filter(|(own, _)| *own == stem).map(|(_, number)| (number, name));
    let mut found: Vec<(u32, Atom)> = names.filter_map(numbered).collect();
    found.sort_unstable_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, name)| name).collect()
}

/// The module that a file is about, judged by its name.
pub fn stem(path: &Path) -> Atom {
    Atom::new(&path.file_stem().unwrap_or_default().to_string_lossy())
}

/// The machine can say itself what these give, and they call nothing.
fn is_known(function: Mfa) -> bool {
    ops::native(function).is_some() && !ops::policy::names(function)
}

/// A module whose Core Erlang we do not take.
fn broken(module: Atom, why: &str) -> ExtractError {
    ExtractError::Compile { messages: vec![format!("{module}: {why}")] }
}

impl From<ExtractError> for NoCode {
    fn from(error: ExtractError) -> NoCode {
        match error {
            ExtractError::NoModule { .. } => NoCode::NoModule,
            other => NoCode::Broken(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_lifted_is_known_by_its_function() {
        let outer = |name: &str| {
            let lifted = Mfa { module: Atom::new("m"), function: Atom::new(name), arity: 2 };
            around(lifted).map(|outer| outer.to_string())
        };
        assert_eq!(outer("-main/1-fun-0-").as_deref(), Some("m:main/1"));
        assert_eq!(outer("-main/3-lc$^0/1-0-").as_deref(), Some("m:main/3"));
        assert_eq!(outer("-a/b/2-blc$^1/1-3-").as_deref(), Some("m:'a/b'/2"));
        assert_eq!(outer("main"), None);
    }

    #[test]
    fn named_funs_are_told_by_their_order() {
        assert_eq!(counted("-main/1-Loop/2-10-"), Some(("-main/1-Loop/2", 10)));
        assert_eq!(counted("-main/1-fun-10-"), None);
        let names = ["-f/1-R/1-10-", "-f/1-S/1-3-", "-f/1-R/1-9-", "-f/1-fun-0-"].map(Atom::new);
        assert_eq!(alike("-f/1-R/1", names.into_iter()), ["-f/1-R/1-9-", "-f/1-R/1-10-"].map(Atom::new));
    }
}
