//! Projects of rebar3: one application, several, generated code, parse transforms, checkouts, what is old or missing.

use crate::made::Made;

const SHOP: &str = "-module(shop).\n-include(\"shop.hrl\").\n-include_lib(\"dep/include/dep.hrl\").\n-export([total/1, lex/1]).\n\
                    -spec total(#box{}) -> integer().\ntotal(#box{n = N}) -> ?LIMIT div (dep:half(N) - ?OFFSET).\n\
                    -spec lex([$0..$9, ...]) -> list().\nlex(S) -> {ok, T, _} = shop_lexer:string(S), {ok, L} = shop_parser:parse(T), L.\n";

/// An application with a dependency in `_checkouts`, headers of both, a macro, a lexer and a parser.
fn shop(name: &str) -> Made {
    Made::new(
        name,
        &[
            ("rebar.config", "%% The shop.\n{erl_opts, [debug_info, {d, 'LIMIT', 7}]}.\n{deps, [dep]}.\n"),
            (
                "src/shop.app.src",
                "{application, shop, [{description, \"d\"}, {vsn, \"1\"}, {applications, [kernel, stdlib, dep]}]}.\n",
            ),
            ("src/shop.erl", SHOP),
            ("include/shop.hrl", "-record(box, {n :: 0..9}).\n"),
            ("src/shop_lexer.xrl", "Definitions.\nRules.\n[0-9]+ : {token, {int, TokenLine}}.\nErlang code.\n"),
            ("src/shop_parser.yrl", "Nonterminals all.\nTerminals int.\nRootsymbol all.\nall -> int : ['$1'].\n"),
            (
                "_checkouts/dep/src/dep.app.src",
                "{application, dep, [{description, \"d\"}, {vsn, \"1\"}, {applications, [kernel, stdlib]}]}.\n",
            ),
            (
                "_checkouts/dep/src/dep.erl",
                "-module(dep).\n-export([half/1]).\n-spec half(integer()) -> integer().\nhalf(N) -> N div 2.\n",
            ),
            ("_checkouts/dep/include/dep.hrl", "-define(OFFSET, 3).\n"),
        ],
    )
}

/// Nothing is built: that happens elsewhere, and the project stays as it is. Then the tool has built it, then a source is
/// newer than its output.
#[test]
fn an_application_is_explored_as_it_is() {
    let made = shop("rebar3_app");
    let before = made.files();
    let functions = ["shop:lex/1", "shop:total/1"];
    let explored = made.explored("", &[]);
    explored.holds(&functions, &[("shop:total/1", "src/shop.erl:6"), ("shop:total/1", "src/shop.erl:6")][..1]);
    assert!(!explored.ran.out.contains("tree/"), "{:?}", explored.ran);
    assert_eq!(made.files(), before, "the project is as it was");
    made.tool("", "rebar3 compile");
    let built = made.explored("", &[]);
    built.holds(&functions, &[("shop:total/1", "src/shop.erl:6")]);
    let text = |ran: &crate::support::Ran| ran.out.replace(|char: char| char.is_ascii_digit(), "");
    assert_eq!(text(&explored.ran), text(&built.ran));
    // From folders inside, by files and by names.
    made.explored("src", &[]).holds(&functions, &[("shop:total/1", "shop.erl:6")]);
    made.explored("include", &[]).holds(&functions, &[("shop:total/1", "../src/shop.erl:6")]);
    for word in ["src/shop.erl", "shop", ".", "src"] {
        made.explored("", &[word]).holds(&functions, &[("shop:total/1", "src/shop.erl:6")]);
    }
    for word in ["total/1", "shop:total/1"] {
        made.explored("", &[word]).holds(&functions[1..], &[("shop:total/1", "src/shop.erl:6")]);
    }
    let before = made.files();
    made.edit("src/shop.erl", &SHOP.replace("-spec total", "%% A line.\n-spec total"));
    let edited = made.explored("", &[]);
    edited.holds(&functions, &[("shop:total/1", "src/shop.erl:7")]);
    assert_eq!(made.files().len(), before.len(), "nothing is written");
    // The command that replays a call, and the one that looks for a place.
    assert_eq!(made.hound("", &["run", "shop:total({box, 9})"]).out, "7\n");
    let reached = made.hound("", &["reach", "src/shop.erl:7"]);
    assert!(reached.code == 1 && reached.out.contains("src/shop.erl:7"), "{reached:?}");
}

/// A generated module is explored when it is named.
#[test]
fn generated_modules_are_explored_by_name() {
    let made = shop("rebar3_generated");
    let explored = made.explored("", &["shop_parser:parse/1"]);
    assert_eq!(explored.functions.len(), 1, "{:?}", explored.ran);
    assert!(!explored.ran.out.contains("\"undef\""), "{:?}", explored.ran);
}

const TRANSFORM: &str = "-module(core_tr).\n-export([parse_transform/2]).\nparse_transform(Forms, _) -> [swap(F) || F <- Forms].\n\
                         swap({function, A, secret, 0, _}) -> {function, A, secret, 0, [{clause, A, [], [], [{integer, A, 41}]}]};\n\
                         swap(F) -> F.\n";

