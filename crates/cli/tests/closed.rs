//! Functions whose code cannot be had: modules without debug information, native code. They are observed on the VM, the
//! rest stays symbolic, and nothing is proved by what they gave.

mod support;

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use support::{file, folder, hound, succeed};

const VENDOR: &str = "-module(vendor).\n-export([code/1, sum/3, check/2, apply_to/2, version/0, kind/1, count/0]).\n\
    code(N) when is_integer(N) -> (N * 7919 + 4241) band 16#ffff;\ncode(B) when is_binary(B) -> erlang:phash2(B, 997).\n\
    sum(A, B, C) -> A * 3 + B * 5 + C.\n\
    check(K, V) -> case K + V of 100 -> throw({bad, K}); 50 -> exit(stop); S when S > 0 -> S; _ -> error(badarg) end.\n\
    apply_to(F, X) -> F(X) + 1.\n\
    version() -> 3.\n\
    kind(X) -> case X of {ok, _} -> pair; [_ | _] -> list; _ -> other end.\n\
    count() -> N = case get(n) of undefined -> 0; M -> M end, put(n, N + 1), N.\n";

/// A folder with the module compiled without debug information, and a program that uses it.
fn program(name: &str, source: &str) -> (String, String) {
    let folder = folder(name);
    file(&folder, "vendor.erl", VENDOR);
    succeed("erlc", &["+no_debug_info", "-o", ".", "vendor.erl"], Path::new(&folder));
    std::fs::remove_file(Path::new(&folder).join("vendor.erl")).expect("it was written");
    let program = file(&folder, "app.erl", &format!("-module(app).\n{source}"));
    (program, folder.display().to_string())
}

fn explored(name: &str, source: &str, args: &[&str]) -> Vec<Value> {
    let (program, folder) = program(name, source);
    let ran = hound(&[&["explore", "--no-cache", "--format", "json", "--pa", &folder, &program][..], args].concat());
    assert!(matches!(ran.code, 0 | 1), "{}", ran.err);
    let lines = ran.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
    lines.filter(|line| line["kind"] != "summary").collect()
}

/// The function whose code is missing is named among the reasons.
fn names(line: &Value, function: &str) -> bool {
    let reasons = line["reasons"].as_array().cloned().unwrap_or_default();
    let mut reasons = reasons.iter().filter(|reason| reason["code"] == "no-code");
    reasons.any(|reason| reason["message"].as_str().is_some_and(|it| it.starts_with(function)))
}

#[test]
fn branches_on_what_it_gives_are_solved() {
    let source = "-export([eq/2, add/3, text/1, key/2]).\n\
        -spec eq(integer(), integer()) -> ok.\n\
        eq(X, Y) -> case vendor:code(Y) of X when Y =:= 10 -> error(bug); _ -> ok end.\n\
        -spec add(integer(), integer(), integer()) -> ok.\n\
        add(A, B, X) -> case vendor:sum(A, 7, B) =:= X andalso A > 5 of true -> error(bug); false -> ok end.\n\
        -spec text(binary()) -> ok.\n\
        text(B) -> case vendor:kind(B) of other when byte_size(B) > 3 -> error(bug); _ -> ok end.\n\
        -spec key(integer(), integer()) -> ok.\n\
        key(X, Y) -> case Y > 20 andalso vendor:code(Y) + 1 =:= X of true -> error(bug); false -> ok end.\n";
    let lines = explored("closed_solved", source, &[]);
    assert_eq!(lines.len(), 4);
    for line in &lines {
        assert_eq!(line["verdict"], "crash", "{line}");
        assert_eq!(line["findings"][0]["confirmed"], true, "{line}");
        assert!(names(line, "vendor:"), "{line}");
    }
    assert_eq!(lines[0]["findings"][0]["opaque"], serde_json::json!(["vendor:code/1"]));
}

#[test]
fn exceptions_of_it_are_exceptions_of_the_program() {
    let source = "-export([known/0, caught/2, raised/2]).\n\
        known() -> vendor:check(60, 40).\n\
        -spec caught(1..200, 1..9) -> ok.\n\
        caught(K, V) -> try vendor:check(K, V) of _ -> ok catch throw:{bad, 93} -> error(bug); throw:_ -> ok; exit:stop -> ok end.\n\
        -spec raised(integer(), integer()) -> integer().\n\
        raised(K, V) -> vendor:check(K, V).\n";
    let lines = explored("closed_exceptions", source, &[]);
    let reason =
        |at: usize| lines[at]["findings"][0]["reason"].to_string() + &lines[at]["findings"][0]["message"].to_string();
    assert!(lines[0]["verdict"] == "crash" && reason(0).contains("bad"), "{}", lines[0]);
    assert!(lines[1]["verdict"] != "safe" && names(&lines[1], "vendor:check/2"), "{}", lines[1]);
    assert!(lines[2]["verdict"] == "crash" && names(&lines[2], "vendor:check/2"), "{}", lines[2]);
}

