//! A module that was extracted: each function is flattened and lowered at its first call.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use frontend::core::{self, CoreError, Files, Name};
use frontend::flat;
use frontend::grammar::Declarations;
use frontend::instrument::{self, EventTable, Numbering};
use host::{ExtractError, Extracted};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Atom, Mfa, Term};

use super::differences::Differences;
use super::lifted::{enclosing, lifted_name, numbered, with_stem};
use super::{NoCode, missing};
use crate::Failure;
use crate::project::Places;

/// A module whose names were read.
pub struct LoadedModule {
    pub name: Atom,
    /// The main source file as people find it.
    pub file: String,
    /// The same as stack traces name it.
    recorded: String,
    /// The path of the source when it was compiled.
    source: Option<PathBuf>,
    places: Rc<Places>,
    /// The lines that coverage counts.
    pub lines: Vec<u32>,
    pub(super) md5: [u8; 16],
    /// Index and hash of funs, by the name of the lifted function.
    funs: FxHashMap<Atom, (u32, u32)>,
    /// The functions that the compiler may have changed after its Core Erlang was read.
    pub differences: Differences,
    /// The attributes that name the records of headers and the functions without documentation.
    noted: Vec<(Term, Term)>,
    core: core::Module,
    exports: FxHashSet<Name>,
    units: RefCell<FxHashMap<Name, Result<Rc<ir::Unit>, String>>>,
    /// The events that its runs emit.
    events: RefCell<Option<EmittedEvents>>,
}

/// The events of an instrumented module.
#[derive(Clone)]
struct EmittedEvents {
    table: Rc<EventTable>,
    /// The functions that emit them.
    functions: Rc<FxHashSet<Name>>,
}

impl LoadedModule {
    pub(super) fn new(extracted: Extracted, places: &Rc<Places>) -> Result<LoadedModule, ExtractError> {
        let mut core = core::read(&extracted.core).map_err(|error| broken(extracted.module, &error.to_string()))?;
        let recorded = extracted.file.unwrap_or_default();
        Ok(LoadedModule {
            file: places.shown(&recorded, extracted.source.as_deref()),
            recorded,
            source: extracted.source,
            places: Rc::clone(places),
            differences: Differences::take(&mut core.attributes),
            noted: noted(&mut core.attributes),
            name: extracted.module,
            lines: extracted.executable_lines,
            md5: extracted.md5,
            funs: extracted.funs.iter().map(|fun| (lifted_name(fun), (fun.index, fun.uniq))).collect(),
            exports: core.exports.iter().copied().collect(),
            core,
            units: RefCell::default(),
            events: RefCell::default(),
        })
    }

    /// The VM numbers named funs together with loops that it lifts and we do not: the order identifies them.
    pub(super) fn fun_identity(&self, lifted: Mfa) -> Option<(u32, u32)> {
        let Some((stem, _)) = numbered(lifted.function.name()) else { return self.funs.get(&lifted.function).copied() };
        let outer = enclosing(lifted)?;
        let units = self.units.borrow();
        let unit = units.get(&Name { function: outer.function, arity: outer.arity })?.as_ref().ok()?;
        let ours = with_stem(stem, unit.functions.iter().map(|function| function.name.function));
        let theirs = with_stem(stem, self.funs.keys().copied());
        let place = ours.iter().position(|name| *name == lifted.function)?;
        theirs.get(place).filter(|_| ours.len() == theirs.len()).and_then(|name| self.funs.get(name)).copied()
    }

    /// Returns the types, records and specs that the module declares.
    pub fn declarations(&self) -> Declarations {
        Declarations::read(&[&self.core.attributes[..], &self.noted].concat())
    }

    /// Returns what the module says about silenced defects.
    pub fn silenced(&self) -> impl Iterator<Item = &Term> {
        let attributes = self.core.attributes.iter();
        let ours = attributes.filter(|(name, _)| name.as_atom().is_some_and(|name| name.name() == "hound"));
        ours.map(|(_, value)| value)
    }

    /// True if the module has a function that runs when it is loaded.
    pub fn acts_when_loaded(&self) -> bool {
        self.core.attributes.iter().any(|(name, _)| name.as_atom().is_some_and(|name| name.name() == "on_load"))
    }

