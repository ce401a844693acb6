//! Properties of PropEr: generators become inputs, counterexamples are what PropEr itself takes, and what is not
//! understood is said.

mod support;

use std::process::Command;

use serde_json::Value;
use support::{folder, hound, succeed, top};

/// True if PropEr is installed; the tests of this file say what they leave out.
fn has_proper(test: &str) -> bool {
    let eval = "halt(case code:which(proper) of non_existing -> 1; _ -> 0 end).";
    let status = Command::new("erl").args(["-noinput", "-boot", "start_clean", "-eval", eval]).status();
    let is_there = status.expect("erl starts").success();
    if !is_there {
        eprintln!("{test}: left out, for PropEr is not installed (erlang-proper; `sh scripts/setup test` installs it)");
    }
    is_there
}

fn source() -> String {
    top().join("crates/cli/tests/properties/generated.erl").display().to_string()
}

/// Properties that do not hold.
const BROKEN: [&str; 14] = [
    "prop_less/0",
    "prop_longer/0",
    "prop_even/0",
    "prop_choice/0",
    "prop_filled/0",
    "prop_inner/0",
    "prop_vectors/0",
    "prop_sorted/0",
    "prop_maps/0",
    "prop_called/0",
    "prop_bits/0",
    "prop_raises/0",
    "prop_made/0",
    "prop_tree/0",
];

#[test]
fn counterexamples_are_found_and_proper_has_them_too() {
    if !has_proper("counterexamples_are_found_and_proper_has_them_too") {
        return;
    }
    let path = source();
    let words = ["explore", "--format", "json", "--runs", "400", path.as_str()];
    let functions = hound(&[&words[..], &BROKEN[..]].concat()).functions();
    let mut calls = Vec::new();
    for name in BROKEN {
        let line = &functions[&format!("generated:{name}")];
        let findings = line["findings"].as_array().expect("findings");
        let [finding] = &findings[..] else { panic!("{name}: {line}") };
        assert_eq!((&finding["kind"], &finding["rank"]), (&Value::from("property"), &Value::from("bug")), "{name}");
        let call = finding["call"].as_str().unwrap_or_default();
        assert!(call.starts_with("proper:check(generated:prop_"), "{name}: {call}");
        assert!(finding["file"].as_str().is_some_and(|file| file.ends_with("generated.erl")), "{name}: {finding}");
        calls.push(format!("{{\"{name}\", fun() -> {call} end}}"));
    }
    let folder = folder("proper_confirmed");
    succeed("erlc", &["-W0", &path], &folder);
    // Older versions of PropEr fail themselves where a property raises: erlang:get_stacktrace/0 is gone.
    let checked = format!(
        "Fails = fun(Check) -> try Check() catch error:undef -> false end end, \
         Wrong = [Name || {{Name, Check}} <- [{}], Fails(Check) =/= false], io:format(\"~p\", [Wrong]), halt(length(Wrong)).",
        calls.join(", ")
    );
    let output = Command::new("erl").args(["-noinput", "-eval", &checked]).arg("-pa").arg(&folder).output();
    let output = output.expect("erl runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "PropEr has these otherwise: {text}");
}

#[test]
fn what_holds_is_proved_and_what_is_left_out_is_said() {
    if !has_proper("what_holds_is_proved_and_what_is_left_out_is_said") {
        return;
    }
    let path = source();
    let names = ["prop_holds/0", "prop_implied/0", "prop_pairs_hold/0", "prop_meant_to_fail/0", "prop_stateful/0"];
    let functions =
        hound(&[&["explore", "--format", "json", &path, "prop_list/0"][..], &names[..]].concat()).functions();
    let line = |name: &str| &functions[&format!("generated:{name}/0")];
    for name in ["prop_holds", "prop_implied", "prop_pairs_hold"] {
        assert_eq!(
            (&line(name)["verdict"], &line(name)["property"]),
            (&Value::from("safe"), &Value::Bool(true)),
            "{name}"
        );
    }
    for (name, why) in [("prop_meant_to_fail", "it is meant to fail"), ("prop_stateful", "only some of its values")] {
        assert_eq!(line(name)["verdict"], "incomplete", "{name}");
        let reasons = line(name)["reasons"].to_string();
        assert!(reasons.contains("\"generator\"") && reasons.contains(why), "{name}: {reasons}");
    }
    assert_eq!((&line("prop_list")["verdict"], &line("prop_list")["property"]), (&Value::from("safe"), &Value::Null));
}

/// Inside a generator's range a property may hold that does not hold outside it.
#[test]
fn no_input_is_outside_its_generator() {
    if !has_proper("no_input_is_outside_its_generator") {
        return;
    }
    let path = source();
    let functions = hound(&["explore", "--format", "json", &path, "prop_even/0", "prop_bits/0"]).functions();
    let args = |name: &str| functions[name]["findings"][0]["args"][0].as_str().unwrap_or_default().to_owned();
    let even = args("generated:prop_even/0");
    let (number, next) = even.trim_matches(['{', '}']).split_once(',').expect("a pair");
    let (number, next): (i64, i64) = (number.parse().expect("a number"), next.parse().expect("a number"));
    assert!(number % 2 == 0 && number >= 10 && next == number + 1, "{even}");
}
