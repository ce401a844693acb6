//! Values that a spec does not have are findings of their own, each confirmed on the VM; those that it has are none.

mod support;

use support::{hound, top};

/// A function, and the value that breaks its contract.
const BROKEN: [(&str, &str); 12] = [
    ("pred/1", "0"),
    ("half/1", "-3999"),
    ("digit/1", "{ok,10}"),
    ("bytes/1", ""),
    ("atoms/1", "nil"),
    ("record/1", ""),
    ("returns/1", "ok"),
    ("sizes/1", ""),
    ("clauses/1", "large"),
    ("process/1", ""),
    ("recursive/1", ""),
    ("kinds/2", ""),
];

#[test]
fn values_outside_the_spec_are_found_and_others_are_not() {
    let path = top().join("crates/cli/tests/contracts/contracts.erl").display().to_string();
    let functions = hound(&["explore", "--format", "json", &path]).functions();
    assert!(functions.len() > 20, "{} functions", functions.len());
    for (name, _) in BROKEN {
        assert!(
            functions.iter().any(|(explored, _)| *explored == format!("contracts:{name}")),
            "{name} is not explored"
        );
    }
    let mut wrong = Vec::new();
    for (name, line) in &functions {
        let name = name.trim_start_matches("contracts:");
        let findings = line["findings"].as_array().expect("findings");
        let contracts: Vec<&str> =
            findings.iter().filter(|it| it["class"] == "contract").filter_map(|it| it["reason"].as_str()).collect();
        let expected = BROKEN.iter().find(|row| row.0 == name).map(|row| row.1);
        let is_right = match expected {
            Some(value) => matches!(contracts[..], [found] if value.is_empty() || found == value),
            None => contracts.is_empty() && line["verdict"] == "safe",
        };
        if !is_right {
            wrong.push(format!("{name}: {contracts:?} {}", line["verdict"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_report_says_what_the_spec_has() {
    let path = top().join("crates/cli/tests/contracts/contracts.erl").display().to_string();
    let out = hound(&["explore", &path, "digit/1"]).out;
    assert!(out.contains("contract: the value {ok,10} is none of its spec in contracts:digit/1"), "{out}");
    assert!(out.contains("gives {ok,10}, which the spec does not have: {ok, 0..9} | error"), "{out}");
}
