//! Programs whose outcome depends on the order of events: verdicts, and the number of orders.

use crate::support::{file, folder, hound};

/// A function, its verdict, the number of runs, and a part of what is printed.
type Row = (&'static str, &'static str, u64, &'static str);

const ROWS: [Row; 35] = [
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
    ("looks_once_at_two/0", "crash", 3, "none"),
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
    ("name_of_the_killed/0", "crash", 2, "orders:name_of_the_killed()"),
    ("works_on/0", "crash", 0, "{badmatch,[{c,1}]}"),
    ("down_not_yet/0", "crash", 3, "not_yet"),
    ("late_alias/0", "crash", 3, "dropped"),
    // As many as the literature on optimal reduction has for them.
    ("writers_2/0", "safe", 2, "for every schedule"),
    ("writers_3/0", "safe", 6, "for every schedule"),
    ("writers_4/0", "safe", 24, "for every schedule"),
    ("readers_5/0", "safe", 32, "for every schedule"),
    ("last_zero_3/0", "safe", 12, "for every schedule"),
    ("last_zero_5/0", "safe", 64, "for every schedule"),
    ("indexer_11/0", "safe", 1, "for every schedule"),
    ("indexer_12/0", "safe", 8, "for every schedule"),
    ("indexer_13/0", "safe", 64, "for every schedule"),
    ("diners_3/0", "crash", 7, "deadlock: no process can go on"),
];

const PROGRAM: &str = include_str!("orders.erl");

/// The most runs of one function.
const RUNS: &str = "300";

#[test]
fn explorations_go_through_every_order_once() {
    let path = file(&folder("processes_orders"), "orders.erl", PROGRAM);
    let text = hound(&["explore", "--all", "--runs", RUNS, &path]).out;
    let functions = hound(&["explore", "--all", "--runs", RUNS, "--format", "json", &path]).functions();
    let mut wrong = Vec::new();
    for (function, verdict, runs, shown) in ROWS {
        let line = functions.get(&format!("orders:{function}")).cloned().unwrap_or_default();
        let made = line["stats"]["runs"].as_u64();
        let part = part(&text, function);
        if line["verdict"] != verdict || runs > 0 && made != Some(runs) || !part.contains(shown) {
            wrong.push(format!("{function}: {} in {made:?} runs\n{part}", line["verdict"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The parts of the report that are about a function.
fn part(text: &str, function: &str) -> String {
    let name = function.split('/').next().unwrap_or_default();
    let names = [format!("orders:{name}("), format!("orders:{name}/")];
    let is_its = |part: &&str| names.iter().any(|name| part.contains(name));
    text.split("\n\n").filter(is_its).collect::<Vec<_>>().join("\n")
}
