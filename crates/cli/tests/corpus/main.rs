//! Programs with an oracle: `hound explore` finds exactly the crashes that their comments name.
//!
//! A finding that is not the class, reason and line of a demand, a demand without a finding, and a crash that the VM did
//! not confirm, are failures. The form of the comments: `oracle.rs`.

mod oracle;
#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use oracle::{Crash, Oracle, Oracles, SAFE_OR_INCOMPLETE, TOPICS};
use serde_json::Value;
use support::{sample, side_by_side};

/// Programs, and functions with an oracle, at least.
const FILES: usize = 47;
const FUNCTIONS: usize = 670;

/// One program in so many is looked at.
const SAMPLE: u64 = 2;

#[test]
fn every_program_is_judged_as_its_comments_say() {
    let programs = programs();
    let functions: usize = programs.iter().map(|(_, oracles)| oracles.all.len()).sum();
    assert!(functions >= FUNCTIONS, "{functions} functions are too few");
    let judged = side_by_side(sample(programs, SAMPLE), |(file, oracles)| {
        let mut judged = Vec::new();
        for (pre, oracles) in by_precondition(&oracles) {
            let explored = explore(&file, pre, &oracles);
            judged.extend(oracles.iter().map(|oracle| {
                let found = explored.get(&oracle.function);
                let wrong = found.map_or(vec!["it was not explored".to_owned()], |found| wrong(&file, oracle, found));
                wrong.iter().map(|wrong| format!("{}: {}: {wrong}", file.display(), oracle.function)).collect()
            }));
        }
        judged
    });
    let judged: Vec<Vec<String>> = judged.into_iter().flatten().collect();
    let problems = judged.concat();
    println!("{} functions", judged.len());
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

/// Programs of each topic.
const PROGRAMS: usize = 12;

/// Kinds of programs that people write, and ours of that kind.
const KINDS: [(&str, &str, &str); 10] = [
    ("a packet with a length and a checksum", "packets", "packet/1"),
    ("a header with options", "packets", "ipv4/1"),
    ("a reader of UTF-8", "texts", "snowman/1"),
    ("a parser of JSON-like binaries", "texts", "json/1"),
    ("a parser of JSON-like strings", "parsers", "json/1"),
    ("a configuration with defaults", "keyed", "config/1"),
    ("a reader of numbers with units", "strings", "units/1"),
    ("a fold with an unknown fun", "callbacks", "fold/2"),
    ("a handler that maps errors", "handlers", "mapped/1"),
    ("a comparator in a sort", "ordering", "schedule/1"),
];

#[test]
fn every_part_of_the_language_has_programs_of_its_own() {
    let mut counts: BTreeMap<String, usize> = TOPICS.iter().map(|topic| (topic.to_string(), 0)).collect();
    for (_, Oracles { all, topics }) in programs() {
        topics.iter().for_each(|topic| *counts.get_mut(topic).expect("a topic") += all.len());
    }
    println!("{counts:?}");
    let short: Vec<_> = counts.iter().filter(|(_, count)| **count < PROGRAMS).collect();
    assert!(short.is_empty(), "too few programs: {short:?}");
    let programs = programs();
    for (kind, name, function) in KINDS {
        let is_it = |(file, oracles): &(PathBuf, Oracles)| {
            file.file_stem().is_some_and(|stem| stem == name)
                && oracles.all.iter().any(|oracle| oracle.function == function)
        };
        assert!(programs.iter().any(is_it), "{kind} is not {name}:{function}");
    }
}

#[test]
fn the_same_exploration_twice_is_the_same_to_the_byte() {
    let file = folder().join("libraries.erl");
    let once = || {
        let output = hound(&file, None, &["rotate/1", "unique/1", "merged/2"]);
        let lines: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let timeless = lines.into_iter().map(|mut line| {
            line["stats"]["wall_ms"] = Value::Null;
            line["stats"]["prepare_ms"] = Value::Null;
            line.to_string()
        });
        timeless.collect::<Vec<_>>()
    };
    let first = once();
    assert_eq!(first.len(), 4, "three functions and a summary");
    assert_eq!(first, once());
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

/// The files of the corpus with their oracles.
fn programs() -> Vec<(PathBuf, Oracles)> {
    let files = std::fs::read_dir(folder()).expect("the corpus").map(|file| file.expect("a file").path());
    let mut files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|it| it == "erl")).collect();
    files.sort();
    assert!(files.len() >= FILES, "{} files are too few", files.len());
    let read = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).expect("a program");
        let oracles = oracle::read(&text).unwrap_or_else(|problem| panic!("{}: {problem}", file.display()));
        assert!(!oracles.all.is_empty(), "{} has no oracle", file.display());
        (file, oracles)
    };
    files.into_iter().map(read).collect()
}

