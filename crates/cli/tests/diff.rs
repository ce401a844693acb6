//! Two versions of a module: rare inputs on which they differ, refactorings that do not, and what cannot be said.

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;
use support::{Ran, ended, file, folder, hound, succeed};

const OLD: &str = "crates/cli/tests/versions/old/shop.erl";
const NEW: &str = "crates/cli/tests/versions/new/shop.erl";

/// The lines of JSON about the two versions: of functions by name, and the last one.
fn compared() -> &'static (BTreeMap<String, Value>, Value) {
    static COMPARED: OnceLock<(BTreeMap<String, Value>, Value)> = OnceLock::new();
    COMPARED.get_or_init(|| {
        let ran = hound(&["diff", OLD, NEW, "--format", "json"]);
        assert_eq!(ran.code, 1, "{}", ran.err);
        let lines = ran.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let (functions, mut last): (Vec<Value>, Vec<Value>) = lines.partition(|line| line["kind"] == "comparison");
        let named = |line: Value| (line["function"].as_str().expect("a name").to_owned(), line);
        (functions.into_iter().map(named).collect(), last.pop().expect("a line for all"))
    })
}

fn function(name: &str) -> &'static Value {
    &compared().0[name]
}

#[test]
fn a_rare_input_shows_the_difference() {
    let fee = function("shop:fee/1");
    assert_eq!(fee["verdict"], "differ");
    assert_eq!(fee["differences"][0]["call"], "shop:fee(31337)");
    assert_eq!(
        (&fee["differences"][0]["old"]["value"], &fee["differences"][0]["new"]["value"]),
        (&"3133".into(), &"31337".into())
    );
    assert_eq!(fee["differences"].as_array().map(Vec::len), Some(1), "both give values, in one way");
}

#[test]
fn classes_of_exceptions_differ_where_reasons_do_not() {
    let check = &function("shop:check/1")["differences"][0];
    assert_eq!((&check["old"]["class"], &check["new"]["class"]), (&"throw".into(), &"error".into()));
    assert_eq!(check["old"]["reason"], check["new"]["reason"]);
}

#[test]
fn refactorings_are_proved_to_be_the_same() {
    for name in ["level/1", "sum/1", "rec/2", "mkfun/1", "tagged/1"] {
        let one = function(&format!("shop:{name}"));
        assert_eq!((&one["verdict"], &one["reasons"]), (&"same".into(), &Value::Array(Vec::new())), "{one}");
    }
}

#[test]
fn each_version_calls_its_own_functions() {
    // kept/1 has changed: a version that called the other one's would differ.
    for name in ["own/1", "named/1"] {
        assert_eq!(function(&format!("shop:{name}"))["verdict"], "same", "{name}");
    }
    assert_eq!(function("shop:kept/1")["differences"][0]["call"], "shop:kept(5)");
}

#[test]
fn what_cannot_be_compared_is_not_the_same() {
    let reason = |name: &str, wanted: &str| {
        let one = function(&format!("shop:{name}"));
        let reasons = one["reasons"].as_array().expect("reasons");
        let has = reasons.iter().any(|reason| reason.as_str().is_some_and(|text| text.contains(wanted)));
        assert!(one["verdict"] == "incomplete" && has, "{one}");
    };
    reason("pick/1", "funs, processes and references");
    reason("stateful/1", "erlang:put/2 keeps state");
    reason("loop/1", "a call does not end");
    reason("dyn/2", "a function that only a run knows");
}

#[test]
fn functions_of_one_version_are_said() {
    let all = &compared().1;
    assert_eq!((&all["added"][0], &all["removed"][0]), (&"shop:fresh/1".into(), &"shop:gone/1".into()));
    let text = hound(&["diff", OLD, NEW, "fee/1", "fresh/1"]);
    let expected = "shop:fee/1: differ\n  shop:fee(31337)\n    old: 3133\n    new: 31337\nshop:fresh/1: added\n\
                    1 function compared: 1 differ, 0 same, 0 incomplete; 1 added, 0 removed\n";
    assert_eq!((text.code, text.out.as_str()), (1, expected), "{}", text.err);
    assert_eq!(hound(&["diff", NEW, NEW, "level/1"]).code, 0);
}

fn git(folder: &Path, args: &[&str]) {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    succeed("git", &[&identity, args].concat(), folder);
}

fn diff(folder: &Path, words: &[&str]) -> Ran {
    ended(Command::new(env!("CARGO_BIN_EXE_hound")).arg("diff").args(words).current_dir(folder))
}

#[test]
fn revisions_have_their_own_headers() {
    let folder = folder("diff_revisions");
    std::fs::create_dir_all(folder.join("src")).expect("a folder");
    std::fs::create_dir_all(folder.join("include")).expect("a folder");
    let source = "-module(tax).\n-include(\"tax.hrl\").\n-export([due/1]).\n\
                  -spec due(0..1000) -> integer().\ndue(N) -> N * ?RATE.\n";
    file(&folder, "src/tax.erl", source);
    file(&folder, "include/tax.hrl", "-define(RATE, 2).\n");
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-qm", "two"]);
    let same = diff(&folder, &["HEAD:src/tax.erl", "src/tax.erl"]);
    assert_eq!(same.code, 0, "{}{}", same.out, same.err);
    assert!(same.out.starts_with("tax:due/1: same"), "{}", same.out);
    file(&folder, "include/tax.hrl", "-define(RATE, 3).\n");
    let differ = diff(&folder.join("src"), &["HEAD:tax.erl", "tax.erl"]);
    assert_eq!(differ.code, 1, "{}{}", differ.out, differ.err);
    assert!(differ.out.contains("  tax:due(1)\n    old: 2\n    new: 3\n"), "{}", differ.out);

    let missing = diff(&folder, &["HEAD:src/fee.erl", "src/tax.erl"]);
    assert_eq!(missing.code, 2);
    assert!(missing.err.contains("HEAD:src/fee.erl: HEAD has no file src/fee.erl"), "{}", missing.err);
    let unknown = diff(&folder, &["v9:src/tax.erl", "src/tax.erl"]);
    assert!(unknown.code == 2 && unknown.err.contains("v9:src/tax.erl: "), "{}", unknown.err);
}

#[test]
fn mistakes_are_said() {
    let missing = hound(&["diff", "old.erl", NEW]);
    assert_eq!((missing.code, missing.err.as_str()), (2, "hound: no such file or directory: old.erl\n"));
    let name = hound(&["diff", OLD, NEW, "fees/1"]);
    assert!(name.code == 2 && name.err.contains("shop:fees/1"), "{}", name.err);
    let folder = hound(&["diff", "crates/cli/tests/versions/old", NEW]);
    assert!(
        folder.code == 2 && folder.err.contains("a folder; two files of one module are compared"),
        "{}",
        folder.err
    );
}
