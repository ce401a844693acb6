//! The same functions for the same seconds: crashes that PropEr finds with generators from the specs, and that we find.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::corpus::{Oracle, crash, oracles};
use crate::explored::{AT_END, AT_FIRST, run};
use crate::oracle::Crash;

const SECONDS: u64 = 2;
/// From bugs that any input shows to those that one in a million does.
const FUNCTIONS: [&str; 14] = [
    "searching:nth/2",
    "machines:stack/1",
    "trees:calc/1",
    "machines:door/1",
    "expressions:eval/1",
    "libraries:unique/1",
    "records:option/1",
    "trees:total/1",
    "numbers:linear/2",
    "records:discount/1",
    "patterns:strings/1",
    "trees:balanced/1",
    "libraries:merged/2",
    "numbers:big/1",
];

/// What one side found, and when it found the first.
struct Side {
    crashes: usize,
    first: Option<Duration>,
}

pub fn print() -> Result<(), String> {
    let oracles = oracles()?;
    let folder = std::env::temp_dir().join(format!("hound-bench-proper-{}", std::process::id()));
    let compiled = compile(&folder, &oracles);
    let shown = match compiled {
        Ok(true) => table(&folder, &oracles),
        Ok(false) => {
            println!("PropEr is not installed (Debian: erlang-proper): no comparison");
            Ok(())
        }
        Err(problem) => Err(problem),
    };
    // Only compiled files.
    let _ = std::fs::remove_dir_all(&folder);
    shown
}

/// Compiles the programs and the driver; `false` without PropEr.
fn compile(folder: &Path, oracles: &[Oracle]) -> Result<bool, String> {
    let there = "halt(case code:which(proper) of non_existing -> 1; _ -> 0 end).";
    let asked = Command::new("erl").args(["-noinput", "-boot", "start_clean", "-eval", there]).status();
    if !asked.map_err(|error| format!("erl: {error}"))?.success() {
        return Ok(false);
    }
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = oracles.iter().map(|oracle| oracle.file.clone()).collect();
    files.dedup();
    files.push(crate::repository().join("crates/cli/examples/bench/crashes.erl"));
    let done = Command::new("erlc").args(["+debug_info", "+nowarn", "-o"]).arg(folder).args(&files).output();
    let done = done.map_err(|error| format!("erlc: {error}"))?;
    match done.status.success() {
        true => Ok(true),
        false => Err(String::from_utf8_lossy(&done.stdout).into_owned()),
    }
}

fn table(folder: &Path, oracles: &[Oracle]) -> Result<(), String> {
    println!("crashes found in {SECONDS} s each, time to the first from the start of the command");
    println!(
        "{:<30} {:>8} {:>10} {:>10} {:>10} {:>10}",
        "function", "crashes", "PropEr", "first s", "hound", "first s"
    );
    let (mut known, mut theirs, mut ours) = (0, 0, 0);
    for name in FUNCTIONS {
        let found = oracles.iter().find(|oracle| oracle.name() == name && oracle.pre.is_none());
        let oracle = found.ok_or_else(|| format!("the corpus has no {name}"))?;
        let (proper, hound) = (of_proper(folder, oracle)?, of_hound(oracle)?);
        let all = oracle.crashes.len();
        let (a, b) = (seconds(proper.first), seconds(hound.first));
        println!("{name:<30} {all:>8} {:>10} {a:>10} {:>10} {b:>10}", proper.crashes, hound.crashes);
        (known, theirs, ours) = (known + all, theirs + proper.crashes, ours + hound.crashes);
    }
    println!("{:<30} {known:>8} {theirs:>10} {:>10} {ours:>10}", "together", "");
    Ok(())
}

fn seconds(time: Option<Duration>) -> String {
    time.map_or_else(|| "-".to_owned(), |time| format!("{:.2}", time.as_secs_f64()))
}

/// The driver prints each crash on a line when it meets it first.
fn of_proper(folder: &Path, oracle: &Oracle) -> Result<Side, String> {
    let (name, arity) = oracle.function.split_once('/').ok_or("a function without arity")?;
    let call = format!("crashes:main({}, {name}, {arity}, {}).", oracle.module, SECONDS * 1000);
    let began = Instant::now();
    let mut child = Command::new("erl")
        .args(["-noinput", "-pa"])
        .arg(folder)
        .args(["-eval", &call])
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("erl: {error}"))?;
    let output = child.stdout.take().ok_or("no output")?;
    let mut side = Side { crashes: 0, first: None };
    let mut crashes = Vec::new();
    for line in BufReader::new(output).lines() {
        let line = line.map_err(|error| error.to_string())?;
        crashes.extend(reported(&line));
        side.crashes = oracle.met_by(&crashes);
        if side.crashes > 0 {
            side.first.get_or_insert(began.elapsed());
        }
    }
    match child.wait() {
        Ok(status) if status.success() => Ok(side),
        _ => Err(format!("{call} failed")),
    }
}

/// Class, line and reason, divided by spaces.
fn reported(line: &str) -> Option<Crash> {
    let mut words = line.splitn(3, ' ');
    let (class, line, reason) = (words.next()?, words.next()?.parse::<u64>().ok()?, words.next()?);
    crash(&json!({ "class": class, "line": line, "reason": reason }))
}

fn of_hound(oracle: &Oracle) -> Result<Side, String> {
    let time = SECONDS.to_string();
    let mut words = vec!["--time", time.as_str(), "--runs", "1000000000"];
    words.extend(oracle.words());
    let crashes = |measured: &Value| -> usize {
        let findings = measured["functions"][0]["findings"].as_array().into_iter().flatten();
        oracle.met_by(&findings.filter_map(crash).collect::<Vec<_>>())
    };
    let began = Instant::now();
    let first = crashes(&run(AT_FIRST, &words)?) > 0;
    let first = first.then(|| began.elapsed());
    Ok(Side { crashes: crashes(&run(AT_END, &words)?), first })
}
