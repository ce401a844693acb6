//! A look at the installation: versions, places, and the walls that stand.

use std::process::{Command, Stdio};

use host::standing_walls;

use crate::{Failure, SessionOptions};

/// What was found, each fact with its name; the first failure if no program could be run here.
pub struct Diagnosis {
    /// Names and values, in the order in which they are read.
    pub facts: Vec<(&'static str, String)>,
    /// What the operating system cannot keep programs from.
    pub missing: Vec<&'static str>,
    /// Why the VM does not run.
    pub failure: Option<Failure>,
}

/// Looks at the Erlang installation, the solver, the cache and the walls.
pub fn diagnose(options: &SessionOptions) -> Diagnosis {
    let mut facts = vec![("hound", env!("CARGO_PKG_VERSION").to_owned())];
    let started = options.start_host(options.paths.clone()).and_then(|mut host| {
        let release = "erlang:system_info(system_version)";
        let call = term::Call::read(release).map_err(|error| Failure::Unusable(error.to_string()))?;
        match host.call(&call) {
            host::CallResult::Ended(_) => Ok(host),
            host::CallResult::HostDied(why) => Err(Failure::Host(why)),
            _ => Err(Failure::Host("the VM gives no answer".to_owned())),
        }
    });
    match &started {
        Ok(host) => facts.extend(host.facts()),
        Err(failure) => facts.push(("erlang", format!("missing: {failure}"))),
    }
    facts.push(("z3", solver_version().unwrap_or_else(|| "missing: fewer conditions are settled".to_owned())));
    let walls = standing_walls();
    facts.extend(walls.lines());
    Diagnosis { facts, missing: walls.missing(), failure: started.err() }
}

/// Returns what the operating system cannot keep programs from, each as a phrase.
pub fn missing_walls() -> Vec<&'static str> {
    standing_walls().missing()
}

fn solver_version() -> Option<String> {
    let output = Command::new("z3").arg("--version").stdin(Stdio::null()).output().ok()?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned()).filter(|text| !text.is_empty())
}
