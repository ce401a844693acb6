//! Findings as a person reads them: in wide and narrow terminals, with and without colours; what is printed can be pasted.

#[path = "../support/mod.rs"]
mod support;

mod folded;
mod manual;

use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;
use support::{Ran, ended, hound, top};

const STAND: &str = "crates/cli/tests/diagnostics/stand.erl";

/// Explores with few runs in a terminal of so many columns.
fn explored(words: &[&str], columns: usize) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
    command.current_dir(top()).env("COLUMNS", columns.to_string()).env("HOUND_NO_STORE", "1");
    ended(command.args(["explore", "--runs", "150", "--schedules", "20"]).args(words))
}

/// What is printed, without times.
fn steady(ran: &Ran) -> String {
    let mut is_table = false;
    let line = |line: &str| {
        is_table = line.starts_with("function ") || is_table && !line.contains(" finding");
        let parts: Vec<&str> = line.split_whitespace().collect();
        let is_timed = is_table && parts.last().is_some_and(|last| last.parse::<u64>().is_ok() || *last == "ms");
        match line {
            line if line.starts_with("prepared in ") => String::new(),
            line if is_timed => format!("{}\n", line[..line.trim_end().rfind(' ').unwrap_or(0)].trim_end()),
            line => format!("{line}\n"),
        }
    };
    ran.out.lines().map(line).collect()
}

#[test]
fn a_wide_terminal() {
    let ran = explored(&["examples/till.erl", "change/2", "eval/1", "discount/2"], 100);
    assert_eq!(ran.code, 1, "{}", ran.err);
    insta::assert_snapshot!(steady(&ran));
}

#[test]
fn a_narrow_terminal() {
    let ran = explored(&["examples/till.erl", "change/2", "receipt/1"], 60);
    insta::assert_snapshot!(steady(&ran));
    let is_source = |line: &str| line.contains("examples/till.erl:") || line.contains("hound run ");
    let long = ran.out.lines().find(|line| line.chars().count() > 60 && !is_source(line));
    assert_eq!(long, None);
}

#[test]
fn colours() {
    let ran = explored(&["--color", "always", "--all", "examples/till.erl", "discount/2", "eval/1"], 100);
    // The table has times.
    let (findings, _) = ran.out.split_once("\x1b[1mfunction ").expect("a table");
    insta::assert_snapshot!(findings.replace('\x1b', "␛"));
    let plain = explored(&["--color", "never", "--all", "examples/till.erl", "discount/2", "eval/1"], 100);
    assert!(!plain.out.contains('\x1b'));
}

/// The report on the stand, and the same in JSON.
fn stand() -> &'static (Ran, Ran) {
    static STAND_RAN: OnceLock<(Ran, Ran)> = OnceLock::new();
    STAND_RAN.get_or_init(|| {
        let text = explored(&["--all", STAND], 80);
        (text, explored(&["--format", "json", STAND], 80))
    })
}

#[test]
fn records_texts_large_values_and_long_lines() {
    insta::assert_snapshot!(steady(&stand().0));
}

/// The text that follows a label, joined from its lines.
fn facts<'o>(out: &'o str, label: &'o str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in out.lines() {
        let fact = line.trim_start().strip_prefix(label).filter(|_| line.starts_with(' '));
        match fact {
            Some(fact) => found.push(fact.to_owned()),
            None if is_open && line.starts_with("       ") => {
                found.last_mut().expect("one").push_str(&format!("\n{line}"))
            }
            None => {}
        }
        is_open = fact.is_some() || is_open && line.starts_with("       ");
    }
    found
}

/// Each call, as it stands in the report, does on the VM what the report says.
#[test]
fn calls_can_be_pasted_over_their_lines() {
    let (text, json) = stand();
    let calls = facts(&text.out, "= call: ");
    let functions = json.functions();
    let findings: Vec<&Value> =
        functions.values().flat_map(|one| one["findings"].as_array().expect("findings")).collect();
    assert_eq!(calls.len(), findings.len());
    let caught = |call: &str| format!("(fun() -> try {call} catch C:R -> {{C, R}} end end)()");
    let same: Vec<String> = calls
        .iter()
        .map(|call| {
            let name = call.split('(').next().expect("a name");
            let others = findings.iter().map(|finding| finding["call"].as_str().expect("a call"));
            let plain: Vec<String> =
                others.filter(|other| other.starts_with(&format!("{name}("))).map(caught).collect();
            format!("lists:member({}, [{}])", caught(call), plain.join(", "))
        })
        .collect();
    let expression = format!("[] = [N || {{N, false}} <- lists:enumerate([{}])], halt().", same.join(",\n"));
    support::compared("pasted", &["tests/diagnostics/stand.erl"], &expression);
}

/// The replay of a finding ends as the finding says.
#[test]
fn replays_can_be_typed() {
    let replays = facts(&stand().0.out, "= replay: ");
    assert!(replays.len() > 5, "{replays:?}");
    for replay in &replays {
        let words = replay.replace("hound", env!("CARGO_BIN_EXE_hound"));
        let ran = ended(Command::new("sh").args(["-c", &words]).current_dir(top()));
        assert_eq!(ran.code, 1, "{replay}\n{}{}", ran.out, ran.err);
    }
}

