//! The cache changes no output: cold or warm, next to broken modules, and with other commands at work in it.

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

use support::{Ran, ended, file, folder, succeed};

/// A folder with compiled modules of every kind of damage, and one that uses them.
fn damaged(name: &str) -> std::path::PathBuf {
    let folder = folder(name);
    let (whole, broken) = (["good", "old", "uses"], ["bare", "cut", "junk", "empty"]);
    for name in whole.iter().chain(&broken).filter(|name| **name != "uses") {
        let text = "-export([f/1]).\n-spec f(0..9) -> integer().\nf(7) -> error(seven);\nf(X) -> X.\n";
        file(&folder, &format!("{name}.erl"), &format!("-module({name}).\n{text}"));
    }
    let text = "-module(uses).\n-behaviour(cut).\n-export([f/2]).\n\
                -spec f(good | bare | cut | junk | empty | old | none, 0..9) -> any().\nf(M, X) -> M:f(X).\n";
    file(&folder, "uses.erl", text);
    for name in whole.iter().chain(&["cut"]) {
        succeed("erlc", &["+debug_info", &format!("{name}.erl")], &folder);
    }
    succeed("erlc", &["bare.erl"], &folder);
    let cut = fs::read(folder.join("cut.beam")).expect("a file");
    fs::write(folder.join("cut.beam"), &cut[..cut.len() / 2]).expect("a file");
    fs::write(folder.join("junk.beam"), "junk").expect("a file");
    fs::write(folder.join("empty.beam"), "").expect("a file");
    // The source is newer and says something else.
    file(&folder, "old.erl", "-module(old).\n-export([f/1]).\nf(X) -> X.\n");
    folder
}

/// Runs a command with that cache; the time that it took is left out.
fn hound(folder: &Path, cache: &Path, words: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
    let mut ran = ended(command.args(words).current_dir(folder).env("XDG_CACHE_HOME", cache));
    ran.out =
        ran.out.lines().map(|line| line.split("\"wall_ms\":").next().expect("a part").to_owned() + "\n").collect();
    ran
}

const COMMANDS: [&[&str]; 5] = [
    &["explore", "--format", "json", "."],
    &["explore", "--format", "json", "--pa", ".", "uses.erl"],
    &["explore", "--format", "json", "--engine", "beam", "--runs", "40", "--pa", ".", "uses.erl"],
    &["run", "--format", "json", ".", "uses:f(cut, 1)"],
    &["run", "--format", "json", "--pa", ".", "[catch uses:f(M, 7) || M <- [good, old, none]]"],
];

#[test]
fn a_cold_and_a_warm_cache_give_the_same() {
    let project = damaged("cached_project");
    for (number, words) in COMMANDS.iter().enumerate() {
        let cache = folder(&format!("cached_{number}"));
        let cold = hound(&project, &cache, words);
        assert!(cold.out.contains("\"schema\":1"), "{words:?}: {cold:?}");
        for ran in [hound(&project, &cache, words), hound(&project, &cache, words)] {
            assert_eq!((&ran.out, &ran.err, ran.code), (&cold.out, &cold.err, cold.code), "{words:?}");
        }
        let without: Vec<&str> = words.iter().copied().chain(["--no-cache"]).collect();
        let ran = hound(&project, &cache, &without);
        assert_eq!((&ran.out, &ran.err, ran.code), (&cold.out, &cold.err, cold.code), "{without:?}");
    }
}

#[test]
fn commands_at_once_in_one_cold_cache_give_what_each_gives_alone() {
    let project = damaged("cached_together_project");
    let alone: Vec<Ran> = COMMANDS.iter().map(|words| hound(&project, &folder("cached_alone"), words)).collect();
    let cache = folder("cached_together");
    let together: Vec<Ran> = thread::scope(|scope| {
        let running: Vec<_> = COMMANDS.iter().map(|words| scope.spawn(|| hound(&project, &cache, words))).collect();
        running.into_iter().map(|it| it.join().expect("it ends")).collect()
    });
    for ((alone, together), words) in alone.iter().zip(&together).zip(COMMANDS) {
        assert_eq!((&together.out, &together.err, together.code), (&alone.out, &alone.err, alone.code), "{words:?}");
    }
}
