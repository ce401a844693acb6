//! A finding in a sentence: what happened, where that is not plain from the exception itself.

use search::{Defect, Finding, FindingCode};
use session::job::JobResult;
use term::{Exception, Mfa, Notation, Term};

use super::loops::loop_phrase;
use crate::notation;
use crate::phrases::{LEAK, shortened};

/// Characters of a value in a sentence.
const VALUE: usize = 60;

/// Returns the sentence of a finding.
pub(super) fn sentence(explored: &JobResult, finding: &Finding) -> String {
    let notation = explored.notation();
    let shown = |value: &Term| shown(notation, value);
    match &finding.defect {
        Defect::Crash(exception) => of_exception(explored, finding, exception),
        Defect::Deadlock(_) => "no process can go on, and the call has no end".to_owned(),
        Defect::Leak(_) => LEAK.to_owned(),
        Defect::Property(value) => format!("the property gives {}, not true", shown(value)),
        Defect::Loop(endless) => loop_phrase(notation, endless, finding.at.as_ref()),
        Defect::Contract(value) => format!("the value {} is none of its spec", shown(value)),
    }
}

fn of_exception(explored: &JobResult, finding: &Finding, exception: &Exception) -> String {
    let notation = explored.notation();
    let shown = |value: &Term| shown(notation, value);
    let Exception { class, reason, .. } = exception;
    let code = FindingCode::of(&finding.defect);
    let value = reason.as_tuple().and_then(|parts| parts.get(1)).map(&shown).unwrap_or_default();
    let called = finding.key.via.or(finding.key.function);
    let name = called.map_or_else(|| "the function".to_owned(), |called| function_name(explored, called));
    match (code, finding.key.via) {
        (FindingCode::FunctionClause, _) => format!("no clause of {name} takes the arguments"),
        (FindingCode::Badarg, Some(via)) => {
            format!("{} does not take these arguments", notation::other_name(explored, via))
        }
        (FindingCode::Undef, _) => format!("{} is called and is not there", missing(exception).unwrap_or(name)),
        (FindingCode::Assertion, _) => finding.ranking.reason.clone(),
        (FindingCode::Exception, _) => of_struct(reason),
        (code, _) => match (about(code, &value), plain(code)) {
            (Some(sentence), _) => sentence,
            (None, Some(sentence)) => sentence.to_owned(),
            (None, None) => format!("{class} with {}", shown(reason)),
        },
    }
}

/// The sentence of an exception that carries a value.
fn about(code: FindingCode, value: &str) -> Option<String> {
    let sentence = match code {
        FindingCode::CaseClause => format!("no clause of the case takes {value}"),
        FindingCode::TryClause => format!("no clause of the try takes {value}"),
        FindingCode::ElseClause => format!("no clause of the else takes {value}"),
        FindingCode::Badmatch => format!("{value} does not match"),
        FindingCode::Badfun => format!("{value} is called and is no fun"),
        FindingCode::Badkey => format!("the map has no key {value}"),
        FindingCode::Badmap => format!("{value} is no map"),
        FindingCode::Badrecord => format!("{value} is not the record"),
        FindingCode::BadGenerator => format!("a comprehension cannot go over {value}"),
        FindingCode::BadFilter => format!("a filter gives {value}, neither true nor false"),
        FindingCode::Nocatch => format!("{value} is thrown and nothing catches it"),
        _ => return None,
    };
    Some(sentence)
}

/// The sentence of an exception that says nothing but its name.
fn plain(code: FindingCode) -> Option<&'static str> {
    match code {
        FindingCode::IfClause => Some("no branch of the if is true"),
        FindingCode::Badarith => Some("arithmetic on values that it is not defined for"),
        FindingCode::Badarg => Some("an argument is not what it has to be"),
        FindingCode::Badarity => Some("a fun is called with another number of arguments than it takes"),
        FindingCode::Noproc => Some("a process is called that is not there"),
        FindingCode::TimeoutValue => Some("a timeout is neither milliseconds nor infinity"),
        FindingCode::SystemLimit => Some("a limit of the VM is reached"),
        _ => None,
    }
}

/// The function that is not there: the first of the stack.
fn missing(exception: &Exception) -> Option<String> {
    let entry = exception.stack.cells().next()?.as_tuple()?;
    let [module, function, args, ..] = entry else { return None };
    let arity = args.as_i64().or_else(|| Some(args.proper_list()?.len() as i64))?;
    Some(format!("{module}:{function}/{arity}"))
}

/// `KeyError: key :a not found`.
fn of_struct(reason: &Term) -> String {
    let field = |name: &str| reason.as_map().and_then(|map| map.get(&Term::atom_named(name)).cloned());
    let name = field("__struct__").and_then(|name| name.as_atom()).map_or("", |name| name.name());
    let text = field("message").and_then(|message| match message {
        Term::Bits(_, bits) => String::from_utf8(bits.as_bytes()?.to_vec()).ok(),
        _ => None,
    });
    let name = name.strip_prefix("Elixir.").unwrap_or(name);
    text.map_or_else(|| format!("{name} is raised"), |text| shortened(format!("{name}: {text}"), VALUE * 2))
}

/// `total/2`, or `a fun in total/2`.
pub(super) fn function_name(explored: &JobResult, function: Mfa) -> String {
    match session::library::enclosing(function) {
        Some(outer) => format!("a fun in {}", explored.notation().local(outer.function, outer.arity)),
        None => notation::other_name(explored, function),
    }
}

fn shown(notation: Notation<'_>, value: &Term) -> String {
    let text = if notation.is_elixir() { notation.shown(value) } else { value.write(term::Style::Folded) };
    shortened(text, VALUE)
}
