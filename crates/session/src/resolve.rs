//! Names of options and configuration, resolved in the library.

use term::Mfa;

use crate::explore::modules;
use crate::names::{function_name, local};
use crate::words::function_in;
use crate::{Failure, Session};

/// Returns the functions of an option that names opaque ones.
pub fn opaque_functions(given: &[String], session: &Session, functions: &[Mfa]) -> Result<Vec<Mfa>, Failure> {
    let read = |text: &String| {
        opaque_function(session, functions, text).map_err(|why| unusable_option("--opaque", text, &why))
    };
    given.iter().map(read).collect()
}

/// `f/1` of the one module that is explored, exported or not, or `m:f/1`.
pub fn opaque_function(session: &Session, functions: &[Mfa], text: &str) -> Result<Mfa, String> {
    let function = function_in(session, &modules(functions), text)?;
    let module = session.module(function.module).map_err(|error| Failure::from(error).to_string())?;
    match module.has(function.function, function.arity) {
        true => Ok(function),
        false => Err(format!("there is no {function}")),
    }
}

/// Returns the failure of an option whose value cannot be used.
pub fn unusable_option(option: &str, text: &str, why: &str) -> Failure {
    Failure::Unusable(format!("{option} {text}: {why}"))
}

/// `valid/2` of the function's own module, exported or not, or `m:valid/2`.
pub fn precondition(session: &Session, function: Mfa, text: &str) -> Result<Mfa, String> {
    let pre = local(function.module, text).or_else(|_| function_name(text))?;
    let module = session.module(pre.module).map_err(|error| Failure::from(error).to_string())?;
    let own = pre.module == function.module && module.has(pre.function, pre.arity);
    match (own || module.exports(pre.function, pre.arity), pre.arity == function.arity) {
        (true, true) => Ok(pre),
        (true, false) => Err(format!("{function} has another number of arguments")),
        (false, _) if pre.module == function.module => Err(module.missing_anywhere(pre).to_string()),
        (false, _) => Err(module.missing(pre).to_string()),
    }
}

/// Returns the precondition of an option, if it has one.
pub fn precondition_option(session: &Session, function: Mfa, pre: Option<&str>) -> Result<Option<Mfa>, Failure> {
    let read = |text| precondition(session, function, text).map_err(|why| unusable_option("--pre", text, &why));
    pre.map(read).transpose()
}

/// Returns why a configured function cannot be explored: one of an explored module must be exported; of others nothing is
/// known.
pub fn check(session: &Session, functions: &[Mfa], function: Mfa) -> Result<(), String> {
    if !functions.iter().any(|explored| explored.module == function.module) {
        return Ok(());
    }
    let module = session.module(function.module).map_err(|error| error.to_string())?;
    if functions.contains(&function) || module.exports(function.function, function.arity) {
        Ok(())
    } else {
        Err(module.missing(function).to_string())
    }
}
