//! `hound instrument`: what it prints and writes, and how it fails.

mod support;

use std::process::Command;

use support::{file, folder, hound};

#[test]
fn the_flat_and_the_instrumented_program_and_the_events_of_a_call() {
    let append = "crates/cli/tests/instrument/append.core";
    let ran = hound(&["instrument", "--depth", "3", append, "append:main([a])"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(ran.out);
}

#[test]
fn test_cases_keep_to_the_spec() {
    let folder = folder("instrument_cases");
    let text = "-module(kinds).\n-export([f/1]).\n-spec f({left, integer()} | [ok | none]) -> any().\n\
                f({left, 0}) -> zero;\nf({left, N}) -> N;\nf([]) -> [];\nf([ok | T]) -> f(T);\nf([none | T]) -> f(T).\n";
    let path = file(&folder, "kinds.erl", text);
    let ran = hound(&["instrument", "--depth", "2", &path, "kinds:f([ok])"]);
    let (_, cases) = ran.out.split_once("%% Test cases.\n").expect("test cases");
    insta::assert_snapshot!(cases);
}

#[test]
fn one_function_alone() {
    let ran = hound(&["instrument", "examples/shop.erl", "cost/1"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(ran.out);
}

#[test]
fn what_is_printed_compiles() {
    let folder = folder("instrument_printed");
    let ran = hound(&["instrument", "examples/shop.erl"]);
    let (_, program) = ran.out.split_once("%% The instrumented program.\n").expect("two programs");
    file(&folder, "shop.core", program);
    support::succeed("erlc", &["+from_core", "shop.core"], &folder);
}

#[test]
fn an_exception_closes_the_calls_that_it_ends() {
    let folder = folder("instrument_raised");
    let text = "-module(deep).\n-export([top/1]).\ntop(X) -> try low(X) catch error:R -> {caught, R} end.\n\
                low(X) -> 1 + hd(X).\n";
    let path = file(&folder, "deep.erl", text);
    let ran = hound(&["instrument", &path, "deep:top([])"]);
    let (_, events) = ran.out.split_once("%% The events of deep:top([]).\n").expect("events");
    insta::assert_snapshot!(events);
}

#[test]
fn a_written_module_runs_without_us() {
    let folder = folder("instrument_out");
    let out = folder.to_str().expect("UTF-8");
    let ran = hound(&["instrument", "-o", out, "crates/cli/tests/instrument/append.core"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let code = "io:format(\"~w\", [append:main([a,b])]), halt().";
    let erl = Command::new("erl").current_dir(&folder).args(["-noshell", "-eval", code]).output().expect("erl runs");
    assert_eq!(String::from_utf8_lossy(&erl.stdout), "[a,b,a,b]");
}

#[test]
fn mistakes_are_named() {
    let append = "crates/cli/tests/instrument/append.core";
    let cases: [(&[&str], &str); 10] = [
        (&["instrument", "crates/cli/tests/instrument/"], "hound: no file or module to instrument\n"),
        (
            &["instrument", "Cargo.toml"],
            "hound: Cargo.toml: not a .erl, .ex, .beam or .core file, nor a directory of code\n",
        ),
        (
            &["instrument", "--depth", "3", append, "main/1"],
            "hound: --depth goes on from the events of a call: name one, such as 'm:main([a])'\n",
        ),
        (
            &["instrument", append, "lists:main/1"],
            "hound: \"lists:main/1\" is neither a function, such as main/1, nor a call, such as 'm:main([a])'\n",
        ),
        (&["instrument", append, "append:main(a, b)"], "hound: no function append:main/2: append exports main/1\n"),
        (&["instrument", "no_such.erl"], "hound: no such file or directory: no_such.erl\n"),
        (
            &["instrument", append, "gone/1"],
            "hound: no function append:gone/1: the module has no function of that name and arity\n",
        ),
        (
            &["instrument", append, "main"],
            "hound: \"main\" is neither a function, such as main/1, nor a call, such as 'm:main([a])'\n",
        ),
        (
            &["instrument", append, "main/1", "app/2"],
            "hound: \"app/2\" is one word too many: name one function or one call\n",
        ),
        (&["instrument", append, "append:gone(1)"], "hound: no function append:gone/1: append exports no gone\n"),
    ];
    for (words, message) in cases {
        let ran = hound(words);
        assert_eq!((ran.code, ran.err.as_str()), (2, message), "{words:?}");
    }
}

#[test]
fn test_cases_meet_guards() {
    let cases = |call: &str| {
        let ran = hound(&["instrument", "--depth", "3", "crates/cli/tests/instrument/gates.erl", call]);
        ran.out.split_once("%% Test cases.\n").expect("test cases").1.to_owned()
    };
    let all = ["gates:n(1)", "gates:both(a, b)", "gates:conf(a)", "gates:packet(<<>>)", "gates:safe(a)"].map(cases);
    insta::assert_snapshot!(all.join("\n"));
}

/// Core Erlang that people write has no `module_info`.
#[test]
fn a_module_without_information_is_found_compiled_already() {
    let folder = folder("instrument_plain");
    let text = "module 'plain' ['f'/1]\n    attributes []\n'f'/1 =\n    fun (X) -> {X}\nend\n";
    let path = file(&folder, "plain.core", text);
    support::succeed("erlc", &["+from_core", "plain.core"], &folder);
    let ran = hound(&["instrument", "--pa", folder.to_str().expect("UTF-8"), &path, "plain:f(1)"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

#[test]
fn a_run_without_end_shows_how_it_begins() {
    let text = "-module(endless).\n-export([f/1]).\nf(N) -> f(N + 1).\n";
    let path = file(&folder("instrument_endless"), "endless.erl", text);
    let ran = hound(&["instrument", &path, "endless:f(1)"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    // On a busy machine a limit of the call may come first.
    assert!(ran.err.contains("endless:f/1"), "{}", ran.err);
    let (_, events) = ran.out.split_once("%% The events of endless:f(1).\n").expect("events");
    assert!(events.lines().filter(|line| line.starts_with("call(")).count() > 1_000);
}

const LONG_RUNS: &str = "crates/cli/tests/instrument/long_runs.erl";

/// What is printed between two heads.
fn section<'a>(out: &'a str, head: &str) -> &'a str {
    let (_, rest) = out.split_once(&format!("\n%% {head}")).unwrap_or_else(|| panic!("no {head} in\n{out}"));
    let (_, rest) = rest.split_once('\n').unwrap_or_default();
    rest.split_once("\n%% ").map_or(rest, |(section, _)| section)
}

#[test]
fn long_runs_are_rebuilt_whole_and_shown_in_part() {
    for (call, run) in
        [("long_runs:count(300000, a)", "Res = {X,done}, Vars = "), ("long_runs:fold(200000, a)", "Res = [X], Vars = ")]
    {
        let ran = hound(&["instrument", LONG_RUNS, call]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{call}");
        assert!(ran.out.contains(" more events.\n"), "{call}");
        let rebuilt = section(&ran.out, "The symbolic run.");
        assert!(rebuilt.starts_with(run), "{call}: {}", &rebuilt[..rebuilt.len().min(300)]);
        assert!(section(&ran.out, "The alternatives to the first").lines().count() > 100, "{call}");
    }
}

#[test]
fn messages_to_itself_are_linked_in_the_rebuilt_run() {
    for (call, run) in [
        ("long_runs:swapped(3, 4)", "Res = {X,Y}, Vars = X, Y"),
        ("long_runs:swapped(a, [b])", "Res = {X,Y}, Vars = X, Y"),
        ("long_runs:asked(21, own)", "Res = {42,X}, Vars = Y, X"),
    ] {
        let ran = hound(&["instrument", LONG_RUNS, call]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{call}");
        let rebuilt = section(&ran.out, "The symbolic run.");
        assert!(rebuilt.starts_with(run), "{call}: {rebuilt}");
    }
}

/// The machine runs the program as it is, processes included; only the numbers of processes differ.
#[test]
fn the_events_of_our_machine_are_those_of_the_vm() {
    let receivers = "crates/cli/tests/instrument/receivers.erl";
    for (file, call) in [
        ("examples/shop.erl", "shop:order(<<\"apple*3@20\">>)"),
        ("examples/shop.erl", "shop:order(<<>>)"),
        (receivers, "receivers:sum(9, [1,2,3])"),
        (receivers, "receivers:kept([901,102])"),
        (LONG_RUNS, "long_runs:asked(21, own)"),
        (LONG_RUNS, "long_runs:first(x)"),
    ] {
        let events = |source: &str| {
            let ran = hound(&["instrument", "--events", source, file, call]);
            let events = section(&ran.out, "The events of").to_owned();
            let numbers: Vec<&str> =
                events.split('<').map(|part| part.split_once('>').map_or(part, |it| it.1)).collect();
            (ran.code, numbers.join("<"))
        };
        let (vm, machine) = (events("vm"), events("machine"));
        assert!(vm.1.lines().count() > 3, "{call}: {}", vm.1);
        assert_eq!(vm, machine, "{call}");
    }
}

#[test]
fn test_cases_say_how_they_end() {
    let text = "-module(halves).\n-export([half/1]).\n-spec half(integer() | none) -> integer().\n\
                half(none) -> 0;\nhalf(N) when N rem 2 =:= 0 -> N div 2;\nhalf(N) -> throw({odd, N}).\n";
    let path = file(&folder("instrument_ends"), "halves.erl", text);
    let ran = hound(&["instrument", "--depth", "2", &path, "halves:half(none)"]);
    let (_, cases) = ran.out.split_once("%% Test cases.\n").expect("test cases");
    let lines: Vec<&str> = cases.lines().collect();
    assert!(lines.contains(&"halves:half(none)  % gives 0"), "{cases}");
    assert!(lines.iter().any(|line| line.contains("  % crash: throw:{odd,")), "{cases}");
}
