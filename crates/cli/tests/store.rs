//! The store of earlier findings: they are replayed first, and what is found does not depend on it otherwise.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;
use support::{Ran, ended, file, folder};

/// A crash that needs a branch to be solved, one that the first input shows, and one that needs some.
const PROGRAM: &str = "-module(stored).\n-export([f/1, g/1]).\n-spec f(0..999) -> integer().\n\
    f(X) when X > 3 -> 10 div (X - 77);\nf(X) -> X.\n\
    -spec g([0..9]) -> integer().\ng([1, 2, 3 | _]) -> 1 div 0;\ng([_ | T]) -> g(T);\ng([]) -> 0.\n";

/// A folder with the program, and a cache: the store goes by the place of the program.
struct Rig {
    folder: PathBuf,
    cache: PathBuf,
}

impl Rig {
    fn new(name: &str) -> Rig {
        let folder = folder(&format!("store_{name}"));
        static CACHE: OnceLock<PathBuf> = OnceLock::new();
        let cache = CACHE.get_or_init(|| support::folder("store_cache")).clone();
        let rig = Rig { folder, cache };
        rig.write(PROGRAM);
        rig
    }

    fn write(&self, text: &str) {
        file(&self.folder, "stored.erl", text);
    }

    fn explore(&self, options: &[&str]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
        command.arg("explore").args(options).arg("stored.erl").current_dir(&self.folder);
        ended(command.env("XDG_CACHE_HOME", &self.cache).env_remove("HOUND_NO_STORE"))
    }

    /// The lines of JSON, without times, and what the store says.
    fn lines(&self, options: &[&str]) -> (Vec<Value>, Option<Value>) {
        let ran = self.explore(&[&["--format", "json"], options].concat());
        let mut lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        for line in &mut lines {
            let stats = line.get_mut("stats").and_then(Value::as_object_mut);
            stats.into_iter().for_each(|stats| stats.retain(|name, _| !name.ends_with("_ms")));
        }
        lines.retain(|line| line["kind"] != "summary");
        let store = lines.pop_if(|line| line["kind"] == "store");
        (lines, store)
    }
}

fn calls(lines: &[Value]) -> Vec<String> {
    let findings = lines.iter().flat_map(|line| line["findings"].as_array().into_iter().flatten());
    findings.map(|it| format!("{} {}", it["call"].as_str().unwrap_or("?"), it["earlier"] == true)).collect()
}

#[test]
fn the_same_code_gives_the_same_report() {
    let rig = Rig::new("same");
    let first = rig.lines(&["--runs", "200"]);
    assert_eq!(first.1, None);
    assert_eq!(calls(&first.0), ["stored:f(77) false", "stored:g([1,2,3]) false"]);
    assert_eq!(rig.lines(&["--runs", "200"]), first);
    assert_eq!(rig.lines(&["--runs", "200", "--no-store"]), first);
    assert!(!rig.explore(&["--runs", "200"]).out.contains("still there"));
}

#[test]
fn a_search_that_finds_less_loses_nothing() {
    let rig = Rig::new("less");
    let few = rig.lines(&["--runs", "1", "--no-store"]).0;
    assert!(calls(&few).len() < 2, "{few:?}");
    rig.lines(&["--runs", "200"]);
    let (lines, store) = rig.lines(&["--runs", "1"]);
    let found = calls(&lines);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().any(|it| it.ends_with("true")), "{found:?}");
    assert_eq!(lines.iter().map(|line| line["verdict"].clone()).collect::<Vec<_>>(), ["crash", "crash"]);
    let store = store.expect("a line of the store");
    let only = found.iter().filter(|it| it.ends_with("true")).count();
    assert_eq!((&store["fixed"], &store["still"], &store["only"]), (&Value::Array(vec![]), &2.into(), &only.into()));
    // But for what the store adds, at the end, the search is what it was.
    for (with, without) in lines.iter().zip(&few) {
        assert_eq!(
            (&with["stats"], &with["coverage"], &with["paths"]),
            (&without["stats"], &without["coverage"], &without["paths"])
        );
        let [with, without] = [with, without].map(|line| line["findings"].as_array().cloned().unwrap_or_default());
        assert_eq!(with[..without.len()], without);
    }
    assert_eq!(rig.explore(&["--runs", "1"]).code, 1);
}

/// A crash in a process, and one of the call that follows from it.
const FOLLOWING: &str = "-module(stored).\n-export([f/1]).\n-spec f(integer()) -> ok.\nf(X) ->\n    \
    {_, R} = spawn_monitor(fun() -> 1 div X end),\n    \
    receive {'DOWN', R, _, _, normal} -> ok; {'DOWN', R, _, _, _} -> error(died) end.\n";

