//! The functions that the words of an exploration name.

use frontend::core::Name;
use term::{Atom, Call, Mfa};

use super::starts::{check_function, start};
use crate::domain::is_callback;
use crate::library::SourcePath;
use crate::resolve::unusable_option;
use crate::words::{Words, as_typed, function_in, module};
use crate::{Failure, Opened, Session, SessionOptions};

/// Returns the callbacks among functions, of modules that have any, with properties and private functions; of other modules
/// all.
pub fn callbacks(
    session: &Session,
    SelectedFunctions { functions, properties, starts }: SelectedFunctions,
) -> SelectedFunctions {
    let is_private = |function: Mfa| session.exported(function).is_err();
    let is_one: Vec<bool> =
        functions.iter().map(|function| !is_private(*function) && is_callback(session, *function)).collect();
    let has_one = |module: Atom| functions.iter().zip(&is_one).any(|(it, is_one)| it.module == module && *is_one);
    let is_kept = |function: Mfa| {
        properties.contains(&function)
            || starts.iter().any(|call| call.mfa() == function)
            || is_private(function)
            || !has_one(function.module)
    };
    let kept = functions.iter().zip(&is_one).filter(|(function, is_one)| **is_one || is_kept(**function));
    SelectedFunctions { functions: kept.map(|(function, _)| *function).collect(), properties, starts }
}

/// The choice of functions besides those that the words name.
#[derive(Clone, Default, Debug)]
pub struct Selection {
    /// Functions that are not exported, too.
    pub private: bool,
    /// Functions that have to give `true`, as they are written.
    pub properties: Vec<String>,
}

/// The functions of a selection, in source order; those that are not exported come last.
#[derive(Clone, Default, Debug)]
pub struct SelectedFunctions {
    /// All of them.
    pub functions: Vec<Mfa>,
    /// Those that have to give `true`.
    pub properties: Vec<Mfa>,
    /// Calls of them whose inputs are run first.
    pub starts: Vec<Call>,
}

/// Opens a session with the sources and lists the exported functions to explore, in source order.
pub fn open(words: &[String], code: &SessionOptions) -> Result<(Opened, Vec<Mfa>), Failure> {
    let (opened, selected) = open_selected(words, code, &Selection::default())?;
    Ok((opened, selected.functions))
}

/// Opens a session with the sources and lists the functions to explore. Where properties are named, and no other function,
/// these are all.
pub fn open_selected(
    words: &[String],
    code: &SessionOptions,
    selection: &Selection,
) -> Result<(Opened, SelectedFunctions), Failure> {
    let Words { sources, bare, functions: names, calls } = Words::read(words)?;
    let mut opened = Opened::new(code, &sources)?;
    let modules = opened.all_modules(&[]);
    let chosen = bare.iter().map(|word| module(&opened, &modules, word)).collect::<Result<Vec<Atom>, _>>()?;
    let modules = [chosen, modules].concat();
    if let (true, Some(failure)) = (modules.is_empty(), opened.failure()) {
        return Err(failure);
    }
    let session = &opened.session;
    let property = |name: &String| property(session, &modules, name);
    let properties: Vec<Mfa> = selection.properties.iter().map(property).collect::<Result<_, _>>()?;
    let named = |name: &&str| named(session, &modules, name, selection.private);
    let mut functions: Vec<Mfa> = names.iter().map(named).collect::<Result<_, _>>()?;
    let starts: Vec<Call> = calls.iter().map(|word| start(&modules, word)).collect::<Result<_, _>>()?;
    for call in &starts {
        check_function(&modules, &functions, call)?;
        let function = if selection.private { existing(session, call.mfa())? } else { session.exported(call.mfa())? };
        functions.extend((!functions.contains(&function)).then_some(function));
    }
    if functions.is_empty() && properties.is_empty() {
        let listed = modules.iter().map(|module| listed(session, *module, selection.private));
        functions = listed.collect::<Result<Vec<_>, _>>()?.concat();
    }
    let new = properties.iter().copied().filter(|property| !functions.contains(property)).collect::<Vec<_>>();
    functions.extend(new);
    let is_private = |function: &Mfa| session.exported(*function).is_err();
    functions.sort_by_cached_key(is_private);
    if functions.is_empty() {
        return Err(nothing(&sources, &modules));
    }
    Ok((opened, SelectedFunctions { functions, properties, starts }))
}

/// The failure that there is nothing to explore.
fn nothing(sources: &[SourcePath], modules: &[Atom]) -> Failure {
    let names: Vec<String> = modules.iter().map(|module| as_typed(*module)).collect();
    let folder = sources.first().map_or_else(|| ".".to_owned(), |source| source.path().display().to_string());
    Failure::Unusable(match names.is_empty() {
        true => format!(
            "{folder}: there is no code in it (.erl, .ex or .beam); name a folder of sources or of compiled modules, or that of \
             a project"
        ),
        false => format!(
            "nothing to explore: {} exports no function; --private explores those that it has",
            names.join(", ")
        ),
    })
}

fn listed(session: &Session, name: Atom, private: bool) -> Result<Vec<Mfa>, Failure> {
    let module = session.module(name)?;
    let hidden = if private { module.private() } else { Vec::new() };
    let names = module.exported().into_iter().chain(hidden);
    Ok(names.map(|Name { function, arity }| Mfa { module: name, function, arity }).collect())
}

/// `f/1` of the one module given, or `m:f/1`.
fn named(session: &Session, modules: &[Atom], text: &str, private: bool) -> Result<Mfa, Failure> {
    let function = function_in(session, modules, text).map_err(Failure::Unusable)?;
    if private {
        return existing(session, function);
    }
    session.exported(function).map_err(|failure| match session.module(function.module) {
        Ok(module) if module.has(function.function, function.arity) => {
            let why =
                format!("{} has it but does not export it; --private explores such functions, too", function.module);
            Failure::NoFunction(function, why)
        }
        _ => failure,
    })
}

/// A property, which need not be exported.
fn property(session: &Session, modules: &[Atom], text: &str) -> Result<Mfa, Failure> {
    let function = function_in(session, modules, text).map_err(|why| unusable_option("--property", text, &why))?;
    existing(session, function)
}

/// A function that its module has.
fn existing(session: &Session, function: Mfa) -> Result<Mfa, Failure> {
    let module = session.module(function.module)?;
    let is_there = module.has(function.function, function.arity) || module.exports(function.function, function.arity);
    if is_there { Ok(function) } else { Err(module.missing_anywhere(function)) }
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
