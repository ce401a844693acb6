//! The test modules that `hound explore --tests KIND DIR` writes: they compile without a warning, pass under the real EUnit,
//! Common Test and ExUnit, take every branch, and keep what a person has written in them.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use support::{Ran, file, folder, hound, succeed, top};

/// Explores a module with these options, compiles what was written beside the module, and runs it; the tests that ran.
fn tested(name: &str, source: &Path, options: &[&str]) -> usize {
    let folder = folder(&format!("suite_{name}"));
    let place = folder.to_str().expect("UTF-8");
    let source = source.to_str().expect("UTF-8");
    let ran = hound(&[&["explore", "--runs", "80", "--tests", "eunit", place, source], options].concat());
    assert!(matches!(ran.code, 0 | 1), "{}", ran.err);
    let suite = format!("{name}_hound_tests");
    let said = ran.out.lines().last().expect("a line");
    let count = said.rsplit(' ').nth(1).and_then(|count| count.parse::<usize>().ok());
    assert!(said.starts_with(place) && said.contains(&suite), "{said}");
    succeed("erlc", &["-Wall", source], &folder);
    succeed("erlc", &["-Werror", "-Wall", &format!("{suite}.erl")], &folder);
    let text = eunit(&folder, &suite);
    let passed = match text.trim() {
        "Test passed." => 1,
        text => text.strip_prefix("All ").and_then(|rest| rest.split(' ').next()?.parse().ok()).unwrap_or(0),
    };
    assert_eq!(Some(passed), count, "{text}");
    passed
}

fn eunit(folder: &Path, suite: &str) -> String {
    let call = format!("case eunit:test('{suite}') of ok -> halt(0); _ -> halt(1) end.");
    let output = Command::new("erl").args(["-noshell", "-pa", "."]).args(["-eval", &call]).current_dir(folder).output();
    let output = output.expect("erl runs");
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    assert!(output.status.success(), "{text}");
    text
}

#[test]
fn values_of_every_kind_are_written_as_source() {
    assert!(tested("values", &top().join("crates/cli/tests/programs/values.erl"), &[]) >= 38);
}

#[test]
fn programs_of_the_corpus_pass_their_tests() {
    for (name, least) in [("records", 10), ("libraries", 20), ("higher_order", 5), ("patterns", 10), ("machines", 5)] {
        let source = top().join(format!("crates/cli/tests/corpus/{name}.erl"));
        let passed = tested(name, &source, &[]);
        assert!(passed >= least, "{name}: {passed} tests");
    }
}

#[test]
fn only_inputs_of_the_precondition_are_written() {
    let place = folder("suite_pre");
    let text = "%% One of two.\n-module(half).\n-export([f/1]).\n-spec f(1..9) -> integer().\n\
                f(X) when X > 5 -> error(large);\nf(X) -> X.\nsmall(X) -> X =< 5.\n";
    let source = file(&place, "half.erl", text);
    assert_eq!(tested("half", Path::new(&source), &["--pre", "small/1"]), 1);
}

