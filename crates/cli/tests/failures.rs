//! Every way the tool or its use can fail: one clear message, exit code 2.

mod support;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use support::{Ran, ended, file, folder, hound, run, succeed};

/// The run failed with exit code 2, nothing on standard output, and this on standard error.
fn assert_fails(ran: &Ran, words: &[&str]) {
    assert_eq!(ran.code, 2, "{ran:?}");
    assert_eq!(ran.out, "", "{ran:?}");
    for word in words {
        assert!(ran.err.contains(word), "{word:?} is not in {ran:?}");
    }
}

#[test]
fn bad_source_gives_the_compilers_messages() {
    let folder = folder("bad_source");
    let path = file(&folder, "bad.erl", "%% Bad.\n-module(bad).\n-export([f/1]).\nf(X) -> Y + 1.\ng( -> 1.\n");
    let ran = hound(&["run", &path, "bad:f(1)"]);
    assert_fails(&ran, &["bad.erl:5:4: syntax error before: '->'"]);
}

#[test]
fn a_missing_file_is_named() {
    assert_fails(&hound(&["run", "nowhere/m.erl", "m:f(1)"]), &["no such file or directory: nowhere/m.erl"]);
    assert_fails(&hound(&["run", "Makefile", "m:f(1)"]), &["Makefile: not a .erl, .ex, .beam or .core file"]);
}

#[test]
fn a_missing_module_is_named() {
    assert_fails(&run("no_such_module:f(1)"), &["no module no_such_module"]);
}

#[test]
fn a_missing_function_lists_its_arities() {
    assert_fails(&run("lists:sort(1, 2, 3, 4)"), &["no function lists:sort/4: lists exports sort/1, sort/2"]);
    assert_fails(&run("lists:srot([1])"), &["no function lists:srot/1: lists exports no srot"]);
}

#[test]
fn a_module_without_debug_information_says_how_to_get_it() {
    let folder = folder("no_debug_info");
    file(&folder, "bare.erl", "%% Bare.\n-module(bare).\n-export([f/1]).\nf(X) -> X.\n");
    succeed("erlc", &["bare.erl"], &folder);
    let beam = folder.join("bare.beam");
    let ran = hound(&["run", beam.to_str().unwrap(), "bare:f(1)"]);
    assert_fails(&ran, &["bare", "no debug information", "+debug_info"]);
}

#[test]
fn a_file_that_is_no_beam_is_reported() {
    let path = file(&folder("garbage"), "garbage.beam", "this is no beam file");
    assert_fails(&hound(&["run", &path, "garbage:f(1)"]), &["garbage.beam"]);
}

#[test]
fn a_bad_expression_is_placed() {
    assert_fails(&run("lists:sort([3,1,2)"), &["expression:1:18", "syntax error before: ')'"]);
    assert_fails(&run("\"open"), &["expression:1:1", "unterminated string"]);
    assert_fails(&run("X + 1"), &["expression:1:1", "variable 'X' is unbound"]);
}

#[test]
fn no_expression_is_reported() {
    assert_fails(&hound(&["run", "examples/shop.erl"]), &["no expression to run"]);
}

#[test]
fn an_effect_is_refused_by_name() {
    let ran = run("file:delete(\"precious\")");
    assert_fails(&ran, &["refused: file:delete/1", "--allow file:delete/1"]);
}

#[test]
fn an_operation_that_is_not_supported_yet_is_placed() {
    let folder = folder("processes");
    let path = file(
        &folder,
        "proc.erl",
        "%% Processes.\n-module(proc).\n-export([f/0, g/0]).\nf() ->\n    process_info(self(), garbage_collection),\n    1.\ng() -> 2.\n",
    );
    let ran = hound(&["run", &path, "proc:f()"]);
    assert_fails(&ran, &["not supported yet", "process_info", "proc:f/0", "proc.erl:5"]);
    assert_eq!(hound(&["run", &path, "proc:g()"]).out, "2\n");
}

#[test]
fn the_step_limit_ends_a_loop() {
    let ran = hound(&["run", "--steps", "10000", "(fun F(N) -> F(N + 1) end)(0)"]);
    assert_fails(&ran, &["stopped after 10000 steps", "--steps"]);
}

#[test]
fn the_memory_limit_ends_a_deep_recursion() {
    let ran = hound(&["run", "--memory", "20", "(fun F(N) -> [N | F(N + 1)] end)(0)"]);
    assert_fails(&ran, &["memory", "--memory"]);
}

#[test]
fn the_memory_limit_ends_growing_data() {
    for program in ["(fun F(L) -> F([1 | L]) end)([])", "(fun F(L) -> F(L ++ L) end)([1])"] {
        assert_fails(&hound(&["run", "--memory", "100", program]), &["memory", "--memory"]);
    }
}

#[test]
fn bad_options_are_reported() {
    assert_fails(&hound(&["run", "--allow", "file", "1"]), &["module:function/arity"]);
    assert_fails(&hound(&["run", "--steps", "many", "1"]), &["many"]);
    assert_fails(&hound(&["run", "--format", "xml", "1"]), &["xml", "json"]);
}

/// Erlang cannot be given a name that is not UTF-8: that is said at once, or another place does.
#[test]
fn a_name_that_is_not_utf_8_is_said_at_once() {
    let top = folder("bad_names");
    let bad = top.join(OsStr::from_bytes(b"bad\xff\xfe"));
    std::fs::create_dir_all(&bad).expect("a folder");
    let text = "-module(plain).\n-export([f/1]).\n-spec f(0..9) -> ok.\nf(7) -> error(seven);\nf(_) -> ok.\n";
    std::fs::write(bad.join("plain.erl"), text).expect("a file");
    let begun = Instant::now();
    let explored = |here: &Path, words: &[&OsStr], variable: Option<&str>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
        command.args(["explore", "--all"]).args(words).current_dir(here);
        if let Some(name) = variable {
            command.env_remove("XDG_CACHE_HOME").env(name, &bad);
        }
        ended(&mut command)
    };
    let (plain, file_there) = (OsStr::new("plain.erl"), bad.join("plain.erl"));
    assert_fails(&explored(&top, &[bad.as_os_str()], None), &["UTF-8"]);
    assert_fails(&explored(&top, &[file_there.as_os_str()], None), &["UTF-8"]);
    assert_fails(&explored(&top, &[OsStr::new("--pa"), bad.as_os_str(), OsStr::new("lists")], None), &["UTF-8"]);
    assert_fails(&explored(&bad, &[plain], None), &["bad\u{fffd}", "is not UTF-8"]);
    // Files found in a given folder.
    let mixed = top.join("mixed");
    std::fs::create_dir_all(&mixed).expect("a folder");
    file(&mixed, "plain.erl", text);
    std::fs::write(mixed.join(OsStr::from_bytes(b"other\xff.erl")), text).expect("a file");
    let ran = explored(&top, &[mixed.as_os_str()], None);
    assert!(ran.out.contains("plain:f(7)") && ran.err.contains("is not UTF-8"), "{ran:?}");
    // A cache is made elsewhere.
    for name in ["XDG_CACHE_HOME", "HOME", "TMPDIR"] {
        let ran = explored(&mixed, &[plain], Some(name));
        assert!(ran.out.contains("plain:f(7)"), "{name}: {ran:?}");
    }
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}
