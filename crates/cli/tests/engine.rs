//! `hound explore --engine`: runs on the real VM, replayed from their events. Whatever engine runs and however many threads solve, the
//! corpus is judged alike.

mod support;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;
use support::{file, folder, hound, hound_anew, sample, side_by_side, top};

/// What was found in a function: verdict, completeness, paths, and class, reason and place of each crash.
#[derive(PartialEq, Debug)]
struct Found {
    verdict: String,
    complete: bool,
    paths: u64,
    crashes: Vec<String>,
}

fn explore(engine: &str, words: &[&str]) -> BTreeMap<String, Found> {
    functions(&lines(engine, "1", words))
}

/// What is printed, without the time that it took.
fn lines(engine: &str, workers: &str, words: &[&str]) -> Vec<Value> {
    // What an earlier run observed is kept in the cache, and changes what the next one does; nor may the clock decide.
    let fixed = ["explore", "--format", "json", "--time", "3600", "--workers", workers, "--engine", engine];
    let ran = hound_anew(&[&fixed, words].concat());
    assert!(ran.code < 2, "{words:?} on {engine}: {}", ran.err);
    let lines = ran.out.lines().map(|line| {
        let mut line: Value = serde_json::from_str(line).expect("an object");
        line["stats"]["wall_ms"] = Value::Null;
        line["stats"]["prepare_ms"] = Value::Null;
        line
    });
    lines.collect()
}

fn functions(lines: &[Value]) -> BTreeMap<String, Found> {
    let functions = lines.iter().filter(|line| line["kind"] == "function");
    functions.map(|line| (line["function"].as_str().expect("a name").to_owned(), found(line))).collect()
}

fn found(line: &Value) -> Found {
    let crash = |it: &Value| format!("{} {} {} {}", it["class"], it["reason"], it["file"], it["line"]);
    let mut crashes: Vec<String> = line["findings"].as_array().expect("a list").iter().map(crash).collect();
    crashes.sort();
    // Several causes at one place.
    crashes.dedup();
    Found {
        verdict: line["verdict"].as_str().expect("a verdict").to_owned(),
        complete: line["complete"] == true,
        paths: line["paths"].as_u64().expect("a number"),
        crashes,
    }
}

/// One file in so many is looked at.
const SAMPLE: u64 = 3;

/// Runs of each function. Both engines search alike, so that they agree wherever they are stopped.
const RUNS: &str = "20";

#[test]
fn both_engines_and_any_workers_find_the_same_in_every_function_of_the_corpus() {
    let folder = top().join("crates/cli/tests/corpus");
    let files = std::fs::read_dir(folder).expect("the corpus").map(|file| file.expect("a file").path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|it| it == "erl")).collect();
    files.sort();
    assert!(files.len() >= 47, "{} files are too few", files.len());
    let seen = side_by_side(sample(files, SAMPLE), |path| {
        let words = ["--runs", RUNS, path.to_str().expect("UTF-8")];
        let (one, beam) = (lines("machine", "1", &words), explore("beam", &words));
        // Two workers print the same to the byte.
        let two = lines("machine", "2", &words);
        let pairs = one.iter().zip(&two).filter(|(one, two)| one.to_string() != two.to_string());
        let unlike = pairs.map(|(one, two)| format!("one worker {one}\ntwo workers {two}"));
        let unlike = unlike.chain((one.len() != two.len()).then(|| format!("{}: lines", path.display())));
        (functions(&one), beam, unlike.collect::<Vec<String>>())
    });
    let (mut compared, mut crashes, mut different) = (0, 0, Vec::new());
    for (machine, beam, unlike) in seen {
        different.extend(unlike);
        assert_eq!(machine.keys().collect::<Vec<_>>(), beam.keys().collect::<Vec<_>>());
        for (function, ours) in &machine {
            compared += 1;
            crashes += ours.crashes.len();
            let theirs = &beam[function];
            if ours != theirs {
                different.push(format!("{function}\n  machine {ours:?}\n  beam    {theirs:?}"));
            }
        }
    }
    println!("{compared} functions with {crashes} crashes");
    assert!(different.is_empty(), "{} functions differ\n{}", different.len(), different.join("\n"));
    let part = if std::env::var_os("HOUND_ALL").is_some() { 1 } else { SAMPLE as usize + 1 };
    assert!(compared * part >= 600 && crashes * part >= 300, "{compared} functions with {crashes} crashes are too few");
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
fn processes_are_explored_on_both_engines() {
    let path = file(&folder("engine_processes"), "asks.erl", PROCESSES);
    let on = |engine: &str| explore(engine, &["--runs", "60", &path]).remove("asks:ask/1").expect("the function");
    let crash = vec![format!("\"error\" \"six\" \"{path}\" 6")];
    for engine in ["machine", "beam", "auto"] {
        assert_eq!(on(engine).crashes, crash, "on {engine}");
    }
}