#[test]
fn a_file_that_hound_did_not_write_stays() {
    let place = folder("suite_mine");
    let mine = file(&place, "till_hound_tests.erl", "%% Mine.\n");
    let folder = place.to_str().expect("UTF-8");
    let ran = hound(&["explore", "--tests", "eunit", folder, "examples/till.erl", "discount/2"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert!(ran.err.contains("was not written by hound"), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(mine).expect("it is there"), "%% Mine.\n");
}

/// Explores with tests of a kind in a folder.
fn explored(kind: &str, folder: &Path, words: &[&str]) -> Ran {
    let place = folder.to_str().expect("UTF-8");
    let ran = hound(&[&["explore", "--fail-on", "any", "--runs", "60", "--tests", kind, place], words].concat());
    assert!(matches!(ran.code, 0 | 1), "{}", ran.err);
    ran
}

/// The number at the end of the last line that was printed.
fn count(ran: &Ran) -> usize {
    let last = ran.out.lines().last().expect("a line");
    last.rsplit(' ').nth(1).and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("{last}"))
}

/// All that a program printed, if it ended well.
fn said(program: &str, args: &[&str], folder: &Path) -> String {
    let output = Command::new(program).args(args).current_dir(folder).output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {text}");
    text
}

#[test]
fn suites_of_common_test_pass() {
    for name in ["records", "higher_order", "machines"] {
        let folder = folder(&format!("suite_ct_{name}"));
        let source = top().join(format!("crates/cli/tests/corpus/{name}.erl")).display().to_string();
        let tests = count(&explored("ct", &folder, &[&source]));
        succeed("erlc", &["-Wall", &source], &folder);
        let suite = format!("{name}_hound_SUITE");
        succeed("erlc", &["-Werror", "-Wall", &format!("{suite}.erl")], &folder);
        std::fs::create_dir(folder.join("logs")).expect("a folder");
        let run = ["-noshell", "-pa", ".", "-dir", ".", "-suite", &suite, "-logdir", "logs", "-no_auto_compile"];
        let text = said("ct_run", &run, &folder);
        assert!(text.contains(&format!("{tests} ok, 0 failed of {tests} test cases")), "{text}");
        assert!(tests >= 5, "{name}: {tests}");
    }
}

/// Runs a file of ExUnit beside compiled modules.
fn exunit(folder: &Path, file: &str) -> String {
    let text = said("elixir", &["-pa", ".", "-e", "ExUnit.start()", "-r", file], folder);
    assert!(!text.contains("warning"), "{text}");
    text
}

#[test]
fn suites_of_exunit_pass_for_elixir_and_for_erlang() {
    let place = folder("suite_exunit");
    let shop = std::fs::read_to_string(top().join("crates/cli/tests/elixir/shop.ex")).expect("it is there");
    file(&place, "shop.ex", &shop);
    succeed("elixirc", &["shop.ex"], &place);
    let beam = place.join("Elixir.Shop.beam").display().to_string();
    let tests = count(&explored("exunit", &place, &[&beam, "--pa", place.to_str().expect("UTF-8")]));
    let text = exunit(&place, "shop_hound_test.exs");
    assert!(text.contains(&format!("{tests} tests, 0 failures")) && tests >= 25, "{tests}: {text}");
    let source = top().join("crates/cli/tests/programs/values.erl").display().to_string();
    let tests = count(&explored("exunit", &place, &[&source]));
    succeed("erlc", &[&source], &place);
    let text = exunit(&place, "values_hound_test.exs");
    assert!(text.contains(&format!("{tests} tests, 0 failures")) && tests >= 30, "{tests}: {text}");
}

/// Lines of a module that a suite does not come to, by the VM's own `cover`.
#[test]
fn suites_take_every_branch_that_the_exploration_takes() {
    let place = folder("suite_covering");
    let source = top().join("examples/till.erl").display().to_string();
    let ran = explored("eunit", &place, &[&source]);
    // Fewer tests than paths.
    let paths =
        ran.out.lines().filter(|line| line.starts_with("till:")).filter_map(|line| line.split_whitespace().nth(3));
    let paths: usize = paths.filter_map(|paths| paths.parse::<usize>().ok()).sum();
    assert!(count(&ran) * 3 < paths, "{} tests, {paths} paths", count(&ran));
    succeed("erlc", &["+debug_info", &source], &place);
    succeed("erlc", &["till_hound_tests.erl"], &place);
    let missed = "{ok, _} = cover:compile_beam(\"till.beam\"), ok = eunit:test(till_hound_tests), \
        {ok, Lines} = cover:analyse(till, calls, line), \
        io:format(\"missed: ~w~n\", [[Line || {{_, Line}, 0} <- Lines, Line > 0]]), halt(0).";
    let text = said("erl", &["-noshell", "-pa", ".", "-eval", missed], &place);
    assert!(text.contains("missed: []"), "{text}");
}

/// A file, with its text, after `discount/2` was explored again.
fn again(place: &Path, text: Option<&str>) -> String {
    let file = place.join("till_hound_tests.erl");
    text.iter().for_each(|text| std::fs::write(&file, text).expect("a file"));
    explored("eunit", place, &["examples/till.erl", "discount/2"]);
    std::fs::read_to_string(file).expect("it is there")
}

fn passes(place: &Path) {
    succeed("erlc", &["-W0", &top().join("examples/till.erl").display().to_string()], place);
    succeed("erlc", &["-Werror", "-Wall", "till_hound_tests.erl"], place);
    eunit(place, "till_hound_tests");
}

#[test]
fn what_a_person_has_written_stays() {
    let place: PathBuf = folder("suite_edited");
    let first = again(&place, None);
    assert_eq!(again(&place, None), first);
    passes(&place);
    let body =
        first.split("_test_() ->\n").nth(1).and_then(|rest| rest.split("\n%% hound: end").next()).expect("a test");
    let edited = first.replacen(body, "    {\"by hand\", ?_assert(is_atom(node()))}.", 1);
    let mine = "\nmine_test() -> ?assertEqual(1, 1).\n";
    let (before, after) = edited.split_at(edited.rfind("%% hound: begin").expect("a test"));
    let text = again(&place, Some(&format!("{before}{}\n{after}% the end\n", mine.trim_start())));
    for kept in ["{\"by hand\", ?_assert(is_atom(node()))}.", mine, "% the end\n"] {
        assert!(text.contains(kept), "{kept} in {text}");
    }
    assert_eq!(text.matches("hound: begin").count(), first.matches("hound: begin").count());
    passes(&place);
    assert_eq!(again(&place, Some(&text)), text);
    // A test that lost its comments is a person's, one that was taken away comes back, and tests of other functions stay.
    let begin = text.rfind("%% hound: begin").expect("a test");
    let end = text[begin..].find("%% hound: end\n").expect("its end") + begin;
    let line = text[begin..].find('\n').expect("a line") + begin + 1;
    let without_comments = format!("{}{}{}", &text[..begin], &text[line..end], &text[end + "%% hound: end\n".len()..]);
    assert_eq!(again(&place, Some(&without_comments)), without_comments);
    let taken_away = format!("{}{}", &text[..begin], &text[end + "%% hound: end\n".len()..]);
    assert!(again(&place, Some(&taken_away)).contains(&text[begin..end]));
    explored("eunit", &place, &["examples/till.erl", "round_up/1"]);
    let both = std::fs::read_to_string(place.join("till_hound_tests.erl")).expect("it is there");
    assert!(both.contains("discount_2_") && both.contains("round_up_1_") && both.contains("by hand"), "{both}");
    passes(&place);
}

#[test]
fn broken_comments_are_named_before_anything_is_explored() {
    let place = folder("suite_broken");
    let broken = file(&place, "till_hound_tests.erl", "%% Mine.\n%% hound: begin discount/2-00 00\n");
    let ran =
        hound(&["explore", "--tests", "eunit", place.to_str().expect("UTF-8"), "examples/till.erl", "discount/2"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert!(ran.err.contains("till_hound_tests.erl:2: `hound: begin` without `hound: end`"), "{}", ran.err);
    assert!(std::fs::read_to_string(broken).expect("it is there").starts_with("%% Mine.\n"));
}

#[test]
fn other_kinds_of_tests_are_unknown() {
    let ran = hound(&["explore", "--tests", "proper", "somewhere", "examples/till.erl"]);
    let said = "hound: --tests proper: tests are written as eunit, ct or exunit\n";
    assert_eq!((ran.code, ran.err.as_str()), (2, said));
}
