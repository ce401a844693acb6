//! The page: a table of the modules, why searches were not complete, and some crashes.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::Value;

use crate::application::Functions;
use crate::module::{Budget, Module};
use crate::unsupported;

/// Functions whose first finding is shown.
const SHOWN: &[&str] = &[
    "calendar:iso_week_number/1",
    "calendar:date_to_gregorian_days/3",
    "erl_anno:end_location/1",
    "filename:join/1",
    "lists:flatten/1",
    "proplists:append_values/2",
    "string:trim/3",
    "uri_string:normalize/2",
];

/// Reasons that are listed.
const REASONS: usize = 25;

pub fn page(modules: &[Module], all: &[Functions], budget: Budget) -> String {
    let mut out = String::new();
    let Budget { seconds, runs } = budget;
    let functions: usize = modules.iter().map(|module| module.functions.len()).sum();
    let known: usize = all.iter().map(|module| module.names.len()).sum();
    let unspecified: usize = all.iter().map(|module| module.unspecified).sum();
    let empty: Vec<&str> = all.iter().filter(|it| it.names.is_empty()).map(|it| it.module.as_str()).collect();
    let which = if functions == known { "All" } else { "A sample:" };
    // Writing to a text cannot fail.
    let _ = writeln!(
        out,
        "# The library, explored\n\n\
         {which} {functions} exported functions with a spec of {} modules of `stdlib` (OTP 25), each with at most {runs} runs and\n\
         {seconds} seconds. Made by `cargo run --package cli --example library > docs/LIBRARY.md`; where a search is ended by the\n\
         time and not by a count, the figures depend on the machine. The {unspecified} exported functions without a spec are\n\
         not counted{}.\n",
        modules.len(),
        if empty.is_empty() { String::new() } else { format!("; {} have no others", empty.join(", ")) },
    );
    unsupported::share(&mut out, modules);
    table(&mut out, modules);
    notes(&mut out, modules);
    unsupported::operations(&mut out, modules);
    reasons(&mut out, modules);
    crashes(&mut out, modules);
    out
}

fn table(out: &mut String, modules: &[Module]) {
    let _ = writeln!(
        out,
        "| module | functions | crash | safe | incomplete | findings | of these on own opaque values | unconfirmed | divergences | paths | lines |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    );
    for module in modules {
        row(out, &module.name, std::slice::from_ref(module));
    }
    row(out, "**all**", modules);
}

fn row(out: &mut String, name: &str, modules: &[Module]) {
    let sum = |count: &dyn Fn(&Module) -> usize| -> usize { modules.iter().map(count).sum() };
    let (covered, total) =
        modules.iter().map(Module::lines).fold((0, 0), |(a, b), (covered, total)| (a + covered, b + total));
    let cells = [
        sum(&|module| module.functions.len()),
        sum(&|module| module.verdicts("crash")),
        sum(&|module| module.verdicts("safe")),
        sum(&|module| module.verdicts("incomplete")),
        sum(&Module::findings),
        sum(&Module::doubtful),
        sum(&Module::unconfirmed),
        sum(&|module| module.divergences() as usize),
        sum(&|module| module.paths() as usize),
    ];
    let cells: Vec<String> = cells.iter().map(usize::to_string).collect();
    let _ =
        writeln!(out, "| {name} | {} | {} % |", cells.join(" | "), (100 * covered).checked_div(total).unwrap_or(100));
}

fn notes(out: &mut String, modules: &[Module]) {
    let problems: Vec<String> =
        modules.iter().flat_map(|module| module.problems.iter().map(|it| format!("{}: {it}", module.name))).collect();
    let _ = writeln!(
        out,
        "\nEvery finding was replayed on the Erlang VM; *unconfirmed* are those that it did not repeat, and *divergences* the\n\
         inputs made for one path that took another: both are mistakes of ours, and there must be none. *Lines* are those\n\
         that can be reached inside the module from each function, added up over its functions. Internal errors: {}.\n",
        problems.len()
    );
    problems.iter().for_each(|problem| {
        let _ = writeln!(out, "- {problem}");
    });
    let _ = writeln!(
        out,
        "A crash here need not be a mistake of the library: specs are wider than what documentation asks for, and\n\
         a failure is often the documented answer. It is a call that the spec allows and that does not return.\n\n\
         ## Opaque types\n\n\
         A value of an opaque type of another module is one that the functions of that module made: every function\n\
         exported there whose spec gives the type and takes none of it is explored a little, and what it gives is tried.\n\
         Such a search is never complete (reason `opaque`), and its findings need no value that cannot be had. Inside\n\
         its own module an opaque type is what its declaration says, so that a function can be tested on all of it; the\n\
         module may never make some of these values, and the report says so beside the findings. They are counted apart\n\
         in the table.\n"
    );
}

fn reasons(out: &mut String, modules: &[Module]) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for function in modules.iter().flat_map(|module| &module.functions) {
        let mut names: Vec<String> = function["reasons"].as_array().into_iter().flatten().map(shown).collect();
        names.sort();
        names.dedup();
        names.into_iter().for_each(|name| *counts.entry(name).or_default() += 1);
    }
    let mut rows: Vec<(String, usize)> = counts.into_iter().collect();
    rows.sort_by(|(a, first), (b, second)| second.cmp(first).then(a.cmp(b)));
    let _ = writeln!(
        out,
        "## Why searches were not complete\n\n\
         The most frequent reasons, by the number of functions that have them.\n\n\
         | functions | code | reason |\n|---:|---|---|"
    );
    for (name, count) in rows.into_iter().take(REASONS) {
        let _ = writeln!(out, "| {count} | {name} |");
    }
}

fn shown(reason: &Value) -> String {
    let text = |name: &str| reason[name].as_str().unwrap_or_default().to_owned();
    format!("`{}` | {}", text("code"), text("message"))
}

fn crashes(out: &mut String, modules: &[Module]) {
    let _ = writeln!(out, "\n## Some crashes\n\nEach is a call that the function's spec allows.\n");
    for function in modules.iter().flat_map(|module| &module.functions) {
        let name = function["function"].as_str().unwrap_or_default();
        let Some(finding) = function["findings"].as_array().and_then(|findings| findings.first()) else { continue };
        if SHOWN.contains(&name) {
            let text = |name: &str| finding[name].as_str().unwrap_or_default();
            let _ = writeln!(
                out,
                "- `{}`: {}:{} at {}:{}",
                text("call"),
                text("class"),
                text("reason"),
                text("file"),
                finding["line"]
            );
        }
    }
}
