//! The lines that the VM's own `cover` counts in a call: the truth that our line coverage is held against.

use host::{Host, HostError};
use term::{Atom, Call, Term};

/// One module's lines, as `cover` counts them; both lists are sorted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoveredLines {
    /// The module.
    pub module: Atom,
    /// The lines that can run.
    pub executable: Vec<u32>,
    /// The lines that ran.
    pub covered: Vec<u32>,
}

/// Runs a call with the given modules instrumented by `cover`. They stay instrumented, so a host that does this
/// should do nothing else.
pub fn cover_lines(host: &mut Host, modules: &[Atom], call: &Call) -> Result<Vec<CoveredLines>, HostError> {
    let names = Term::list(modules.iter().map(|&module| Term::atom(module)));
    let args = Term::list(call.args.iter().cloned());
    let request = [Term::atom_named("cover"), names, Term::atom(call.module), Term::atom(call.function), args];
    let answer = host.ask(&Term::tuple(request), 300_000)?;
    let lines = match answer.as_tuple() {
        Some([ok, list]) if ok.as_atom() == Some(term::known::OK) => list.cells().map(covered).collect(),
        _ => None,
    };
    lines.ok_or_else(|| HostError::Failed { detail: format!("cover: {answer}") })
}

fn covered(entry: &Term) -> Option<CoveredLines> {
    let [module, executable, covered] = entry.as_tuple()? else { return None };
    Some(CoveredLines { module: module.as_atom()?, executable: lines(executable)?, covered: lines(covered)? })
}

fn lines(list: &Term) -> Option<Vec<u32>> {
    list.cells().map(|line| line.as_i64().and_then(|line| u32::try_from(line).ok())).collect()
}
