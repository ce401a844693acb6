//! Budgets as people expect them: shares of a total time, and findings that are shown before a long search ends.

mod support;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use support::{Ran, file, folder, hound, top};

/// Two functions whose paths have no end and no new branches, one that covers more and more, and quick ones.
fn program() -> String {
    let clauses: String = (0..800).map(|n| format!("chain({n}, [{n} | T]) -> chain({}, T);\n", n + 1)).collect();
    let quick: String = (0..8).map(|n| format!("-spec q{n}(0..3) -> 0..3.\nq{n}(X) -> X.\n")).collect();
    let names: Vec<String> = (0..8).map(|n| format!("q{n}/1")).collect();
    format!(
        "-module(shared).\n-export([covers/1, first/1, second/1, {}]).\n\
         -spec first([0..9]) -> integer().\nfirst([]) -> 1 div 0;\nfirst([X | T]) when X > 4 -> first_or(T);\nfirst([_ | T]) -> first_or(T).\n\
         first_or([]) -> 0;\nfirst_or([X | T]) when X > 4 -> first_or(T);\nfirst_or([_ | T]) -> first_or(T).\n\
         -spec second([0..9]) -> integer().\nsecond(L) -> first_or(L).\n\
         -spec covers([0..999]) -> integer().\ncovers(L) -> chain(0, L).\n{clauses}chain(N, _) -> N.\n{quick}",
        names.join(", ")
    )
}

/// Explores functions that share so many seconds.
fn shared(seconds: &str, source: &str, functions: &[&str]) -> Ran {
    let options = ["explore", "--format", "json", "--runs", "100000000", "--total-time", seconds, source];
    hound(&[&options, functions].concat())
}

/// The reason with which a search ended, and its time.
fn ends(line: &serde_json::Value) -> (String, u64) {
    let reasons = line["reasons"].as_array().into_iter().flatten().filter_map(|it| it["code"].as_str());
    let ends: Vec<&str> = reasons.filter(|code| code.contains("time")).collect();
    (ends.join(","), line["stats"]["wall_ms"].as_u64().unwrap_or_default())
}

#[test]
fn who_covers_nothing_new_yields_the_rest_of_its_share() {
    let source = file(&folder("budgets_yield"), "shared.erl", &program());
    let ran = shared("8", &source, &["first/1", "second/1"]);
    let functions = ran.functions();
    let (first, second) = (ends(&functions["shared:first/1"]), ends(&functions["shared:second/1"]));
    assert_eq!(first.0, "total-time-yielded", "{}", ran.out);
    assert_eq!(second.0, "total-time", "{}", ran.out);
    assert!(second.1 > first.1, "what the first left is the second's: {first:?} {second:?}");
    assert_eq!((&functions["shared:first/1"]["verdict"], ran.code), (&"crash".into(), 1));
}

#[test]
fn what_is_left_in_the_end_goes_to_those_that_still_cover() {
    let source = file(&folder("budgets_rest"), "shared.erl", &program());
    let ran = shared("10", &source, &["covers/1", "q0/1", "q1/1", "q2/1", "q3/1", "q4/1", "q5/1", "q6/1", "q7/1"]);
    let functions = ran.functions();
    assert_eq!(functions.len(), 9, "{}{}", ran.out, ran.err);
    let (reason, millis) = ends(&functions["shared:covers/1"]);
    assert!(millis > 2_000, "more than twice a ninth of the time: {reason} {millis}");
    assert!((0..8).all(|n| functions[&format!("shared:q{n}/1")]["verdict"] == "safe"), "{}", ran.out);
}

#[test]
fn a_total_time_of_nothing_leaves_every_function_incomplete() {
    let source = file(&folder("budgets_none"), "shared.erl", &program());
    let ran = hound(&["explore", "--format", "json", "--total-time", "0", &source]);
    let functions = ran.functions();
    assert_eq!(functions.len(), 11, "{}", ran.err);
    for (name, line) in &functions {
        assert_eq!((line["verdict"].as_str(), ends(line).0.as_str()), (Some("incomplete"), "total-time"), "{name}");
    }
}

/// The first finding of a search that goes on for seconds is there before its end.
#[test]
fn findings_are_shown_when_they_are_found() {
    let source = file(&folder("budgets_found"), "shared.erl", &program());
    let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
    command
        .args(["explore", "--no-store", "--runs", "100000000", "--time", "6", &source, "first/1"])
        .current_dir(top());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let lines = BufReader::new(child.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
    let found = lines.into_iter().find(|line| line.starts_with("found: "));
    let is_over = child.try_wait().expect("a state").is_some();
    let output = child.wait_with_output().expect("it ends");
    let found = found.expect("a finding");
    assert!(found.ends_with("error: badarith in shared:first/1: shared:first([])"), "{found}");
    assert!(!is_over, "it was shown after the end of the search");
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let row = out.lines().find(|line| line.starts_with("shared:first/1 ")).unwrap_or_default();
    let millis: u64 = row.split_whitespace().last().and_then(|word| word.parse().ok()).unwrap_or_default();
    assert!(millis >= 5_900, "{out}");
}

/// Place, class and call of what a function of the shop shows within so many runs.
fn found(function: &str, runs: &str) -> Vec<String> {
    let ran = hound(&["explore", "--format", "json", "--runs", runs, "--time", "600", "examples/shop.erl", function]);
    let line = &ran.functions()[&format!("shop:{function}")];
    let findings = line["findings"].as_array().into_iter().flatten();
    findings.map(|it| format!("{}:{} {} {}", it["line"], it["column"], it["class"], it["call"])).collect()
}

#[test]
fn more_runs_begin_like_fewer() {
    for function in ["order/1", "report/1"] {
        let [few, some, many] = ["300", "600", "1500"].map(|runs| found(function, runs));
        assert!(few.len() > 3, "{few:?}");
        assert_eq!(some[..few.len()], few);
        assert_eq!(many[..some.len()], some);
    }
}
