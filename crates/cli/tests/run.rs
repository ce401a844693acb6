//! `hound run` on files of every kind: sources, compiled modules, folders, Elixir; output, JSON, stages, options.

mod support;

use serde_json::Value;
use support::{file, folder, hound, run, succeed};

const GREETER: &str = "\
%% Greets.
-module(greeter).
-export([hello/1, twice/1, broken/0]).
-include(\"names.hrl\").
hello(Name) -> io:format(\"hello ~ts~n\", [Name]), ?DEFAULT.
twice(X) -> helper:double(X).
broken() -> catch helper:double(1).
";

fn json(args: &[&str]) -> Value {
    let ran = hound(&[&["run", "--format", "json"], args].concat());
    assert_eq!(ran.out.lines().count(), 1, "{ran:?}");
    assert_eq!(ran.err, "");
    serde_json::from_str(&ran.out).expect("JSON")
}

#[test]
fn a_source_file_with_includes_and_macros() {
    let folder = folder("includes");
    std::fs::create_dir(folder.join("headers")).unwrap();
    let path = file(&folder, "greeter.erl", GREETER);
    file(
        &folder.join("headers"),
        "names.hrl",
        "-ifdef(LOUD).\n-define(DEFAULT, 'LOUD').\n-else.\n-define(DEFAULT, calm).\n-endif.\n",
    );
    let include = folder.join("headers");
    let include = include.to_str().unwrap();
    let ran = hound(&["run", "-I", include, &path, "greeter:hello(\"Jürgen\")"]);
    assert_eq!((ran.out.as_str(), ran.code), ("hello Jürgen\ncalm\n", 0), "{ran:?}");
    let loud = hound(&["run", "-I", include, "-D", "LOUD", &path, "greeter:hello(\"x\")"]);
    assert_eq!(loud.out, "hello x\n'LOUD'\n", "{loud:?}");
}

#[test]
fn several_files_and_one_that_is_broken() {
    let folder = folder("broken");
    file(&folder, "names.hrl", "-define(DEFAULT, calm).\n");
    let greeter = file(&folder, "greeter.erl", GREETER);
    let helper =
        file(&folder, "helper.erl", "%% Helps.\n-module(helper).\n-export([double/1]).\ndouble(X) -> 2 * X.\n");
    let whole = hound(&["run", &greeter, &helper, "greeter:twice(21)"]);
    assert_eq!(whole.out, "42\n", "{whole:?}");
    std::fs::write(folder.join("helper.beam"), "this is no beam file").unwrap();
    let helper = folder.join("helper.beam");
    let helper = helper.to_str().unwrap();
    let untouched = hound(&["run", &greeter, helper, "greeter:hello(\"a\")"]);
    assert_eq!(untouched.out, "hello a\ncalm\n", "{untouched:?}");
    let touched = hound(&["run", &greeter, helper, "greeter:twice(21)"]);
    assert_eq!(touched.code, 2, "{touched:?}");
    assert!(touched.err.contains("helper") && touched.err.contains("greeter:twice/1"), "{touched:?}");
    let caught = hound(&["run", &greeter, helper, "greeter:broken()"]);
    assert_eq!(caught.code, 2, "a program must not catch what is wrong with the tool: {caught:?}");
}

#[test]
fn a_compiled_file_and_a_folder_of_them() {
    let folder = folder("compiled");
    file(&folder, "helper.erl", "%% Helps.\n-module(helper).\n-export([double/1]).\ndouble(X) -> 2 * X.\n");
    succeed("erlc", &["+debug_info", "helper.erl"], &folder);
    std::fs::remove_file(folder.join("helper.erl")).unwrap();
    let beam = folder.join("helper.beam");
    assert_eq!(hound(&["run", beam.to_str().unwrap(), "helper:double(4)"]).out, "8\n");
    assert_eq!(hound(&["run", folder.to_str().unwrap(), "helper:double(4)"]).out, "8\n");
    assert_eq!(hound(&["run", "--pa", folder.to_str().unwrap(), "helper:double(4)"]).out, "8\n");
}

#[test]
fn a_core_file() {
    let folder = folder("core");
    file(&folder, "helper.erl", "%% Helps.\n-module(helper).\n-export([double/1]).\ndouble(X) -> 2 * X.\n");
    succeed("erlc", &["+to_core", "helper.erl"], &folder);
    let core = folder.join("helper.core");
    let ran = hound(&["run", core.to_str().unwrap(), "helper:double(a)"]);
    assert!(ran.out.starts_with("** exception error: an error occurred when evaluating an arithmetic"), "{ran:?}");
}

#[test]
fn elixir_modules_are_modules() {
    let ran = run("'Elixir.Enum':map([1, 2, 3], fun(X) -> X * 10 end)");
    assert_eq!(ran.out, "[10,20,30]\n", "{ran:?}");
    let text = run("'Elixir.String':capitalize(<<\"erlang\">>)");
    assert_eq!(text.out, "<<\"Erlang\">>\n", "{text:?}");
}

#[test]
fn output_is_captured_and_stands_first() {
    let ran = run("begin io:put_chars(\"one\\n\"), io:format(\"~w~n\", [[two]]), three end");
    assert_eq!((ran.out.as_str(), ran.code), ("one\n[two]\nthree\n", 0), "{ran:?}");
}

#[test]
fn an_allowed_effect_happens() {
    let folder = folder("allowed");
    let path = file(&folder, "note.txt", "hi");
    let call = format!("file:read_file({path:?})");
    assert_eq!(run(&call).code, 2);
    let ran = hound(&["run", "--allow", "file:read_file/1", &call]);
    assert_eq!(ran.out, "{ok,<<\"hi\">>}\n", "{ran:?}");
}

#[test]
fn json_says_the_same() {
    let value = json(&["lists:sort([3,1,2])"]);
    assert_eq!(value["schema"], 1);
    assert_eq!(value["kind"], "run");
    assert_eq!(value["call"], "lists:sort([3,1,2])");
    assert_eq!(value["outcome"], "value");
    assert_eq!(value["value"], "[1,2,3]");
    assert!(value["stats"]["steps"].as_u64().unwrap() > 0);
    let raised = json(&["begin io:put_chars(\"x\"), lists:nth(0, [a]) end"]);
    assert_eq!(raised["outcome"], "exception");
    assert_eq!((&raised["class"], &raised["reason"]), (&"error".into(), &"function_clause".into()));
    assert_eq!(raised["output"], "x");
    assert!(raised["stack"].as_str().unwrap().starts_with("[{lists,nth,[0,[a]],"), "{raised}");
    let refused = json(&["os:cmd(\"true\")"]);
    assert_eq!((&refused["outcome"], &refused["function"]), (&"refused".into(), &"os:cmd/1".into()));
    let missing = json(&["no_such_module:f(1)"]);
    assert_eq!((&missing["kind"], &missing["code"]), (&"error".into(), &"no_module".into()));
}

#[test]
fn stages_are_printed() {
    let ir = hound(&["run", "--ir", "lists:nthtail(1, [a])"]);
    assert!(ir.code == 0 && ir.out.contains("nthtail"), "{ir:?}");
    let flat = hound(&["run", "--flat", "lists:nthtail/2"]);
    assert!(flat.code == 0 && flat.out.contains("'nthtail'/2"), "{flat:?}");
    let whole = hound(&["run", "--flat", "examples/shop.erl"]);
    assert!(whole.out.contains("module 'shop'") && whole.out.contains("'order'/1"), "{whole:?}");
}

#[test]
fn coverage_names_the_lines() {
    let ran = hound(&["run", "--coverage", "examples/shop.erl", "shop:total([{a, 1, 2}])"]);
    assert!(ran.out.starts_with("2\n"), "{ran:?}");
    assert!(ran.out.contains("shop: 2 of 13 lines: 10,15\n"), "{ran:?}");
}

#[test]
fn deep_recursion_and_deep_data_are_fine() {
    let ran = run("(fun F(0) -> 0; F(N) -> 1 + F(N - 1) end)(1000000)");
    assert_eq!(ran.out, "1000000\n", "{ran:?}");
    let deep = run("length(lists:flatten(lists:foldl(fun(_, L) -> [L] end, [a], lists:seq(1, 100000))))");
    assert_eq!(deep.out, "1\n", "{deep:?}");
}

#[test]
fn without_a_cache_the_answer_is_the_same() {
    assert_eq!(hound(&["run", "--no-cache", "queue:to_list(queue:from_list([1, 2]))"]).out, "[1,2]\n");
}

const FUNS: &str = "\
%% Makes funs.
-module(funs).
-export([add/1, all/0]).
add(X) -> fun(Y) -> X + Y end.
all() -> {fun(A) -> A end, fun all/0, fun funs:all/0, [fun() -> Z end || Z <- [1, 2]]}.
";

#[test]
fn funs_are_known_as_the_vm_knows_them() {
    let folder = folder("funs");
    let path = file(&folder, "funs.erl", FUNS);
    succeed("erlc", &["+debug_info", "funs.erl"], &folder);
    let expression = "{funs:add(1), funs:all(), erlang:phash2(funs:add(1))}";
    let print = format!("io:format(\"~0p~n\", [{expression}]), halt().");
    let real = std::process::Command::new("erl").args(["-noshell", "-eval", &print]).current_dir(&folder).output();
    let ours = hound(&["run", &path, &format!("io:format(\"~0p~n\", [{expression}])")]);
    assert_eq!(ours.out, format!("{}ok\n", String::from_utf8_lossy(&real.expect("erl").stdout)), "{ours:?}");
}

#[test]
fn funs_come_back_from_tables() {
    let path = file(&folder("funs_in_tables"), "funs.erl", FUNS);
    let table = "begin T = ets:new(t, []), ets:insert(T, {f, funs:add(5)}), [{f, F}] = ets:lookup(T, f), \
                 {F(1), F =:= funs:add(5), F =:= funs:add(6), ets:member(T, f)} end";
    let ran = hound(&["run", &path, table]);
    assert_eq!(ran.out, "{6,true,false,true}\n", "{ran:?}");
}
