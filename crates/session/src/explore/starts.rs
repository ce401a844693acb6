//! Start inputs: calls among the words of an exploration, whose inputs are run before all others.

use search::{Signature, written};
use term::{Atom, Call, Mfa, Term};

use super::inputs::Inputs;
use super::sequenced::sequence_domain;
use crate::job::Job;
use crate::{Failure, Session};

/// Reads `m:f(1, [a])`, or `f(1, [a])` of the one module.
pub(super) fn start(modules: &[Atom], word: &str) -> Result<Call, Failure> {
    let text = match modules {
        [module] if !has_module(word) => format!("{}:{}", Term::atom(*module), word.trim()),
        _ => word.trim().to_owned(),
    };
    Call::read(&text).map_err(|error| {
        let wanted = "write module:function(Arguments), with arguments that are terms, such as m:f(33, [a, \"b\"])";
        Failure::Unusable(format!("{text}: {error}; {wanted}"))
    })
}

/// True if a call names its module.
fn has_module(text: &str) -> bool {
    let (mut is_quoted, head) = (false, text.split('(').next().unwrap_or(text));
    head.chars().any(|char| {
        is_quoted ^= char == '\'';
        char == ':' && !is_quoted
    })
}

/// Returns the failure of a call of a function that is neither one of the sources' own nor named.
pub(super) fn check_function(modules: &[Atom], named: &[Mfa], call: &Call) -> Result<(), Failure> {
    if modules.is_empty() || modules.contains(&call.module) || named.contains(&call.mfa()) {
        return Ok(());
    }
    let list: Vec<String> = modules.iter().map(|module| Term::atom(*module).to_string()).collect();
    let known = if list.len() > MODULES { "those given".to_owned() } else { list.join(", ") };
    Err(Failure::Unusable(format!(
        "{call}: {} is not a function of the sources, whose modules are {known}; give its file or module too",
        call.mfa()
    )))
}

/// Modules that are listed.
const MODULES: usize = 6;

/// Returns the failure of the first start input that its function's exploration cannot begin with, with what to do.
pub fn check_starts(session: &Session, jobs: &[Job]) -> Result<(), Failure> {
    let mut starts = jobs.iter().flat_map(|job| job.settings.starts.iter().map(move |call| (job, call)));
    starts.try_for_each(|(job, call)| if call.mfa() == job.function { check(session, job, call) } else { Ok(()) })
}

fn check(session: &Session, job: &Job, call: &Call) -> Result<(), Failure> {
    let unusable = |why: String| Err(Failure::Unusable(format!("{call}: {why}")));
    if sequence_domain(job, session).is_some() {
        return unusable(format!(
            "values of opaque types and states of {} are made by calls, not written down; write a function that makes these \
             calls, and start with that",
            call.mfa()
        ));
    }
    let Inputs { domain, .. } = Inputs::without_calls(job, session);
    if let Some(why) = outside(&domain.target.signatures, &domain.grammar, &call.args) {
        return unusable(format!(
            "{why}; only inputs of the spec are explored: change the call or the spec, or try this call alone with `hound run`"
        ));
    }
    match job.precondition {
        Some(precondition) if !is_true(session, job, precondition, &call.args) => unusable(format!(
            "{precondition} is not true for these inputs; change the call or --pre, or try this call alone with `hound run`"
        )),
        _ => Ok(()),
    }
}

/// The reason why no clause of a spec allows inputs, if none does.
fn outside(signatures: &[Signature], grammar: &constraint::Grammar, args: &[Term]) -> Option<String> {
    if signatures.iter().any(|signature| signature.allows(grammar, args)) {
        return None;
    }
    Some(match signatures {
        [one] => unfit(one, grammar, args),
        _ => "no clause of the spec allows these inputs".to_owned(),
    })
}

/// The first argument that is not of its type.
fn unfit(signature: &Signature, grammar: &constraint::Grammar, args: &[Term]) -> String {
    let all = signature.inputs.iter().zip(args).zip(1..);
    let mut wrong = all.filter(|((rule, arg), _)| !solve::structural::accepts(grammar, **rule, arg));
    match wrong.next() {
        Some(((rule, arg), at)) => format!("argument {at} is {arg}, and the spec wants {}", written(grammar, *rule)),
        None => "the spec does not allow these inputs".to_owned(),
    }
}

fn is_true(session: &Session, job: &Job, precondition: Mfa, args: &[Term]) -> bool {
    let Mfa { module, function, .. } = precondition;
    let call = Call { module, function, args: args.to_vec() };
    let (mut machine, _) = job.settings.machine(false, job.function);
    let outcome = machine.sample(&mut session.clone(), &call);
    // A precondition that depends on more than its arguments is asked in each run.
    outcome.is_none_or(
        |outcome| matches!(outcome, term::Outcome::Value(value) if value.as_atom() == Some(term::known::TRUE)),
    )
}
