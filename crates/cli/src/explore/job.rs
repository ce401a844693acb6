//! What is to be done with one function: which exceptions are no findings, and which inputs are allowed.

use frontend::core::Name;
use search::Ignore;
use term::Mfa;

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
pub fn jobs(options: &ExploreOptions, outside: &Shared, functions: &[Mfa]) -> Result<Vec<Job>, Failure> {
    let ignore = ignored(options)?;
    let job = |function: &Mfa| {
        let precondition = options.pre.as_ref().map(|pre| precondition(outside, *function, pre)).transpose()?;
        Ok(Job { function: *function, ignore: ignore.clone(), precondition })
    };
    functions.iter().map(job).collect()
}

fn ignored(options: &ExploreOptions) -> Result<Vec<Ignore>, Failure> {
    let read = |text: &String| Ignore::parse(text).map_err(|why| Failure::Unusable(format!("--ignore {text}: {why}")));
    options.ignore.iter().map(read).collect()
}

/// `valid/2` of the function's own module, exported or not, or `m:valid/2`.
fn precondition(outside: &Shared, function: Mfa, text: &str) -> Result<Mfa, Failure> {
    let unusable = |why: String| Failure::Unusable(format!("--pre {text}: {why}"));
    let pre = local(function.module, text).or_else(|_| options::function_name(text)).map_err(unusable)?;
    let mut outside = outside.borrow_mut();
    let Outside { host, library, .. } = &mut *outside;
    let module = library.module(host, pre.module)?;
    let name = Name { function: pre.function, arity: pre.arity };
    let there = module.exports(pre.function, pre.arity)
        || pre.module == function.module && module.names().any(|other| other == name);
    match (there, pre.arity == function.arity) {
        (true, true) => Ok(pre),
        (true, false) => Err(unusable(format!("{function} has another number of arguments"))),
        (false, _) => Err(unusable(Failure::NoFunction(pre, module.arities(pre.function)).to_string())),
    }
}
