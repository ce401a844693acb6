//! Functions whose compiled code may do something else than their Core Erlang says.

use rustc_hash::FxHashSet;
use search::CompilerChange;
use term::{Atom, Term};

/// The functions of a module that the compiler may have changed.
#[derive(Default)]
pub struct Differences {
    /// Functions with a constant 0.0 or -0.0, in a module that has both.
    zeros: FxHashSet<(Atom, u8)>,
    /// Functions with updates of map keys that are not in the compiled code.
    updates: FxHashSet<(Atom, u8)>,
    /// Functions with comprehensions that the compiled code computes sizes for beforehand.
    sizes: FxHashSet<(Atom, u8)>,
    /// Functions with guarded cases of a comparison, in whose exceptions the compiled code may name the opposite.
    negations: FxHashSet<(Atom, u8)>,
    /// A module that has transformed the whole module after its Core Erlang was made.
    transform: Option<Atom>,
}

impl Differences {
    /// Reads and removes what the extraction has noted among the attributes of a module.
    pub fn take(attributes: &mut Vec<(Term, Term)>) -> Differences {
        let mut found = Differences::default();
        attributes.retain(|(name, value)| {
            match name.as_atom().map(Atom::name) {
                Some("hound_zeros") => found.zeros = value.cells().filter_map(function).collect(),
                Some("hound_map_updates") => found.updates = value.cells().filter_map(function).collect(),
                Some("hound_sizes") => found.sizes = value.cells().filter_map(function).collect(),
                Some("hound_negations") => found.negations = value.cells().filter_map(function).collect(),
                Some("hound_core_transform") => found.transform = value.cells().find_map(Term::as_atom),
                _ => return true,
            }
            false
        });
        found
    }

    /// The change that the compiler may have made to a function.
    pub fn of(&self, function: Atom, arity: u8) -> Option<CompilerChange> {
        match self.transform {
            Some(transform) => Some(CompilerChange::Transform { module: transform.name().to_owned() }),
            None if self.updates.contains(&(function, arity)) => Some(CompilerChange::MapUpdate),
            None if self.sizes.contains(&(function, arity)) => Some(CompilerChange::Sizes),
            None if self.negations.contains(&(function, arity)) => Some(CompilerChange::Negation),
            None => self.zeros.contains(&(function, arity)).then_some(CompilerChange::Zeros),
        }
    }
}

fn function(name: &Term) -> Option<(Atom, u8)> {
    let [function, arity] = name.as_tuple()? else { return None };
    Some((function.as_atom()?, u8::try_from(arity.as_i64()?).ok()?))
}
