//! Endless loops are findings, proved where the state recurs; what only takes long is none. Every call is made on a VM of the
//! test's own: one that has no end must take more reductions than any of the others.

mod support;

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;
use support::{file, folder, hound, number, succeed, top};

/// Functions whose loops grow, so that nothing recurs; all others of the module recur.
const GROWING: [&str; 14] = [
    "down/1",
    "down_by_two/1",
    "even/1",
    "pile/2",
    "binary_pile/2",
    "factorial/1",
    "beyond/1",
    "apart/2",
    "range/3",
    "counted/2",
    "fields/2",
    "power/2",
    "normal/1",
    "words/1",
];

/// Bounds that keep the test short; none of them is needed to find a loop.
const BOUNDS: [&str; 6] = ["--runs", "30", "--depth", "24", "--format", "json"];

fn source(name: &str) -> String {
    top().join("crates/cli/tests/loops").join(name).display().to_string()
}

fn explored(source: &str, options: &[&str]) -> Vec<(String, Value)> {
    let args: Vec<&str> = ["explore", source].into_iter().chain(BOUNDS).chain(options.iter().copied()).collect();
    let ran = hound(&args);
    assert_ne!(ran.code, 2, "{}", ran.err);
    ran.functions().into_iter().collect()
}

fn loops(line: &Value) -> Vec<&Value> {
    line["findings"].as_array().expect("findings").iter().filter(|it| it["kind"] == "loop").collect()
}

