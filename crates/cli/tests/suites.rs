//! The test modules that `hound explore --tests eunit DIR` writes: they compile without a warning and pass.

mod support;

use std::path::Path;
use std::process::Command;

use support::{file, folder, hound, succeed, top};

/// Explores a module with these options, compiles what was written beside the module, and runs it; the tests that ran.
fn tested(name: &str, source: &Path, options: &[&str]) -> usize {
    let folder = folder(&format!("suite_{name}"));
    let place = folder.to_str().expect("UTF-8");
    let source = source.to_str().expect("UTF-8");
    let ran = hound(&[&["explore", "--runs", "80", "--tests", "eunit", place, source], options].concat());
    assert!(matches!(ran.code, 0 | 1), "{}", ran.err);
    let suite = format!("{name}_hound_tests");
    let said = ran.out.lines().last().expect("a line");
    let count = said.rsplit(' ').nth(1).and_then(|count| count.parse::<usize>().ok());
    assert!(said.starts_with(place) && said.contains(&suite), "{said}");
    succeed("erlc", &["-Wall", source], &folder);
    succeed("erlc", &["-Werror", "-Wall", &format!("{suite}.erl")], &folder);
    let text = eunit(&folder, &suite);
    let passed = match text.trim() {
        "Test passed." => 1,
        text => text.strip_prefix("All ").and_then(|rest| rest.split(' ').next()?.parse().ok()).unwrap_or(0),
    };
    assert_eq!(Some(passed), count, "{text}");
    passed
}

fn eunit(folder: &Path, suite: &str) -> String {
    let call = format!("case eunit:test('{suite}') of ok -> halt(0); _ -> halt(1) end.");
    let output = Command::new("erl").args(["-noshell", "-pa", "."]).args(["-eval", &call]).current_dir(folder).output();
    let output = output.expect("erl runs");
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    assert!(output.status.success(), "{text}");
    text
}

#[test]
fn values_of_every_kind_are_written_as_source() {
    assert!(tested("values", &top().join("crates/cli/tests/programs/values.erl"), &[]) >= 38);
}

#[test]
fn programs_of_the_corpus_pass_their_tests() {
    for (name, least) in [("records", 10), ("libraries", 20), ("higher_order", 5), ("patterns", 10), ("machines", 5)] {
        let source = top().join(format!("crates/cli/tests/corpus/{name}.erl"));
        let passed = tested(name, &source, &[]);
        assert!(passed >= least, "{name}: {passed} tests");
    }
}

#[test]
fn only_inputs_of_the_precondition_are_written() {
    let place = folder("suite_pre");
    let text = "%% One of two.\n-module(half).\n-export([f/1]).\n-spec f(1..9) -> integer().\n\
                f(X) when X > 5 -> error(large);\nf(X) -> X.\nsmall(X) -> X =< 5.\n";
    let source = file(&place, "half.erl", text);
    assert_eq!(tested("half", Path::new(&source), &["--pre", "small/1"]), 1);
}

#[test]
fn a_file_that_hound_did_not_write_stays() {
    let place = folder("suite_mine");
    let mine = file(&place, "till_hound_tests.erl", "%% Mine.\n");
    let folder = place.to_str().expect("UTF-8");
    let ran = hound(&["explore", "--tests", "eunit", folder, "examples/till.erl", "discount/2"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert!(ran.err.contains("was not written by hound"), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(mine).expect("it is there"), "%% Mine.\n");
}

#[test]
fn written_tests_are_written_again() {
    let place = folder("suite_again");
    let words = [
        "explore",
        "--fail-on",
        "any",
        "--tests",
        "eunit",
        place.to_str().expect("UTF-8"),
        "examples/till.erl",
        "discount/2",
    ];
    assert_eq!((hound(&words).code, hound(&words).code), (1, 1));
}

#[test]
fn other_tests_than_eunit_are_unknown() {
    let ran = hound(&["explore", "--tests", "proper", "somewhere", "examples/till.erl"]);
    assert_eq!((ran.code, ran.err.as_str()), (2, "hound: --tests proper: only eunit tests can be written\n"));
}
