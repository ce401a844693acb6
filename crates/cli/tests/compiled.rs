//! Modules that the compiler changes after their Core Erlang: nothing is proved about them, and `run` gives no value.

mod support;

use support::{file, folder, hound, succeed};

const ZEROS: &str = "-module(zeros).
-export([made/1, f/1, g/1, crash/1, one/1, neither/1]).
made(a) -> {x, 0.0};
made(b) -> {x, -0.0}.
-spec f(a | b) -> ok.
f(X) -> {x, V} = made(X), case <<V/float>> of <<0:1, _:63>> -> ok; _ -> error(bug) end.
-spec g(b) -> ok.
g(X) -> {x, V} = made(X), case <<V/float>> of <<1:1, _:63>> -> ok; _ -> error(hidden) end.
-spec crash(a | b) -> ok.
crash(a) -> ok;
crash(b) -> error({x, -0.0}).
-spec one(integer()) -> float().
one(N) -> N * 2.5.
-spec neither(integer()) -> integer().
neither(N) -> N + 0.
";

/// Before OTP 27 the compiler makes one constant of those that differ in the sign of a zero only.
#[test]
fn nothing_is_proved_where_both_zeros_are_constants() {
    let path = file(&folder("compiled_zeros"), "zeros.erl", ZEROS);
    let same = support::shell(&["list_to_float(\"0.0\") =:= list_to_float(\"-0.0\")"])[0].trim() == "true";
    let ran = hound(&["explore", "--all", &path]);
    assert!(ran.out.contains("zeros:neither/1  safe        yes"), "{}", ran.out);
    assert!(ran.out.contains("= call: zeros:crash(b)\n"), "{}", ran.out);
    if !same {
        return;
    }
    let reason = "the compiled zeros:made/1 may differ from what was run: \
                  the compiler may have made one constant of 0.0 and -0.0";
    for function in ["f/1", "g/1"] {
        let ran = hound(&["explore", "--all", &path, function]);
        assert!(ran.out.contains("incomplete") && ran.out.contains(reason), "{}", ran.out);
    }
    let ran = hound(&["reach", &format!("{path}:8"), "--entry", "g/1"]);
    assert!(!ran.out.contains("unreachable\n"), "{}", ran.out);
    let ran = hound(&["run", &path, "zeros:made(b)"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert!(ran.err.contains("the compiler may have made one constant of 0.0 and -0.0"), "{}", ran.err);
    assert_eq!(hound(&["run", &path, "zeros:neither(1)"]).out, "1\n");
}

/// What a `core_transform` makes of a module is seen by nothing but the compiled module.
#[test]
fn nothing_is_proved_of_a_module_that_a_core_transform_changed() {
    let folder = folder("compiled_transform");
    let text = "-module(swap).\n-export([core_transform/2]).\n\
                core_transform(Core, _) -> cerl_trees:map(fun swap/1, Core).\n\
                swap({c_literal, Anno, kept}) -> {c_literal, Anno, changed};\nswap(Node) -> Node.\n";
    file(&folder, "swap.erl", text);
    succeed("erlc", &["swap.erl"], &folder);
    let text = "-module(swapped).\n-compile({core_transform, swap}).\n-export([f/1]).\n\
                -spec f(1..3) -> kept.\nf(_) -> case kept() of kept -> kept; _ -> error(bug) end.\nkept() -> kept.\n";
    let path = file(&folder, "swapped.erl", text);
    succeed("erlc", &["+debug_info", "-pa", ".", "swapped.erl"], &folder);
    let pa = folder.display().to_string();
    for path in [&path, &path.replace(".erl", ".beam")] {
        let ran = hound(&["explore", "--all", "--pa", &pa, path]);
        let reason =
            "the compiled swapped:f/1 may differ from what was run: the core_transform swap may have changed it";
        assert!(
            ran.out.contains("0 findings; 0 crash, 0 safe, 1 incomplete") && ran.out.contains(reason),
            "{}",
            ran.out
        );
    }
}

/// An update whose value is not needed is not made, so that it does not fail.
#[test]
fn nothing_is_proved_where_the_compiler_left_an_update_out() {
    let text = "-module(updates).\n-export([dropped/1, kept/1, lifted/1]).\n\
                -spec dropped(#{}) -> ok.\n\
                dropped(M) -> try _ = M#{k := 1}, error(bug) catch error:{badkey, _} -> ok end.\n\
                -spec kept(#{}) -> map().\n\
                kept(M) -> try M#{k := 1} catch error:{badkey, _} -> M end.\n\
                -spec lifted(#{k := 1..2}) -> [map()].\n\
                lifted(M) -> [M#{k := X, j => 1} || X <- [1, 2]] ++ lists:map(fun(X) -> M#{k := X} end, [1, 2]).\n";
    let path = file(&folder("compiled_updates"), "updates.erl", text);
    let ran = hound(&["explore", "--all", &path]);
    let reason = "the compiled updates:dropped/1 may differ from what was run: \
                  the compiler has left out an update of a map whose value is not needed";
    assert!(ran.out.contains("updates:dropped/1: incomplete") && ran.out.contains(reason), "{}", ran.out);
    assert!(ran.out.contains("0 findings; 0 crash, 2 safe, 1 incomplete"), "{}", ran.out);
}

/// An improper list is a bad generator as a whole where the compiled code asks for its length first.
#[test]
fn comprehensions_ask_for_lengths_as_compiled_code_does() {
    let text = "-module(sizes).\n-export([f/1, caught/1, filtered/1, nested/2, sized/2, both/2]).\n\
                -spec f(maybe_improper_list(0..1, end_of)) -> bitstring().\nf(L) -> << <<X:9>> || X <- L >>.\n\
                -spec caught(nonempty_improper_list(a, b)) -> ok.\n\
                caught(L) -> try f(L), ok catch error:badarg -> ok end.\n\
                filtered(L) -> << <<X:9>> || X <- L, X > 1 >>.\n\
                nested(L, M) -> << <<X:9, Y>> || X <- L, Y <- M >>.\n\
                -spec sized([1], a | 8) -> any().\n\
                sized(L, S) -> try << <<X:S>> || X <- L >> catch error:badarg -> ok end.\n\
                both(L, M) -> {<< <<X:9>> || X <- L >>, << <<X:9>> || X <- M, X > 1 >>}.\n";
    let folder = folder("compiled_sizes");
    let path = file(&folder, "sizes.erl", text);
    succeed("erlc", &["sizes.erl"], &folder);
    let pa = folder.display().to_string();
    assert_eq!(hound(&["run", "binary:encode_hex(<<1, 254>>)"]).out, "<<\"01FE\">>\n");
    for list in ["[1,2|3]", "[a|b]", "[a,1]", "[1,2]", "[]", "x"] {
        for function in ["f", "filtered"] {
            let call = format!("catch sizes:{function}({list})");
            let taken = format!("case {call} of {{'EXIT', {{Reason, _}}}} -> Reason; Value -> Value end");
            let on_vm = support::shell(&[&format!("code:add_patha({pa:?})"), &taken]);
            let ran = hound(&["run", "--pa", &pa, &path, &taken]);
            assert_eq!(ran.out.trim(), on_vm[1].trim(), "{call}: {}", ran.err);
        }
    }
    let ran = hound(&["explore", "--all", "--runs", "200", &path, "f/1", "caught/1"]);
    assert!(ran.out.contains("bad_generator") && !ran.out.contains("not be confirmed"), "{}", ran.out);
    assert!(!ran.out.contains("sizes:caught/1  safe"), "{}", ran.out);
    let reason = "the compiled code computes the size of a bit string comprehension before its elements";
    for call in ["sizes:nested([], [])", "sizes:sized([], 8)", "sizes:both([], [])"] {
        let ran = hound(&["run", &path, call]);
        assert!(ran.code == 2 && ran.err.contains(reason), "{call}: {}{}", ran.out, ran.err);
    }
    let ran = hound(&["explore", "--all", "--runs", "200", &path, "sized/2"]);
    assert!(ran.out.contains("incomplete") && ran.out.contains(reason), "{}", ran.out);
}

/// The value in a `case_clause` may be the opposite of the comparison.
#[test]
fn nothing_is_proved_where_a_comparison_may_be_negated() {
    let text = "-module(negated).\n-export([f/3, g/3]).\n-spec f(0..1, 0..1, 0..1) -> ok.\n\
                f(A, B, C) -> try case A =< B of true when C =:= 1 -> ok end\n\
                              catch error:{case_clause, true} -> ok; error:{case_clause, false} when A > B -> ok end.\n\
                -spec g(0..1, 0..1, 0..1) -> ok.\n\
                g(A, B, _) -> case A =< B of true -> ok; false -> ok end.\n";
    let path = file(&folder("compiled_negated"), "negated.erl", text);
    let ran = hound(&["explore", "--all", &path]);
    let reason = "the compiled negated:f/3 may differ from what was run: \
                  the compiled code may name the opposite of a comparison that no clause of a case matches";
    assert!(ran.out.contains("negated:f/3: incomplete") && ran.out.contains(reason), "{}", ran.out);
    assert!(ran.out.contains("0 findings; 0 crash, 1 safe, 1 incomplete"), "{}", ran.out);
}
