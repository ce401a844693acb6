//! Calls by names that are not known, and keys of the process dictionary: finitely many choices, each of them asked.

use constraint::Type;
use ops::{Control, DictionaryOp, Rule};
use term::{Atom, Map, Mfa, Term};

use super::maps::has_marked_keys;
use super::pin::is_marked;
use super::watch::Watch;
use crate::forward::code::Slot;
use crate::forward::machine::{Cursor, Engine};
use crate::forward::program::Callee;

const FIRST_IS_ATOM: u32 = 0;
const SECOND_IS_ATOM: u32 = 1;
const IS_FUNCTION: u32 = 2;
const IS_MODULE: u32 = 3;

/// Of more modules only the first are asked for.
const MOST_MODULES: usize = 32;

/// Modules with more functions of one arity are too large to be asked for each.
const MOST_FUNCTIONS: usize = 256;

impl Engine<'_> {
    /// The module and the name behind the arguments in the window are about to be called.
    pub fn observe_names(&mut self, at: Cursor, first: Slot, arity: u8) {
        let names = at.window(first, 2);
        if names.iter().all(|name| !name.mark().is_some()) {
            return;
        }
        let names = [names[0].clone(), names[1].clone()];
        self.ask_names(at, &names, arity);
    }

    /// Asks which module and which of its functions is meant.
    pub fn ask_names(&mut self, at: Cursor, names: &[Term; 2], arity: u8) {
        let modules = self.modules(names, arity);
        let functions = self.functions(names, arity);
        let Some(mut watch) = self.watch(at) else { return };
        let [module, name] = names;
        if watch.is(FIRST_IS_ATOM, module, Type::Atom) {
            watch.which_module(module, &modules);
            if watch.is(SECOND_IS_ATOM, name, Type::Atom) {
                watch.which_function(name, functions);
            }
        }
    }

    /// The modules of the program that could be meant.
    fn modules(&mut self, names: &[Term; 2], arity: u8) -> Vec<Atom> {
        if !names[0].mark().is_some() {
            return Vec::new();
        }
        let under_test = self.recorder.as_deref().and_then(|recorder| recorder.module);
        let world = &mut *self.state.world;
        let mut modules: Vec<Atom> = world.modules().into_iter().chain(under_test).collect();
        modules.sort_unstable_by(|a, b| a.name().cmp(b.name()));
        modules.dedup();
        let function = names[1].as_atom().filter(|_| !names[1].mark().is_some());
        modules.retain(|module| {
            let exports = world.exports(*module, arity).unwrap_or_default();
            function.map_or(!exports.is_empty(), |function| exports.contains(&function))
        });
        modules.truncate(MOST_MODULES);
        modules
    }

    /// The functions that a module exports with that arity, if they are all there can be.
    fn functions(&mut self, names: &[Term; 2], arity: u8) -> Option<Vec<Atom>> {
        names[1].mark().is_some().then_some(())?;
        let (module, function) = (names[0].as_atom()?, names[1].as_atom()?);
        let functions = self.state.world.exports(module, arity)?;
        let callee = self.program.callee(Mfa { module, function, arity }, false);
        let found = self.program.resolve(self.state.world, callee);
        let all = functions.contains(&function) != matches!(found, Callee::Undefined);
        (all && functions.len() <= MOST_FUNCTIONS).then_some(functions)
    }

    /// An operation on the process dictionary is about to run: keys that are not known are compared with those there.
    pub fn observe_dictionary(&mut self, at: Cursor, function: Mfa, operation: DictionaryOp, args: &[Term]) {
        let address = self.address(at);
        let entries = self.state.dictionary.entries();
        let Some(recorder) = self.recorder.as_deref_mut().filter(|recorder| !recorder.truncated) else { return };
        let mut watch = Watch::new(recorder, self.program, &self.process.frames, address);
        watch.dictionary(function, operation, args, entries);
    }
}

impl Watch<'_> {
    /// Each module of the program in turn. Which others there are is nothing that inputs decide.
    fn which_module(&mut self, module: &Term, modules: &[Atom]) {
        let Some(expr) = self.expr_of(module) else { return };
        if !self.is_one_of(IS_MODULE, expr, module, modules.iter().copied().map(Term::atom)) {
            self.pin(module);
            self.varying(Rule::Control(Control::ApplyNamed).function(3));
        }
    }

    /// Each function in turn, and at last none of them.
    fn which_function(&mut self, name: &Term, functions: Option<Vec<Atom>>) {
        let Some(expr) = self.expr_of(name) else { return };
        match functions {
            Some(functions) => _ = self.is_one_of(IS_FUNCTION, expr, name, functions.into_iter().map(Term::atom)),
            None => self.pin_all(Rule::Control(Control::ApplyNamed).function(3), [name]),
        }
    }

    fn dictionary(&mut self, function: Mfa, operation: DictionaryOp, args: &[Term], entries: &Map) {
        match (operation, args) {
            (DictionaryOp::Get | DictionaryOp::Erase, [key]) => {
                self.find_among(key, entries);
            }
            (DictionaryOp::Put, [key, _]) => {
                self.recorder.unknown_keys |= is_marked(key);
                if !self.find_among(key, entries) {
                    self.keep_small(key, entries);
                }
            }
            (DictionaryOp::GetKeys, [wanted]) if !has_marked_keys(entries) => {
                entries.values().for_each(|it| self.same(it, wanted))
            }
            // The VM lists keys by their hashes.
            (_, args) => {
                let keys = entries.keys().filter(|_| has_marked_keys(entries));
                self.pin_all(function, keys.chain(args));
            }
        }
    }
}
