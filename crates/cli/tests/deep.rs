//! `hound explore` beyond the bound on depth: loops of a thousand rounds, of floats and of integers.

mod support;

use serde_json::Value;
use support::hound;

const PROGRAM: &str = "crates/cli/tests/deep/deep.erl";

fn found(function: &str, more: &[&str]) -> Value {
    let words = [&["explore", "--format", "json", "--time", "40"], more, &[PROGRAM, function]].concat();
    let ran = hound(&words);
    let mut lines = ran.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.find(|line| line["kind"] == "function").unwrap_or_else(|| panic!("{ran:?}"))
}

#[test]
fn loops_of_a_thousand_rounds_are_left() {
    for function in ["halved/1", "counted/1"] {
        let one = found(function, &[]);
        assert_eq!(one["verdict"], "crash", "{one}");
    }
}

/// A bound that the user gives is a bound.
#[test]
fn a_given_depth_is_kept() {
    let one = found("counted/1", &["--depth", "50", "--runs", "400"]);
    assert_eq!(one["complete"], false, "{one}");
    assert!(one["reasons"].to_string().contains("bound-depth"), "{one}");
}
