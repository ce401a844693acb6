//! The jobs of an exploration, by the options and the configuration.

use search::Ignore;
use session::job::Job;
use session::resolve::{check, precondition, precondition_option, unusable_option};
use session::{Failure, Session};
use term::Mfa;

use crate::config::Config;
use crate::options::ExploreOptions;

/// The jobs of these functions; every mistake is reported before anything is explored.
pub fn jobs(
    options: &ExploreOptions,
    config: &Config,
    session: &Session,
    functions: &[Mfa],
) -> Result<Vec<Job>, Failure> {
    let ignore = ignored(options)?;
    config.check_names(|function| check(session, functions, function))?;
    let job = |function: &Mfa| {
        let precondition = match precondition_option(session, *function, options.pre.as_deref())? {
            None => config.precondition(*function, |text| precondition(session, *function, text))?,
            given => given,
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
