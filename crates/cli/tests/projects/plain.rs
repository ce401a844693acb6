//! Projects of makefiles, folders and single files by their conventions, and modules that are called and not there.

use crate::made::Made;

const SHOP: &str = "-module(shop).\n-include(\"shop.hrl\").\n-export([f/1]).\n-spec f(#box{}) -> integer().\n\
                    f(#box{n = N}) -> ?LIMIT div (prices:half(N) - 3).\n";

const PRICES: &str = "-module(prices).\n-export([half/1]).\n-spec half(integer()) -> integer().\nhalf(N) -> N div 2.\n";

/// A makefile of its own, with the compiler's options in a variable.
#[test]
fn a_makefile_says_what_sources_are_compiled_with() {
    let made = Made::new(
        "makefile",
        &[
            (
                "Makefile",
                "ERLC_OPTS = +debug_info -DLIMIT=7 -I include\nebin/%.beam: src/%.erl\n\terlc $(ERLC_OPTS) -o ebin $<\n",
            ),
            ("src/shop.erl", SHOP),
            ("src/prices.erl", PRICES),
            ("include/shop.hrl", "-record(box, {n :: 0..9}).\n"),
        ],
    );
    let functions = ["prices:half/1", "shop:f/1"];
    made.explored("", &[]).holds(&functions, &[("shop:f/1", "src/shop.erl:5")]);
    made.explored("src", &["shop"]).holds(&functions[1..], &[("shop:f/1", "shop.erl:5")]);
    std::fs::create_dir(made.top.join("ebin")).expect("a folder");
    made.tool("", "make ebin/shop.beam");
    made.explored("", &[]).holds(&functions, &[("shop:f/1", "src/shop.erl:5")]);
}

/// Dependencies of erlang.mk are in `deps`; one that is not there is named.
#[test]
fn a_missing_dependency_is_one_warning() {
    let made = Made::new(
        "erlang_mk",
        &[
            ("Makefile", "PROJECT = web\nDEPS = prices jsx\ninclude erlang.mk\n"),
            ("erlang.mk", "app:\n\tfalse\n"),
            (
                "src/web.erl",
                "-module(web).\n-export([f/1, g/1]).\n-spec f(0..9) -> integer().\nf(N) -> 1 div (prices:half(N) - 3).\n-spec g(0..9) -> any().\ng(N) -> jsx:encode(jsx:decode(N)).\n",
            ),
            ("deps/prices/src/prices.erl", PRICES),
        ],
    );
    std::fs::create_dir_all(made.top.join("deps/prices/ebin")).expect("a folder");
    made.tool("deps/prices", "erlc +debug_info -o ebin src/prices.erl");
    let explored = made.explored("", &[]);
    assert_eq!(explored.places()["web:f/1"], ["src/web.erl:4"], "{:?}", explored.ran);
    assert!(!explored.functions.contains_key("prices:half/1"), "{:?}", explored.ran);
    let warnings: Vec<&str> = explored.ran.err.lines().filter(|line| line.contains("warning")).collect();
    assert_eq!(
        warnings,
        [
            "hound: warning: the module jsx is not there; runs end where it is called (jsx of Makefile is not built: type `make deps`)"
        ]
    );
}

/// A folder of sources, and a single file with others beside it.
#[test]
fn folders_and_files_bring_what_is_beside_them() {
    let made = Made::new(
        "bare_folder",
        &[
            ("shop.erl", &SHOP.replace("?LIMIT", "7")),
            ("prices.erl", PRICES),
            ("shop.hrl", "-record(box, {n :: 0..9}).\n"),
        ],
    );
    made.explored("", &[]).holds(&["prices:half/1", "shop:f/1"], &[("shop:f/1", "shop.erl:5")]);
    made.explored("", &["shop.erl"]).holds(&["shop:f/1"], &[("shop:f/1", "shop.erl:5")]);
    made.explored("", &["f/1"]).holds(&["shop:f/1"], &[("shop:f/1", "shop.erl:5")]);
}

/// erlang.mk builds in a copy too, generated sources included.
#[test]
fn erlang_mk_is_run_in_a_copy() {
    let made = Made::new(
        "erlang_mk_app",
        &[
            ("Makefile", "PROJECT = web\ninclude erlang.mk\n"),
            (
                "erlang.mk",
                "app:\n\tmkdir -p ebin\n\terlc -o src src/web_lexer.xrl\n\terlc +debug_info -DLIMIT=3 -o ebin src/*.erl\n",
            ),
            ("src/web_lexer.xrl", "Definitions.\nRules.\n[a-z]+ : {token, TokenChars}.\nErlang code.\n"),
            (
                "src/web.erl",
                "-module(web).\n-export([f/1]).\n-spec f(0..9) -> any().\nf(N) when N =/= ?LIMIT -> web_lexer:string(\"a\").\n",
            ),
        ],
    );
    let before = made.files();
    made.explored("", &[]).holds(&["web:f/1"], &[("web:f/1", "src/web.erl:4")]);
    assert_eq!(made.files(), before, "the project is as it was");
}