fn by_precondition(oracles: &Oracles) -> BTreeMap<Option<&str>, Vec<&Oracle>> {
    let mut by: BTreeMap<Option<&str>, Vec<&Oracle>> = BTreeMap::new();
    oracles.all.iter().for_each(|oracle| by.entry(oracle.pre.as_deref()).or_default().push(oracle));
    by
}

fn explore(file: &Path, pre: Option<&str>, oracles: &[&Oracle]) -> BTreeMap<String, Value> {
    let functions: Vec<&str> = oracles.iter().map(|oracle| oracle.function.as_str()).collect();
    let output = hound(file, pre, &functions);
    let lines = output.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
    let named = lines.filter_map(|line| Some((line["function"].as_str()?.split_once(':')?.1.to_owned(), line.clone())));
    named.collect()
}

fn hound(file: &Path, pre: Option<&str>, functions: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
    command.args(["explore", "--format", "json", "--runs", "1200"]).arg(file).args(functions);
    pre.iter().for_each(|pre| _ = command.args(["--pre", pre]));
    let output = command.output().expect("hound runs");
    let problem = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}: {problem}", file.display());
    String::from_utf8(output.stdout).expect("text")
}

/// The differences between an oracle and what was found.
fn wrong(file: &Path, oracle: &Oracle, found: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let verdict = found["verdict"].as_str().unwrap_or_default();
    let fits = verdict == oracle.verdict || oracle.verdict == SAFE_OR_INCOMPLETE && verdict != "crash";
    if !fits {
        wrong.push(format!("the verdict is {verdict}, not {}: {}", oracle.verdict, found["reasons"]));
    }
    let findings = found["findings"].as_array().expect("findings");
    let is_meant =
        |finding: &Value, crash: &Crash| finding["file"].as_str() == file.to_str() && is_meant(finding, crash);
    let missing = oracle.crashes.iter().filter(|crash| !findings.iter().any(|finding| is_meant(finding, crash)));
    wrong.extend(missing.map(|crash| format!("missing: {crash:?}")));
    let unexpected = findings.iter().filter(|finding| !oracle.crashes.iter().any(|crash| is_meant(finding, crash)));
    wrong.extend(unexpected.map(|it| {
        format!("unexpected: {}: {}:{} in {}:{}", it["call"], it["class"], it["reason"], it["file"], it["line"])
    }));
    if found["unconfirmed"].as_array().is_none_or(|list| !list.is_empty()) {
        wrong.push(format!("not confirmed: {}", found["unconfirmed"]));
    }
    if oracle.complete && found["complete"] != true {
        wrong.push(format!("the search is not complete: {}", found["reasons"]));
    }
    if oracle.paths.is_some_and(|paths| found["paths"] != paths) {
        wrong.push(format!("{} paths", found["paths"]));
    }
    wrong
}

fn is_meant(finding: &Value, crash: &Crash) -> bool {
    let [class, reason] = ["class", "reason"].map(|name| finding[name].as_str().unwrap_or_default());
    crash.fits(class, reason, finding["line"].as_u64().unwrap_or_default())
}