/// A linked process that ends takes its starter along, unless that one traps exits.
const LINKED: &str = "\
-module(takes).
-export([along/1, trapped/1]).

-spec along(0..3) -> any().
along(X) -> P = proc_lib:spawn_link(fun() -> 10 div (X - 2) end), link(P), X.

-spec trapped(0..3) -> any().
trapped(X) -> process_flag(trap_exit, true), P = spawn_link(fun() -> exit({over, X}) end),
    receive {'EXIT', P, {over, 3}} -> error(three); {'EXIT', P, R} -> R end.
";

#[test]
fn an_exit_signal_is_a_crash_of_the_call() {
    let path = file(&folder("engine_linked"), "takes.erl", LINKED);
    for _ in 0..2 {
        let all = explore("auto", &["--runs", "60", &path]);
        // Under a schedule in which the other process ends first, there is nothing to link to.
        let crashes = ["badarith", "noproc"].map(|reason| format!("\"error\" \"{reason}\" \"{path}\" 5"));
        assert_eq!(all["takes:along/1"].crashes, crashes);
        assert_eq!(all["takes:trapped/1"].crashes, [format!("\"error\" \"three\" \"{path}\" 9")]);
    }
    let ran = hound(&["instrument", &path, "takes:along(2)"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("** exception exit: badarith"), "{}", ran.out);
}

/// Only the server looks at commands, and what it does is not observed.
const COMMANDS: &str = "\
-module(commands).
-export([send/1]).

-spec send([{put, atom(), integer()} | {get, atom()} | {sum, integer(), integer()}]) -> any().
send(Commands) ->
    Server = spawn_link(fun() -> serve(#{}) end),
    [begin Server ! {self(), Command}, receive {Server, Answer} -> Answer end end || Command <- Commands].

serve(Map) ->
    receive
        {From, {put, Key, Value}} -> From ! {self(), ok}, serve(Map#{Key => Value});
        {From, {get, Key}} -> From ! {self(), map_get(Key, Map)}, serve(Map);
        {From, {sum, A, B}} -> From ! {self(), A + B + map_get(sum, Map)}, serve(Map)
    end.
";

#[test]
fn all_kinds_of_messages_are_tried() {
    let path = file(&folder("engine_commands"), "commands.erl", COMMANDS);
    let crash = |key: &str, line: u32| format!("\"error\" \"{{badkey,{key}}}\" \"{path}\" {line}");
    assert_eq!(
        explore("auto", &["--runs", "60", &path])["commands:send/1"].crashes,
        [crash("a", 12), crash("sum", 13)]
    );
}

/// Calls by a computed name.
const NAMED: &str = "\
-module(named).
-export([call/2]).

-spec call(atom(), atom()) -> any().
call(M, F) -> M:F(x, y, z, 1, 2, 3, 4).
";

#[test]
fn missing_functions_are_one_finding_whatever_their_names() {
    let path = file(&folder("engine_named"), "named.erl", NAMED);
    let crash = vec![format!("\"error\" \"undef\" \"{path}\" 5")];
    for engine in ["machine", "beam"] {
        assert_eq!(explore(engine, &[&path])["named:call/2"].crashes, crash, "on {engine}");
    }
}

/// Calls that lead outside: what they give a replay asks for, and not the program.
const CALLING: &str = "\
-module(calling).
-export([call/1]).

-spec call([0..2]) -> any().
call(L) -> case ordsets:is_element(2, L) of true -> error(two); false -> lists:max(L) end.
";

#[test]
fn both_engines_count_the_branches_of_the_program() {
    let path = file(&folder("engine_calling"), "calling.erl", CALLING);
    let [machine, beam] = ["machine", "beam"].map(|engine| lines(engine, "1", &["--runs", "60", &path]));
    assert_eq!(machine[0]["coverage"], beam[0]["coverage"]);
    assert!(machine[0]["coverage"]["branches"]["total"].as_u64() > Some(0));
}

/// A module that has nothing of Elixir but a call.
const ELIXIR: &str = "\
-module(sums).
-export([sum/1, one/1]).

-spec sum([0..3]) -> any().
sum(L) -> case 'Elixir.Enum':sum(L) of 3 -> error(three); N -> N end.

-spec one(0..3) -> any().
one(N) -> P = self(), spawn_link(fun() -> P ! 'Elixir.Integer':pow(N, 2) end), receive 4 -> error(four); M -> M end.
";

#[test]
fn the_vm_finds_elixir_with_or_without_a_cache() {
    let path = file(&folder("engine_elixir"), "sums.erl", ELIXIR);
    let crashes = [format!("\"error\" \"three\" \"{path}\" 5"), format!("\"error\" \"four\" \"{path}\" 8")];
    for engine in ["auto", "beam", "auto"] {
        let ran = hound(&["explore", "--format", "json", "--runs", "40", "--engine", engine, &path]);
        let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
        let found = functions(&lines);
        assert_eq!(found["sums:sum/1"].crashes, [crashes[0].clone()], "on {engine}");
        assert_eq!(found["sums:one/1"].crashes, [crashes[1].clone()], "on {engine}");
    }
}

/// Programs whose crashes depend on messages.
const RECEIVERS: &str = "crates/cli/tests/instrument/receivers.erl";

#[test]
fn functions_that_receive_are_explored_on_the_vm() {
    let all = explore("beam", &["--runs", "150", RECEIVERS]);
    let expected: [(&str, &[(&str, u32)]); 10] = [
        ("sum/2", &[("error\" \"{over,1}", 12), ("exit\" \"seven", 14)]),
        ("asked/1", &[("error\" \"bug", 24)]),
        ("own/1", &[("error\" \"own", 33)]),
        ("late/2", &[("error\" \"found", 42)]),
        ("time/1", &[("error\" \"timeout_value", 46)]),
        ("nested/1", &[("error\" \"c", 54)]),
        ("kept/1", &[("throw\" \"second", 62)]),
        ("stuck/1", &[("error\" \"large", 68)]),
        ("account/1", &[("exit\" \"poor", 92)]),
        ("caught/1", &[("error\" \"badarith", 74), ("exit\" \"divided", 75)]),
    ];
    assert_eq!(all.len(), expected.len(), "{:?}", all.keys());
    for (name, crashes) in expected {
        let found = &all[&format!("receivers:{name}")];
        let crashes: Vec<String> =
            crashes.iter().map(|(what, line)| format!("\"{what}\" \"{RECEIVERS}\" {line}")).collect();
        assert_eq!(found.crashes, crashes, "{name}");
        // What messages there are is nothing that inputs decide.
        assert!(!found.complete, "{name}");
    }
}

#[test]
fn a_run_that_waits_for_ever_is_reported() {
    let ran =
        hound(&["explore", "--format", "json", "--no-cache", "--runs", "60", "--engine", "beam", RECEIVERS, "stuck/1"]);
    let line: Value = serde_json::from_str(ran.out.lines().next().expect("a line")).expect("an object");
    let reasons = line["reasons"].as_array().expect("a list");
    let waits = |reason: &Value| reason["message"].as_str().is_some_and(|text| text.contains("wait for messages"));
    assert!(reasons.iter().any(waits), "{}", line["reasons"]);
}

/// What comes after an attempt stands in the program twice, and so do its funs.
const AFTERWARDS: &str = "\
-module(afterwards).
-export([direct/1, passed/1, nested/1]).

-spec direct(0..3) -> any().
direct(A) -> try fail(A) after (fun(X) -> case X of 2 -> error(two); _ -> X - A end end)(A) end.

-spec passed(0..3) -> any().
passed(A) -> try fail(A) after lists:foldl(fun(X, Y) -> X + 10 div Y end, A, [1, 0]) end.

-spec nested(0..3) -> any().
nested(A) -> try fail(A) after F = fun(X) -> G = fun(2) -> exit(X); (Y) -> Y end, G(X) end, F(A) end.

fail(A) when A > 1 -> throw({large, A});
fail(A) -> A.
";

#[test]
fn funs_of_what_comes_after_an_attempt_emit_their_own_events() {
    let path = file(&folder("engine_afterwards"), "afterwards.erl", AFTERWARDS);
    let [machine, beam] = ["machine", "beam"].map(|engine| explore(engine, &[&path]));
    assert_eq!(machine, beam);
    assert!(beam.len() == 3 && beam.values().all(|found| found.complete && found.crashes.len() == 2), "{beam:?}");
}

/// The VM's own processes would end with the code they run.
#[test]
fn modules_that_the_vm_itself_runs_in_are_not_replaced() {
    let ran = hound(&["explore", "--runs", "20", "--time", "3", "--format", "json", "proc_lib", "format/1", "spawn/1"]);
    assert!(ran.code < 2 && !ran.out.contains("exited with status"), "{}{}", ran.out, ran.err);
    let ran = hound(&["explore", "--runs", "20", "--engine", "beam", "proc_lib", "format/1"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("module proc_lib cannot be replaced: the VM itself runs in it"), "{}", ran.err);
    let ran = hound(&["explore", "--runs", "20", "--engine", "beam", "lists", "max/1"]);
    assert!(ran.code < 2, "the host's own code calls lists, but nothing waits in it: {}", ran.err);
}