const WEB: &str = "-module(web).\n-export([show/1]).\n-include_lib(\"core/include/core.hrl\").\n\
                   -spec show(integer()) -> integer().\nshow(N) -> 9 div (core:pick(#item{n = N}) - secret()).\nsecret() -> 0.\n";

/// Several applications, one compiled with a parse transform of another.
fn umbrella(name: &str) -> Made {
    Made::new(
        name,
        &[
            ("rebar.config", "{erl_opts, [debug_info]}.\n"),
            ("hound.toml", "[search]\nruns = 33\n"),
            ("apps/core/src/core.app.src", "{application, core, [{vsn, \"1\"}, {applications, [kernel, stdlib]}]}.\n"),
            ("apps/core/src/core_tr.erl", TRANSFORM),
            (
                "apps/core/src/core.erl",
                "-module(core).\n-export([pick/1]).\n-include(\"core.hrl\").\n-spec pick(#item{}) -> integer().\npick(#item{n = N}) -> N.\n",
            ),
            ("apps/core/include/core.hrl", "-record(item, {n :: integer()}).\n"),
            ("apps/web/rebar.config", "{erl_opts, [debug_info, {parse_transform, core_tr}]}.\n{deps, [core]}.\n"),
            (
                "apps/web/src/web.app.src",
                "{application, web, [{vsn, \"1\"}, {applications, [kernel, stdlib, core]}]}.\n",
            ),
            ("apps/web/src/web.erl", WEB),
        ],
    )
}

#[test]
fn an_umbrella_is_explored_whole_or_by_application() {
    let made = umbrella("rebar3_umbrella");
    let all = made.explored("", &["core", "web"]);
    all.holds(&["core:pick/1", "web:show/1"], &[("web:show/1", "apps/web/src/web.erl:5")]);
    let whole = made.explored("", &[]);
    let names: Vec<&str> = whole.functions.keys().map(String::as_str).collect();
    assert_eq!(names, ["core:pick/1", "core_tr:parse_transform/2", "web:show/1"], "{:?}", whole.ran);
    made.explored("apps/web", &[]).holds(&["web:show/1"], &[("web:show/1", "src/web.erl:5")]);
    made.explored("apps/web/src", &["show/1"]).holds(&["web:show/1"], &[("web:show/1", "web.erl:5")]);
    made.explored("apps", &["web"]).holds(&["web:show/1"], &[("web:show/1", "web/src/web.erl:5")]);
    made.explored("", &["apps/web"]).holds(&["web:show/1"], &[("web:show/1", "apps/web/src/web.erl:5")]);
}

/// The configuration stands in the top folder.
#[test]
fn the_configuration_is_found_upwards() {
    let made = umbrella("rebar3_config");
    made.write(
        "apps/core/src/core.erl",
        "-module(core).\n-export([pick/1]).\n-spec pick(any()) -> any().\npick(a) -> a.\n",
    );
    made.write("hound.toml", "ignore = [\"error:function_clause\"]\n");
    let explored = made.explored("apps/core/src", &["core"]);
    assert_eq!(explored.functions["core:pick/1"]["verdict"], "ignored", "{:?}", explored.ran);
    // A line is named from the folder of the configuration.
    made.write("hound.toml", "[line.\"apps/core/src/core.erl:4\"]\nignore = [\"any\"]\n");
    for place in ["", "apps/core/src", "apps/web"] {
        let explored = made.explored(place, &["core"]);
        assert_eq!(explored.functions["core:pick/1"]["verdict"], "ignored", "{place}: {:?}", explored.ran);
    }
    made.write("hound.toml", "ignored = [\"error:badarg\"]\n");
    let ran = made.hound("apps/core/src", &["explore", "core"]);
    assert!(ran.code == 2 && ran.err.contains("hound.toml:1:1: unknown field `ignored`"), "{ran:?}");
}

/// A profile is chosen as rebar3 chooses it.
#[test]
fn a_profile_has_macros_of_its_own() {
    let made = Made::new(
        "rebar3_profile",
        &[
            ("rebar.config", "{profiles, [{small, [{erl_opts, [{d, 'LIMIT', 5}]}]}]}.\n{erl_opts, [debug_info]}.\n"),
            ("src/lim.app.src", "{application, lim, [{vsn, \"1\"}, {applications, [kernel, stdlib]}]}.\n"),
            (
                "src/lim.erl",
                "-module(lim).\n-export([f/1]).\n-ifndef(LIMIT).\n-define(LIMIT, 8).\n-endif.\n-spec f(0..9) -> ok.\nf(N) when N =/= ?LIMIT -> ok.\n",
            ),
        ],
    );
    let explored = made.explored("", &[]);
    assert!(explored.ran.out.contains("lim:f(8)"), "{:?}", explored.ran);
    let ran = made.hound_with("", &["explore"], &[("REBAR_PROFILE", "small")]);
    assert!(ran.out.contains("lim:f(5)"), "{ran:?}");
}

