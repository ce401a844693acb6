//! The language of a program: that of its modules, and the structs of Elixir in what is reported.

use exec::forward::Ending;
use search::{Defect, Exploration, Finding, MachineSubject, TestSubject, broken_contract};
use term::{Atom, Call, Fun, Language, Mfa, Notation, Outcome, Structs, Term};

use crate::Session;
use crate::confirm::is_same_exception;
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

/// Returns what a finding shows in the words of another language than Erlang. Elixir's are its own, of the exception that the
/// VM raises in a call of this function: it knows more about it than our machine.
pub(super) fn native(
    session: &Session,
    program: &MachineSubject<'_>,
    finding: &Finding,
    called: Mfa,
) -> Option<String> {
    let entry = program.entry_point();
    if entry.facts.language != Language::Elixir {
        return None;
    }
    let inputs = &finding.stimulus.inputs;
    match &finding.defect {
        Defect::Crash(exception) => {
            let call = Call { module: called.module, function: called.function, args: inputs.clone() };
            let is_alone = finding.stimulus.schedule.is_empty();
            let on_vm = is_alone.then(|| session.host().confirm(&call)).and_then(|ended| match ended {
                host::CallResult::Ended(Outcome::Raised(raised)) => Some(raised.named(inputs)),
                _ => None,
            });
            let raised = on_vm.filter(|raised| is_same_exception(raised, exception));
            let banner = session.host().format_banner(raised.as_ref().unwrap_or(exception));
            banner.ok().map(|banner| without_tables(&banner))
        }
        Defect::Contract(value) => {
            let mut structs = Structs::default();
            session.add_structs([value], &mut structs);
            let notation = Notation { language: entry.facts.language, structs: &structs };
            Some(broken_contract(notation, program.grammar(), entry, finding.signature, value))
        }
        _ => None,
    }
}

/// A text without the names that funs of the input have on the VM: `#Function<18.85910562/2 in :hound_table.make/2>`.
fn without_tables(text: &str) -> String {
    let mut parts = text.split("#Function<");
    let first = parts.next().unwrap_or_default().to_owned();
    let maker = format!(" in :{}.", Fun::TABLES);
    parts.fold(first, |out, part| {
        let shown = part.split_once('>').filter(|(name, _)| name.contains(&maker));
        let arity = |name: &str| name.split_once('/').and_then(|(_, rest)| rest.split(' ').next().map(str::to_owned));
        match shown.and_then(|(name, rest)| Some((arity(name)?, rest))) {
            Some((arity, rest)) => format!("{out}#Function<…/{arity}>{rest}"),
            None => format!("{out}#Function<{part}"),
        }
    })
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn funs_of_the_input_have_no_names_of_the_vm() {
        let text = "with #Function<18.85910562/2 in :hound_table.make/2> and #Function<1.2/1 in Shop.f/0>, 1 > 0";
        assert_eq!(without_tables(text), "with #Function<…/2> and #Function<1.2/1 in Shop.f/0>, 1 > 0");
        assert_eq!(without_tables("#Function<"), "#Function<");
    }
}
