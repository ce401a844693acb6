//! What reports write in the language of the explored program: names, calls, exceptions, causes and sentences.
//!
//! JSON, baselines and commands to type have Erlang's notation, whatever the program is written in.

mod exception;
mod prose;

use constraint::CallSequence;
use search::{FailureCause, Finding};
use session::job::{FindingDetail, JobResult};
use term::{Call, Language, Mfa, Notation, Term};

pub(crate) use exception::{exception_name, reason};
pub(crate) use prose::prose;

/// The notation of a function of which only the name is known.
pub(crate) fn by_name(function: Mfa) -> Notation<'static> {
    Notation { language: Language::of_name(function.module), ..Notation::ERLANG }
}

/// The explored function: `shop:total/1`, `Shop.total/1`.
pub(crate) fn name(explored: &JobResult) -> String {
    explored.notation().function(explored.function)
}

/// Another function, in the words of the explored one.
pub(crate) fn other_name(explored: &JobResult, function: Mfa) -> String {
    match Language::of_name(function.module) {
        Language::Erlang => explored.notation().function(function),
        language => Notation { language, ..explored.notation() }.function(function),
    }
}

/// The call of the explored function to paste, with those that make its inputs.
pub(crate) fn call(explored: &JobResult, inputs: &[Term]) -> String {
    call_in(explored.notation(), explored.function, inputs)
}

/// The same in any notation.
pub(crate) fn call_in(notation: Notation<'_>, function: Mfa, inputs: &[Term]) -> String {
    if let Some(sequence) = CallSequence::of(function, inputs, notation) {
        return sequence.call;
    }
    notation.call(&Call { module: function.module, function: function.function, args: inputs.to_vec() })
}

/// The call that shows a finding.
pub(crate) fn finding_call(explored: &JobResult, finding: &Finding, detail: &FindingDetail) -> String {
    let own = || call(explored, &finding.stimulus.inputs);
    detail.call.as_ref().map_or_else(own, |(call, _)| call.clone())
}

/// The separator of statements that stand in lines of their own.
pub(crate) fn statements(explored: &JobResult, statements: &[String]) -> String {
    statements.join(if explored.notation().is_elixir() { "\n" } else { ",\n" })
}

/// What a finding shows, in the words of its language.
pub(crate) fn message<'a>(finding: &'a Finding, detail: &'a FindingDetail) -> &'a str {
    detail.native.as_deref().unwrap_or(&finding.text)
}

/// The inputs that end so, and the conditions on them.
pub(crate) fn cause(explored: &JobResult, cause: &FailureCause) -> String {
    let native = cause.elixir.as_deref().filter(|_| explored.notation().is_elixir()).unwrap_or(cause);
    caused(&explored.notation().local(explored.function.function, explored.function.arity), native)
}

/// The same in Erlang.
pub(crate) fn erlang_cause(function: Mfa, cause: &FailureCause) -> String {
    caused(&Notation::ERLANG.local(function.function, function.arity), cause)
}

fn caused(name: &str, cause: &FailureCause) -> String {
    let name = name.rsplit_once('/').map_or(name, |(name, _)| name);
    let call = format!("{name}({})", cause.inputs.join(", "));
    match &cause.conditions[..] {
        [] => call,
        conditions => format!("{call} for {}", conditions.join(", ")),
    }
}