/// What is not fetched, and what does not compile, is said with the command to type.
#[test]
fn what_cannot_be_built_is_said() {
    let made = shop("rebar3_broken");
    made.write("rebar.config", "{erl_opts, [debug_info, {d, 'LIMIT', 7}]}.\n{deps, [dep, {jsx, \"3.1.0\"}]}.\n");
    let ran = made.hound("", &["explore"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert_eq!(ran.err, "hound: a dependency that rebar.config names is not there: jsx; type `rebar3 get-deps`\n");
    let made = shop("rebar3_wrong");
    made.write("src/shop.erl", &SHOP.replace("lex(S) ->", "lex(S ->"));
    let ran = made.hound("", &["explore"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(
        ran.err.starts_with("hound: `rebar3 compile` does not build the project:\n")
            && ran.err.contains("\nsrc/shop.erl:8:"),
        "{ran:?}"
    );
    assert!(ran.err.contains("syntax error before: '->'") && ran.err.lines().count() < 8, "{ran:?}");
    let ran = made.hound("", &["explore", "src/shop.erl"]);
    assert!(ran.code == 2 && ran.err.starts_with("hound: src/shop.erl:8:"), "{ran:?}");
}

/// What a project runs while it is built changes nothing outside of the copy, and where that cannot be made sure of, nothing
/// is run.
#[test]
fn a_build_stays_behind_walls() {
    let made = shop("rebar3_walls");
    let evil = made.top.join("evil");
    made.write("hook.sh", &format!("touch {} && echo done > done\ntouch here\n", evil.display()));
    let hook = "{pre_hooks, [{compile, \"sh hook.sh\"}]}.\n";
    made.write("rebar.config", &format!("{{erl_opts, [debug_info, {{d, 'LIMIT', 7}}]}}.\n{{deps, [dep]}}.\n{hook}"));
    let ran = made.hound_with("", &["explore"], &[("HOUND_TEST_WITHOUT_WALLS", "landlock")]);
    assert_eq!(ran.code, 2, "{ran:?}");
    let wanted = "and this system has no walls to build it behind (see `hound doctor`); type `rebar3 compile`";
    assert!(ran.err.contains(wanted) && ran.out.is_empty(), "{ran:?}");
    made.explored("", &["total/1"]).holds(&["shop:total/1"], &[("shop:total/1", "src/shop.erl:6")]);
    assert!(!evil.exists() && !made.top.join("done").exists() && !made.top.join("here").exists());
}

/// Without its tool the sources of a project are compiled one by one, with the options of its file.
#[test]
fn sources_are_compiled_without_their_tool() {
    let made = umbrella("rebar3_without");
    let programs = made.top.join("programs");
    std::fs::create_dir(&programs).expect("a folder");
    let paths = std::env::var_os("PATH").expect("a path");
    for name in ["erl", "z3"] {
        let real = std::env::split_paths(&paths).map(|folder| folder.join(name)).find(|path| path.is_file());
        std::os::unix::fs::symlink(real.expect("it is installed"), programs.join(name)).expect("a link");
    }
    let ran = made.hound_with("", &["explore", "--runs", "50", "core"], &[("PATH", &programs.display().to_string())]);
    assert!(ran.err.contains("note: rebar3 is not installed: the sources are compiled one by one"), "{ran:?}");
    assert!(ran.code == 0 && ran.out.contains("core:pick/1  safe"), "{ran:?}");
}

/// A dependency that is worked on beside the project counts like its own sources.
#[test]
fn an_edited_checkout_is_compiled_again() {
    let made = shop("rebar3_checkout");
    made.tool("", "rebar3 compile");
    made.edit("_checkouts/dep/include/dep.hrl", "-define(OFFSET, 2).\n");
    let ran = made.hound("", &["explore", "--runs", "50", "total/1"]);
    assert!(ran.out.contains("shop:total({box,4})"), "{ran:?}");
}

/// Where a project does not build, a named source and those beside it are compiled as they are now.
#[test]
fn a_source_of_a_broken_project_is_explored() {
    let made = umbrella("rebar3_partly");
    made.tool("", "rebar3 compile");
    made.edit("apps/core/src/core.erl", "-module(core).\n-export([pick/1]).\n-include(\"core.hrl\").\n-spec pick(#item{}) -> integer().\npick(#item{n = N}) -> N + 1.\n");
    made.edit(
        "apps/core/src/core_tr.erl",
        "-module(core_tr).\n-export([parse_transform/2]).\nparse_transform(Forms, _ -> Forms.\n",
    );
    made.edit("apps/web/src/web.erl", &WEB.replace("secret())", "7)"));
    let explored = made.explored("", &["-D", "UNUSED", "apps/web/src/web.erl", "show/1"]);
    assert!(explored.ran.err.contains("note: `rebar3 compile` does not build the project:"), "{:?}", explored.ran);
    assert_eq!(explored.places()["web:show/1"], ["apps/web/src/web.erl:5"], "{:?}", explored.ran);
    assert!(explored.ran.out.contains("web:show(6)"), "{:?}", explored.ran);
}
