//! `hound run` on calls that end with another process, or while others end.

use serde_json::Value;

use crate::rig::sources;
use crate::support::{Ran, hound};

const ENGINES: [&str; 2] = ["machine", "beam"];

fn run(options: &[&str], function: &str) -> Ran {
    let path = sources().join("ends.erl").display().to_string();
    hound(&[&["run"], options, &[&path, &format!("ends:{function}()")]].concat())
}

/// A function, the first line that is printed, and the exit code.
const ENDS: [(&str, &str, i32); 7] = [
    ("signal", "** exception exit: late", 1),
    ("killed", "** exception exit: killed", 1),
    ("busy", "** exception exit: late", 1),
    ("linked", "** exception exit: late", 1),
    ("waits", "** exception error: waited", 1),
    ("overflow", "** exception exit: overflow", 1),
    ("others", "ok", 0),
];

#[test]
fn a_call_without_a_schedule_ends_alike_on_either_engine() {
    for (function, shown, code) in ENDS {
        for engine in ENGINES {
            let ran = run(&["--engine", engine], function);
            assert_eq!((ran.out.lines().next(), ran.code), (Some(shown), code), "{function} {engine}: {ran:?}");
        }
    }
}

#[test]
fn crashes_of_other_processes_are_reported() {
    for engine in ENGINES {
        let ran = run(&["--engine", engine], "others");
        let lines: Vec<&str> = ran.err.lines().collect();
        let first = lines.first().copied().unwrap_or_default();
        assert!(first.starts_with("hound: process P1 crashed: error: oops in ends:"), "{ran:?}");
        assert!(first.ends_with("ends.erl:45)"), "{ran:?}");
        assert!(lines.len() == 2 && lines[1].contains("process P2 crashed: exit: bad"), "{ran:?}");
        assert_eq!((ran.out.as_str(), ran.code), ("ok\n", 0));
    }
    let line: Value = serde_json::from_str(&run(&["--format", "json"], "others").out).expect("JSON");
    assert_eq!(line["crashes"][0], serde_json::json!({"process": "P1", "class": "error", "reason": "oops"}));
}

/// A function, and a line that its run under a schedule prints.
const SCHEDULED: [(&str, &str); 6] = [
    ("signal", "** exception exit: late"),
    ("overflow", "** exception error: overflow"),
    ("worker", "** exception error: oops"),
    ("named", "** exception exit: ticked"),
    ("trapped", "hound: deadlock: no process can go on"),
    ("leak", "leak: a process waits that nothing can reach"),
];

#[test]
fn a_run_under_a_schedule_reports_the_same_defect_on_either_engine() {
    for (function, shown) in SCHEDULED {
        let [ours, theirs] = ENGINES.map(|engine| run(&["--schedule", "0", "--engine", engine], function));
        assert!(ours.out.lines().chain(ours.err.lines()).any(|line| line == shown), "{function}: {ours:?}");
        assert_eq!((&ours.out, &ours.err, ours.code), (&theirs.out, &theirs.err, theirs.code), "{function}");
    }
    let line: Value = serde_json::from_str(&run(&["--schedule", "0", "--format", "json"], "leak").out).expect("JSON");
    assert!(line["leaks"][0].as_str().is_some_and(|text| text.starts_with("P1 waits in ends:")), "{line}");
}
