//! `hound explore --engine`: runs on the real VM, replayed from their events.

mod support;

use std::collections::BTreeMap;

use serde_json::Value;
use support::{file, folder, hound};

/// What was found in a function: verdict, completeness, and class, reason and line of each crash.
type Found = BTreeMap<String, (String, bool, Vec<String>)>;

fn explore(engine: &str, runs: &str, path: &str) -> Found {
    let ran = hound(&["explore", "--format", "json", "--runs", runs, "--engine", engine, path]);
    assert!(ran.code < 2, "{path} on {engine}: {}", ran.err);
    let lines = ran.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("an object"));
    let functions = lines.filter(|line| line["kind"] == "function");
    functions.map(|line| (line["function"].as_str().expect("a name").to_owned(), found(&line))).collect()
}

fn found(line: &Value) -> (String, bool, Vec<String>) {
    let crash = |it: &Value| format!("{} {} {}", it["class"], it["reason"], it["line"]);
    let mut crashes: Vec<String> = line["findings"].as_array().expect("a list").iter().map(crash).collect();
    crashes.sort();
    (line["verdict"].as_str().expect("a verdict").to_owned(), line["complete"] == true, crashes)
}

/// Programs of the corpus, and runs of each function.
const PROGRAMS: [&str; 12] = [
    "accumulators",
    "bank",
    "checks",
    "elevator",
    "higher_order",
    "machines",
    "mutual",
    "patterns",
    "records",
    "robot",
    "safe",
    "trees",
];
const RUNS: &str = "120";

#[test]
fn both_engines_find_the_same_where_they_find_everything() {
    let (mut compared, mut crashes) = (0, 0);
    for program in PROGRAMS {
        let path = format!("crates/cli/tests/corpus/{program}.erl");
        let (machine, beam) = (explore("machine", RUNS, &path), explore("beam", RUNS, &path));
        for (function, ours) in machine.iter().filter(|(_, (_, complete, _))| *complete) {
            assert_eq!(Some(ours), beam.get(function), "{function}");
            compared += 1;
            crashes += ours.2.len();
        }
    }
    assert!(compared >= 20 && crashes >= 10, "{compared} functions with {crashes} crashes are too few");
}

const PROCESSES: &str = "-module(asks).
-export([ask/1]).
-spec ask(0..9) -> ok.
ask(N) ->
    case answer(N) of
        {ok, 6} -> error(six);
        {ok, _} -> ok
    end.
answer(N) ->
    Ref = make_ref(),
    Me = self(),
    spawn_link(fun() -> Me ! {Ref, N * 2} end),
    {ok, wait(Ref)}.
wait(Ref) -> receive {Ref, V} -> V end.
";

#[test]
fn what_needs_processes_is_explored_on_the_vm() {
    let path = file(&folder("engine_processes"), "asks.erl", PROCESSES);
    let on = |engine: &str| explore(engine, "60", &path).remove("asks:ask/1").expect("the function");
    assert_eq!(on("machine").0, "incomplete");
    let crash = vec!["\"error\" \"six\" 6".to_owned()];
    assert_eq!(on("beam").2, crash);
    assert_eq!(on("auto").2, crash);
    let ran = hound(&["explore", "--runs", "60", "--engine", "auto", &path]);
    assert!(ran.out.contains("explored on the BEAM: erlang:spawn_link/1 cannot be run"), "{}", ran.out);
}
