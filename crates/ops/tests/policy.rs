//! Checks the policy tables against what the installed VM and its libraries really implement natively.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a test may start Erlang")]

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::LazyLock;

use ops::policy::{Policy, listed, marks_stub, policy};
use term::{Atom, Mfa};

/// What the script beside this file says, by the first word of its lines.
static FACTS: LazyLock<BTreeMap<String, Vec<Vec<String>>>> = LazyLock::new(|| {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/native_code.escript");
    let output = Command::new("escript").arg(script).output().expect("escript starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut facts: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for line in String::from_utf8(output.stdout).expect("the script writes UTF-8").lines() {
        let mut words = line.split(' ').map(str::to_owned);
        facts.entry(words.next().unwrap_or_default()).or_default().push(words.collect());
    }
    facts
});

fn facts(what: &str) -> impl Iterator<Item = &'static Vec<String>> {
    FACTS.get(what).into_iter().flatten()
}

fn mfa(module: &str, function: &str, arity: &str) -> Mfa {
    let arity = arity.parse().expect("an arity is a small number");
    Mfa { module: Atom::new(module), function: Atom::new(function), arity }
}

fn named(words: &[String]) -> Mfa {
    mfa(&words[0], &words[1], &words[2])
}

#[test]
fn every_builtin_of_the_vm_is_listed() {
    let builtin: Vec<Mfa> = facts("builtin").map(|words| named(words)).collect();
    assert!(builtin.len() > 450, "the VM has more than {} built-ins", builtin.len());
    let missing: Vec<_> = builtin.iter().filter(|&&mfa| listed(mfa).is_none()).collect();
    assert!(missing.is_empty(), "without a policy: {missing:?}");
    let code: Vec<_> = builtin.iter().filter(|&&mfa| policy(mfa, true) == Policy::Code).collect();
    assert!(code.is_empty(), "have no code to run: {code:?}");
}

/// A NIF cannot be called from outside its module unless it is exported, so the policy has to stop the call above it.
#[test]
fn no_code_that_runs_reaches_the_native_part_of_a_library() {
    let stubs: BTreeSet<Mfa> = facts("stub").map(|words| named(words)).collect();
    assert!(stubs.len() > 100, "the libraries have more than {} native functions", stubs.len());
    let mut calls: BTreeMap<Mfa, Vec<Mfa>> = BTreeMap::new();
    for words in facts("calls") {
        calls.entry(named(words)).or_default().push(mfa(&words[0], &words[3], &words[4]));
    }
    let exported: Vec<Mfa> = facts("exported").map(|words| named(words)).collect();
    assert!(calls.len() > 400 && exported.len() > 400, "{} callers, {} exported", calls.len(), exported.len());
    let open: Vec<Mfa> = exported.into_iter().filter(|&from| reaches(from, &calls, &stubs)).collect();
    assert!(open.is_empty(), "run as code into a native library: {open:?}");
}

fn reaches(from: Mfa, calls: &BTreeMap<Mfa, Vec<Mfa>>, stubs: &BTreeSet<Mfa>) -> bool {
    let mut seen = BTreeSet::from([from]);
    let mut next = vec![from];
    while let Some(at) = next.pop() {
        if policy(at, true) != Policy::Code {
            continue;
        }
        if stubs.contains(&at) {
            return true;
        }
        next.extend(calls.get(&at).into_iter().flatten().filter(|&&to| seen.insert(to)));
    }
    false
}

fn of(text: &str, has_code: bool) -> Policy {
    let (module, rest) = text.split_once(':').expect("m:f/a");
    let (function, arity) = rest.rsplit_once('/').expect("m:f/a");
    policy(mfa(module, function, arity), has_code)
}

#[test]
fn calls_are_judged_at_the_door() {
    for refused in [
        "file:read_file/1",
        "file:delete/1",
        "filelib:wildcard/1",
        "os:cmd/1",
        "os:putenv/2",
        "gen_tcp:connect/3",
        "httpc:request/1",
        "erlang:open_port/2",
        "erlang:halt/0",
        "init:stop/0",
        "code:load_file/1",
        "compile:file/1",
        "application:start/1",
        "io:get_line/1",
        "dbg:tracer/0",
        "rpc:block_call/4",
        "dets:open_file/2",
        "prim_file:read_file/1",
        "ets:tab2file/2",
        "erlang:load_nif/2",
    ] {
        assert!(matches!(of(refused, true), Policy::Effect(_)), "{refused}");
    }
    for process in [
        "erlang:spawn/1",
        "erlang:!/2",
        "gen_server:call/2",
        "timer:sleep/1",
        "erlang:register/2",
        "prim_eval:receive/2",
    ] {
        assert_eq!(of(process, true), Policy::Process, "{process}");
    }
    for state in ["ets:insert/2", "io:format/2", "logger:info/2", "erlang:put/2", "zlib:open/0"] {
        assert_eq!(of(state, true), Policy::State, "{state}");
    }
    for session in ["erlang:monotonic_time/0", "os:getenv/1", "crypto:strong_rand_bytes/1"] {
        assert_eq!(of(session, true), Policy::Session, "{session}");
    }
    for code in [
        "lists:map/2",
        "filename:join/1",
        "file:format_error/1",
        "rand:uniform/1",
        "timer:tc/3",
        "ets:foldl/3",
        "inet:parse_address/1",
        "my_module:run/0",
        "file:module_info/1",
        "os:module_info/0",
        "maps:get/3",
    ] {
        assert_eq!(of(code, true), Policy::Code, "{code}");
    }
    for pure in
        ["lists:member/2", "crypto:hash/2", "re:run/3", "zlib:gzip/1", "erlang:phash2/1", "unicode:bin_is_7bit/1"]
    {
        assert_eq!(of(pure, false), Policy::Pure, "{pure}");
    }
}

#[test]
fn clocks_and_chance_vary_and_tables_do_not() {
    let varies = |module, function, arity| ops::policy::varies(mfa(module, function, arity));
    assert!(varies("erlang", "system_time", "0") && varies("crypto", "strong_rand_bytes", "1"));
    assert!(varies("file", "read_file", "1"));
    assert!(!varies("ets", "lookup", "2") && !varies("erlang", "put", "2") && !varies("erlang", "phash2", "1"));
}

#[test]
fn unknown_native_code_is_refused() {
    assert!(matches!(of("my_nif:fast/1", false), Policy::Effect(_)));
    assert_eq!(of("my_nif:fast/1", true), Policy::Code);
}

#[test]
fn stubs_are_known_by_what_they_call() {
    assert!(marks_stub(mfa("erlang", "nif_error", "1")) && marks_stub(mfa("erlang", "nif_error", "2")));
    assert!(!marks_stub(mfa("erlang", "error", "1")) && !marks_stub(mfa("lists", "nif_error", "1")));
}
