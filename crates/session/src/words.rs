//! The words of a command by kind: sources, modules, functions and calls, and what was meant by those that are none.

use std::path::Path;

use frontend::core::Name;
use term::{Atom, Mfa};

use crate::library::{SourcePath, files, is_path, source_path, stem};
use crate::names::{function_name, module_name, qualified};
use crate::near::{alternatives, nearest, nearest_file};
use crate::{Failure, Opened, Session};

/// Words by kind.
#[derive(Default)]
pub(crate) struct Words<'a> {
    pub sources: Vec<SourcePath>,
    /// Modules, or functions without a number of arguments.
    pub bare: Vec<&'a str>,
    /// Functions with a number of arguments.
    pub functions: Vec<&'a str>,
    /// Calls whose inputs are run first.
    pub calls: Vec<&'a str>,
}

impl<'a> Words<'a> {
    /// Sorts words by kind. Where neither a source nor a module is named, the code is that of the current folder, unless
    /// every function says its module.
    pub fn read(given: &'a [String]) -> Result<Words<'a>, Failure> {
        let mut words = Words::default();
        for word in given {
            match word.as_str() {
                word if is_path(word) || Path::new(word).exists() => words.sources.push(source_path(Path::new(word))?),
                word if is_call(word) => words.calls.push(word),
                word if has_arity(word) => words.functions.push(word),
                word if word.contains(['/', '\\']) => return Err(Failure::no_file(Path::new(word))),
                word => words.bare.push(word),
            }
        }
        let is_whole = |word: &&str| {
            function_name(word).is_ok() || (is_call(word) && word.split('(').next().is_some_and(|it| it.contains(':')))
        };
        let mut named = words.functions.iter().chain(&words.calls);
        let is_local = named.clone().any(|word| !is_whole(word));
        if words.sources.is_empty() && words.bare.is_empty() && (is_local || named.next().is_none()) {
            words.sources.push(SourcePath::Here);
        }
        Ok(words)
    }
}

/// True if a word is a call rather than a source or a name.
pub(crate) fn is_call(word: &str) -> bool {
    word.contains('(') && word.trim_end().trim_end_matches('.').trim_end().ends_with(')')
}

/// True for what ends like `f/1`.
fn has_arity(word: &str) -> bool {
    let arity = word.rsplit_once('/').map(|(_, arity)| arity);
    arity.is_some_and(|arity| !arity.is_empty() && arity.len() < 4 && arity.bytes().all(|byte| byte.is_ascii_digit()))
        && !Path::new(word).parent().is_some_and(|folder| folder.components().count() > 0 && folder.is_dir())
}

/// Returns the module that a word names, or the failure with what may have been meant.
pub(crate) fn module(opened: &Opened, given: &[Atom], word: &str) -> Result<Atom, Failure> {
    let session = &opened.session;
    if let Some(module) = module_name(word)
        && (session.module(module).is_ok() || given.contains(&module))
    {
        return Ok(module);
    }
    if let Some((module, function)) = qualified(word) {
        let known = session.module(module).map_err(|_| unknown_module(opened, given, word, module))?;
        let names: Vec<Name> = known.exported().into_iter().chain(known.private()).collect();
        return Err(without_arity(word, &[(module, names)], function));
    }
    let module = module_name(word).ok_or_else(|| Failure::no_file(Path::new(word)))?;
    if word.contains('.') && nearest_file(Path::new(word)).is_some() {
        return Err(Failure::no_file(Path::new(word)));
    }
    match session.module(module) {
        Err(host::ExtractError::NoModule { .. }) => Err(unknown_module(opened, given, word, module)),
        Err(error) => Err(error.into()),
        Ok(_) => Ok(module),
    }
}

/// The failure of a word that is neither a module nor a function of those that are there.
fn unknown_module(opened: &Opened, given: &[Atom], word: &str, module: Atom) -> Failure {
    let own = own_modules(opened, given);
    let names = |module: &Atom| {
        let known = opened.session.module(*module).ok();
        (*module, known.map(|known| known.exported()).unwrap_or_default())
    };
    let functions: Vec<(Atom, Vec<Name>)> = own.iter().map(names).collect();
    let is_one = functions.iter().flat_map(|(_, names)| names).any(|name| name.function.name() == word);
    if is_one {
        return without_arity(word, &functions, Atom::new(word));
    }
    let typed: Vec<String> = own.iter().map(|module| as_typed(*module)).collect();
    if let Some(near) = nearest(typed.iter().map(String::as_str), word.split([':', '/']).next().unwrap_or(word)) {
        return Failure::Unusable(format!("no module {word}; did you mean {near}?"));
    }
    if let Some(file) = file_of(word) {
        return Failure::Unusable(format!("no module {word}; did you mean {file}?"));
    }
    let near = nearest(functions.iter().flat_map(|(_, names)| names).map(|name| name.function.name()), word);
    near.map_or(Failure::NoModule(module), |near| without_arity(word, &functions, Atom::new(near)))
}

/// The source in the current folder whose name is most like a module's.
fn file_of(word: &str) -> Option<String> {
    let here = Path::new(".");
    let found = ["erl", "ex"].iter().flat_map(|ending| files(here, ending));
    let names: Vec<String> = found.filter_map(|path| path.file_name()?.to_str().map(str::to_owned)).collect();
    let stem = |name: &str| name.rsplit_once('.').map_or(name.to_owned(), |(stem, _)| stem.to_owned());
    let stems: Vec<String> = names.iter().map(|name| stem(name)).collect();
    let near = nearest(stems.iter().map(String::as_str), word)?;
    names.iter().find(|name| stem(name) == near).cloned()
}

/// The modules of the sources and of the projects.
fn own_modules(opened: &Opened, given: &[Atom]) -> Vec<Atom> {
    let of_projects = opened.projects.iter().flat_map(|built| &built.modules).map(|module| stem(&module.file));
    let mut own = given.to_vec();
    of_projects.for_each(|module| {
        if !own.contains(&module) {
            own.push(module)
        }
    });
    own
}

/// The failure that functions of a name are called with the number of their arguments.
fn without_arity(word: &str, modules: &[(Atom, Vec<Name>)], function: Atom) -> Failure {
    let several = modules.iter().filter(|(_, names)| names.iter().any(|name| name.function == function)).count() > 1;
    let is_qualified = qualified(word).is_some() || several;
    let whole = |module: Atom, name: &Name| match is_qualified {
        true => typed_function(Mfa { module, function: name.function, arity: name.arity }),
        false => format!("{}/{}", name.function, name.arity),
    };
    let all = modules.iter().flat_map(|(module, names)| names.iter().map(move |name| (*module, name)));
    let mut offers: Vec<String> =
        all.filter(|(_, name)| name.function == function).map(|(module, name)| whole(module, name)).collect();
    offers.sort();
    if !offers.is_empty() {
        return Failure::Unusable(format!(
            "{word}: a function is named with its number of arguments: {}",
            alternatives(&offers)
        ));
    }
    let names: Vec<&str> = modules.iter().flat_map(|(_, names)| names).map(|name| name.function.name()).collect();
    match nearest(names, function.name()) {
        Some(near) if near != function.name() => without_arity(word, modules, Atom::new(near)),
        _ => Failure::Unusable(format!("no function {word}")),
    }
}

/// A module as people type it.
pub(crate) fn as_typed(module: Atom) -> String {
    module.name().strip_prefix("Elixir.").map_or_else(|| module.to_string(), str::to_owned)
}

/// `m:f/1`, or `M.f/1` in Elixir.
fn typed_function(function: Mfa) -> String {
    match function.module.name().strip_prefix("Elixir.") {
        Some(module) => format!("{module}.{}/{}", function.function.name(), function.arity),
        None => function.to_string(),
    }
}

/// Returns the function of `f/1` in the one module that has it, or `m:f/1`; an error is a sentence.
pub(crate) fn function_in(session: &Session, modules: &[Atom], text: &str) -> Result<Mfa, String> {
    if let Ok(function) = function_name(text) {
        return Ok(function);
    }
    let [first, ..] = modules else { return function_name(text) };
    let function = crate::names::local(*first, text)?;
    if modules.len() == 1 {
        return Ok(function);
    }
    let all = modules.iter().map(|module| Mfa { module: *module, ..function });
    let has = |it: &Mfa| session.module(it.module).is_ok_and(|module| module.has(it.function, it.arity));
    let owners: Vec<Mfa> = all.filter(has).collect();
    match owners[..] {
        [owner] => Ok(owner),
        [] => Err(nowhere(session, modules, text, function)),
        _ => {
            let offers: Vec<String> = owners.iter().map(|owner| typed_function(*owner)).collect();
            Err(format!("several modules have {text}: write {}", alternatives(&offers)))
        }
    }
}

fn nowhere(session: &Session, modules: &[Atom], text: &str, wanted: Mfa) -> String {
    let loaded: Vec<_> = modules.iter().filter_map(|module| Some((*module, session.module(*module).ok()?))).collect();
    let names: Vec<(Atom, Name)> =
        loaded.iter().flat_map(|(module, it)| it.names().map(|name| (*module, name))).collect();
    let near = nearest(names.iter().map(|(_, name)| name.function.name()), wanted.function.name());
    let mut offers: Vec<String> = names
        .iter()
        .filter(|(_, name)| Some(name.function.name()) == near)
        .map(|(module, name)| typed_function(Mfa { module: *module, function: name.function, arity: name.arity }))
        .collect();
    offers.sort();
    match offers.is_empty() {
        true => format!("no function {text}: none of the modules has it"),
        false => format!("no function {text}: none of the modules has it; did you mean {}?", alternatives(&offers)),
    }
}
