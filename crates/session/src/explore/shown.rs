//! Places of findings as people find them: stack traces have the names of files that the compiler was given.

use search::{Defect, Finding};
use term::{Atom, Exception, Term};

use crate::Session;

/// Names files in a finding as they are found from the current folder.
pub(crate) fn show(session: &Session, finding: &mut Finding) {
    if let Some(at) = &mut finding.at {
        at.file = session.shown_file(at.function.module, &at.file);
    }
    if let Defect::Crash(exception) = &mut finding.defect {
        shown_trace(session, exception);
    }
}

fn shown_trace(session: &Session, exception: &mut Exception) {
    let Some(entries) = exception.stack.proper_list() else { return };
    exception.stack =
        Term::list(entries.iter().map(|entry| shown_entry(session, entry).unwrap_or_else(|| entry.clone())));
}

/// `{M, F, ArityOrArgs, Location}` with another file.
fn shown_entry(session: &Session, entry: &Term) -> Option<Term> {
    let [module, function, arity, location] = entry.as_tuple()? else { return None };
    let name = module.as_atom()?;
    let location = location.proper_list()?;
    let location = location.iter().map(|fact| shown_fact(session, name, fact).unwrap_or_else(|| fact.clone()));
    Some(Term::tuple([module.clone(), function.clone(), arity.clone(), Term::list(location)]))
}

fn shown_fact(session: &Session, module: Atom, fact: &Term) -> Option<Term> {
    let [key, file] = fact.as_tuple()? else { return None };
    if key.as_atom()?.name() != "file" {
        return None;
    }
    let chars = file.cells().map(|char| char::from_u32(u32::try_from(char.as_i64()?).ok()?));
    let file: String = chars.collect::<Option<_>>()?;
    Some(Term::tuple([key.clone(), Term::string(&session.shown_file(module, &file))]))
}