/// The lines that editors read: file, line, column, kind and message, from the first column on.
#[test]
fn every_bug_has_a_line_that_editors_read() {
    let ran = explored(&["examples/till.erl"], 60);
    let matcher: Value = serde_json::from_str(include_str!("../../../../docs/problem-matcher.json")).expect("JSON");
    let pattern = &matcher["problemMatcher"][0]["pattern"][0];
    let regexp = regex::Regex::new(pattern["regexp"].as_str().expect("a text")).expect("a regular expression");
    let found: Vec<[String; 4]> = ran
        .out
        .lines()
        .filter_map(|line| regexp.captures(line))
        .map(|found| {
            ["file", "line", "column", "message"]
                .map(|part| found[pattern[part].as_u64().expect("a number") as usize].to_owned())
        })
        .collect();
    let places: Vec<String> = found.iter().map(|[file, line, column, _]| format!("{file}:{line}:{column}")).collect();
    for place in
        ["examples/till.erl:10:1", "examples/till.erl:16:64", "examples/till.erl:25:32", "examples/till.erl:32:5"]
    {
        assert_eq!(places.iter().filter(|it| *it == place).count(), 1, "{place} in {places:?}\n{}", ran.out);
    }
    assert!(found.iter().any(|found| found[3] == "function_clause in till:change/2"), "{found:?}");
}

/// A source that was edited after it was compiled is not shown: its lines are others.
#[test]
fn only_the_source_that_was_compiled_is_shown() {
    let folder = support::folder("stale");
    for part in ["src", "ebin"] {
        std::fs::create_dir(folder.join(part)).expect("a folder");
    }
    let source = support::file(
        &folder,
        "src/late.erl",
        "-module(late).\n-export([f/1]).\n-spec f(0..1) -> 1.\nf(N) -> 1 div N.\n",
    );
    support::succeed("erlc", &["+debug_info", "-o", "ebin", "src/late.erl"], &folder);
    let shown = || explored(&[&folder.join("ebin/late.beam").display().to_string()], 100).out;
    let fresh = shown();
    assert!(fresh.contains("4 | f(N) -> 1 div N.\n") && fresh.contains("3 | -spec f(0..1) -> 1.\n"), "{fresh}");
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    let text = "%% A line more.\n".to_owned() + &std::fs::read_to_string(&source).expect("the source");
    std::fs::write(&source, text).expect("a file");
    std::fs::File::options().append(true).open(&source).and_then(|file| file.set_modified(later)).expect("a time");
    let stale = shown();
    assert!(stale.contains("late.erl:4:") && !stale.contains("4 | "), "{stale}");
}

#[test]
fn quiet_and_verbose() {
    let words = ["examples/till.erl", "eval/1", "round_up/1"];
    let quiet = explored(&[&words[..], &["-q"]].concat(), 100);
    assert!(
        quiet.out.starts_with("error[badarith]: ") && quiet.out.ends_with("badarith in till:eval/1\n"),
        "{}",
        quiet.out
    );
    assert_eq!((quiet.err.as_str(), quiet.out.contains("function  ")), ("", false));
    let verbose = explored(&[&words[..], &["-v"]].concat(), 100);
    assert!(verbose.err.contains("explored till:round_up/1: safe, 2 paths, 2 runs"), "{}", verbose.err);
    assert_eq!(hound(&["-q", "-v", "doctor"]).code, 2);
    let failed = hound(&["-v", "explore", "no/such.erl"]);
    assert_eq!(failed.err, "hound: no such file or directory: no/such.erl\nhound: explain no_file says more\n");
}

#[test]
fn strict_counts_what_is_open_and_what_is_missing() {
    let folder = support::folder("strict");
    let open = "-module(open).\n-export([f/1]).\n-spec f([integer()]) -> ok.\nf([]) -> ok;\nf([X | T]) when X > 0 -> f(T);\nf([_ | T]) -> f(T).\n";
    let open = support::file(&folder, "open.erl", open);
    assert_eq!(explored(&[&open], 100).code, 0);
    assert_eq!(explored(&["--strict", &open], 100).code, 1);
    assert_eq!(explored(&["--strict", "examples/till.erl", "round_up/1"], 100).code, 0);
    let source = support::file(
        &folder,
        "m.erl",
        "-module(m).\n-export([f/1]).\n-spec f(0..1) -> any().\nf(0) -> 0;\nf(1) -> nowhere:g().\n",
    );
    let missing = explored(&["--fail-on", "bug", &source], 100);
    assert_eq!(missing.code, 0, "{}", missing.err);
    assert!(missing.err.contains("the module nowhere is not there"), "{}", missing.err);
    assert_ne!(explored(&["--strict", &source], 100).code, 0);
    assert_eq!(explored(&["--strict", "--fail-on", "any", &source], 100).code, 2);
}

/// Another seed makes other long inputs; the same one gives the same bytes.
#[test]
fn a_seed_decides_what_is_made_by_chance() {
    let runs = |seed: &str| {
        let ran = explored(&["--seed", seed, "--format", "json", "examples/till.erl", "receipt/1"], 100);
        let function = &ran.functions()["till:receipt/1"];
        (function["stats"]["long_runs"].clone(), function["findings"].to_string(), function["coverage"].clone())
    };
    assert_eq!(runs("5"), runs("5"));
}
