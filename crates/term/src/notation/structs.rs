//! The structs of Elixir that a report knows: a literal of a struct fills in the fields that it does not have.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{Atom, Map, Term};

/// The fields of structs, by their modules.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct Structs(BTreeMap<Atom, BTreeSet<Atom>>);

impl Structs {
    /// No structs.
    pub const NONE: &'static Structs = &Structs(BTreeMap::new());

    /// Adds what `__struct__/0` of a module gives.
    pub fn add(&mut self, module: Atom, made: &Term) {
        if let Some(map) = made.as_map().filter(|map| map.struct_module() == Some(module)) {
            self.0.insert(module, map.iter().filter_map(|(key, _)| key.as_atom()).collect());
        }
    }

    /// Returns true if a module is known.
    pub fn has(&self, module: Atom) -> bool {
        self.0.contains_key(&module)
    }

    /// Returns the module of a map that has exactly the fields of a struct.
    pub fn module_of(&self, map: &Map) -> Option<Atom> {
        let module = map.struct_module()?;
        let fields = self.0.get(&module)?;
        let is_field = |key: &Term| key.as_atom().is_some_and(|key| fields.contains(&key));
        (map.len() == fields.len() && map.iter().all(|(key, _)| is_field(key))).then_some(module)
    }
}

impl Map {
    /// Returns the module that it names as that of its struct.
    pub fn struct_module(&self) -> Option<Atom> {
        self.get(&Term::atom_named("__struct__"))?.as_atom()
    }
}

impl Term {
    /// Returns the modules that maps in a term name as those of their structs.
    pub fn struct_modules(&self) -> BTreeSet<Atom> {
        let mut modules = BTreeSet::new();
        self.any(|part| {
            modules.extend(part.as_map().and_then(Map::struct_module));
            false
        });
        modules
    }
}
