//! Which constructs of the language a run came through, as its events say.

use frontend::flat::{Pattern, Value, Var};
use frontend::instrument::{Called, EventEntry, EventTable, From, FunctionEvents};

/// All that generated programs must have run.
pub const ALL: [&str; 31] = [
    "after",
    "alias pattern",
    "bitstring",
    "bitstring pattern",
    "call by name",
    "call of an outside function",
    "call of an own function",
    "case that gives several values",
    "catch",
    "closure",
    "closure called",
    "deep nesting",
    "exception ends a function",
    "exception raised again",
    "fun passed",
    "guarded clause",
    "handler",
    "hidden name",
    "jump",
    "known function",
    "large literal",
    "list pattern",
    "local function",
    "map",
    "map pattern",
    "map update",
    "result of an outside function",
    "several values bound",
    "several values matched",
    "tuple pattern",
    "value",
];

/// The constructs that an event stands for.
pub fn of(table: &EventTable, number: u32) -> Vec<&'static str> {
    let Some((function, event)) = table.event(number) else { return Vec::new() };
    let mut found = match event {
        EventEntry::Call { called, .. } => match called {
            Called::Own(_) => vec!["call of an own function"],
            Called::Local(_) => vec!["local function"],
            Called::Inside(Some(_)) if is(function, "through") => vec!["fun passed"],
            Called::Inside(Some(_)) => vec!["closure called"],
            Called::Inside(None) => vec!["call by name"],
            Called::Outside(_) => vec!["call of an outside function"],
        },
        EventEntry::Raised { .. } => vec!["exception ends a function"],
        EventEntry::Bind { binds, from, .. } => bind(function, binds, from),
        EventEntry::Case { clause, case, .. } => {
            let selected = &case.alternatives[*clause as usize];
            let mut found = Vec::new();
            selected.patterns.iter().for_each(|pattern| in_pattern(pattern, &mut found));
            found.extend(selected.guarded.then_some("guarded clause"));
            found.extend((selected.patterns.len() > 1).then_some("several values matched"));
            found
        }
        EventEntry::ExitCase { binds, .. } if binds.len() > 1 => vec!["case that gives several values"],
        EventEntry::Exit { .. } if is(function, "deep") => vec!["deep nesting"],
        _ => Vec::new(),
    };
    let bound = match event {
        EventEntry::Bind { binds, .. } | EventEntry::Call { binds, .. } => &binds[..],
        _ => &[],
    };
    found.extend(bound.iter().any(|var| is_hidden(name(function, *var))).then_some("hidden name"));
    found
}

fn bind(function: &FunctionEvents, binds: &[Var], from: &From) -> Vec<&'static str> {
    let first = binds.first().map_or("", |var| name(function, *var));
    match from {
        From::Values(values) if is_large(values) => vec!["large literal"],
        From::Values(_) if first.starts_with('J') => vec!["jump"],
        From::Values(_) if binds.len() > 1 => vec!["several values bound"],
        From::Values(_) => vec!["value"],
        From::Map { base: Value::Literal(_), .. } => vec!["map"],
        From::Map { .. } => vec!["map update"],
        From::Bits(_) => vec!["bitstring"],
        From::Fun(_) => vec!["closure"],
        From::Known { .. } => vec!["known function"],
        From::Primop { .. } => Vec::new(),
        From::Result => vec!["result of an outside function"],
        From::Message => vec!["message"],
        From::Caught if binds.len() < 2 => vec!["catch"],
        From::Caught => vec![match first.chars().next() {
            Some('R') => "exception raised again",
            Some('A') => "after",
            _ => "handler",
        }],
    }
}

fn name(function: &FunctionEvents, var: Var) -> &str {
    &function.names[var.0 as usize]
}

fn is(function: &FunctionEvents, name: &str) -> bool {
    function.name.function.name() == name
}

/// Flattening numbers a name that hides another.
fn is_hidden(name: &str) -> bool {
    name.starts_with('V') && name.contains('_')
}

fn is_large(values: &[Value]) -> bool {
    values.iter().any(|value| matches!(value, Value::Literal(term) if term.cells().count() > 100))
}

fn in_pattern(pattern: &Pattern, found: &mut Vec<&'static str>) {
    match pattern {
        Pattern::Cons(_) => found.push("list pattern"),
        Pattern::Tuple(_) => found.push("tuple pattern"),
        Pattern::Map(_) => found.push("map pattern"),
        Pattern::Bits(_) => found.push("bitstring pattern"),
        Pattern::Alias(_, inner) => {
            found.push("alias pattern");
            in_pattern(inner, found);
        }
        Pattern::Var(_) | Pattern::Literal(_) => {}
    }
}
