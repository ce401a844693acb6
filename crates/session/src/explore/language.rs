//! The language of a program: that of its modules, and the structs of Elixir in what is reported.

use exec::forward::Ending;
use search::{Exploration, Finding};
use term::{Atom, Call, Language, Outcome, Structs, Term};

use crate::Session;
use crate::job::JobResult;

impl Session {
    /// Returns the language of a module: that of its source, or, where that is Erlang which a compiler has written, of the
    /// source that its first function names.
    pub fn language(&self, module: Atom) -> Language {
        let Ok(loaded) = self.module(module) else { return Language::of_name(module) };
        match Language::of(module, &loaded.file) {
            Language::Erlang => {
                let first = loaded.exported().first().and_then(|name| loaded.file_of(*name));
                first.map_or(Language::Erlang, |file| Language::of(module, &file))
            }
            language => language,
        }
    }

    /// Adds the structs in terms, as their modules define them.
    pub(crate) fn add_structs<'t>(&self, terms: impl IntoIterator<Item = &'t Term>, structs: &mut Structs) {
        for module in terms.into_iter().flat_map(Term::struct_modules) {
            let is_known = |session: &Session| session.module(module).is_ok_and(|it| it.has(Atom::new(MAKER), 0));
            if structs.has(module) || !is_known(self) {
                continue;
            }
            let call = Call { module, function: Atom::new(MAKER), args: Vec::new() };
            if let host::CallResult::Ended(Outcome::Value(made)) = self.host().confirm(&call) {
                structs.add(module, &made);
            }
        }
    }
}

/// The function that makes a struct with its defaults.
const MAKER: &str = "__struct__";

/// Notes the structs in everything of a result that is shown or written as a test.
pub(super) fn note_structs(session: &Session, result: &mut JobResult) {
    if result.language != Language::Elixir {
        return;
    }
    let Exploration { findings, unconfirmed, outside, ignored, cases, executions, .. } = &result.exploration;
    let found = findings.iter().chain(result.earlier.fixed.iter().map(|fixed| &fixed.finding)).flat_map(of_finding);
    let cases = cases.iter().chain(executions);
    let made = cases.flat_map(|case| case.stimulus.inputs.iter().chain(of_ending(&case.ending)));
    let others = unconfirmed.iter().flat_map(|one| &one.stimulus.inputs);
    let others =
        others.chain(outside.iter().flat_map(|one| &one.inputs)).chain(ignored.iter().flat_map(|one| &one.inputs));
    let mut structs = Structs::default();
    session.add_structs(found.chain(made).chain(others), &mut structs);
    result.structs = structs;
}

fn of_finding(finding: &Finding) -> impl Iterator<Item = &Term> {
    finding.stimulus.inputs.iter().chain(finding.defect.term())
}

fn of_ending(ending: &Ending) -> Option<&Term> {
    match ending {
        Ending::Value(value) => Some(value),
        Ending::Raised(raised) => Some(&raised.reason),
        _ => None,
    }
}