/// Has the VM make calls of a module; each must take so many reductions.
fn take_for_ever(name: &str, source: &str, calls: &[String]) {
    let folder = folder(name);
    succeed("erlc", &["-W0", source], &folder);
    let funs: Vec<String> = calls.iter().map(|call| format!("fun() -> {call} end")).collect();
    let expression = format!(
        "Long = fun(F) -> {{P, R}} = spawn_opt(F, [monitor, {{max_heap_size, #{{size => 50000000, error_logger => false}}}}]),
            Wait = fun W() -> receive {{'DOWN', R, _, _, Why}} -> Why =:= killed
                after 5 -> {{_, N}} = process_info(P, reductions), N > 1000000 orelse W() end end,
            Is = try Wait() catch error:_ -> receive {{'DOWN', R, _, _, killed}} -> true after 100 -> false end end,
            exit(P, kill), Is end,
         Bad = [N || {{N, F}} <- lists:zip(lists:seq(1, {}), [{}]), not Long(F)],
         io:format(\"~p\", [Bad]), halt().",
        calls.len(),
        funs.join(",")
    );
    let output = Command::new("erl")
        .args(["-noinput", "-boot", "start_clean", "-eval", &expression])
        .arg("-pa")
        .arg(&folder)
        .output()
        .expect("erl runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text, "[]", "calls that end: {calls:?} {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn loops_are_found_and_proved_where_the_state_recurs() {
    let functions = explored(&source("endless.erl"), &[]);
    assert!(functions.len() >= 38, "{} functions", functions.len());
    let (mut wrong, mut calls) = (Vec::new(), Vec::new());
    for (name, line) in &functions {
        let is_growing = GROWING.contains(&name.trim_start_matches("endless:"));
        let found = loops(line);
        calls.extend(found.iter().filter_map(|it| it["call"].as_str()).map(str::to_owned));
        let is_right = |it: &&Value| it["certain"] == !is_growing && it["confirmed"] == true && it["rank"] == "bug";
        if found.len() != 1 || !found.iter().all(is_right) {
            wrong.push(format!("{name}: {found:?} {}", line["reasons"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    take_for_ever("loops_endless", &source("endless.erl"), &calls);
}

#[test]
fn what_ends_is_no_loop() {
    let functions = explored(&source("ending.erl"), &["--time", "4"]);
    assert!(functions.len() >= 40, "{} functions", functions.len());
    let found: Vec<&Value> = functions.iter().flat_map(|(_, line)| loops(line)).collect();
    assert!(found.is_empty(), "{found:?}");
    let unconfirmed = |line: &&(String, Value)| line.1["unconfirmed"].as_array().is_some_and(|it| !it.is_empty());
    assert!(functions.iter().find(unconfirmed).is_none());
}

/// A function that counts from an input towards a number, and true if some input of its spec has no end.
fn generated(seed: u64) -> (String, bool) {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut next = |count: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) % count
    };
    let (least, span, end) = (next(20) as i64 - 10, next(12) as i64 + 1, next(20) as i64 - 10);
    let step = [-3, -2, -1, 0, 1, 2, 3][next(7) as usize];
    let test = ["N =:= E", "N >= E", "N =< E", "N > E + 5", "N < E - 5"][next(5) as usize];
    let form = ["f(N + S, [N | L])", "f(N + S, L)", "1 + f(N + S, L)", "f(g(N), L)"][next(4) as usize];
    let text = format!(
        "-spec f({least}..{}, []) -> term().\nf(N, L) when {test} -> length(L);\nf(N, L) -> {form}.\ng(N) -> N + S.\n",
        least + span,
    );
    let named = text.replace("f(", &format!("f{seed}(")).replace("g(", &format!("g{seed}("));
    let text = named.replace('E', &format!("({end})")).replace('S', &format!("({step})"));
    let is_over = |n: i64| match test {
        "N =:= E" => n == end,
        "N >= E" => n >= end,
        "N =< E" => n <= end,
        "N > E + 5" => n > end + 5,
        _ => n < end - 5,
    };
    let ends = |from: i64| (0..100).any(|round| is_over(from + round * step));
    (text, !(least..=least + span).all(ends))
}

#[test]
fn generated_counters_loop_where_they_miss_their_end() {
    let first = number("SEED", 0) * 1_000 + 1;
    let functions: Vec<(String, bool)> = (first..first + 40).map(generated).collect();
    let exports: Vec<String> = (first..first + 40).map(|seed| format!("f{seed}/2")).collect();
    let texts: String = functions.iter().map(|(text, _)| text.as_str()).collect();
    let text =
        format!("-module(generated).\n-compile(nowarn_unused_function).\n-export([{}]).\n{texts}", exports.join(","));
    let path = file(&folder("loops_generated"), "generated.erl", &text);
    let explored: BTreeMap<String, Value> = explored(&path, &[]).into_iter().collect();
    let is_wrong = |(name, (_, is_endless)): &(&String, &(String, bool))| {
        (loops(&explored[&format!("generated:{name}")]).len() == 1) != *is_endless
    };
    let wrong: Vec<String> = exports.iter().zip(&functions).filter(is_wrong).map(|(_, it)| it.0.clone()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(functions.iter().any(|it| it.1) && functions.iter().any(|it| !it.1));
}

#[test]
fn loops_can_be_ignored_and_are_the_same_for_two_workers() {
    let path = source("endless.erl");
    let functions = explored(&path, &["--ignore", "loop", "seven/1", "down/1"]);
    for (name, line) in &functions {
        assert!(loops(line).is_empty() && line["ignored"][0]["rule"] == "loop", "{name} {line}");
    }
    let shown = |workers: &str| {
        let ran = hound(&[
            "explore",
            &path,
            "--runs",
            "40",
            "--depth",
            "30",
            "--workers",
            workers,
            "gcd/2",
            "even/1",
            "table/1",
        ]);
        ran.out.lines().take_while(|line| !line.starts_with("function ")).collect::<Vec<_>>().join("\n")
    };
    let alone = shown("1");
    assert_eq!(alone, shown("2"));
    for text in ["loop: endless:gcd(1, 0) leads to the same call", "certain: the same state recurs", "not proved: "] {
        assert!(alone.contains(text), "{text} is not in {alone}");
    }
}

#[test]
fn a_run_that_loops_says_so() {
    let ran = hound(&["run", &source("endless.erl"), "endless:gcd(7, 0)"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("endless loop: endless:gcd(7, 0) leads to the same call in the same state"),
        "{}",
        ran.err
    );
}