    /// Returns the functions that the module exports, in source order, without those that the compiler adds.
    pub fn exported(&self) -> Vec<Name> {
        self.names().filter(|name| self.exports.contains(name) && !self.is_generated(*name)).collect()
    }

    /// Returns the functions that the module does not export, likewise.
    pub fn private(&self) -> Vec<Name> {
        self.names().filter(|name| !self.exports.contains(name) && !self.is_generated(*name)).collect()
    }

    /// True if Elixir's compiler made the module.
    pub fn is_elixir(&self) -> bool {
        self.exports(Atom::new("__info__"), 1)
    }

    /// True for a function that no person has written: those of structs, protocols and macros, and what was inlined.
    fn is_generated(&self, Name { function, arity }: Name) -> bool {
        let name = function.name();
        let is_protocol = self.exports(Atom::new("__protocol__"), 1);
        let is_reserved = self.is_elixir() && name.len() > 4 && name.starts_with("__") && name.ends_with("__");
        let is_dispatch = is_protocol && arity == 1 && matches!(name, "impl_for" | "impl_for!" | "struct_impl_for");
        is_added(function)
            || is_reserved
            || is_dispatch
            || self.is_of_exception(Name { function, arity })
            || name.starts_with("MACRO-")
            || name.starts_with('-')
    }

    /// The file and the line where a function begins.
    fn place(&self, name: Name) -> Option<(String, u32)> {
        let unit = self.unit(name).ok()?;
        let at = unit.functions.first()?.location;
        Some((unit.files.get(at.file as usize)?.clone(), at.line))
    }

    /// Returns the file that a function names as its source.
    pub fn file_of(&self, name: Name) -> Option<String> {
        Some(self.place(name)?.0)
    }

    /// True for a function of an exception that `defexception` makes: it stands where the struct is defined.
    fn is_of_exception(&self, name: Name) -> bool {
        let made = Name { function: Atom::new("__struct__"), arity: 0 };
        let is_named = matches!((name.function.name(), name.arity), ("exception" | "message", 1));
        let line = |name: Name| Some(self.place(name)?.1).filter(|line| *line > 0);
        is_named && self.is_elixir() && self.exports.contains(&made) && line(name).is_some() && line(name) == line(made)
    }

    /// True if the module exports that function.
    pub fn exports(&self, function: Atom, arity: u8) -> bool {
        self.exports.contains(&Name { function, arity })
    }

    /// Returns the exports of that arity, by name.
    pub(super) fn exports_of(&self, arity: u8) -> Vec<Atom> {
        let with_arity = self.exports.iter().filter(|name| name.arity == arity);
        let mut names: Vec<Atom> = with_arity.map(|name| name.function).collect();
        names.sort_unstable_by(|a, b| a.name().cmp(b.name()));
        names
    }

    /// True if the module has that function, exported or not.
    pub fn has(&self, function: Atom, arity: u8) -> bool {
        self.names().any(|name| name == Name { function, arity })
    }

    /// Returns the failure that a function is not among the exports, with what may have been meant.
    pub fn missing(&self, function: Mfa) -> Failure {
        Failure::NoFunction(function, missing::instead(self, function))
    }

    /// Returns the failure that there is no such function, exported or not.
    pub fn missing_anywhere(&self, function: Mfa) -> Failure {
        Failure::NoFunction(function, missing::instead_of_any(self, function))
    }

    /// Returns every function's name, in source order.
    pub fn names(&self) -> impl Iterator<Item = Name> {
        self.core.definitions.iter().map(|definition| definition.name)
    }

    pub(super) fn unit(&self, name: Name) -> Result<Rc<ir::Unit>, NoCode> {
        let known = self.units.borrow().get(&name).cloned();
        let unit = match known {
            Some(unit) => unit,
            None => {
                let unit = self.lowered(name).ok_or(NoCode::NoFunction)?.map(Rc::new);
                self.units.borrow_mut().insert(name, unit.clone());
                unit
            }
        };
        unit.map_err(|why| NoCode::Broken(broken(self.name, &why)))
    }

