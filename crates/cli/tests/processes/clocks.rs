//! Timeouts and timers, when nothing can go on and at any time, and replays of schedules.

use std::collections::BTreeMap;
use std::process::Command;

use crate::rig::sources;
use crate::support::{ended, file, folder, hound};

fn source(module: &str) -> String {
    sources().join(module).with_extension("erl").display().to_string()
}

/// A function, and its verdicts as time passes when nothing can go on, and with timeouts at any time.
const CLOCKS: [(&str, &str, &str); 14] = [
    ("ping/0", "safe", "crash"),
    ("timer/0", "safe", "crash"),
    ("cancel/0", "safe", "crash"),
    ("sleepers/0", "safe", "crash"),
    ("alone/1", "safe", "crash"),
    ("alone_wait/1", "safe", "crash"),
    ("alone_ok/1", "safe", "safe"),
    ("shown/1", "safe", "crash"),
    ("looks/0", "safe", "incomplete"),
    ("passed_over/1", "safe", "crash"),
    ("before_look/0", "safe", "crash"),
    ("before_end/0", "safe", "crash"),
    ("after_end/0", "safe", "safe"),
    ("ok/0", "safe", "safe"),
];

#[test]
fn timeouts_strike_when_nothing_goes_on_or_at_any_time() {
    let path = source("clocks");
    let verdicts = |clock: &str| -> BTreeMap<String, String> {
        let functions = hound(&["explore", "--all", "--format", "json", "--clock", clock, &path]).functions();
        functions.into_iter().map(|(name, it)| (name, it["verdict"].as_str().unwrap_or_default().to_owned())).collect()
    };
    let expected = |which: fn(&(&str, &str, &str)) -> String| -> BTreeMap<String, String> {
        CLOCKS.iter().map(|row| (format!("clocks:{}", row.0), which(row))).collect()
    };
    assert_eq!(verdicts("idle"), expected(|row| row.1.to_owned()));
    assert_eq!(verdicts("any"), expected(|row| row.2.to_owned()));
}

/// A schedule, an engine, and a part of what is printed.
const REPLAYS: [(&str, &str, &str); 4] = [
    ("0,0,2", "machine", "** exception error: b_first"),
    ("0,0,2", "beam", "** exception error: b_first"),
    ("0,0,1", "machine", "\nok\n"),
    ("0,0,1", "beam", "\nok\n"),
];

#[test]
fn a_schedule_is_replayed_on_either_engine() {
    let path = source("orders");
    for (turns, engine, shown) in REPLAYS {
        let ran = hound(&["run", "--schedule", turns, "--engine", engine, &path, "orders:two_senders()"]);
        assert!(ran.out.contains(shown), "{turns} {engine}: {}{}", ran.out, ran.err);
    }
    let bad = hound(&["run", "--schedule", "0;1", &path, "orders:two_senders()"]);
    assert!(bad.err.contains("--schedule 0;1: neither turns (0,1,t,0) nor a file"), "{}", bad.err);
}

#[test]
fn a_printed_replay_is_a_command_of_the_shell() {
    let folder = folder("processes it's here");
    let path = file(&folder, "ends.erl", include_str!("ends.erl"));
    let out = hound(&["explore", "--all", "--runs", "20", &path, "gone/0"]).out;
    let line = out.lines().find_map(|line| line.trim().strip_prefix("replay: hound ")).unwrap_or_default();
    assert!(line.contains('>') && line.contains("it'\\''s"), "{out}");
    let script = format!("exec \"$0\" {line}");
    let ran = ended(Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_hound")]).current_dir(&folder));
    assert!(ran.out.contains("** exception error: gone"), "{ran:?}");
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 1, "the command has written no file");
}
