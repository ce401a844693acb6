//! Events as text: `call([X],[W],W,[X,X])`.
//!
//! The text that defines events says twice what the bound variables of a function are. By its definition, and in its
//! instrumented program (figure 9), those of patterns are among them: `[W1,W2,H,T]`. In its list of the events that a run
//! records (example 2) they are left out: `[W1,W2]`. Nothing depends on them, so that each is followed where it stands: what
//! an instrumented program is annotated with has all of them, a recorded run only those bound by `let`.

use term::Term;

use super::table::{Called, CaseSite, EventEntry, EventTable, From, FunctionEvents};
use crate::flat::{Action, Pattern, Value, Var, action_text, pattern_text, value_text};

/// An event with the value that was recorded with it, if any.
pub fn note(function: &FunctionEvents, event: &EventEntry, value: Option<&Term>) -> String {
    let context = &function.contexts[event.context() as usize];
    note_with(function, event, value, &context.bound[..context.lets], usize::MAX)
}

/// `most`: how many alternatives of a case are written out.
fn note_with(
    function: &FunctionEvents,
    event: &EventEntry,
    value: Option<&Term>,
    shown: &[Var],
    most: usize,
) -> String {
    let names = &function.names[..];
    let context = &function.contexts[event.context() as usize];
    let around = format!("[{}],[{}]", vars(&context.params, names), vars(shown, names));
    match event {
        EventEntry::Call { binds, called, args, .. } => {
            let outside = if let Called::Outside(_) = called { ",outside" } else { "" };
            format!("call({around},{},[{}]{outside})", bound(binds, names), values(args, names))
        }
        EventEntry::Exit { values, .. } => format!("exit({around},{})", several(values, names)),
        EventEntry::Raised { .. } => format!("exit({around},raise)"),
        EventEntry::Bind { binds, from, .. } => {
            format!("bind({around},{},{})", bound(binds, names), source(function, from, value))
        }
        EventEntry::Case { clause, case, .. } => {
            let selected = &case.alternatives[*clause as usize];
            let (arg, pattern) = (several(&case.args, names), patterns(&selected.patterns, names));
            format!("case({around},{},{arg},{pattern},[{}])", clause + 1, alternatives(case, names, most))
        }
        EventEntry::ExitCase { binds, values, .. } => {
            format!("exitcase({around},{},{})", bound(binds, names), several(values, names))
        }
    }
}

/// Alternatives of a case that a comment in a program shows: a case of a thousand clauses has a thousand such comments.
const SHOWN: usize = 12;

/// All events of a table, by number, without values and without the later alternatives of large cases.
pub fn notes(table: &EventTable) -> Vec<String> {
    let events = table.functions.iter().flat_map(|function| function.events.iter().map(move |event| (function, event)));
    let note = |(function, event): (&FunctionEvents, &EventEntry)| {
        note_with(function, event, None, &function.contexts[event.context() as usize].bound, SHOWN)
    };
    events.map(note).collect()
}

fn vars(vars: &[Var], names: &[String]) -> String {
    let name = |var: &Var| names.get(var.0 as usize).map_or("_", String::as_str);
    vars.iter().map(name).collect::<Vec<_>>().join(",")
}

/// The variables that a step binds: nothing is `_`, several are `<A,B>`.
fn bound(binds: &[Var], names: &[String]) -> String {
    match binds {
        [] => "_".to_owned(),
        [_] => vars(binds, names),
        _ => format!("<{}>", vars(binds, names)),
    }
}

fn values(list: &[Value], names: &[String]) -> String {
    list.iter().map(|value| value_text(value, names)).collect::<Vec<_>>().join(",")
}

fn several(list: &[Value], names: &[String]) -> String {
    match list {
        [value] => value_text(value, names),
        _ => format!("<{}>", values(list, names)),
    }
}

fn patterns(list: &[Pattern], names: &[String]) -> String {
    let texts: Vec<String> = list.iter().map(|pattern| pattern_text(pattern, names)).collect();
    match &texts[..] {
        [text] => text.clone(),
        _ => format!("<{}>", texts.join(",")),
    }
}

fn alternatives(case: &CaseSite, names: &[String], most: usize) -> String {
    let arg = several(&case.args, names);
    let all = case.alternatives.iter().enumerate().take(most);
    let each = all.map(|(at, it)| format!("({},{arg},{})", at + 1, patterns(&it.patterns, names)));
    let rest = (case.alternatives.len() > most).then(|| "…".to_owned());
    each.chain(rest).collect::<Vec<_>>().join(",")
}

fn source(function: &FunctionEvents, from: &From, value: Option<&Term>) -> String {
    let names = &function.names[..];
    let recorded = |kind: &str| value.map_or_else(|| format!("a {kind}"), Term::to_string);
    match from {
        From::Values(list) => several(list, names),
        From::Map { base, pairs } => action_text(&Action::Map { base: base.clone(), pairs: pairs.clone() }, names),
        From::Bits(segments) => action_text(&Action::Bits(segments.clone()), names),
        From::Fun(context) => {
            let lifted = function.contexts[*context as usize].lifted;
            format!("fun {}", lifted.map_or("_", |name| name.name()))
        }
        From::Known { module, function, args } => {
            format!("{module}:{}", Term::atom(*function)) + &format!("({})", values(args, names))
        }
        From::Primop { op, args } => format!("primop {}({})", op.name(), values(args, names)),
        From::Result | From::Message => recorded("value"),
        From::Caught => recorded("class and reason"),
    }
}
