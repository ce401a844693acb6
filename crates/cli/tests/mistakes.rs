//! The mistakes that people make: each has one message with what to do next, and exit code 2.

mod support;

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use support::{ended, file, folder, succeed};

const SHOP: &str = "-module(shop).\n-export([total/1, total/2, pay/1]).\n-spec total([integer()]) -> integer().\n\
                    total(L) -> lists:sum(L).\ntotal(A, B) -> A + B.\n-spec pay(0..9) -> ok.\npay(N) when N < 9 -> ok.\nkept() -> pay(1).\n\
                    -compile({nowarn_unused_function, [{kept, 0}]}).\n";

/// What was typed, in which folder.
const MISTAKES: [(&str, &str, &[&str]); 46] = [
    ("a module that is not there", ".", &["explore", "shpo"]),
    ("a function that is not there", ".", &["explore", "shop.erl", "totl/1"]),
    ("another number of arguments", ".", &["explore", "shop.erl", "total/7"]),
    ("no number of arguments", ".", &["explore", "shop.erl", "total"]),
    ("no number of arguments, with the module", ".", &["explore", "shop.erl", "shop:total"]),
    ("a function that is not exported", ".", &["explore", "shop.erl", "kept/0"]),
    ("a file that is not there", ".", &["explore", "shpo.erl"]),
    ("a folder that is not there", ".", &["explore", "srcs/shop.erl"]),
    ("a file without its ending", ".", &["explore", "shop.er"]),
    ("a folder without code", ".", &["explore", "empty"]),
    ("no words in a folder without code", "empty", &["explore"]),
    ("no words for targets", "empty", &["reach"]),
    ("a file that is no source", ".", &["explore", "notes.txt"]),
    ("a script", ".", &["explore", "one.exs"]),
    ("a module of Elixir that is not there", ".", &["explore", "shop.erl", "Shop.total/1"]),
    ("a function that several modules have", "two", &["explore", ".", "f/1"]),
    ("a function that no module has", "two", &["explore", ".", "ff/2"]),
    ("a syntax error", "wrong", &["explore", "syntax.erl"]),
    ("a header that is missing", "wrong", &["explore", "header.erl"]),
    ("a header of an application that is missing", "wrong", &["explore", "library.erl"]),
    ("a parse transform that is missing", "wrong", &["explore", "transform.erl"]),
    ("a syntax error in Elixir", "wrong", &["explore", "syntax.ex"]),
    ("a module that exports nothing", "wrong", &["explore", "closed.erl"]),
    ("no debug information", "bare", &["explore", "plain.beam"]),
    ("a file that is no compiled module", ".", &["explore", "broken.beam"]),
    ("a dependency that is not fetched", "fetch", &["explore"]),
    ("a misspelled option", ".", &["explore", "--rnus", "9", "shop.erl"]),
    ("a misspelled command", ".", &["explroe", "shop.erl"]),
    ("no runs at all", ".", &["explore", "--runs", "0", "shop.erl"]),
    ("a number that is none", ".", &["explore", "--time", "soon", "shop.erl"]),
    ("a format that is not there", ".", &["explore", "--format", "xml", "shop.erl"]),
    ("a rule that is none", ".", &["explore", "--ignore", "panic", "shop.erl"]),
    ("a precondition that is not there", ".", &["explore", "--pre", "valid/1", "shop.erl", "pay/1"]),
    ("an effect that is no function", ".", &["explore", "--allow", "file", "shop.erl"]),
    ("a key of the configuration that is not there", "config", &["explore"]),
    ("a baseline that is not there", ".", &["explore", "--baseline", "gone", "shop.erl"]),
    ("a call that does not read", ".", &["explore", "shop.erl", "shop:pay(X)"]),
    ("a call that the spec does not allow", ".", &["explore", "shop.erl", "shop:pay(a)"]),
    ("a call of another module", ".", &["explore", "shop.erl", "lists:sum([1])"]),
    ("a line without code", ".", &["reach", "shop.erl:3"]),
    ("a line of a file that is not there", ".", &["reach", "shpo.erl:3"]),
    ("no target", ".", &["reach", "shop.erl"]),
    ("a clause that is not there", ".", &["reach", "shop.erl", "pay/1#4"]),
    ("a word too many", ".", &["instrument", "shop.erl", "pay/1", "total/1"]),
    ("no expression", ".", &["run", "shop.erl"]),
    ("an expression of a function that is not there", ".", &["run", "shop.erl", "shop:pya(1)"]),
];

fn files(top: &Path) {
    let write = |path: &str, text: &str| {
        let folder = top.join(path).parent().expect("a folder").to_path_buf();
        std::fs::create_dir_all(&folder).expect("a folder");
        file(top, path, text);
    };
    std::fs::create_dir_all(top.join("empty")).expect("a folder");
    for (path, text) in [
        ("shop.erl", SHOP),
        ("notes.txt", "Some notes.\n"),
        ("one.exs", "IO.puts(1)\n"),
        ("broken.beam", "this is no module\n"),
        ("two/a.erl", "-module(a).\n-export([f/1]).\nf(X) -> X.\n"),
        ("two/b.erl", "-module(b).\n-export([f/1]).\nf(X) -> X.\n"),
        ("wrong/syntax.erl", "-module(syntax).\n-export([f/1]).\nf(X -> X.\n"),
        ("wrong/header.erl", "-module(header).\n-include(\"gone.hrl\").\n-export([f/1]).\nf(X) -> X.\n"),
        (
            "wrong/library.erl",
            "-module(library).\n-include_lib(\"gone/include/gone.hrl\").\n-export([f/1]).\nf(X) -> X.\n",
        ),
        (
            "wrong/transform.erl",
            "-module(transform).\n-compile({parse_transform, gone}).\n-export([f/1]).\nf(X) -> X.\n",
        ),
        ("wrong/closed.erl", "-module(closed).\n-compile(nowarn_unused_function).\nf(X) -> X.\n"),
        ("wrong/syntax.ex", "defmodule Syntax do\n  def f(x, do: x\nend\n"),
        ("bare/plain.erl", "-module(plain).\n-export([f/1]).\nf(X) -> X.\n"),
        ("fetch/rebar.config", "{deps, [jsx]}.\n"),
        ("fetch/src/fetch.app.src", "{application, fetch, [{vsn, \"1\"}]}.\n"),
        ("fetch/src/fetch.erl", "-module(fetch).\n-export([f/1]).\nf(X) -> jsx:encode(X).\n"),
        ("config/hound.toml", "[serach]\nruns = 1\n"),
        ("config/a.erl", "-module(a).\n-export([f/1]).\nf(X) -> X.\n"),
    ] {
        write(path, text);
    }
    succeed("erlc", &["plain.erl"], &top.join("bare"));
    std::fs::remove_file(top.join("bare/plain.erl")).expect("a file");
}

#[test]
fn every_mistake_has_one_message() {
    let top = folder("mistakes");
    files(&top);
    let mut text = String::new();
    for (what, place, words) in MISTAKES {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
        let ran = ended(command.args(words).current_dir(top.join(place)).env("HOUND_NO_STORE", "1"));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{what}: {ran:?}");
        assert!(!ran.err.contains(&*top.to_string_lossy()), "{what}: {ran:?}");
        writeln!(text, "# {what}\n$ hound {}\n{}", words.join(" "), ran.err).expect("text");
    }
    insta::assert_snapshot!("mistakes", text);
}
