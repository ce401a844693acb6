//! The jobs of an exploration, by the options and the configuration.

use search::Ignore;
use session::Failure;
use session::job::Job;
use session::session::Shared;
use session::symbols::{check, precondition, unusable_option};
use term::Mfa;

use super::config::Config;
use crate::options::ExploreOptions;

/// The jobs of these functions; every mistake is reported before anything is explored.
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
            Some(text) => {
                Some(precondition(outside, *function, text).map_err(|why| unusable_option("--pre", text, &why))?)
            }
            None => config.precondition(*function, |text| precondition(outside, *function, text))?,
        };
        let ignore = [ignore.clone(), config.ignored(*function)].concat();
        Ok(Job { function: *function, ignore, precondition })
    };
    functions.iter().map(job).collect()
}

fn ignored(options: &ExploreOptions) -> Result<Vec<Ignore>, Failure> {
    let read = |text: &String| Ignore::parse(text).map_err(|why| unusable_option("--ignore", text, &why.to_string()));
    options.ignore.iter().map(read).collect()
}
