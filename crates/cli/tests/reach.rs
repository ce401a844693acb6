//! `hound reach`: programs whose comments say which lines can be reached, words that name no place, what is printed.
//!
//! A line that ends in `% reachable` must be reached by a call that the VM's `cover` sees on that line; for one that ends
//! in `% unreachable` there must be a proof. `% unreachable, by induction` is true of every number of rounds of a loop or
//! recursion: no input may get there, and a proof is not asked for. `% reachable, but far` must not be called unreachable.
//! Targets in processes that calls start have the call in their comments, and the turns of the processes.

#[path = "../../host/tests/cover/mod.rs"]
mod cover;
mod support;

use std::collections::BTreeMap;
use std::path::Path;

use cover::cover_lines;
use host::{ErlOptions, Host, Options, Source};
use serde_json::Value;
use support::{Ran, file, folder, hound};
use term::{Atom, Call};

/// What a comment says about a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Truth {
    Reachable,
    Unreachable,
    ByInduction,
    Far,
}

fn path(program: &str) -> String {
    format!("crates/cli/tests/reach/{program}.erl")
}

fn truths(program: &str) -> BTreeMap<u64, Truth> {
    let text = std::fs::read_to_string(support::top().join(path(program))).expect("a program");
    let truth = |line: &str| match line.rsplit_once('%')?.1.trim() {
        "reachable" => Some(Truth::Reachable),
        "unreachable" => Some(Truth::Unreachable),
        "unreachable, by induction" => Some(Truth::ByInduction),
        "reachable, but far" => Some(Truth::Far),
        other => panic!("{program}: `{other}` says nothing about a line"),
    };
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim_start().starts_with("%%"));
    let truths: BTreeMap<u64, Truth> = lines.filter_map(|(line, number)| Some((number, truth(line)?))).collect();
    assert!(!truths.is_empty(), "{program} has no oracle");
    truths
}

