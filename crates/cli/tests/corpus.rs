//! Programs with an oracle: what `hound explore` must find in each, said in its own comments.
//!
//! A line `%! f/1 crash error:badarith@here complete paths=3 pre=valid/1` names a function, its verdict, and what must
//! hold: a finding of that class and reason on the line marked `%@here`, a complete search, a number of paths. Findings
//! on other lines, and crashes that the VM did not confirm, are failures. A line `%? maps` names the part of the language
//! that the programs of a file are about.

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::side_by_side;

/// One line of an oracle.
struct Oracle {
    function: String,
    verdict: String,
    pre: Option<String>,
    demands: Vec<String>,
}

#[test]
fn every_program_is_judged_as_its_comments_say() {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder()).expect("the corpus").map(|file| file.expect("a file").path()).collect();
    files.sort();
    let files = files.into_iter().filter(|file| file.extension().is_some_and(|ending| ending == "erl"));
    let judged = side_by_side(files, |file| {
        let text = std::fs::read_to_string(&file).expect("a program");
        let labels = labels(&text);
        let mut judged = Vec::new();
        for (pre, oracles) in oracles(&text) {
            let explored = explore(&file, pre.as_deref(), &oracles);
            judged.extend(oracles.iter().map(|oracle| {
                let found = explored.get(&oracle.function);
                let wrong = found.map_or(vec!["it was not explored".to_owned()], |found| wrong(oracle, found, &labels));
                wrong.iter().map(|wrong| format!("{}: {}: {wrong}", file.display(), oracle.function)).collect()
            }));
        }
        judged
    });
    let judged: Vec<Vec<String>> = judged.into_iter().flatten().collect();
    let (judged, problems) = (judged.len(), judged.concat());
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
    assert!(judged >= 60, "{judged} programs are too few");
}

/// Parts of the language, each with programs of its own.
const TOPICS: [&str; 8] = ["binaries", "floats", "maps", "text", "funs", "exceptions", "order", "calls"];

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
    for file in std::fs::read_dir(folder()).expect("the corpus") {
        let text = std::fs::read_to_string(file.expect("a file").path()).expect("a program");
        let programs = oracles(&text).values().map(Vec::len).sum::<usize>();
        for topic in text.lines().filter_map(|line| line.strip_prefix("%? ")) {
            *counts.get_mut(topic).unwrap_or_else(|| panic!("{topic} is no topic")) += programs;
        }
    }
    println!("{counts:?}");
    let short: Vec<_> = counts.iter().filter(|(_, count)| **count < PROGRAMS).collect();
    assert!(short.is_empty(), "too few programs: {short:?}");
    for (kind, file, function) in KINDS {
        let text = std::fs::read_to_string(folder().join(format!("{file}.erl"))).expect("a program");
        let judged = oracles(&text).values().flatten().any(|oracle| oracle.function == function);
        assert!(judged, "{kind} is not {file}:{function}");
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
            line.to_string()
        });
        timeless.collect::<Vec<_>>()
    };
    assert_eq!(once(), once());
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

/// The line of each `%@label`.
fn labels(text: &str) -> BTreeMap<String, u64> {
    let lines = text.lines().zip(1..);
    lines.filter_map(|(line, at)| Some((line.split_once("%@")?.1.trim().to_owned(), at))).collect()
}

/// The oracles of a program, by precondition.
fn oracles(text: &str) -> BTreeMap<Option<String>, Vec<Oracle>> {
    let mut found: BTreeMap<Option<String>, Vec<Oracle>> = BTreeMap::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("%! ")) {
        let (pre, words): (Vec<&str>, Vec<&str>) = line.split_whitespace().partition(|word| word.starts_with("pre="));
        let pre = pre.first().map(|word| word["pre=".len()..].to_owned());
        let [function, verdict, demands @ ..] = &words[..] else { panic!("not an oracle: {line}") };
        let demands = demands.iter().map(|word| word.to_string()).collect();
        let oracle = Oracle { function: function.to_string(), verdict: verdict.to_string(), pre: pre.clone(), demands };
        found.entry(oracle.pre.clone()).or_default().push(oracle);
    }
    found
}

fn explore(file: &Path, pre: Option<&str>, oracles: &[Oracle]) -> BTreeMap<String, Value> {
    let functions: Vec<&str> = oracles.iter().map(|oracle| oracle.function.as_str()).collect();
    let output = hound(file, pre, &functions);
    let lines = output.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
    let named = lines.filter_map(|line| Some((line["function"].as_str()?.split_once(':')?.1.to_owned(), line.clone())));
    named.collect()
}

fn hound(file: &Path, pre: Option<&str>, functions: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
    command.args(["explore", "--format", "json", "--runs", "1000"]).arg(file).args(functions);
    pre.iter().for_each(|pre| _ = command.args(["--pre", pre]));
    let output = command.output().expect("hound runs");
    let problem = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}: {problem}", file.display());
    String::from_utf8(output.stdout).expect("text")
}

fn wrong(oracle: &Oracle, found: &Value, labels: &BTreeMap<String, u64>) -> Vec<String> {
    let mut wrong = Vec::new();
    let verdict = found["verdict"].as_str().unwrap_or_default();
    let fits = verdict == oracle.verdict || oracle.verdict == "safe_or_incomplete" && verdict != "crash";
    if !fits {
        wrong.push(format!("the verdict is {verdict}, not {}: {}", oracle.verdict, found["reasons"]));
    }
    let wanted: Vec<(&str, u64)> = oracle.demands.iter().filter_map(|demand| finding(demand, labels)).collect();
    let findings = found["findings"].as_array().cloned().unwrap_or_default();
    for (what, line) in &wanted {
        if !findings.iter().any(|finding| is_meant(finding, what, *line)) {
            wrong.push(format!("no {what} on line {line}"));
        }
    }
    for finding in findings.iter().filter(|finding| !wanted.iter().any(|(_, line)| finding["line"] == *line)) {
        wrong.push(format!("nobody expects {}: {} on line {}", finding["call"], finding["reason"], finding["line"]));
    }
    if found["unconfirmed"].as_array().is_some_and(|list| !list.is_empty()) {
        wrong.push(format!("not confirmed: {}", found["unconfirmed"]));
    }
    if oracle.demands.iter().any(|demand| demand == "complete") && found["complete"] != true {
        wrong.push(format!("the search is not complete: {}", found["reasons"]));
    }
    let paths = oracle.demands.iter().find_map(|demand| demand.strip_prefix("paths=")?.parse::<u64>().ok());
    if paths.is_some_and(|paths| found["paths"] != paths) {
        wrong.push(format!("{} paths", found["paths"]));
    }
    wrong
}

/// `error:badarith@here` as class and reason, and the line.
fn finding<'a>(demand: &'a str, labels: &BTreeMap<String, u64>) -> Option<(&'a str, u64)> {
    let (what, label) = demand.split_once('@')?;
    Some((what, *labels.get(label).unwrap_or_else(|| panic!("no line is marked {label}"))))
}

fn is_meant(finding: &Value, what: &str, line: u64) -> bool {
    let Some((class, tag)) = what.split_once(':') else { return false };
    let reason = finding["reason"].as_str().unwrap_or_default();
    let tagged = reason.strip_prefix('{').unwrap_or(reason);
    let named =
        tagged.strip_prefix(tag).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
    finding["class"] == class && named && finding["line"] == line
}
