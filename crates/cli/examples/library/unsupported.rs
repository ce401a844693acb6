//! Operations without a symbolic rule: the share of functions that met one, and which they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde_json::Value;

use crate::module::Module;

/// Codes of reasons that say that an operation is unsupported.
const CODES: [&str; 3] = ["gap", "pin", "solver-unsupported"];

/// Functions that have an unsupported operation among their reasons.
pub fn share(out: &mut String, modules: &[Module]) {
    let functions = || modules.iter().flat_map(|module| &module.functions);
    let (all, met) = (functions().count(), functions().filter(|function| !behind(function).is_empty()).count());
    let _ = writeln!(
        out,
        "**Unsupported operations:** {met} of {all} functions ({:.1} %) have one among their reasons.\n",
        100.0 * met as f64 / all.max(1) as f64
    );
    let with = |code: &str| functions().filter(|function| has(function, code)).count();
    let count = |field: &str| functions().filter(|function| function[field].is_string()).count();
    let _ = writeln!(
        out,
        "Counted are the reasons `gap`, `pin` and `solver-unsupported`. {} functions needed something that only the VM can\n\
         do, processes for the most part, and were explored there too; {} more could not be, since the VM itself runs in\n\
         their module. Not counted, though searches are not complete there either: {} functions came to something that\n\
         neither engine does (`unsupported`), {} to an effect that is refused (`refused`), {} to an answer that inputs\n\
         alone do not decide (`varying`: clocks, settings, processes, tables that the run has not made, modules and\n\
         devices that are not the program's, the order of maps of more than 32 keys; arguments of such calls are held to\n\
         some values, too), {} to a function that is treated as a symbol with samples (`opaque`). {} searches were ended\n\
         by the time: more runs may meet more operations.\n",
        count("on_vm"),
        count("not_on_vm"),
        with("unsupported"),
        with("refused"),
        with("varying"),
        with("opaque"),
        with("time"),
    );
}

fn has(function: &Value, code: &str) -> bool {
    function["reasons"].as_array().into_iter().flatten().any(|reason| reason["code"] == code)
}

/// The operations, most frequent first.
pub fn operations(out: &mut String, modules: &[Module]) {
    let mut counts: BTreeMap<String, (usize, BTreeSet<String>)> = BTreeMap::new();
    for module in modules {
        for operation in module.functions.iter().flat_map(behind) {
            let (count, names) = counts.entry(operation).or_default();
            *count += 1;
            names.insert(module.name.clone());
        }
    }
    let mut rows: Vec<(String, (usize, BTreeSet<String>))> = counts.into_iter().collect();
    rows.sort_by(|(a, (first, _)), (b, (second, _))| second.cmp(first).then(a.cmp(b)));
    let _ = writeln!(
        out,
        "## Unsupported operations\n\n\
         Each operation that met unknown values and has no rule for them, or whose outcome no solver decides, with the\n\
         number of functions that have it among their reasons: their inputs were held to some values there. What is\n\
         *refused* (an effect outside the run) or *varies* (an answer that no input decides) is not in this list.\n\n\
         | functions | operation | modules |\n|---:|---|---|"
    );
    for (operation, (count, names)) in rows {
        let names: Vec<String> = names.into_iter().collect();
        let _ = writeln!(out, "| {count} | {operation} | {} |", names.join(", "));
    }
    let _ = writeln!(out);
}

/// What a function met, each once.
fn behind(function: &Value) -> BTreeSet<String> {
    let reasons = function["reasons"].as_array().into_iter().flatten();
    let unsupported = reasons.filter(|reason| CODES.iter().any(|code| reason["code"] == *code));
    unsupported.map(|reason| operation(reason["message"].as_str().unwrap_or_default())).collect()
}

/// `lists:f/1 has no symbolic rule: …` is about `lists:f/1`.
fn operation(message: &str) -> String {
    match message.split_once(" has no symbolic rule") {
        Some((name, _)) => format!("`{name}`"),
        None => message.to_owned(),
    }
}