fn json(ran: &Ran) -> Vec<Value> {
    ran.out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

impl Truth {
    fn allows(self, one: &Value) -> bool {
        let verdict = one["verdict"].as_str().expect("a verdict");
        match self {
            Truth::Reachable => verdict == "reached",
            Truth::Unreachable => verdict == "unreachable",
            Truth::ByInduction => verdict != "reached",
            Truth::Far => verdict != "unreachable",
        }
    }
}

/// Searches for lines of a program together.
fn search(program: &str, lines: impl Iterator<Item = u64>, options: &[&str]) -> (Vec<Value>, i32) {
    let targets = lines.map(|line| format!("{}:{line}", path(program)));
    let words: Vec<String> = ["reach", "--format", "json"].iter().chain(options).map(|word| word.to_string()).collect();
    let ran = hound(&words.into_iter().chain(targets).collect::<Vec<String>>());
    assert_eq!(ran.err, "", "{program}");
    (json(&ran), ran.code)
}

/// Searches for every line that the comments speak of; what is left open, once more alone.
fn judge(program: &str, options: &[&str]) -> usize {
    let truths = truths(program);
    let (judged, code) = search(program, truths.keys().copied(), options);
    assert_eq!(judged.len(), truths.len(), "{program}");
    let mut problems = Vec::new();
    let mut calls = Vec::new();
    for one in judged {
        let line = one["line"].as_u64().expect("a line");
        let alone = || search(program, [line].into_iter(), options).0.remove(0);
        let one = if one["verdict"] == "incomplete" && !truths[&line].allows(&one) { alone() } else { one };
        if !truths[&line].allows(&one) {
            problems.push(format!("{program}:{line} is {:?}: {one}", truths[&line]));
        }
        if let Some(call) = one["call"].as_str() {
            assert_eq!((one["confirmed"].as_bool(), one["by"].as_str()), (Some(true), Some("cover")), "{one}");
            calls.push((line, call.to_owned()));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert_eq!(code, i32::from(!calls.is_empty()), "{program}");
    check_covered(program, &calls);
    truths.len()
}

/// Asks `cover` in a VM that the tool had nothing to do with.
fn check_covered(program: &str, calls: &[(u64, String)]) {
    let mut host = Host::start(Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let file = support::top().join(path(program));
    let extracted = host.extract(Source::ErlFile { path: file, options: ErlOptions::default() }).expect("it compiles");
    let folder = folder(&format!("covered-{program}"));
    std::fs::write(folder.join(format!("{program}.beam")), extracted.beam.expect("a module")).expect("written");
    let mut truth = Host::start(Options { paths: vec![folder], ..Options::default() }).expect("a VM");
    for (line, text) in calls {
        let call = Call::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let lines = cover_lines(&mut truth, &[Atom::new(program)], &call).unwrap_or_else(|error| panic!("{error}"));
        assert!(lines[0].covered.contains(&(*line as u32)), "{text} does not run line {line}");
    }
}

/// The programs of a table in a paper, with 20 targets.
const OF_THE_TABLE: [&str; 10] =
    ["dart", "easy_loop", "hard_loop", "narrow", "sine", "slicing", "tcas", "trityp", "tsafe", "unreach"];

const OF_OTHER_KINDS: [&str; 11] =
    ["trees", "packets", "settings", "closures", "turns", "raising", "attempts", "server", "dead", "picked", "folds"];

/// Four of the table in the size that they have there.
const IN_FULL: [&str; 4] = ["sine_full", "tcas_full", "trityp_full", "tsafe_full"];

/// Programs whose targets are in processes that calls start: the module where calls begin, and those that it uses.
const WITH_PROCESSES: [&[&str]; 2] = [&["office", "clerk", "porter"], &["agency", "agent"]];

#[test]
fn the_programs_of_the_table_are_decided() {
    let judged: usize = OF_THE_TABLE.iter().map(|program| judge(program, &[])).sum();
    assert_eq!(judged, 20);
}

#[test]
fn the_programs_of_the_table_are_decided_in_full_size() {
    let judged: usize = IN_FULL.iter().map(|program| judge(program, &[])).sum();
    assert_eq!(judged, 16);
}

/// The lines of a program with what their comments say: the verdict, and the call that gets there with its turns.
fn targets(program: &str) -> Vec<(String, String)> {
    let path = path(&format!("processes/{program}"));
    let text = std::fs::read_to_string(support::top().join(&path)).expect("a program");
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.starts_with("%%"));
    let target = |(line, number): (&str, u32)| Some((format!("{path}:{number}"), line.split_once("% ")?.1.to_owned()));
    lines.filter_map(target).collect()
}

/// The verdict in the words of the comments.
fn decided(one: &Value, module: &str) -> String {
    match one["verdict"].as_str().expect("a verdict") {
        "reached" => {
            assert_eq!(one["confirmed"].as_bool(), Some(true), "{one}");
            let (entry, call) = one["call"].as_str().and_then(|call| call.split_once(':')).expect("a call");
            assert_eq!(entry, module, "{one}");
            let turns = one["schedule"]["turns"].as_str().filter(|turns| *turns != "0");
            format!("reachable: {call}{}", turns.map(|turns| format!(" under {turns}")).unwrap_or_default())
        }
        "incomplete" => "open".to_owned(),
        other => other.to_owned(),
    }
}

/// The exported functions of a module, as entry points.
fn entries(module: &str) -> Vec<String> {
    let text = std::fs::read_to_string(support::top().join(path(&format!("processes/{module}")))).expect("a program");
    let exports = text.lines().filter_map(|line| line.strip_prefix("-export([")?.strip_suffix("])."));
    exports.flat_map(|names| names.split(", ")).map(|name| format!("--entry={module}:{name}")).collect()
}

#[test]
fn targets_in_any_process_are_decided() {
    let mut judged = 0;
    for modules in WITH_PROCESSES {
        let targets: Vec<(String, String)> = modules.iter().flat_map(|module| targets(module)).collect();
        let mut words = vec!["reach".to_owned(), "--format".to_owned(), "json".to_owned()];
        words.extend(entries(modules[0]));
        words.extend(modules.iter().map(|module| path(&format!("processes/{module}"))));
        words.extend(targets.iter().map(|(place, _)| place.clone()));
        let ran = hound(&words);
        assert_eq!((&ran.err[..], ran.code), ("", 1));
        let found = json(&ran);
        let verdict = |one: &Value| (one["target"].as_str().expect("a name").to_owned(), decided(one, modules[0]));
        assert_eq!(found.iter().map(verdict).collect::<Vec<_>>(), targets);
        judged += targets.len();
    }
    assert_eq!(judged, 43);
}

#[test]
fn a_target_that_needs_a_schedule_is_printed_with_its_replay() {
    let file = path("processes/office");
    let ran =
        hound(&["reach", "--entry", "race/0", "--entry", "queue/1", &format!("{file}:64"), &format!("{file}:120")]);
    insta::assert_snapshot!(ran.out);
    let replay = hound(&["run", "--schedule", "0,0,2", "--engine", "beam", &file, "office:race()"]);
    assert_eq!((replay.code, replay.out.lines().last()), (0, Some("two")), "{}", replay.err);
}

#[test]
fn a_clause_of_a_receive_is_not_reached_by_a_message_that_is_not_taken() {
    let file = path("processes/office");
    let found = json(&hound(&["reach", "--format", "json", "--marker", "taken", "--entry", "last/0", &file])).remove(0);
    let how = (found["verdict"].as_str(), found["schedule"]["turns"].as_str(), found["by"].as_str());
    assert_eq!(how, (Some("reached"), Some("0,0,1"), Some("outcome")), "{found}");
}

#[test]
fn timeouts_strike_at_any_time_if_asked_to() {
    let file = path("processes/office");
    let line = format!("{file}:141");
    let found =
        json(&hound(&["reach", "--format", "json", "--clock", "any", "--entry", "rings/1", &file, &line])).remove(0);
    let how = (found["verdict"].as_str(), found["call"].as_str(), found["schedule"]["turns"].as_str());
    assert_eq!(how, (Some("reached"), Some("office:rings(0)"), Some("0,1")), "{found}");
}

#[test]
fn every_program_is_in_one_of_the_tables() {
    let folder = support::top().join("crates/cli/tests/reach");
    let files = std::fs::read_dir(folder).expect("the programs").map(|file| file.expect("a file").path());
    let mut names: Vec<String> =
        files.filter_map(|file| Some(file.file_name()?.to_str()?.strip_suffix(".erl")?.to_owned())).collect();
    names.sort();
    let mut listed: Vec<&str> = OF_THE_TABLE.into_iter().chain(OF_OTHER_KINDS).chain(IN_FULL).collect();
    listed.sort_unstable();
    assert_eq!(names, listed);
}

#[test]
fn unreach_is_proved_in_three_segments_and_slicing_explores_no_irrelevant_path() {
    let explored = |program: &str| {
        let ran = hound(&["reach", "--format", "json", &path(program)]);
        json(&ran)[0]["stats"]["explored"].as_u64().expect("a number")
    };
    assert!(explored("unreach") <= 3);
    assert!(explored("slicing") <= 30);
}

#[test]
fn programs_of_other_kinds_are_decided() {
    let judged: usize = OF_OTHER_KINDS.iter().map(|program| judge(program, &["--runs", "300"])).sum();
    assert!(judged >= 60, "{judged} targets are too few");
}

#[test]
fn markers_are_targets() {
    let lines = |args: &[&str]| -> Vec<u64> {
        json(&hound(args)).iter().map(|one| one["line"].as_u64().expect("a line")).collect()
    };
    let tcas = path("tcas");
    let marked = truths("tcas").into_iter().filter(|(_, truth)| *truth == Truth::Reachable).map(|(line, _)| line);
    assert_eq!(lines(&["reach", "--format", "json", &tcas]), marked.collect::<Vec<u64>>());
    let never = ["reach", "--format", "json", "--marker", "tcas:hound_never/0", &tcas];
    assert_eq!(lines(&never).len(), 1);
    let ran = hound(&["reach", "--marker", "no_such_marker", &tcas]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    insta::assert_snapshot!(ran.err, @"hound: --marker no_such_marker: nothing in the sources calls it");
}

const SHOP: &str = "\
-module(shop).
-export([total/1, order/2, valid/2, remove/1, spin/1]).

-spec total([{atom(), 1..9}]) -> integer().
total([]) -> 0;
total([{apple, N} | Rest]) -> 2 * N + total(Rest);
total([{_, N} | Rest]) -> N + total(Rest).

-spec order(integer(), integer()) -> atom().
order(A, B) when A > B ->
    larger;
order(A, A) ->
    equal;
order(A, B) -> if A > 7 -> seven; B < 0 -> negative; true -> none end.

valid(A, B) -> A > 0 andalso B > 0.

remove(Name) when is_atom(Name) ->
    File = atom_to_list(Name),
    file:delete(File).

spin(N) when N > 3 ->
    Far = N,
    spin(Far);
spin(_) ->
    ok.

hidden(x) ->
    y.

-compile({nowarn_unused_function, hidden/1}).
";

fn shop(name: &str) -> String {
    file(&folder(name), "shop.erl", SHOP)
}

/// What is printed, without the folder and without what it took.
fn tidy(text: &str, source: &str) -> String {
    let text = text.replace(source, "shop.erl");
    let short = |line: &str| {
        let cut = ["\"stats\":", "; proved with"].iter().filter_map(|effort| line.find(effort)).min();
        line[..cut.unwrap_or(line.len())].to_owned()
    };
    text.lines().map(short).collect::<Vec<String>>().join("\n")
}

#[test]
fn what_is_printed() {
    let shop = shop("reach-printed");
    let line = |number: u32| format!("{shop}:{number}");
    let ran = hound(&["reach", &line(6), &line(13), "order/2#3", "shop:hidden/1", "total/1"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(tidy(&ran.out, &shop));
    let ran = hound(&["reach", "--format", "json", &line(11), "shop:hidden/1#1", "--runs", "50"]);
    insta::assert_snapshot!(tidy(&ran.out, &shop));
}

#[test]
fn one_line_for_several_clauses_is_confirmed_by_the_outcome() {
    let shop = shop("reach-outcome");
    let ran = hound(&["reach", "--format", "json", "--uncovered", "--runs", "1", &shop, "order/2"]);
    let judged = json(&ran);
    assert!(!judged.is_empty());
    for one in &judged {
        match one["verdict"].as_str() {
            Some("reached") => assert!(["cover", "outcome"].contains(&one["by"].as_str().expect("how")), "{one}"),
            verdict => assert_eq!(verdict, Some("unreachable"), "{one}"),
        }
    }
    let outcomes = judged.iter().filter(|one| one["by"] == "outcome").count();
    assert!(outcomes > 0, "{}", ran.out);
}

#[test]
fn preconditions_and_entry_points_hold() {
    let shop = shop("reach-inputs");
    let equal = format!("{shop}:13");
    let ran = hound(&["reach", "--format", "json", "--entry", "order/2", "--pre", "valid/2", &equal]);
    let call = json(&ran)[0]["call"].as_str().expect("a call").to_owned();
    assert_eq!(call, "shop:order(1, 1)");
    let ran = hound(&["reach", "--format", "json", "--entry", "total/1", &format!("{shop}:13")]);
    assert_eq!(json(&ran)[0]["verdict"], "unreachable", "{}", ran.out);
    assert_eq!(ran.code, 0);
}

#[test]
fn nothing_is_deleted_to_confirm_a_call() {
    let shop = shop("reach-harm");
    let ran = hound(&["reach", "--format", "json", &format!("{shop}:20")]);
    let one = &json(&ran)[0];
    assert_eq!((one["verdict"].as_str(), one["confirmed"].as_bool()), (Some("incomplete"), Some(false)), "{one}");
}

#[test]
fn a_call_that_does_not_end_is_reported() {
    let shop = shop("reach-spin");
    let ran = hound(&["reach", "--format", "json", "--steps", "10000", "--runs", "20", &format!("{shop}:23")]);
    let one = &json(&ran)[0];
    assert_eq!(one["verdict"], "incomplete", "{one}");
}

#[test]
fn compiled_modules_are_reached_by_the_names_of_their_sources() {
    let folder = folder("reach-beam");
    file(&folder, "shop.erl", SHOP);
    support::succeed("erlc", &["+debug_info", "shop.erl"], &folder);
    std::fs::remove_file(folder.join("shop.erl")).expect("removed");
    let beam = folder.join("shop.beam").to_str().expect("UTF-8").to_owned();
    for target in ["shop.erl:6", "shop:6", "shop:total/1#2", "total/1#2"] {
        let ran = hound(&["reach", "--format", "json", &beam, target]);
        let one = &json(&ran)[0];
        assert_eq!((one["verdict"].as_str(), one["by"].as_str()), (Some("reached"), Some("cover")), "{one}");
    }
    let ran = hound(&["reach", "--format", "json", folder.to_str().expect("UTF-8"), "shop:6"]);
    assert_eq!(json(&ran)[0]["verdict"], "reached", "{}{}", ran.out, ran.err);
}

#[test]
fn words_that_name_no_place_are_reported() {
    let shop = shop("reach-words");
    let reported = |words: &[&str]| {
        let ran = hound(&[&["reach"][..], words].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{words:?}");
        format!("{}\n", tidy(&ran.err, &shop))
    };
    let line = |number: &str| format!("{shop}:{number}");
    let all = [
        reported(&[&line("2")]),
        reported(&[&line("9999")]),
        reported(&[&line("99999999999")]),
        reported(&[&shop]),
        reported(&[&shop, "order/2#4"]),
        reported(&[&shop, "order/2#0"]),
        reported(&[&shop, "ordre/2"]),
        reported(&[&shop, "order"]),
        reported(&[&shop, "shop:order/9#1"]),
        reported(&[&shop, "other.erl:3"]),
        reported(&["no_such_module:3"]),
        reported(&["no/such/file.erl:3"]),
        reported(&[&line("13"), "--entry", "hidden/1"]),
        reported(&[&line("13"), "--entry", "nothing/1"]),
        reported(&[&line("13"), "--entry", "order/2", "--pre", "valid/3"]),
        reported(&[&line("13"), "--opaque", "shop:nothing/1"]),
        reported(&["--uncovered", &line("13")]),
        reported(&[&shop, "--marker", "a b/c"]),
    ];
    insta::assert_snapshot!(all.concat());
}

#[test]
fn the_same_words_give_the_same_answer_with_one_worker_and_two() {
    let with = |workers: &str| {
        let words =
            ["reach", "--format", "json", "--runs", "60", "--workers", workers, "--uncovered", &path("closures")];
        tidy(&hound(&words).out, &path("closures"))
    };
    let one = with("1");
    assert!(one.lines().count() > 1, "{one}");
    assert_eq!(one, with("2"));
    assert_eq!(one, with("1"));
}

#[test]
fn a_folder_of_sources_is_searched_for_markers() {
    let folder = folder("reach-folder");
    let marked = "-module(one).\n-export([f/1]).\nf(1) -> two:g(3);\nf(_) -> no.\n";
    file(&folder, "one.erl", marked);
    let other = "-module(two).\n-export([g/1]).\ng(3) ->\n    hound_target();\ng(_) -> no.\nhound_target() -> ok.\n";
    file(&folder, "two.erl", other);
    let ran = hound(&["reach", "--format", "json", "--entry", "one:f/1", Path::new(&folder).to_str().expect("UTF-8")]);
    assert_eq!(json(&ran)[0]["call"], "one:f(1)", "{}{}", ran.out, ran.err);
}

/// Phase one's path with its condition, phase two's inputs with fit and change.
#[test]
fn paths_and_tried_inputs_are_explained() {
    let program = path("hard_loop");
    insta::assert_snapshot!("explained", hound(&["reach", "--explain", &program]).out);
    let one = json(&hound(&["reach", "--explain", "--format", "json", &program])).remove(0);
    let explanation = &one["explanation"];
    assert_eq!(explanation["phase_one"]["entry"], "hard_loop:challenges/2");
    let conditions = explanation["phase_one"]["conditions"].as_array().expect("conditions");
    assert!(conditions.iter().any(|condition| condition["change"] == true && condition["fit"].is_string()));
    let steps = explanation["phase_two"]["steps"].as_array().expect("steps");
    let last = steps.last().expect("a step");
    let total = explanation["phase_two"]["conditions"].as_array().map(Vec::len);
    assert_eq!((last["fit"].as_u64().map(|fit| fit as usize), last.get("missed")), (total, None));
    assert!(steps.iter().any(|step| step["by"].as_f64().is_some_and(|by| by > 0.0)));
    assert!(one["call"].as_str().is_some_and(|call| call.contains("1024")), "{one}");
    let plain = json(&hound(&["reach", "--format", "json", &path("unreach")])).remove(0);
    assert_eq!(plain.get("explanation"), None);
}
