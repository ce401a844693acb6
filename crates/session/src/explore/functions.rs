//! The functions that the words of an exploration name.

use std::path::Path;

use frontend::core::Name;
use term::{Atom, Mfa};

use crate::library::{is_path, source_path};
use crate::names::atom;
use crate::resolve::function_of;
use crate::{Failure, Opened, Session, SessionOptions};

/// Opens a session with the sources and lists the functions to explore, in source order.
pub fn open(words: &[String], code: &SessionOptions) -> Result<(Opened, Vec<Mfa>), Failure> {
    let (mut sources, mut names, mut modules) = (Vec::new(), Vec::new(), Vec::new());
    for word in words {
        match word {
            word if is_path(word) || Path::new(word).exists() => sources.push(source_path(Path::new(word))?),
            word if word.contains('/') => names.push(word.as_str()),
            word => modules.push(atom(word).ok_or_else(|| Failure::NoFile(word.into()))?),
        }
    }
    let mut opened = Opened::new(code, &sources)?;
    let modules = opened.all_modules(&sources, &modules);
    if let (true, Some(failure)) = (modules.is_empty(), opened.failure()) {
        return Err(failure);
    }
    let session = &opened.session;
    let functions = match names.is_empty() {
        true => modules.iter().map(|module| exported(session, *module)).collect::<Result<Vec<_>, _>>()?.concat(),
        false => names.iter().map(|name| named(session, &modules, name)).collect::<Result<_, _>>()?,
    };
    if functions.is_empty() {
        let nothing = "nothing to explore: no module was found, or none that exports a function";
        return Err(Failure::Unusable(nothing.to_owned()));
    }
    Ok((opened, functions))
}

fn exported(session: &Session, module: Atom) -> Result<Vec<Mfa>, Failure> {
    let names = session.module(module)?.exported();
    Ok(names.into_iter().map(|Name { function, arity }| Mfa { module, function, arity }).collect())
}

/// `f/1` of the one module given, or `m:f/1`.
fn named(session: &Session, modules: &[Atom], text: &str) -> Result<Mfa, Failure> {
    session.exported(function_of(modules, text).map_err(Failure::Unusable)?)
}

/// Returns the modules of these functions, each once.
pub fn modules(functions: &[Mfa]) -> Vec<Atom> {
    let mut modules = Vec::new();
    for function in functions {
        if !modules.contains(&function.module) {
            modules.push(function.module);
        }
    }
    modules
}
