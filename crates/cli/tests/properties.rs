//! Properties have to give `true`: whatever else they do is a finding, and a proof is about that value too.

mod support;

use serde_json::Value;
use support::{Ran, file, folder, hound, top};

fn laws() -> String {
    top().join("crates/cli/tests/properties/laws.erl").display().to_string()
}

/// Explores properties of the module of laws.
fn explored(names: &[&str]) -> Ran {
    let (path, properties) = (laws(), names.iter().flat_map(|name| ["--property", name]));
    let words = ["explore", "--format", "json", "--runs", "600"].into_iter().chain(properties);
    hound(&words.chain([path.as_str()]).collect::<Vec<_>>())
}

fn findings(line: &Value) -> Vec<&Value> {
    line["findings"].as_array().map(|all| all.iter().collect()).unwrap_or_default()
}

#[test]
fn what_is_not_true_is_a_finding_and_true_is_proved() {
    let names =
        ["round_trip/1", "narrow/2", "always/0", "never/0", "silly/1", "picky/1", "within/1", "echo/1", "doubled/1"];
    let ran = explored(&names);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let functions = ran.functions();
    assert_eq!(functions.len(), names.len(), "only what was named is explored: {functions:?}");
    for (name, class, reason) in [
        ("round_trip/1", "property", "false"),
        ("narrow/2", "property", "false"),
        ("never/0", "property", "almost"),
        ("silly/1", "property", "1"),
        ("picky/1", "error", "{too_large,1001}"),
        ("echo/1", "property", "false"),
        ("doubled/1", "property", "false"),
    ] {
        let line = &functions[&format!("laws:{name}")];
        assert_eq!(line["verdict"], "crash", "{name}");
        assert_eq!(line["property"], true, "{name}");
        let found = findings(line);
        let [one] = found[..] else { panic!("{name}: {found:?}") };
        let facts = [&one["kind"], &one["class"], &one["reason"], &one["rank"]].map(|it| it.as_str().unwrap_or(""));
        assert_eq!(facts, ["property", class, reason, "bug"], "{name}");
        assert_eq!(one["confirmed"], true, "{name}");
    }
    for name in ["always/0", "within/1"] {
        assert_eq!(functions[&format!("laws:{name}")]["verdict"], "safe", "{name}");
    }
}

/// Without `--property` the same functions give what their specs have.
#[test]
fn only_properties_have_to_give_true() {
    let path = laws();
    let functions = hound(&["explore", "--format", "json", &path, "narrow/2", "never/0", "echo/1"]).functions();
    let verdicts: Vec<&Value> = functions.values().map(|line| &line["verdict"]).collect();
    assert_eq!(verdicts, ["safe", "safe", "safe"]);
    assert!(functions.values().all(|line| line["property"].is_null()));
}

#[test]
fn without_a_spec_inputs_of_odd_kinds_do_not_count_as_bugs() {
    let functions = explored(&["bare/1"]).functions();
    let found = findings(&functions["laws:bare/1"]);
    let broken: Vec<&Value> = found.iter().filter(|it| it["class"] == "property").map(|it| &it["rank"]).collect();
    assert_eq!(broken, ["bug"], "{found:?}");
    let raised: Vec<&Value> = found.iter().filter(|it| it["class"] == "error").map(|it| &it["rank"]).collect();
    assert!(!raised.is_empty() && raised.iter().all(|rank| *rank == "doubtful"), "{found:?}");
}

#[test]
fn the_report_says_what_a_property_gave() {
    let out = hound(&["explore", "--property", "narrow/2", &laws()]).out;
    assert!(out.contains("property: gives false, not true in the property laws:narrow/2"), "{out}");
    assert!(out.contains("cause: narrow(M, N) for ((M * 7) + N) =:= 123456"), "{out}");
    assert!(out.contains("rank: bug, a property has to give true"), "{out}");
}

#[test]
fn a_failed_assertion_is_a_bug_with_what_was_expected() {
    let functions = hound(&["explore", "--format", "json", &laws(), "checks/1", "unchecked/1"]).functions();
    for (name, words) in [
        ("checks/1", "the assertion half ( N ) fails: expected 42, got 0"),
        ("unchecked/1", "the assertion is_integer ( X ) fails: expected true, got false"),
    ] {
        let found = findings(&functions[&format!("laws:{name}")]);
        let [one] = found[..] else { panic!("{name}: {found:?}") };
        assert_eq!((one["rank"].as_str(), one["rank_reason"].as_str()), (Some("bug"), Some(words)), "{name}");
    }
}

#[test]
fn the_configuration_names_properties() {
    let folder = folder("property_config");
    let config = file(&folder, "hound.toml", "[function.\"laws:echo/1\"]\nproperty = true\n");
    let ran = hound(&["explore", "--config", &config, "--format", "json", &laws(), "echo/1"]);
    assert_eq!(ran.functions()["laws:echo/1"]["findings"][0]["kind"], "property", "{}", ran.err);
    let wrong = hound(&["explore", "--property", "no_such/1", &laws()]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("no_such"), "{}", wrong.err);
}

/// The function that breaks its contract is blamed, the one that calls it and uses what it gives is not.
#[test]
fn callers_of_a_broken_contract_are_not_blamed() {
    let functions = hound(&["explore", "--format", "json", &laws(), "age/1", "report/1"]).functions();
    let classes = |name: &str| {
        let found = findings(&functions[name]);
        found.iter().map(|it| it["class"].as_str().unwrap_or("").to_owned()).collect::<Vec<String>>()
    };
    assert_eq!(classes("laws:age/1"), ["contract"]);
    assert_eq!(classes("laws:report/1"), [""; 0]);
}

/// A property that its module does not export, and one of other arguments than a spec has.
#[test]
fn private_properties_are_explored_too() {
    let functions = explored(&["hidden/1"]).functions();
    let line = &functions["laws:hidden/1"];
    assert_eq!((&line["private"], &line["property"]), (&Value::Bool(true), &Value::Bool(true)));
    assert_eq!(findings(line)[0]["reason"], "false");
}
