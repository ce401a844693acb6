//! Programs whose crash needs a length, a count, a depth or a magnitude far from the smallest inputs: `hound explore`
//! finds each by default, in seconds, and makes its witness small again.
//!
//! The oracles are comments, as in the corpus. A function without a crash has the same length, count or depth as one
//! with a crash, and no finding.

#[path = "../corpus/oracle.rs"]
#[allow(dead_code, reason = "the corpus uses all of it")]
mod oracle;
#[path = "../support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};

use oracle::{Crash, Oracle};
use serde_json::Value;
use support::{hound_anew, sample, side_by_side};

/// Functions with a crash, at least.
const CRASHES: usize = 60;

/// One program in so many is looked at.
const SAMPLE: u64 = 3;

/// Seconds for each function: a slow machine needs some of them, a fast one few.
const SECONDS: &str = "90";

fn programs() -> Vec<(PathBuf, Oracle)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/long_inputs");
    let entries = std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|it| it == "erl")).collect();
    files.sort();
    let read = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).expect("text");
        let oracles = oracle::read(&text).unwrap_or_else(|problem| panic!("{}: {problem}", file.display()));
        oracles.all.into_iter().map(move |oracle| (file.clone(), oracle))
    };
    files.into_iter().flat_map(read).collect()
}

fn explore(file: &Path, function: &str, more: &[&str]) -> Value {
    let file = file.display().to_string();
    let words = [&["explore", "--format", "json", "--time", SECONDS], more, &[&file, function]].concat();
    let ran = hound_anew(&words);
    let found = ran.functions().into_values().next();
    found.unwrap_or_else(|| panic!("{file} {function}: {}{}", ran.out, ran.err))
}

fn is_found(line: &Value, crash: &Crash) -> bool {
    let findings = line["findings"].as_array().expect("findings");
    findings.iter().any(|it| {
        let text = |name: &str| it[name].as_str().unwrap_or_default().to_owned();
        crash.fits(&text("class"), &text("reason"), it["line"].as_u64().unwrap_or(0)) && it["confirmed"] == true
    })
}

#[test]
fn every_crash_at_depth_is_found_by_default() {
    let programs = programs();
    let crashes = programs.iter().filter(|(_, oracle)| !oracle.crashes.is_empty()).count();
    assert!(crashes >= CRASHES, "{crashes} programs are too few");
    let judged = side_by_side(sample(programs, SAMPLE), |(file, oracle)| {
        let line = explore(&file, &oracle.function, &[]);
        let missing = oracle.crashes.iter().find(|crash| !is_found(&line, crash));
        let is_false = oracle.crashes.is_empty() && line["verdict"] == "crash";
        let name = || format!("{} {}", file.display(), oracle.function);
        match missing {
            Some(crash) => Some(format!("{}: no {crash:?} in {} runs", name(), line["stats"]["long_runs"])),
            None if is_false => Some(format!("{}: {}", name(), line["findings"])),
            None => None,
        }
    });
    let wrong: Vec<String> = judged.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The witness of the first finding of a function.
fn witness(program: &str, function: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/long_inputs").join(program);
    explore(&file, function, &[])["findings"][0]["call"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn witnesses_are_as_long_as_the_crash_needs() {
    let commands = |command: &str, count: usize| vec![command; count].join(",");
    let expected = [
        ("queues.erl", "mailbox/1", format!("queues:mailbox([{}])", commands("{push,0}", 51))),
        ("tallies.erl", "odometer/1", "tallies:odometer(1000000)".to_owned()),
        ("tallies.erl", "versions/1", format!("tallies:versions([{}])", commands("minor", 10))),
        ("nesting.erl", "lists/1", format!("nesting:lists({}{})", "[".repeat(31), "]".repeat(31))),
        ("nesting.erl", "brackets/1", format!("nesting:brackets(<<\"{}\">>)", "(".repeat(20))),
    ];
    let wrong: Vec<String> = side_by_side(expected.to_vec(), |(program, function, expected)| {
        let found = witness(program, function);
        (found != expected).then_some(found)
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn any_number_of_workers_finds_the_same_at_depth() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/long_inputs/queues.erl");
    let explored = |workers: &str| {
        let mut line = explore(&file, "undo/1", &["--workers", workers, "--runs", "1000", "--no-cache"]);
        (line["stats"]["wall_ms"], line["stats"]["prepare_ms"]) = (Value::Null, Value::Null);
        line
    };
    let one = explored("1");
    assert!(one["stats"]["long_runs"].as_u64() > Some(0) && one["verdict"] == "crash", "{one}");
    assert_eq!(explored("3"), one);
}

#[test]
fn a_proof_takes_no_long_inputs() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/long_inputs/fields.erl");
    let line = explore(&file, "pascal_ok/1", &[]);
    assert_eq!((&line["verdict"], &line["stats"]["long_runs"]), (&"safe".into(), &0.into()), "{line}");
}
