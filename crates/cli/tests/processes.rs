//! Programs with processes: runs agree with the VM, and explorations go through every order that makes a difference.

mod support;

use serde_json::Value;
use support::{file, folder, hound, top};

const MODULES: [&str; 5] = ["basics", "basics_server", "basics_machine", "basics_event", "basics_supervisor"];

/// The outcome of every function of a module on the VM, as text.
fn on_vm() -> Vec<String> {
    let folder = folder("processes_vm");
    let sources: Vec<String> = MODULES.iter().map(|module| source(module)).collect();
    let mut args = vec!["-W0"];
    args.extend(sources.iter().map(String::as_str));
    support::succeed("erlc", &args, &folder);
    let print = "logger:set_primary_config(level, none), [io:format(\"~0p~n\", [X]) || X <- basics:all()], halt().";
    let mut erl = std::process::Command::new("erl");
    erl.args(["-noinput", "-boot", "start_clean", "-eval", print]).arg("-pa").arg(&folder);
    // On a busy machine a process of the VM may get no turn for long.
    let outcomes = (0..3).map(|_| String::from_utf8(erl.output().expect("erl runs").stdout).expect("UTF-8"));
    let text = outcomes.into_iter().find(|text| !text.contains("hangs")).expect("a run without a hang");
    text.lines().map(str::to_owned).collect()
}

fn source(module: &str) -> String {
    top().join(format!("crates/cli/tests/processes/{module}.erl")).display().to_string()
}

#[test]
fn runs_give_what_the_vm_gives() {
    let sources: Vec<String> = MODULES.iter().map(|module| source(module)).collect();
    let mut words = vec!["run", "--format", "json"];
    words.extend(sources.iter().map(String::as_str));
    words.push("[io_lib:format(\"~0p\", [X]) || X <- basics:all()]");
    let ran = hound(&words);
    let line: Value = serde_json::from_str(ran.out.lines().last().unwrap_or_default()).expect("JSON");
    assert_eq!(line["outcome"], "value", "{}{}", ran.out, ran.err);
    let mut wrong = Vec::new();
    let theirs = on_vm();
    assert!(theirs.len() > 40, "{theirs:?}");
    for outcome in &theirs {
        let name = outcome.split(['{', ',']).nth(1).unwrap_or_default();
        let call = format!("io_lib:format(\"~0p\", [{{{name}, basics:outcome({name})}}])");
        let one = [&words[..words.len() - 1], &[&call]].concat();
        let text = hound(&one);
        let ours: Value = serde_json::from_str(text.out.lines().last().unwrap_or_default()).unwrap_or_default();
        let shown = format!("lists:flatten({})", ours["value"].as_str().unwrap_or(&text.err));
        let flat = hound(&["run", &shown]).out;
        if flat.trim() != format!("{outcome:?}") {
            wrong.push(format!("VM {outcome}\n  ours {}", flat.trim()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A function, its verdict, the number of runs, and a part of what is printed.
type Row = (&'static str, &'static str, u64, &'static str);

const ROWS: [Row; 20] = [
    ("two_senders/0", "crash", 2, "error: b_first"),
    ("two_senders_apart/0", "safe", 1, "for every schedule"),
    ("three_senders/0", "safe", 6, "for every schedule"),
    ("four_senders/0", "safe", 24, "for every schedule"),
    ("deadlock/0", "crash", 1, "deadlock: no process can go on"),
    ("name_race/0", "crash", 2, "error: found"),
    ("message_content/1", "crash", 3, "boom"),
    ("content_and_order/1", "crash", 9, "error: found"),
    ("lost_update/0", "crash", 8, "{badmatch,[{c,1}]}"),
    ("looks_once/0", "crash", 2, "error: got"),
    ("timeout/0", "safe", 1, "for every schedule"),
    ("philosophers/0", "crash", 3, "P1 waits in orders:fork/0"),
    ("ordered_philosophers/0", "safe", 2, "leak: a process waits that nothing can reach"),
    ("readers/0", "safe", 8, "for every schedule"),
    ("killed/0", "crash", 2, "error: too_late"),
    ("server/1", "crash", 0, "three"),
    ("child/1", "crash", 2, "{badmatch,0} in orders:child/1"),
    ("late_child/0", "crash", 1, "no function clause matching lists:nth(2,[])"),
    ("proc_lib_child/1", "crash", 0, "orders:proc_lib_child(12)"),
    ("exiting_child/0", "crash", 1, "exit: bad"),
];

const PROGRAM: &str = include_str!("processes/orders.erl");

#[test]
fn explorations_go_through_every_order_once() {
    let folder = folder("processes_orders");
    let path = file(&folder, "orders.erl", PROGRAM);
    let mut wrong = Vec::new();
    for (function, verdict, runs, shown) in ROWS {
        let text = hound(&["explore", &path, function]).out;
        let json = hound(&["explore", "--format", "json", &path, function]).out;
        let line: Value = json
            .lines()
            .find_map(|line| {
                let line: Value = serde_json::from_str(line).ok()?;
                (line["kind"] == "function").then_some(line)
            })
            .unwrap_or_default();
        let made = line["stats"]["runs"].as_u64();
        if line["verdict"] != verdict || runs > 0 && made != Some(runs) || !text.contains(shown) {
            wrong.push(format!("{function}: {} in {made:?} runs\n{text}", line["verdict"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A function, and its verdicts as time passes when nothing can go on, and with timeouts at any time.
const CLOCKS: [(&str, &str, &str); 5] = [
    ("ping/0", "safe", "crash"),
    ("timer/0", "safe", "crash"),
    ("cancel/0", "safe", "crash"),
    ("sleepers/0", "safe", "crash"),
    ("ok/0", "safe", "safe"),
];

#[test]
fn timeouts_strike_when_nothing_goes_on_or_at_any_time() {
    let path = source("clocks");
    let verdicts = |clock: &str| -> Vec<(String, String)> {
        let out = hound(&["explore", "--format", "json", "--clock", clock, &path]).out;
        let lines = out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        lines
            .filter(|line| line["kind"] == "function")
            .map(|it| (text(&it["function"]), text(&it["verdict"])))
            .collect()
    };
    let expected = |which: fn(&(&str, &str, &str)) -> String| -> Vec<(String, String)> {
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
