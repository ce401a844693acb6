//! What is to be done with one function: which exceptions are no findings, and which inputs are allowed.

use frontend::core::Name;
use search::Ignore;
use term::Mfa;

use super::config::Config;
use super::targets::local;
use crate::failure::Failure;
use crate::options::{self, ExploreOptions};
use crate::world::{Outside, Shared};

pub struct Job {
    pub function: Mfa,
    pub ignore: Vec<Ignore>,
    pub precondition: Option<Mfa>,
}

/// The jobs of these functions; every mistake is told before anything is explored.
pub fn jobs(
    options: &ExploreOptions,
    config: &Config,
    outside: &Shared,
    functions: &[Mfa],
) -> Result<Vec<Job>, Failure> {
    let ignore = ignored(options)?;
    config.check_names(|function| check(outside, functions, function))?;
    let job = |function: &Mfa| {
        let precondition = match &options.pre {
            Some(text) => Some(precondition(outside, *function, text).map_err(|why| unusable("--pre", text, &why))?),
            None => config.precondition(*function, |text| precondition(outside, *function, text))?,
        };
        let ignore = [ignore.clone(), config.ignored(*function)].concat();
        Ok(Job { function: *function, ignore, precondition })
    };
    functions.iter().map(job).collect()
}

pub fn unusable(option: &str, text: &str, why: &str) -> Failure {
    Failure::Unusable(format!("{option} {text}: {why}"))
}

fn ignored(options: &ExploreOptions) -> Result<Vec<Ignore>, Failure> {
    let read = |text: &String| Ignore::parse(text).map_err(|why| unusable("--ignore", text, &why.to_string()));
    options.ignore.iter().map(read).collect()
}

/// A function of a module that is being explored must be one of its exports; of others nothing is known.
fn check(outside: &Shared, functions: &[Mfa], function: Mfa) -> Result<(), String> {
    if !functions.iter().any(|explored| explored.module == function.module) {
        return Ok(());
    }
    let mut outside = outside.borrow_mut();
    let Outside { host, library, .. } = &mut *outside;
    let module = library.module(host, function.module).map_err(|error| error.to_string())?;
    if module.exports(function.function, function.arity) { Ok(()) } else { Err(module.missing(function).to_string()) }
}

/// How many arguments a precondition takes, by its name.
pub fn arity(text: Option<&str>) -> Option<u8> {
    text?.rsplit_once('/')?.1.parse().ok()
}

/// `valid/2` of the function's own module, exported or not, or `m:valid/2`.
pub fn precondition(outside: &Shared, function: Mfa, text: &str) -> Result<Mfa, String> {
    let pre = local(function.module, text).or_else(|_| options::function_name(text))?;
    let mut outside = outside.borrow_mut();
    let Outside { host, library, .. } = &mut *outside;
    let module = library.module(host, pre.module).map_err(|error| Failure::from(error).to_string())?;
    let name = Name { function: pre.function, arity: pre.arity };
    let own = pre.module == function.module && module.names().any(|other| other == name);
    match (own || module.exports(pre.function, pre.arity), pre.arity == function.arity) {
        (true, true) => Ok(pre),
        (true, false) => Err(format!("{function} has another number of arguments")),
        (false, _) if pre.module == function.module => Err(module.missing_anywhere(pre).to_string()),
        (false, _) => Err(module.missing(pre).to_string()),
    }
}
