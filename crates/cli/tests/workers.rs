//! Several workers on one exploration: the same bytes as one, whatever becomes of their solvers.

mod support;

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use support::{file, folder};

/// Nothing of ours decides these.
const PRODUCTS: &str = "%% Bits of two unknowns and their product.
-module(products).
-export([find/2, plain/1]).

-spec find(0..65535, 0..65535) -> ok.
find(A, B) when (A * B) band 16#ffff =:= 16#1234, A > 256, B > 256 -> error(product);
find(A, B) when A bor B =:= 16#ffff, (A * B) rem 251 =:= 7 -> error(both);
find(_, _) -> ok.

-spec plain([integer()]) -> integer().
plain([1, 2 | _]) -> error(known);
plain([_ | Rest]) -> plain(Rest);
plain([]) -> 0.
";

/// The products, in a folder of the test's own.
fn products(test: &str) -> String {
    file(&folder(&format!("products-{test}")), "products.erl", PRODUCTS)
}

fn hound(words: &[&str], path: Option<&str>) -> (Option<i32>, Vec<Value>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
    // What an earlier run observed of opaque functions is kept in the cache, and changes what the next one does.
    command.args(["explore", "--fail-on", "any", "--format", "json", "--no-cache"]).args(words);
    path.iter().for_each(|path| _ = command.env("PATH", path));
    let output = command.output().expect("hound runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON"));
    (output.status.code(), lines.collect())
}

fn timeless(mut lines: Vec<Value>) -> Vec<String> {
    lines.iter_mut().for_each(|line| {
        line["stats"]["wall_ms"] = Value::Null;
        line["stats"]["prepare_ms"] = Value::Null;
    });
    lines.iter().map(Value::to_string).collect()
}

fn of<'a>(lines: &'a [Value], function: &str) -> &'a Value {
    lines.iter().find(|line| line["function"] == function).unwrap_or_else(|| panic!("no {function}"))
}

fn codes(line: &Value) -> Vec<&str> {
    line["reasons"].as_array().expect("reasons").iter().filter_map(|reason| reason["code"].as_str()).collect()
}

#[test]
fn any_number_of_workers_gives_the_same_bytes() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let programs: [(&str, &[&str]); 3] =
        [("bits.erl", &["mask/2", "signs/2"]), ("records.erl", &["lookup/2"]), ("robot.erl", &["solve/4"])];
    let programs = programs.map(|(name, functions)| (corpus.join(name), functions));
    for (program, functions) in programs.into_iter().chain([(products("same").into(), &[][..])]) {
        let explored = |workers: &str| {
            let words = ["--runs", "100", "--workers", workers, &program.display().to_string()];
            let (code, lines) = hound(&[&words, functions].concat(), None);
            (code, timeless(lines))
        };
        let one = explored("1");
        assert!(!one.1.is_empty(), "{}", program.display());
        for workers in ["1", "2", "3"] {
            assert_eq!(explored(workers), one, "{} with {workers} workers", program.display());
        }
    }
}

/// A folder with a program of that name that is a script; the rest of the path behind it.
fn pretender(name: &str, lines: &str) -> String {
    let folder = folder(&format!("solver-{name}"));
    let path = folder.join("z3");
    std::fs::write(&path, format!("#!/bin/sh\n{lines}\n")).expect("a script");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it can be run");
    format!("{}:{}", folder.display(), std::env::var("PATH").expect("a path"))
}

/// Explores the products with one worker and with two; the findings that need no outside solver are there.
fn troubled(test: &str, path: &str, words: &[&str], reason: &str) -> Vec<Value> {
    let program = products(test);
    let explored = ["1", "2"].map(|workers| hound(&[words, &["--workers", workers, &program]].concat(), Some(path)));
    for (code, lines) in &explored {
        let (find, plain) = (of(lines, "products:find/2"), of(lines, "products:plain/1"));
        assert_eq!(find["complete"], false);
        assert!(codes(find).contains(&reason), "{}", find["reasons"]);
        assert_eq!(find["verdict"] == "crash", find["findings"] != Value::Array(Vec::new()));
        assert_eq!(plain["verdict"], "crash", "{plain}");
        assert_eq!(*code, Some(1));
    }
    explored.map(|(_, lines)| of(&lines, "products:find/2").clone()).to_vec()
}

#[test]
fn a_solver_that_dies_in_every_query_leaves_its_branches_undecided() {
    let path = pretender("dies", "while read line; do case $line in *check-sat*) exit 3;; esac; done");
    troubled("dies", &path, &["--runs", "100"], "solver-absent");
}

#[test]
fn a_solver_that_dies_once_costs_one_query() {
    let once = folder("solver-died").join("died");
    let lines = format!(
        "if mkdir '{}' 2>/dev/null; then while read line; do case $line in *check-sat*) exit 3;; esac; done; fi\n\
         exec /usr/bin/env PATH=\"${{PATH#*:}}\" z3 \"$@\"",
        once.display()
    );
    let path = pretender("once", &lines);
    let program = products("once");
    for workers in ["1", "2"] {
        let _ = std::fs::remove_dir_all(&once);
        let (code, lines) = hound(&["--runs", "100", "--workers", workers, &program, "find/2"], Some(&path));
        let find = of(&lines, "products:find/2");
        assert_eq!(codes(find), ["solver-absent"], "{}", find["reasons"]);
        assert_eq!(find["reasons"][0]["count"], 1, "{}", find["reasons"]);
        assert_eq!((code, &find["verdict"]), (Some(1), &Value::from("crash")), "{find}");
    }
}

#[test]
fn a_solver_that_never_answers_is_ended_with_the_time() {
    let path = pretender("hangs", "while read line; do :; done");
    for find in troubled("hangs", &path, &["--runs", "100", "--time", "2"], "time") {
        assert_eq!(find["verdict"], "incomplete");
    }
}

#[test]
fn without_the_solver_it_is_reported_what_was_not_decided() {
    let folder = folder("no-solver");
    for from in std::env::split_paths(&std::env::var_os("PATH").expect("a path")) {
        for entry in std::fs::read_dir(from).into_iter().flatten().flatten().filter(|entry| entry.file_name() != "z3") {
            // The first on the path counts.
            let _ = symlink(entry.path(), folder.join(entry.file_name()));
        }
    }
    troubled("without", &folder.display().to_string(), &["--runs", "100"], "solver-absent");
}

#[test]
fn no_workers_are_too_few() {
    let (code, lines) = hound(&["--workers", "0", "lists"], None);
    assert_eq!((code, lines.len()), (Some(2), 0));
}