#[test]
fn what_follows_from_a_crash_counts_only_while_that_is_ignored() {
    let rig = Rig::new("following");
    rig.write(FOLLOWING);
    let reasons = |lines: &[Value]| {
        let findings = lines.iter().flat_map(|line| line["findings"].as_array().into_iter().flatten());
        findings.map(|it| it["reason"].as_str().unwrap_or("?").to_owned()).collect::<Vec<_>>()
    };
    let ignored = ["--ignore", "error:badarith"];
    assert_eq!(reasons(&rig.lines(&ignored).0), ["died"]);
    assert_eq!(reasons(&rig.lines(&[]).0), ["badarith"]);
    assert_eq!(reasons(&rig.lines(&ignored).0), ["died"]);
}

#[test]
fn what_is_fixed_is_said_once_and_what_stays_is_counted() {
    let rig = Rig::new("fixed");
    rig.lines(&["--runs", "200"]);
    rig.write(&PROGRAM.replace("X - 77", "X + 77"));
    let ran = rig.explore(&["--runs", "200"]);
    let said = "fixed since the last run: stored.erl:4:23: error: badarith in stored:f/1: stored:f(77)\n\
        still there: 1 finding of the last run\n";
    assert!(ran.out.ends_with(said), "{}", ran.out);
    assert!(!rig.explore(&["--runs", "200"]).out.contains("fixed"));
    // Inputs that the spec does not have any more are none.
    rig.write(&PROGRAM.replace("X - 77", "X + 77").replace("[0..9]", "[4..9]"));
    let out = rig.explore(&["--runs", "200"]).out;
    assert!(out.contains("fixed since the last run: stored.erl:7:") && out.contains("stored:g([1,2,3])"), "{out}");
}

#[test]
fn rules_and_moved_lines_do_not_count_as_fixes() {
    let rig = Rig::new("kept");
    rig.lines(&["--runs", "200"]);
    let (lines, store) = rig.lines(&["--runs", "200", "--ignore", "error:badarith"]);
    assert_eq!((calls(&lines).len(), store), (0, None));
    rig.write(&PROGRAM.replace("-spec", "%% More.\n\n-spec").replace("f(X) -> X.", "f(X) -> X + 1."));
    let (lines, store) = rig.lines(&["--runs", "1"]);
    assert_eq!(calls(&lines).len(), 2, "{lines:?}");
    let line = lines[0]["findings"].as_array().and_then(|all| all.iter().find(|it| it["call"] == "stored:f(77)"));
    assert_eq!(line.map(|it| it["line"].clone()), Some(6.into()), "{lines:?}");
    assert_eq!(
        store.map(|store| (store["fixed"].clone(), store["still"].clone())),
        Some((Value::Array(vec![]), 2.into()))
    );
}

#[test]
fn a_damaged_store_is_no_store() {
    let mut rig = Rig::new("damaged");
    rig.cache = folder("store_damaged_cache");
    let first = rig.lines(&["--runs", "200"]);
    let findings = rig.cache.join("tracehound/findings");
    let files: Vec<_> = std::fs::read_dir(&findings).expect("a folder").flatten().map(|it| it.path()).collect();
    assert_eq!(files.len(), 2, "{files:?}");
    let damage = |path: &Path| std::fs::write(path, "nothing of ours").expect("a file");
    files.iter().for_each(|path| damage(path));
    assert_eq!(rig.lines(&["--runs", "200"]), first);
}

#[test]
fn what_calls_make_and_what_is_private_is_replayed() {
    let rig = Rig::new("made");
    let text = "-module(stored).\n-export([new/0, up/2, f/1]).\n-export_type([n/0]).\n-opaque n() :: {n, integer()}.\n\
        -spec new() -> n().\nnew() -> {n, 0}.\n-spec up(1..9, n()) -> n().\nup(By, {n, N}) -> {n, N + By}.\n\
        -spec f(n()) -> integer().\nf({n, N}) -> hidden(N).\n\
        -spec hidden(integer()) -> integer().\nhidden(N) when N > 2 -> 10 div (N - 8);\nhidden(N) -> N.\n";
    rig.write(text);
    let options = ["--private", "--runs", "100"];
    let first = rig.lines(&options);
    assert_eq!(calls(&first.0), ["stored:f(stored:up(8, stored:new())) false", "stored:hidden(8) false"]);
    assert_eq!(rig.lines(&options), first);
    let few = rig.lines(&["--private", "--runs", "1"]).0;
    assert_eq!(calls(&few), ["stored:f(stored:up(8, stored:new())) true", "stored:hidden(8) true"]);
    rig.write(&text.replace("10 div (N - 8)", "N"));
    let (fixed, store) = rig.lines(&options);
    assert!(calls(&fixed).is_empty(), "{fixed:?}");
    assert_eq!(store.map(|store| store["fixed"].as_array().map(Vec::len)), Some(Some(2)));
}
