//! Flattening a whole module.

use super::{Module, flatten};
use crate::core::{self, CoreError, Files};

/// The flat form of a module, and what is wrong with the functions that have none.
pub fn flatten_module(source: &core::Module, main_file: &str) -> (Module, Vec<CoreError>) {
    let mut files = Files::new(main_file);
    let (mut functions, mut errors) = (Vec::new(), Vec::new());
    for definition in &source.definitions {
        match flatten(definition, &mut files) {
            Ok(function) => functions.push(function),
            Err(error) => errors.push(error),
        }
    }
    let module = Module {
        name: source.name,
        exports: source.exports.iter().map(|name| (name.function, name.arity)).collect(),
        attributes: source.attributes.clone(),
        functions,
        files: files.names().to_vec(),
    };
    (module, errors)
}
