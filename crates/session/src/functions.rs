//! Which functions the words name.

use std::path::Path;

use frontend::core::Name;
use host::Source;
use term::{Atom, Mfa};

use crate::Failure;
use crate::names::{atom, function_name};
use crate::session::Outside;
use crate::sources::{self, CodeSource};
use crate::start::{CodeOptions, Start, start};

/// Loads the sources and lists the functions to explore, in source order.
pub fn read(words: &[String], code: &CodeOptions) -> Result<(Start, Vec<Mfa>), Failure> {
    let (mut sources, mut names, mut modules) = (Vec::new(), Vec::new(), Vec::new());
    for word in words {
        match word {
            word if sources::is_path(word) || Path::new(word).exists() => {
                sources.push(sources::source(Path::new(word))?)
            }
            word if word.contains('/') => names.push(word.as_str()),
            word => modules.push(atom(word).ok_or_else(|| Failure::NoFile(word.into()))?),
        }
    }
    let mut start = start(code, &sources)?;
    let modules = in_sources(&mut start, &sources, &modules);
    if modules.is_empty()
        && let Some((_, error)) = start.failures.first()
    {
        return Err(Failure::from(error.clone()));
    }
    let functions = match names.is_empty() {
        true => {
            modules.iter().map(|module| exported(&mut start.outside, *module)).collect::<Result<Vec<_>, _>>()?.concat()
        }
        false => names.iter().map(|name| named(&mut start.outside, &modules, name)).collect::<Result<_, _>>()?,
    };
    if functions.is_empty() {
        let nothing = "nothing to explore: no module was found, or none that exports a function";
        return Err(Failure::Unusable(nothing.to_owned()));
    }
    Ok((start, functions))
}

/// The modules of the files, those named, and those in the folders.
pub fn in_sources(start: &mut Start, sources: &[CodeSource], named: &[Atom]) -> Vec<Atom> {
    let found = in_folders(start, sources);
    start.given.iter().chain(named).copied().chain(found).collect()
}

/// The modules compiled in the folders given, by name; of a folder without any, those whose sources are there.
fn in_folders(start: &mut Start, sources: &[CodeSource]) -> Vec<Atom> {
    let mut found = Vec::new();
    for path in sources.iter().flat_map(crate::start::modules_in) {
        let module = crate::library::stem(&path);
        let Outside { host, library, .. } = &mut start.outside;
        let is_source = path.extension().is_some_and(|ending| ending == "erl");
        let source = if is_source { library.erl(path.clone()) } else { Source::BeamFile(path.clone()) };
        match library.add_file(host, source, &path) {
            Ok(module) => found.push(module),
            Err(error) => start.failures.push((module, error)),
        }
    }
    found
}

fn exported(outside: &mut Outside, module: Atom) -> Result<Vec<Mfa>, Failure> {
    let Outside { host, library, .. } = outside;
    let names = library.module(host, module)?.exported();
    Ok(names.into_iter().map(|Name { function, arity }| Mfa { module, function, arity }).collect())
}

/// `f/1` of the one module given, or `m:f/1`.
fn named(outside: &mut Outside, modules: &[Atom], text: &str) -> Result<Mfa, Failure> {
    let function = match (function_name(text), modules) {
        (Ok(function), _) => function,
        (Err(_), [module]) => local(*module, text).map_err(Failure::Unusable)?,
        (Err(why), _) => return Err(Failure::Unusable(why)),
    };
    let Outside { host, library, .. } = outside;
    let module = library.module(host, function.module)?;
    match module.exports(function.function, function.arity) {
        true => Ok(function),
        false => Err(module.missing(function)),
    }
}

/// `f/1` as a function of that module.
pub fn local(module: Atom, text: &str) -> Result<Mfa, String> {
    function_name(&format!("'{}':{text}", module.name()))
}

/// The modules of these functions, each once.
pub fn modules(functions: &[Mfa]) -> Vec<Atom> {
    let mut modules = Vec::new();
    for function in functions {
        if !modules.contains(&function.module) {
            modules.push(function.module);
        }
    }
    modules
}
