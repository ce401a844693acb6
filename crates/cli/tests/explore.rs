//! The explore command as a person types it: findings in words, tests written, misuse reported.

mod support;

use std::path::Path;

use support::{file, folder, hound};

const TILL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/till.erl");

#[test]
fn a_finding_has_its_place_its_call_the_words_of_the_vm_and_its_path() {
    let ran = hound(&["explore", "--all", "--fail-on", "any", TILL, "discount/2", "round_up/1"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    for text in [
        "till.erl:16:64: error: {forgotten_code,1004} in till:discount/2",
        "= call: till:discount(1004, staff)\n   = vm: ** exception error: {forgotten_code,1004}",
        "= path: discount/2 clause 1 (line 16)\n",
        "1 finding (1 declared); 1 crash, 1 safe, 0 incomplete",
    ] {
        assert!(ran.out.contains(text), "no {text:?} in\n{}", ran.out);
    }
}

/// Two operations on one line are two findings, each with its own column; a match that fails is where it begins.
#[test]
fn columns_are_those_of_the_expression_that_fails() {
    let folder = support::folder("columns");
    let text = "%% Several mistakes per line.\n-module(columns).\n-export([f/2, g/1, h/1]).\n\
                -spec f(integer(), integer()) -> integer().\n\
                f(X, Y) -> 10 div X + 20 div Y.\n\
                -spec g(integer()) -> ok.\n\
                g(X) -> ok = (fun(1) -> ok; (Y) -> Y end)(X), ok.\n\
                -spec h(1..3) -> ok.\n\
                h(X) -> try case X of 1 -> ok; 2 -> throw(two) end after ok end.\n";
    let source = support::file(&folder, "columns.erl", text);
    let ran = hound(&["explore", "--all", &source]);
    for place in [
        "5:15: error: badarith",
        "5:26: error: badarith",
        "7:9: error: {badmatch,0}",
        "9:13: error: {case_clause,3}",
        "9:37: throw: two",
    ] {
        assert!(ran.out.contains(&format!("columns.erl:{place}")), "no {place} in\n{}", ran.out);
    }
    assert!(ran.out.contains("= path: h/1 (line 9), case clause 2 (line 9)\n"), "{}", ran.out);
    assert!(ran.out.contains("= path: g/1 (line 7), fun in g/1 clause 2 (line 7), no match (line 7)\n"), "{}", ran.out);
}

/// Processes, ports and references have no notation of their own; the calls that make them have.
#[test]
fn calls_with_names_of_processes_can_be_pasted() {
    let text = "%% Takes handles.\n-module(handles).\n-export([f/3, g/1]).\n\
                -spec f(pid(), port(), reference()) -> no_return().\n\
                f(P, Q, R) when is_pid(P), is_port(Q), is_reference(R) -> handled.\n\
                -spec g(pid()) -> ok.\ng(P) when is_pid(P) -> error({process, is_pid(P)}).\n";
    let folder = support::folder("handles");
    let source = support::file(&folder, "handles.erl", text);
    let ran = hound(&["explore", "--all", "--tests", "eunit", &folder.display().to_string(), &source]);
    assert!(ran.out.contains("= call: handles:g(list_to_pid(\"<0.0.0>\"))\n"), "{}", ran.out);
    let tests = std::fs::read_to_string(folder.join("handles_hound_tests.erl")).expect("tests");
    let call = "handles:f(list_to_pid(\"<0.0.0>\"), list_to_port(\"#Port<0.0>\"), list_to_ref(\"#Ref<0.0.0.0>\"))";
    assert!(tests.contains(call), "{tests}");
}

#[test]
fn what_a_run_makes_is_named_the_same_each_time() {
    let text = "-module(made).
-export([f/1]).
-spec f(0..9) -> ok.
f(3) -> error({made, self(), make_ref(), self(), lists:seq(1, 400)});
f(_) -> ok.
";
    let path = support::file(&support::folder("explore_made"), "made.erl", text);
    let ran = hound(&["explore", "--all", &path]);
    assert!(ran.out.contains("error: {made,<0.1.0>,#Ref<0.0.0.1>,<0.1.0>,[1,2,3,"), "{}", ran.out);
    assert!(ran.out.contains("exception error: {made,<0.1.0>,#Ref<0.0.0.1>,<0.1.0>,"), "{}", ran.out);
    assert!(ran.out.lines().count() > 1, "{}", ran.out);
    assert!(ran.out.lines().all(|line| line.len() < 300), "a line is too long: {}", ran.out);
}

#[test]
fn nothing_found_is_exit_code_0() {
    let ran = hound(&["explore", TILL, "round_up/1"]);
    assert_eq!((ran.code, ran.out.contains("till:round_up/1  safe")), (0, true), "{}{}", ran.out, ran.err);
}

/// An input that no clause takes is the caller's fault, with a rule that would ignore its exception as without.
#[test]
fn an_input_outside_the_domain_is_no_ignored_crash() {
    let folder = support::folder("ignored_domain");
    let program = "-module(own).\n-export([k/1]).\nk(go) -> k({1, 2});\nk(stop) -> ok.\n";
    let source = support::file(&folder, "own.erl", program);
    let ran = hound(&["explore", "--ignore", "error", &source]);
    assert!(ran.out.contains("ignored by error: 1 crash on 1 path, such as own:k(go)"), "{}", ran.out);
    assert!(ran.out.contains("no clause takes own:k(0)"), "{}", ran.out);
}

#[test]
fn ignored_exceptions_are_no_findings() {
    let ran = hound(&["explore", "--ignore", "error:{forgotten_code,_}", TILL, "discount/2"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    for text in [
        "till:discount/2: safe but for 1 ignored crash\n  ignored by error:{forgotten_code,_}: 1 crash on 1 path, \
         such as till:discount(1004, staff)\n",
        "till:discount/2  ignored  yes",
        "0 findings; 0 crash, 0 safe, 0 incomplete, 1 safe but for ignored crashes",
    ] {
        assert!(ran.out.contains(text), "no {text:?} in\n{}", ran.out);
    }
    let ran = hound(&["explore", "--format", "json", "--ignore", "error:{forgotten_code,_}", TILL, "discount/2"]);
    let ignored = "\"ignored\":[{\"rule\":\"error:{forgotten_code,_}\",\"crashes\":1,\"paths\":1,";
    assert!(ran.out.contains("\"verdict\":\"ignored\"") && ran.out.contains(ignored), "{}", ran.out);
}

/// Only inputs and their parts are the caller's: a call that the program made itself and no clause takes is a crash.
#[test]
fn without_a_spec_only_parts_of_inputs_are_outside_the_domain() {
    let text = "-module(unmatched).
-export([made/1, smaller/1, state/2, parts/2, inside/1, nested/1, given/1]).
made(go) -> made({1, 2}); made(stop) -> ok.
smaller({A, B, _}) -> smaller({A, B}); smaller(stop) -> ok.
state(go, L) -> state(stop, L); state(stop, []) -> ok.
parts(Acc, [X | T]) when is_list(Acc) -> parts([X | Acc], T); parts(Acc, []) -> Acc.
inside({Acc, {X, T}}) -> inside({[X | Acc], T}); inside({Acc, []}) -> Acc.
nested(#{next := Next}) -> nested(Next); nested(none) -> ok.
given(F) when is_function(F, 1) -> given(F({1, 2})); given(stop) -> ok.
";
    let path = file(&folder("unmatched"), "unmatched.erl", text);
    for engine in ["machine", "beam"] {
        let ran = hound(&["explore", "--all", "--engine", engine, "--runs", "60", &path]);
        // A fun may give what it is given, and that the program made.
        for call in ["made(go)", "smaller({0,0,0})", "state(go, 0)", "given(fun(_) -> 0 end)"] {
            assert!(ran.out.contains(&format!("= call: unmatched:{call}\n")), "no {call} in\n{}", ran.out);
        }
        assert!(ran.out.contains("4 findings (2 bugs, 2 doubtful); 4 crash, 0 safe, 3 incomplete"), "{}", ran.out);
        for name in ["made", "state", "parts", "inside", "nested"] {
            let note = format!("no spec; no clause takes unmatched:{name}(");
            assert!(ran.out.contains(&note), "no {name} in\n{}", ran.out);
        }
    }
}

/// An input fun may be any that a caller has, `fun erlang:abs/1` too: only its arity and its calls are searched.
#[test]
fn what_looks_at_the_identity_of_an_input_fun_is_not_complete() {
    let text = "-module(identity).
-export([f/2, listed/1, text/1, bytes/1, order/2, same/2, hidden/1, known/1, fine/1]).
-type f() :: fun(() -> ok).
-spec f(f(), type | module | name | env | uniq | index | new_uniq | new_index | pid) -> ok.
f(F, Item) -> case erlang:fun_info(F, Item) of {_, V} when V =:= erlang; V =:= external; V =:= [] -> error(bug); _ -> ok end.
-spec listed(f()) -> ok.
listed(F) -> case lists:keyfind(type, 1, erlang:fun_info(F)) of {type, external} -> error(bug); _ -> ok end.
-spec text(f()) -> ok.
text(F) -> case lists:flatten(io_lib:format(\"~p\", [F])) of \"fun erlang:\" ++ _ -> error(bug); _ -> ok end.
-spec bytes(f()) -> ok.
bytes(F) -> case term_to_binary(F) of <<131, 113, _/binary>> -> error(bug); _ -> ok end.
-spec order(f(), f()) -> ok.
order(F, G) when F < G -> error(bug);
order(_, _) -> ok.
-spec same(f(), f()) -> ok.
same(F, F) -> ok;
same(_, _) -> error(bug).
-spec hidden([#{key := f()}]) -> ok.
hidden([#{key := F}]) -> {type, local} = erlang:fun_info(F, type), ok;
hidden(_) -> ok.
-spec known(f()) -> ok.
known(F) -> case F =:= fun erlang:date/0 of true -> error(bug); false -> ok end.
-spec fine(fun((integer()) -> integer())) -> ok.
fine(F) when is_function(F), is_function(F, 1) -> {arity, 1} = erlang:fun_info(F, arity), F(1), ok.
";
    let path = file(&folder("identity"), "identity.erl", text);
    let ran = hound(&["explore", "--all", &path]);
    assert!(ran.out.contains("1 finding (1 declared); 1 crash, 1 safe, 7 incomplete"), "{}", ran.out);
    for text in [
        "= call: identity:known(fun erlang:date/0)\n",
        "identity:fine/1    safe        yes",
        "identity:f/2: incomplete\n  gap: erlang:fun_info/2 has no symbolic rule: only some values were tried",
        "identity:hidden/1: incomplete\n  gap: erlang:fun_info/2 has no symbolic rule: only some values were tried",
    ] {
        assert!(ran.out.contains(text), "no {text:?} in\n{}", ran.out);
    }
    let ran = hound(&["reach", &format!("{path}:5"), "--entry", "f/2"]);
    assert!(!ran.out.contains("unreachable\n"), "{}", ran.out);
}

/// The precondition is not exported, looks at state of its own, and its own crash is no finding.
#[test]
fn a_precondition_keeps_inputs_out() {
    let folder = support::folder("guarded");
    let text = "%% Division behind a check.\n-module(guarded).\n-export([f/2]).\n\
                -spec f(integer(), integer()) -> integer().\n\
                f(X, Y) -> X div (Y - 3).\n\
                check(X, Y) -> put(seen, X), 100 div X > 0 andalso Y =/= 3.\n";
    let source = support::file(&folder, "guarded.erl", text);
    assert_eq!(hound(&["explore", &source]).code, 1);
    let guarded = hound(&["explore", "--pre", "check/2", &source]);
    assert_eq!((guarded.code, guarded.out.contains("guarded:f/2  safe")), (0, true), "{}{}", guarded.out, guarded.err);
}

/// Nothing is wrong with any call because there is none: the report says so.
#[test]
fn safe_for_want_of_inputs_is_said() {
    let text = "%% No input can call it.\n-module(empty).\n-export([f/1, g/1]).\n\
                -spec f([none(), ...]) -> ok.\nf(_) -> error(never).\n\
                -spec g(integer()) -> ok.\ng(X) when X > 0 -> ok.\nno(_) -> false.\n";
    let source = support::file(&support::folder("empty"), "empty.erl", text);
    let ran = hound(&["explore", &source, "f/1"]);
    assert!(ran.code == 0 && ran.out.contains("empty:f/1:\n  its spec allows no input\n"), "{}", ran.out);
    let ran = hound(&["explore", "--pre", "no/1", &source, "g/1"]);
    assert!(ran.code == 0 && ran.out.contains("empty:g/1:\n  no input meets the precondition\n"), "{}", ran.out);
    let ran = hound(&["explore", "--format", "json", "--pre", "no/1", &source, "g/1"]);
    assert!(ran.out.contains(r#""empty":"no input meets the precondition""#), "{}", ran.out);
}

/// An input that cannot be made is a reason, never a proof.
#[test]
fn inputs_that_cannot_be_made_are_not_safe() {
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unmade.erl");
    let spec = "-spec f(fun(() -> no_return())) -> integer().";
    let text = format!("%% A fun that never returns.\n-module(unmade).\n-export([f/1]).\n{spec}\nf(F) -> F().\n");
    std::fs::write(&source, text).expect("a source");
    let ran = hound(&["explore", &source.display().to_string()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("unmade:f/1: incomplete\n  first-input: no first input could be made"), "{}", ran.out);
}

/// A folder of compiled modules, however deep; a folder of sources; what cannot be taken is left out and named.
#[test]
fn folders_hold_modules() {
    let top = support::folder("built");
    let ebin = top.join("_build/lib/app/ebin");
    std::fs::create_dir_all(&ebin).expect("a folder");
    let sources = support::folder("sources");
    let text = |name: &str| format!("%% One.\n-module({name}).\n-export([f/1]).\n-spec f(1..3) -> 1..3.\nf(X) -> X.\n");
    for name in ["first", "second"] {
        let source = support::file(&sources, &format!("{name}.erl"), &text(name));
        support::succeed("erlc", &["+debug_info", &source], &ebin);
    }
    support::succeed("erlc", &[&support::file(&top, "bare.erl", &text("bare"))], &ebin);
    let (built, sources) = (top.display().to_string(), sources.display().to_string());
    let explored = |code: i32, word: &str| {
        let ran = hound(&["explore", &built]);
        assert!(ran.out.contains("first:f/1   safe") && ran.out.contains("second:f/1  safe"), "{}", ran.out);
        assert_eq!((ran.code, ran.err.contains(word)), (code, true), "{}", ran.err);
    };
    explored(0, "hound: bare has no debug information: it is not explored");
    support::file(&ebin, "broken.beam", "no module");
    explored(2, "broken.beam is not a compiled module");
    let ran = hound(&["explore", &sources]);
    assert_eq!((ran.code, ran.out.contains("0 findings; 0 crash, 2 safe")), (0, true), "{}{}", ran.out, ran.err);
}

#[test]
fn misuse_is_reported_and_exit_code_2() {
    for (words, message) in [
        (&["explore", TILL, "discount/3"][..], "no function till:discount/3: till exports discount/2"),
        (&["explore", TILL, "discout/2"][..], "till exports no discout; did you mean discount/2?"),
        (&["explore", TILL, "add_line/2"][..], "till has it but does not export it"),
        (&["explore", "crates/cli/tests/snapshots"][..], "there is no code in it"),
        (&["explore", "nosuchmodule"][..], "no module nosuchmodule"),
        (&["explore", "nosuch.erl"][..], "no such file or directory: nosuch.erl"),
        (
            &["explore", "--ignore", "panic", TILL][..],
            "--ignore panic: `panic` is no class of exception: error, exit or throw",
        ),
        (
            &["explore", "--pre", "eval/1", TILL, "discount/2"][..],
            "--pre eval/1: till:discount/2 has another number of arguments",
        ),
        (
            &["explore", "--pre", "valid/2", TILL, "discount/2"][..],
            "--pre valid/2: no function till:valid/2: till has no valid",
        ),
        (&["explore", "--pre", "add_lin/2", TILL, "discount/2"][..], "till has no add_lin; did you mean add_line/2?"),
        (&["explore", "--pre", "valid", TILL, "discount/2"][..], "--pre valid: "),
    ] {
        let ran = hound(words);
        assert_eq!(ran.code, 2, "{words:?}");
        assert!(ran.err.contains(message), "{words:?}: {}", ran.err);
    }
}

/// A crash, an effect that is refused, a function that stands for native code, and one that goes on for ever.
const PARTLY: &str = "\
-module(partly).
-export([some/1, stub/1, endless/1]).

-spec some(1..3) -> any().
some(1) -> error(one);
some(2) -> file:delete(\"precious\");
some(3) -> ok.

stub(_) -> erlang:nif_error(not_loaded).

-spec endless([0..3]) -> any().
endless([]) -> ok;
endless([X | T]) when X > 1 -> endless(T);
endless([_ | T]) -> endless(T).
";

#[test]
fn what_was_not_run_is_reported_once_and_with_a_place_if_it_has_one() {
    let path = file(&folder("explore_partly"), "partly.erl", PARTLY);
    let ran = hound(&["explore", "--runs", "20", &path]);
    let native = "refused: partly:stub/1 was refused (runs native code that is not known to be harmless)";
    for sentence in [
        "partly:some/1: not all of it was explored\n  refused: file:delete/1 was refused (reads or writes files), in partly:some/1 (",
        native,
        "the bound on runs was reached before all branches were tried (--runs N allows more)\n",
    ] {
        assert!(ran.out.contains(sentence), "{sentence}: {}", ran.out);
    }
}

/// Every execution is shown with its end, written to a file that programs read, and bounded.
#[test]
fn executions_are_shown_and_written() {
    let folder = folder("executions");
    let traces = folder.join("traces");
    let traces = traces.to_str().expect("UTF-8");
    let ran = hound(&["explore", "--paths", "--trace", traces, TILL, "discount/2", "round_up/1"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for text in [
        "till:discount/2: executions\n     1  till:discount(1, a)  gives 1\n        discount/2 clause 3 (line 18)\n",
        "  till:discount(1004, staff)  raises error:{forgotten_code,1004}\n        discount/2 clause 1 (line 16)\n",
        "till:round_up/1: executions\n     1  till:round_up(0)  gives 0\n",
    ] {
        assert!(ran.out.contains(text), "no {text:?} in\n{}", ran.out);
    }
    let written = std::fs::read_to_string(format!("{traces}/till.discount-2.jsonl")).expect("a file");
    let lines: Vec<serde_json::Value> = written.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let crash = lines.iter().find(|line| line["outcome"] == "exception").expect("a crash");
    assert_eq!((lines.len(), &crash["reason"]), (7, &"{forgotten_code,1004}".into()));
    assert!(lines.iter().all(|line| !line["path"].as_array().expect("a path").is_empty()));
    assert!(
        lines.iter().any(|line| line["conditions"].as_array().expect("conditions").contains(&"X2 =:= staff".into()))
    );

    let ran = hound(&["explore", "--paths", "--format", "json", TILL, "round_up/1", "eval/1"]);
    let lines: Vec<serde_json::Value> = ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let counts: Vec<usize> = lines.iter().map(|line| line["executions"].as_array().map_or(0, Vec::len)).collect();
    assert!(counts.contains(&2) && counts.contains(&1000), "{counts:?}");
    let ran = hound(&["explore", "--paths", TILL, "eval/1"]);
    assert!(ran.out.contains("\n  and ") && ran.out.contains(" more paths\n"), "{}", &ran.out[ran.out.len() - 600..]);
}