    /// Returns the graph of one function, or why there is none; `None` if there is no such function.
    pub fn lowered(&self, name: Name) -> Option<Result<ir::Unit, String>> {
        let (function, files) = match self.flat(name)? {
            Ok(flat) => flat,
            Err(error) => return Some(Err(error.to_string())),
        };
        let shown = self.shown(files.names());
        let frame = flat::Module {
            name: self.name,
            exports: Vec::new(),
            attributes: Vec::new(),
            functions: Vec::new(),
            files: files.names().to_vec(),
        };
        let lowered = match &*self.events.borrow() {
            Some(EmittedEvents { table, functions }) if functions.contains(&name) => {
                let first = table.function(name).map_or(0, |events| events.first);
                let numbering = Numbering { module: self.name, functions, exports: &self.exports, known: &is_known };
                let (_, sites) = numbering.number(&function, first);
                frontend::lower::lower_observed(&frame, &function, &sites)
            }
            _ => frontend::lower::lower(&frame, &function),
        };
        Some(lowered.map(|unit| ir::Unit { shown, ..unit }).map_err(|error| error.to_string()))
    }

    /// The names of files as people find them; none where these are the recorded ones.
    fn shown(&self, names: &[String]) -> Vec<String> {
        let shown: Vec<String> = names.iter().map(|name| self.shown_file(name)).collect();
        if shown == names { Vec::new() } else { shown }
    }

    /// Returns the name of a file as people find it, given the one in stack traces.
    pub(super) fn shown_file(&self, name: &str) -> String {
        match *name == self.recorded {
            true => self.file.clone(),
            false => self.places.shown(name, self.source.as_deref()),
        }
    }

    /// Lets runs in this module emit events, with numbers from `first` on. Returns the module that emits them on the VM
    /// and the table that both refer to, or what is wrong with the module.
    pub fn observe(&self, first: u32) -> Result<(flat::Module, Rc<EventTable>), Vec<CoreError>> {
        let (flat, errors) = self.flat_module();
        if !errors.is_empty() {
            return Err(errors);
        }
        let (instrumented, table) = instrument::instrumented(&flat, first, &is_known);
        let table = Rc::new(table);
        self.emit(Some(Rc::clone(&table)));
        Ok((instrumented, table))
    }

    /// Lets runs in this module emit the events of a table, or none.
    pub fn emit(&self, table: Option<Rc<EventTable>>) {
        let functions = |table: &EventTable| Rc::new(self.names().filter(|name| table.emits(*name)).collect());
        *self.events.borrow_mut() = table.map(|table| EmittedEvents { functions: functions(&table), table });
        self.units.borrow_mut().clear();
    }

    /// Returns the flat form of one function, with the files that its places name.
    pub fn flat(&self, name: Name) -> Option<Result<(flat::Function, Files), CoreError>> {
        let definition = self.core.definition(name)?;
        let mut files = Files::new(self.recorded.clone());
        let flat = flat::flatten(definition, &mut files);
        Some(flat.map(|function| (function, files)))
    }

    /// Returns the flat form of the whole module, and what is wrong with functions that have none.
    pub fn flat_module(&self) -> (flat::Module, Vec<CoreError>) {
        flat::flatten_module(&self.core, &self.recorded)
    }
}

/// Takes what the extraction has noted about records and documentation out of the attributes of a module.
fn noted(attributes: &mut Vec<(Term, Term)>) -> Vec<(Term, Term)> {
    let is_it =
        |name: &Term| name.as_atom().is_some_and(|name| matches!(name.name(), "hound_shared_records" | "hound_hidden"));
    attributes.extract_if(.., |(name, _)| is_it(name)).collect()
}

/// True for a function that the compiler adds to a module.
pub(crate) fn is_added(function: Atom) -> bool {
    matches!(function.name(), "module_info" | "behaviour_info" | "__info__")
}

/// True for a function whose value the machine computes itself and that calls nothing.
fn is_known(function: Mfa) -> bool {
    ops::native(function).is_some() && !matches!(ops::rule(function), ops::Rule::Fresh(_))
}

/// The error of a module whose Core Erlang cannot be used.
fn broken(module: Atom, why: &str) -> ExtractError {
    ExtractError::Compile { messages: vec![format!("{module}: {why}")] }
}
