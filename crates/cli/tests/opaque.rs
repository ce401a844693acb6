//! Opaque functions as a person meets them: modes, strategies in several steps, learning, functions that are fickle.

mod support;

use std::process::Command;

use serde_json::Value;
use solve::opaque::Limits;
use support::{Ran, file, folder, hound};

fn program(name: &str) -> String {
    format!("{}/tests/opaque/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn lines(ran: &Ran) -> Vec<Value> {
    assert!(matches!(ran.code, 0 | 1), "{}", ran.err);
    let lines = ran.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
    lines.filter(|line| line["kind"] != "summary").collect()
}

/// Without what earlier explorations knew.
fn explored(name: &str, args: &[&str]) -> Vec<Value> {
    let program = program(name);
    lines(&hound(&[&["explore", "--no-cache", "--format", "json", program.as_str()][..], args].concat()))
}

/// The inputs that the text begins with.
fn beginnings(name: &str) -> String {
    let functions = ["obscure", "foo", "foo_bis", "bar", "delayed", "equal", "next"];
    let calls: Vec<String> = functions.iter().map(|function| format!("paper:{function}(33, 42).\n")).collect();
    file(&folder(name), "paper.calls", &(calls.concat() + "paper:pub(1, 2).\n"))
}

/// True if the bug was found, and true if inputs diverged.
fn outcome(line: &Value) -> (bool, bool) {
    assert!(line["unconfirmed"].as_array().is_some_and(Vec::is_empty), "{line}");
    (line["verdict"] == "crash", line["stats"]["divergences"].as_u64() > Some(0))
}

/// What the text derives for one program in one mode.
#[derive(Clone, Copy)]
enum Derived {
    /// The bug is found in so many runs at most, and all inputs go where they should.
    Found(u64),
    /// The bug is found, after inputs went elsewhere.
    Astray,
    /// Inputs go elsewhere, and the bug is not found.
    Lost,
    /// No more than so many runs are made, and the bug is not found.
    GivenUp(u64),
}
use Derived::{Astray, Found, GivenUp, Lost};

#[test]
fn the_three_modes_do_what_the_text_derives() {
    let calls = beginnings("opaque_modes");
    // By function: unsound, sound, higher-order. The first of the runs is that of the text; with higher order the
    // smallest inputs are run too, since whether the hash function can fail is left open.
    let wanted = [
        ("obscure/2", [Found(2), Found(2), Found(3)]),
        ("foo/2", [Astray, GivenUp(2), Found(4)]),
        ("foo_bis/2", [Astray, GivenUp(2), Found(4)]),
        ("bar/2", [Lost, GivenUp(2), GivenUp(3)]),
        ("pub/2", [Found(2), Found(2), Found(3)]),
        ("delayed/2", [Found(2), Found(2), Found(3)]),
        ("equal/2", [GivenUp(1), GivenUp(1), Found(3)]),
        ("next/2", [GivenUp(1), GivenUp(1), Found(3)]),
    ];
    for (at, mode) in ["unsound", "sound", "higher-order"].into_iter().enumerate() {
        let options = ["--concretize", mode, "--opaque", "hash/1", "--opaque", "paper:small/1", "--learn", &calls];
        let names: Vec<&str> = wanted.iter().map(|(name, _)| *name).collect();
        let found = explored("paper.erl", &[&options[..], &["--runs", "60"], &names].concat());
        assert_eq!(found.len(), wanted.len());
        for (line, (name, derived)) in found.iter().zip(&wanted) {
            let runs = line["stats"]["runs"].as_u64().unwrap_or(u64::MAX);
            let as_derived = match (derived[at], outcome(line)) {
                (Found(most), (true, false)) | (GivenUp(most), (false, false)) => runs <= most,
                (Astray, (true, true)) | (Lost, (false, true)) => true,
                _ => false,
            };
            assert!(as_derived, "{name} {mode}: {line}");
            // Nothing is ever proved by what was only observed.
            assert_ne!(line["verdict"], "safe", "{name} {mode}");
        }
    }
}

#[test]
fn a_strategy_of_two_steps_is_described_in_words() {
    let calls = beginnings("opaque_words");
    let found = explored("paper.erl", &["--opaque", "hash/1", "--learn", &calls, "foo/2", "bar/2"]);
    let finding = &found[0]["findings"][0];
    assert_eq!(finding["call"], "paper:foo(66, 10)");
    assert_eq!(finding["opaque"], serde_json::json!(["paper:hash/1"]));
    assert_eq!(finding["strategy"], "set X2 to 10, then set X1 to paper:hash(X2), whatever it is");
    let reason = &found[1]["reasons"][0];
    assert_eq!(reason["code"], "opaque");
    assert_eq!(reason["message"], "paper:hash/1 is opaque: branches on what it gives were not decided");
    assert!(reason["place"].as_str().is_some_and(|place| place.contains("paper:bar/2")), "{reason}");
}

#[test]
fn a_chain_of_hashes_takes_one_run_more_than_it_has_links() {
    let names = ["two/2", "three/3", "four/4", "five/5", "six/6"];
    let found = explored("chains.erl", &[&["--opaque", "hash/1"][..], &names].concat());
    assert_eq!(found.len(), names.len());
    for (line, links) in found.iter().zip(2..) {
        assert_eq!(outcome(line), (true, false), "{line}");
        assert!(line["stats"]["runs"].as_u64() <= Some(links + 1), "{links} links: {line}");
    }
    let found = explored("chains.erl", &["--opaque", "hash/1", "listed/1"]);
    assert_eq!(outcome(&found[0]), (true, false), "{}", found[0]);
}

#[test]
fn what_depends_on_the_state_of_the_program_is_observed_by_running_it() {
    let found = explored("chains.erl", &["--opaque", "lookup/1", "stateful/2"]);
    assert_eq!(outcome(&found[0]), (true, false), "{}", found[0]);
    assert!(found[0]["stats"]["intermediate"].as_u64() > Some(0));
}

#[test]
fn keywords_are_found_by_their_hashes() {
    let found = explored("lexer.erl", &["--opaque", "hash/1", "--runs", "400", "parse/1"]);
    assert_eq!(outcome(&found[0]), (true, false), "{}", found[0]);
    assert_eq!(found[0]["findings"][0]["call"], r#"lexer:parse(["begin","while","fi"])"#);
}

/// In one search without options.
#[test]
fn keywords_are_found_one_after_the_other() {
    let found = explored("symbols.erl", &[]);
    let calls: Vec<&Value> = found.iter().map(|line| &line["findings"][0]["call"]).collect();
    assert_eq!(calls[0], r#"symbols:query(["select",[],"from",[],"where","limit"])"#);
    assert_eq!(calls[1], r#"symbols:block([<<"let">>,<<>>,<<"in">>,<<>>,<<"end">>])"#);
    assert_eq!(calls[2], r#"symbols:declared([<<"proc">>,<<"func">>,<<"var">>])"#);
}

#[test]
fn what_functions_give_for_different_inputs_is_joined() {
    let found = explored("joined.erl", &["--opaque", "mixed/1"]);
    assert_eq!(found.len(), 8);
    for line in &found {
        assert_eq!(outcome(line), (true, false), "{line}");
    }
}

/// Elements, fields, inputs beside others; and orders that one value in thousands has.
#[test]
fn what_functions_give_for_parts_of_inputs_is_joined() {
    let found = explored("parts.erl", &[]);
    assert_eq!(found.len(), 10);
    for line in &found {
        assert_eq!(outcome(line), (true, false), "{line}");
    }
}

/// Without a word about what is opaque: as text or binary, with options, in each other, and as a part of an input.
#[test]
fn functions_of_libraries_are_undone_by_themselves() {
    let source = "-module(inner).\n-export([both/1, safe/1, text/1, mime/1, zipped/1, cookie/1]).\n\
        -spec both(binary()) -> ok.\n\
        both(S) -> case binary_to_term(base64:decode(S)) of {ok, N} when N > 500 -> error(bug); _ -> ok end.\n\
        -spec safe(binary()) -> ok.\n\
        safe(S) -> case binary_to_term(S, [safe]) of [ok, {error, N}] when N < -3 -> error(bug); _ -> ok end.\n\
        -spec text(string()) -> ok.\n\
        text(S) -> case base64:decode(S) of <<\"admin:\", R/binary>> when byte_size(R) =:= 3 -> error(bug); _ -> ok end.\n\
        -spec mime(string()) -> ok.\n\
        mime(S) -> case catch base64:mime_decode(S) of <<16#cafe:16, _/binary>> -> error(bug); _ -> ok end.\n\
        -spec zipped(binary()) -> ok.\n\
        zipped(S) -> case binary_to_term(zlib:gunzip(S)) of {v, 2, L} when length(L) =:= 2 -> error(bug); _ -> ok end.\n\
        -spec cookie([{string(), string()}]) -> ok.\n\
        cookie(All) -> case lists:keyfind(\"cookie\", 1, All) of\n\
            {_, V} -> case base64:decode(V) of <<\"user=\", U/binary>> when U =:= <<\"root\">> -> error(bug); _ -> ok end;\n\
            false -> ok end.\n";
    let inner = file(&folder("opaque_inner"), "inner.erl", source);
    let found = lines(&hound(&["explore", "--no-cache", "--format", "json", "--runs", "1500", &inner]));
    assert_eq!(found.len(), 6);
    for line in found {
        let mut findings = line["findings"].as_array().into_iter().flatten();
        assert!(findings.any(|it| it["confirmed"] == true && it["reason"] == "bug"), "{line}");
    }
}

#[test]
fn what_a_function_gives_is_undone_by_its_inverse() {
    let source = "-module(undone).\n-export([term/1, text/1, hex/1, unpacked/1, zipped/1, bare/1]).\n\
        -spec term(binary()) -> ok.\n\
        term(B) -> case binary_to_term(B) of {cmd, [1, 2], <<\"x\">>} -> error(bug); _ -> ok end.\n\
        -spec text(binary()) -> ok.\n\
        text(B) -> case base64:decode(B) of <<\"hello world\">> -> error(bug); _ -> ok end.\n\
        -spec hex(binary()) -> ok.\n\
        hex(B) -> case binary:encode_hex(B) of <<\"CAFE01\">> -> error(bug); _ -> ok end.\n\
        -spec unpacked(binary()) -> ok.\n\
        unpacked(B) -> case zlib:gunzip(B) of <<\"magic\", _/binary>> -> error(bug); _ -> ok end.\n\
        -spec zipped(binary()) -> ok.\n\
        zipped(B) -> case zlib:uncompress(B) of <<1, 2, 3>> -> error(bug); _ -> ok end.\n\
        -spec bare(binary()) -> ok.\n\
        bare(B) -> case zlib:unzip(B) of <<\"zip!\">> -> error(bug); _ -> ok end.\n";
    let undone = file(&folder("opaque_undone"), "undone.erl", source);
    let opaque = ["--opaque", "base64:decode/1", "--opaque", "binary:encode_hex/1", "--runs", "200"];
    for line in lines(&hound(&[&["explore", "--no-cache", "--format", "json", &undone][..], &opaque].concat())) {
        let mut findings = line["findings"].as_array().into_iter().flatten();
        assert!(findings.any(|it| it["confirmed"] == true && it["reason"] == "bug"), "{line}");
    }
}

/// Each pair of the table, on the VM.
#[test]
fn inverses_undo_what_they_are_for() {
    let value = |function: &str| match function {
        "encode_hex" | "uncompress" | "gunzip" | "unzip" | "decode" | "mime_decode" | "decode_hex" => "<<1,2,255,0>>",
        "encode" => "<<\"AQL/\">>",
        "encode_to_string" => "\"AQL/\"",
        "decode_to_string" => "[1,2,255]",
        "compress" => "zlib:compress(<<7,7>>)",
        _ => "{a,[1.5,<<2>>]}",
    };
    let pairs = ops::opaque::inverses().map(|(function, inverse)| {
        let value = match function.function.name() {
            "encode_hex" => "<<\"0102FF\">>",
            name => value(name),
        };
        let apply = |mfa: term::Mfa, arg: &str| format!("{}:{}({arg})", mfa.module, mfa.function);
        format!("{} =:= {value}", apply(function, &apply(inverse, value)))
    });
    let pairs: Vec<String> = pairs.collect();
    let expressions: Vec<&str> = pairs.iter().map(String::as_str).collect();
    for (expression, answer) in pairs.iter().zip(support::shell(&expressions)) {
        assert_eq!(answer.trim(), "true", "{expression}");
    }
}

#[test]
fn strategies_are_relations_and_long_texts_are_folded() {
    let source = "-module(relations).\n-export([any/2, other/2, needed/1, same/2, shifted/2, long/1, third/1]).\n\
        -spec any(integer(), integer()) -> ok.\n\
        any(X, Y) -> case X =:= erlang:phash2(Y) of true -> error(bug); false -> ok end.\n\
        -spec other(integer(), integer()) -> ok.\n\
        other(X, Y) -> case X =/= erlang:phash2(Y) andalso Y =:= 7 of true -> error(bug); false -> ok end.\n\
        -spec needed(integer()) -> ok.\n\
        needed(X) -> case erlang:phash2(X, 10) of 3 -> error(bug); _ -> ok end.\n\
        -spec same(integer(), pos_integer()) -> ok.\n\
        same(X, Y) -> case erlang:phash2(X) =:= erlang:phash2(Y) of true -> error(bug); false -> ok end.\n\
        -spec shifted(integer(), integer()) -> ok.\n\
        shifted(X, Y) -> case X - 4 =:= erlang:phash2(Y, 999) andalso Y > 20 of true -> error(bug); false -> ok end.\n\
        -spec long(binary()) -> ok.\n\
        long(B) -> case erlang:phash2(B, 2) of N when byte_size(B) > 400, N >= 0 -> error(bug); _ -> ok end.\n\
        -spec third([integer()]) -> ok.\n\
        third(L) -> case L of [A, _, C] -> case A =:= erlang:phash2(C) of true -> error(bug); false -> ok end; _ -> ok end.\n";
    let relations = file(&folder("opaque_relations"), "relations.erl", source);
    let found = lines(&hound(&["explore", "--no-cache", "--format", "json", "--runs", "300", &relations]));
    let text = |at: usize, key: &str| found[at]["findings"][0][key].as_str().unwrap_or_default().to_owned();
    assert_eq!(text(0, "strategy"), "fix X2 at 0, then set X1 to erlang:phash2(X2), whatever it is");
    assert_eq!(text(1, "strategy"), "set X2 to 7, then set X1 to anything but erlang:phash2(X2)");
    assert!(text(2, "strategy").contains(", so that erlang:phash2(X1, 10) gives 3"), "{}", found[2]);
    assert!(text(3, "strategy").ends_with(", then set X2 to X1"), "{}", found[3]);
    assert!(text(4, "strategy").contains("set X1 to erlang:phash2(X2, 999) + 4"), "{}", found[4]);
    assert!(found[5].to_string().contains(" characters)"), "{}", found[5]);
    assert!(text(6, "strategy").contains("erlang:phash2(lists:nth(3, X1)), whatever it is"), "{}", found[6]);
    let causes: Vec<String> = found.iter().map(|line| line["findings"][0]["cause"].to_string()).collect();
    assert!(causes[2].contains("erlang:phash2(N, 10) =:= 3") && causes[2].contains("[\"N\"]"), "{}", causes[2]);
    let samples = found[0]["findings"][0]["samples"].as_array().cloned().unwrap_or_default();
    assert_eq!(samples.len(), 1, "{}", found[0]);
}

#[test]
fn hashes_that_are_written_down_are_learned_from_good_inputs() {
    let ignorant = explored("lexer.erl", &["--opaque", "hash/1", "--runs", "40", "parse_coded/1"]);
    assert_eq!(outcome(&ignorant[0]), (false, false), "{}", ignorant[0]);
    let good = "% Well-formed lines.\nlexer:parse_coded([\"begin\", \"end\"]).\n\
        lexer:parse_coded([\"if\", \"x\", \"while\",\n  \"do\", \"fi\"]).\n";
    let calls = file(&folder("opaque_learn"), "good.calls", good);
    let found = explored("lexer.erl", &["--opaque", "hash/1", "--learn", &calls, "--runs", "200", "parse_coded/1"]);
    assert_eq!(outcome(&found[0]), (true, false), "{}", found[0]);
    assert_eq!(found[0]["findings"][0]["call"], r#"lexer:parse_coded(["begin","while","fi"])"#);
    // The configuration can say the same.
    let folder = folder("opaque_config");
    file(&folder, "good.calls", good);
    let config = file(&folder, "hound.toml", "opaque = [\"lexer:hash/1\"]\nlearn = \"good.calls\"\n");
    let found = explored("lexer.erl", &["--config", &config, "--runs", "200", "parse_coded/1"]);
    assert_eq!(outcome(&found[0]), (true, false), "{}", found[0]);
}

#[test]
fn what_was_learned_once_is_known_later_and_never_stale() {
    let place = folder("opaque_kept");
    let source = std::fs::read_to_string(program("lexer.erl")).expect("the program");
    let lexer = file(&place, "lexer.erl", &source);
    let explore = |more: &[&str]| {
        let words = ["explore", "--format", "json", "--opaque", "hash/1", "--runs", "60", &lexer, "parse_coded/1"];
        let mut command = Command::new(env!("CARGO_BIN_EXE_hound"));
        let ran = command.args(words).args(more).env("XDG_CACHE_HOME", &place).output().expect("hound runs");
        let first = ran.stdout.split(|&byte| byte == b'\n').next().expect("a line");
        outcome(&serde_json::from_slice(first).expect("a line of JSON"))
    };
    assert_eq!(explore(&[]), (false, false), "nothing is known");
    let calls = file(&place, "good.calls", "lexer:parse_coded([\"begin\", \"if\", \"while\", \"fi\"]).\n");
    explore(&["--learn", &calls]);
    assert_eq!(explore(&["--no-cache"]), (false, false), "nothing is looked up");
    assert_eq!(explore(&[]), (true, false), "known from before");
    // Another hash function: what was learned of the old one is of no use, and not used.
    file(&place, "lexer.erl", &source.replace("Sum * 3", "Sum * 5"));
    assert_eq!(explore(&[]), (false, false), "the code has changed");
}

#[test]
fn a_function_that_changes_its_answers_is_named_and_not_believed() {
    let found = explored("fickle.erl", &["--opaque", "next/1", "--opaque", "now_and_then/1"]);
    assert_eq!(found.len(), 2);
    for (line, function) in found.iter().zip(["fickle:next/1", "fickle:now_and_then/1"]) {
        assert_eq!(outcome(line), (false, false), "{line}");
        let reasons = line["reasons"].as_array().cloned().unwrap_or_default();
        let varying = reasons.iter().find(|reason| reason["code"] == "varying");
        assert!(varying.is_some_and(|it| it["message"].as_str().is_some_and(|it| it.starts_with(function))), "{line}");
    }
}

#[test]
fn any_number_of_workers_learns_the_same() {
    let explore = |workers: &str| {
        let mut found = explored("lexer.erl", &["--opaque", "hash/1", "--runs", "60", "--workers", workers]);
        found.iter_mut().for_each(|line| {
            line["stats"]["wall_ms"] = Value::Null;
            line["stats"]["prepare_ms"] = Value::Null;
        });
        found
    };
    let one = explore("1");
    assert!(one.len() > 1);
    assert_eq!(one, explore("3"));
}

#[test]
fn a_path_that_cannot_be_decided_uses_no_more_than_its_share() {
    let found = explored("paper.erl", &["--opaque", "hash/1", "bar/2"]);
    let stats = &found[0]["stats"];
    // Three flips may try their luck with a function; each has its strategies' samples and its trials.
    let Limits { samples, trials, .. } = Limits::default();
    let most = 3 * u64::from(samples + trials);
    assert!(stats["samples"].as_u64() < Some(most) && stats["runs"].as_u64() < Some(10), "{stats}");
    assert!(found[0]["reasons"][0]["code"] == "opaque", "{}", found[0]);
}

/// Where the tool's own code branches, the place is that of the program's call.
#[test]
fn an_undecided_branch_stands_where_the_program_asks() {
    let source = "-module(asked).\n-export([find/2]).\n-spec find(integer(), integer()) -> ok.\nfind(A, B) ->\n    \
        case lists:member(erlang:phash2({A, B}), [17, 18]) of\n        true -> error(bug);\n        false -> ok\n    end.\n";
    let asked = file(&folder("opaque_place"), "asked.erl", source);
    let found = lines(&hound(&["explore", "--no-cache", "--format", "json", &asked]));
    let reason = &found[0]["reasons"][0];
    assert_eq!(reason["code"], "opaque", "{}", found[0]);
    assert_eq!(reason["place"], format!("asked:find/2 ({asked}:5)"), "{reason}");
}

/// A hash of hashes of all parts, as the program itself has one.
#[test]
fn strategies_of_one_chain_go_through_a_hash_of_hashes() {
    let source = "-module(merkle).\n-export([root/1]).\n-spec root([binary()]) -> ok.\nroot(L) ->\n    \
        Root = lists:foldl(fun(X, Sum) -> erlang:md5([Sum, X]) end, <<>>, L),\n    \
        case Root =:= erlang:md5([erlang:md5([<<>>, <<\"a\">>]), <<\"b\">>]) of\n        \
        true -> error(bug);\n        false -> ok\n    end.\n";
    let merkle = file(&folder("opaque_merkle"), "merkle.erl", source);
    let found = lines(&hound(&["explore", "--no-cache", "--format", "json", "--runs", "30", &merkle]));
    assert_eq!(outcome(&found[0]), (true, false), "{}", found[0]);
    assert_eq!(found[0]["findings"][0]["call"], r#"merkle:root([<<"a">>,<<"b">>])"#);
}

#[test]
fn mistakes_are_reported_before_anything_is_explored() {
    let calls = file(&folder("opaque_mistakes"), "bad.calls", "paper:foo(1, 2).\n\npaper:foo(X).\n");
    let paper = program("paper.erl");
    for (args, said) in [
        (["--opaque", "nothing/1"], "--opaque nothing/1: there is no paper:nothing/1"),
        (["--opaque", "hash"], "--opaque hash: "),
        (["--learn", &calls], ":3: the arguments cannot be read"),
        (["--learn", "nowhere.calls"], "nowhere.calls: "),
        (["--concretize", "maybe"], "invalid value 'maybe'"),
    ] {
        let ran = hound(&[&["explore", paper.as_str()][..], &args].concat());
        assert!(ran.code == 2 && ran.err.contains(said), "{args:?}: {}", ran.err);
    }
}