#[test]
fn nothing_is_safe_because_of_it() {
    let source = "-export([constant/1, state/0, unused/1, dynamic/2, exported/0]).\n\
        -spec constant(integer()) -> ok.\n\
        constant(X) -> case vendor:version() of 3 -> ok; _ -> error({bug, X}) end.\n\
        state() -> case {vendor:count(), vendor:count()} of {N, N} -> ok; _ -> error(bug) end.\n\
        -spec unused(integer()) -> integer().\n\
        unused(X) -> _ = vendor:code(X), X.\n\
        -spec dynamic(code | kind, integer()) -> ok.\n\
        dynamic(F, X) -> _ = vendor:F(X), ok.\n\
        exported() -> _ = vendor:version(), true = erlang:function_exported(vendor, version, 0),\n    \
            false = erlang:function_exported(vendor, nothing, 0), ok.\n";
    for line in explored("closed_unproved", source, &[]) {
        assert!(line["verdict"] == "incomplete" && names(&line, "vendor:"), "{line}");
        assert!(
            line["unconfirmed"].as_array().is_some_and(Vec::is_empty) || line["function"] == "app:state/0",
            "{line}"
        );
    }
}

/// What is handed a fun is run on the VM as a whole, where it calls that fun.
#[test]
fn funs_among_its_arguments_are_left_to_the_vm() {
    let source = "-export([twice/1, plain/1]).\n\
        -spec twice(integer()) -> ok.\n\
        twice(X) -> case vendor:apply_to(fun(Y) -> Y * 2 end, X) of 21 -> ok; 25 -> error(bug); _ -> ok end.\n\
        -spec plain(integer()) -> ok.\n\
        plain(X) -> _ = vendor:apply_to(fun erlang:abs/1, X), ok.\n";
    let lines = explored("closed_funs", source, &["--time", "20"]);
    for line in &lines {
        assert_ne!(line["verdict"], "safe", "{line}");
    }
}

#[test]
fn a_file_of_it_beside_the_program_will_do() {
    let source = "-export([eq/2]).\n-spec eq(integer(), integer()) -> ok.\n\
        eq(X, Y) -> case vendor:code(Y) =:= X of true -> error(bug); false -> ok end.\n";
    let (program, folder) = program("closed_files", source);
    let beam = format!("{folder}/vendor.beam");
    let ran = hound(&["explore", "--no-cache", &program, &beam]);
    assert!(ran.code == 0 && ran.out.contains("bug in app:eq/2"), "{} {} {}", ran.code, ran.out, ran.err);
    assert!(ran.err.contains("vendor has no debug information"), "{}", ran.err);
    // Alone there is nothing to explore.
    let ran = hound(&["explore", &beam]);
    assert!(ran.code == 2 && ran.err.contains("no debug information"), "{} {}", ran.code, ran.err);
    let ran = hound(&["run", "--pa", &folder, &program, "app:eq(4241, 0)"]);
    assert!(ran.out.contains("bug"), "{} {}", ran.out, ran.err);
}

/// Native code is refused unless it is allowed by name; then it is observed like that.
#[test]
fn native_code_that_is_allowed_is_observed() {
    let headers = Command::new("erl")
        .args(["-noshell", "-eval", "io:format(\"~s/usr/include\", [code:root_dir() ++ \"/\"]), halt()."])
        .output()
        .map(|ran| String::from_utf8_lossy(&ran.stdout).into_owned())
        .expect("Erlang runs");
    let folder = folder("closed_native");
    file(
        &folder,
        "nif.c",
        "#include <erl_nif.h>\n\
         static ERL_NIF_TERM mix(ErlNifEnv* env, int argc, const ERL_NIF_TERM argv[]) {\n  long n;\n  \
         if (!enif_get_long(env, argv[0], &n)) return enif_make_badarg(env);\n  \
         return enif_make_long(env, (n * 31 + 17) & 1023);\n}\n\
         static ErlNifFunc funcs[] = {{\"mix\", 1, mix}};\n\
         ERL_NIF_INIT(native, funcs, NULL, NULL, NULL, NULL)\n",
    );
    let path = folder.display().to_string();
    let module = format!(
        "-module(native).\n-export([mix/1, load/0]).\n-on_load(load/0).\nload() -> erlang:load_nif(\"{path}/native\", 0).\n\
         mix(_) -> erlang:nif_error(not_loaded).\n"
    );
    file(&folder, "native.erl", &module);
    let app = "-module(app).\n-export([eq/2]).\n-spec eq(integer(), integer()) -> ok.\n\
        eq(X, Y) -> case native:mix(Y) =:= X of true -> error(bug); false -> ok end.\n";
    let app = file(&folder, "app.erl", app);
    succeed("erlc", &["+debug_info", "-o", ".", "native.erl"], Path::new(&folder));
    let include = format!("-I{headers}");
    if !Command::new("cc")
        .args(["-shared", "-fPIC", &include, "-o", "native.so", "nif.c"])
        .current_dir(&folder)
        .status()
        .is_ok_and(|it| it.success())
    {
        return;
    }
    let explore = |more: &[&str]| {
        let ran = hound(&[&["explore", "--no-cache", "--format", "json", "--pa", &path, &app][..], more].concat());
        serde_json::from_str::<Value>(ran.out.lines().next().unwrap_or_default()).expect("a line of JSON")
    };
    assert_eq!(explore(&[])["reasons"][0]["code"], "refused");
    let allowed = explore(&["--allow", "native:mix/1", "--allow", "erlang:load_nif/2"]);
    assert!(allowed["verdict"] != "safe", "{allowed}");
}
