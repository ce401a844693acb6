//! Places of findings as people find them: stack traces have the names of files that the compiler was given.

use search::{Defect, Finding};
use term::Term;

use crate::Session;

/// Names files in a finding as they are found from the current folder.
pub(crate) fn show(session: &Session, finding: &mut Finding) {
    if let Some(at) = &mut finding.at {
        at.file = session.shown_file(at.function.module, &at.file);
    }
    let Defect::Crash(exception) = &mut finding.defect else { return };
    let Some(entries) = exception.stack.proper_list() else { return };
    let entries = entries.iter().map(|entry| {
        let Some((recorded, shown, renamed)) = renamed(session, entry) else { return entry.clone() };
        finding.text = finding.text.replace(&format!("({recorded},"), &format!("({shown},"));
        renamed
    });
    exception.stack = Term::list(entries.collect::<Vec<_>>());
}

/// The file of `{M, F, ArityOrArgs, Location}`, its other name, and the entry with that.
fn renamed(session: &Session, entry: &Term) -> Option<(String, String, Term)> {
    let [module, function, arity, location] = entry.as_tuple()? else { return None };
    let facts = location.proper_list()?;
    let is_file =
        |fact: &Term| matches!(fact.as_tuple(), Some([key, _]) if key.as_atom().is_some_and(|it| it.name() == "file"));
    let at = facts.iter().position(is_file)?;
    let [key, file] = facts[at].as_tuple()? else { return None };
    let chars = file.cells().map(|char| char::from_u32(u32::try_from(char.as_i64()?).ok()?));
    let recorded: String = chars.collect::<Option<_>>()?;
    let shown = session.shown_file(module.as_atom()?, &recorded);
    let renamed = Term::tuple([key.clone(), Term::string(&shown)]);
    let facts = facts.iter().enumerate().map(|(place, fact)| if place == at { renamed.clone() } else { fact.clone() });
    let location = Term::list(facts.collect::<Vec<_>>());
    let entry = Term::tuple([module.clone(), function.clone(), arity.clone(), location]);
    (shown != recorded).then_some((recorded, shown, entry))
}
