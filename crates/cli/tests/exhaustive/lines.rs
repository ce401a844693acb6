//! Lines that can be reached, and lines that cannot: every line of functions over finite domains is a target.
//!
//! `HOUND_LINES` says how many functions there are. A line is reached exactly if some input runs it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::{Folder, finite, number};

#[test]
fn lines_are_reached_exactly_if_some_input_runs_them() {
    let (seed, count) = (number("HOUND_SEED", 1), number("HOUND_LINES", 15));
    let folder = Folder::new("lines");
    finite::write(&folder.0, seed, count as usize, number("HOUND_DEPTH", 2) as u32);
    let truth = run(&folder.0);
    let verdicts = reach(&folder.0.join("finite.erl"), truth.keys());
    let (mut problems, mut open, mut dead) = (Vec::new(), 0, 0);
    for (line, calls) in &truth {
        let verdict = verdicts.get(line).map_or("none", String::as_str);
        dead += usize::from(*calls == 0);
        match (verdict, calls) {
            ("incomplete", _) => open += 1,
            ("reached", 1..) | ("unreachable", 0) => {}
            _ => problems.push(format!("line {line}: {verdict}, but {calls} calls")),
        }
    }
    if !problems.is_empty() {
        let kept = std::env::temp_dir().join(format!("lines-{seed}.erl"));
        std::fs::copy(folder.0.join("finite.erl"), &kept).expect("the program can be kept");
        panic!("{} problems, see {}\n{}", problems.len(), kept.display(), problems.join("\n"));
    }
    assert!(truth.len() as u64 > 5 * count, "{} lines are too few", truth.len());
    eprintln!("{} lines, {dead} of them dead, {open} not settled", truth.len());
    assert!(open * 50 <= truth.len() && dead > 5, "{open} of {} are not settled, {dead} are dead", truth.len());
}

/// How often the VM runs each line, all inputs together.
fn run(folder: &Path) -> BTreeMap<u64, u64> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exhaustive/enumerate.erl");
    let sources = [folder.join("finite_inputs.erl"), script];
    let compiled = Command::new("erlc").args(["-W0", "-o"]).arg(folder).args(sources).output().expect("erlc runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stdout));
    let main = format!("enumerate:lines({:?})", folder.join("finite.erl"));
    let main = ["-noshell", "-eval", &main, "-s", "init", "stop"];
    let output = Command::new("erl").arg("-pa").arg(folder).args(main).output().expect("erl runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let row = |line: &str| {
        let (line, calls) = line.split_once('\t')?;
        Some((line.parse().ok()?, calls.parse().ok()?))
    };
    let rows: BTreeMap<u64, u64> = text.lines().filter_map(row).collect();
    assert!(!rows.is_empty(), "{text} {}", String::from_utf8_lossy(&output.stderr));
    rows
}

fn reach<'a>(file: &Path, lines: impl Iterator<Item = &'a u64>) -> BTreeMap<u64, String> {
    let targets = lines.map(|line| format!("{}:{line}", file.display()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
    let output = command.args(["reach", "--format", "json"]).args(targets).output().expect("hound runs");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{text} {}", String::from_utf8_lossy(&output.stderr));
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let target = |line: Value| Some((line["line"].as_u64()?, line["verdict"].as_str()?.to_owned()));
    lines.filter_map(target).collect()
}
