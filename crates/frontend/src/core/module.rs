//! Reading a module: names and attributes at once, definitions as they are.

use rustc_hash::FxHashMap;
use term::{Atom, Term, etf};

use super::node::{list, literal, literal_atom, pair, record};
use super::{CoreError, Name, function};

/// A module in Core Erlang, its functions not yet read.
pub struct Module {
    /// Its name.
    pub name: Atom,
    /// Its exported functions.
    pub exports: Vec<Name>,
    /// As in the source: names and values, specs and types among them.
    pub attributes: Vec<(Term, Term)>,
    /// In the order of the source.
    pub definitions: Vec<Definition>,
    index: FxHashMap<Name, usize>,
}

/// A function of the module that has not been read yet.
pub struct Definition {
    /// The function's name.
    pub name: Name,
    /// A `c_fun` record, or a binary that holds one in external format: most functions of a module are never looked at.
    term: Term,
}

/// Reads the term of a `c_module` record.
pub fn read(term: &Term) -> Result<Module, CoreError> {
    let [_, name, exports, attributes, definitions] = record(term, "c_module")?;
    let definitions = list(definitions, "definitions")?;
    let definitions: Vec<Definition> = definitions.into_iter().map(Definition::new).collect::<Result<_, _>>()?;
    let index = definitions.iter().enumerate().map(|(at, definition)| (definition.name, at)).collect();
    Ok(Module {
        name: literal_atom(name)?,
        exports: list(exports, "exported names")?.into_iter().map(function).collect::<Result<_, _>>()?,
        attributes: list(attributes, "attributes")?.into_iter().map(attribute).collect::<Result<_, _>>()?,
        definitions,
        index,
    })
}

fn attribute(term: &Term) -> Result<(Term, Term), CoreError> {
    let (name, value) = pair(term, "an attribute")?;
    Ok((literal(name)?.clone(), literal(value)?.clone()))
}

impl Module {
    /// The definition of a function.
    pub fn definition(&self, name: Name) -> Option<&Definition> {
        self.index.get(&name).map(|&at| &self.definitions[at])
    }
}

impl Definition {
    fn new(term: &Term) -> Result<Definition, CoreError> {
        let (name, fun) = pair(term, "a definition")?;
        Ok(Definition { name: function(name)?, term: fun.clone() })
    }

    /// The `c_fun` record.
    pub(crate) fn unpacked(&self) -> Result<Term, CoreError> {
        match self.term.as_bits() {
            Some(bits) => etf::decode(&bits.to_bytes()).map_err(|error| CoreError::new(error.to_string())),
            None => Ok(self.term.clone()),
        }
    }
}
