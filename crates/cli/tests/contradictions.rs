//! Contradictions that are found without a budget: in the linear part, by residues, by what angles and waves can be. What
//! has a solution is never taken for one.

mod support;

use host::{CallResult, ErlOptions, Host, Options, Source};
use serde_json::Value;
use support::{file, folder, hound};
use term::{Call, Outcome};

/// Each has no solution.
const NEVER: [&str; 30] = [
    "x: integer\nx*x rem 4 == 3\n",
    "x: integer\nx*x rem 16 == 12\n",
    "x: integer\nx*x rem 5 > 1 and x*x rem 5 < 4\n",
    "x: integer\nx*x band 3 == 2\n",
    "x: integer\nx*x*x rem 9 == 4\n",
    "x: integer\nx*x rem 29 == 3\n",
    "x, y: integer\nx*x + y*y == 4000003\n",
    "x, y: integer\nx*x - 3*y*y == 2\n",
    "x, y, z: integer\nx*x + y*y + z*z == 800007\n",
    "x: integer\n(x*x + x) rem 2 =/= 0\n",
    "x, y: integer\nx rem 2 == 0 and x*y rem 2 == 1\n",
    "x, y: integer\nx band 1 == 1 and y band 1 == 1 and (x*y) band 1 == 0\n",
    "x, y: integer\nx rem 3 == 0 and x*y*y rem 3 == 2\n",
    "x, y: integer\nx + y > 10\nx + y < 5\nx*x*x - y*y == 17\n",
    "x, y, z: integer\nx - y > 3\ny - z > 3\nz - x > -5\nx*y*z == 1001\n",
    "x, y: integer\n6*x + 15*y == 7\nx*y rem 13 == 5\n",
    "x, y, z: float\nx - y > 1.0\ny - z > 1.0\nz - x > 1.0\nsin(x)*y == z\n",
    "x, y: float\nx + y == 10.0\nx - y == 4.0\nx > 8.0\nexp(y) > x\n",
    "x, y: float in -100..100\n0.1*x + 0.2*y > 3.0\nx + 2*y < 29.0\nsin(x) == cos(y)\n",
    "n: integer\nx: float\nn*n rem 4 == 2 and sin(x + n) > 0.5\n",
    "x, y: float\natan2(x, y) > 3.2\n",
    "x, y: float\natan2(x, y) < -pi\n",
    "x, y: float\nx > 0.0 and atan2(x, y) < -0.1\n",
    "x: float\nsin(x)*sin(x) + cos(x)*cos(x) > 1.1\n",
    "x: float\npow(sin(x), 2) + pow(cos(x), 2) < 0.999\n",
    "x: float\n3.0*(sin(x)*sin(x)) + 3.0*(cos(x)*cos(x)) == 4.0\n",
    "x: float\nsin(x) + cos(x) > 1.5\n",
    "x: float\nsin(x)*cos(x) < -0.6\n",
    "x: float\ncosh(x) < 1.0\n",
    "x, y: float\n2*sin(x) - 3*cos(y) > 5.5\n",
];

/// Each has a solution, if only by rounding.
const ONCE: [&str; 12] = [
    "x: integer\nx*x rem 4 == 1 and x > 1000\n",
    "x: integer\nx*x rem 29 == 5\n",
    "x, y: integer\nx*x + y*y == 4000001\n",
    "x, y: integer\nx rem 2 == 1 and x*y rem 2 == 0 and y > 7\n",
    "x: float\nsin(x)*sin(x) + cos(x)*cos(x) < 1.0\n",
    "x: float\nsin(x)*sin(x) + cos(x)*cos(x) > 1.0\n",
    "x: float\nsin(x)*sin(x) + cos(x)*cos(x) == 1.0\n",
    "x: float\nx + 1.0 == x\n",
    "x, y: float\n(x + y) - x /= y and x > 1.0 and y > 1.0\n",
    "x: float\n0.1*x + 0.2*x > 0.30000000000000001*x and x > 1.0\n",
    "x, y: float\natan2(x, y) == pi\n",
    "x: float\nsin(x) + cos(x) > 1.414\n",
];

#[test]
fn contradictions_are_proved_and_solutions_never_refuted() {
    let folder = folder("contradictions");
    for (at, text) in NEVER.iter().enumerate() {
        let ran = hound(&["solve", &file(&folder, &format!("never{at}.cond"), text)]);
        assert!(ran.out.starts_with("there is no solution; proved by ") && ran.code == 1, "{text}: {ran:?}");
    }
    for (at, text) in ONCE.iter().enumerate() {
        let ran = hound(&["solve", "--evaluations", "50000", &file(&folder, &format!("once{at}.cond"), text)]);
        assert!(!ran.out.starts_with("there is no solution"), "{text}: {ran:?}");
    }
}

/// Conditions that `solve` refutes, `explore` refutes too: functions named so can never come to their errors.
#[test]
fn explorations_prove_what_conditions_alone_are_proved_of() {
    let ran = hound(&["explore", "--format", "json", "crates/cli/tests/contradictions/never.erl"]);
    let lines = ran.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut judged = 0;
    for one in lines.filter(|line| line["kind"] == "function") {
        let name = one["function"].as_str().unwrap();
        let wanted = if name.contains("_never/") { "safe" } else { "crash" };
        assert_eq!(one["verdict"], wanted, "{one}");
        judged += 1;
    }
    assert_eq!(judged, 11, "{ran:?}");
}

/// The VM's own functions give nothing outside of the ranges that the proofs rest on.
#[test]
fn the_vm_keeps_to_the_ranges() {
    let mut host = Host::start(Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let path = support::top().join("crates/cli/tests/contradictions/ranges.erl");
    let extracted = host.extract(Source::ErlFile { path, options: ErlOptions::default() }).expect("it compiles");
    let folder = folder("ranges");
    std::fs::write(folder.join("ranges.beam"), extracted.beam.expect("a module")).expect("written");
    let mut truth = Host::start(Options { paths: vec![folder], ..Options::default() }).expect("a VM");
    let call = Call::read("ranges:broken(100000)").expect("a call");
    let CallResult::Ended(Outcome::Value(broken)) = truth.call(&call) else { panic!("it has a value") };
    assert_eq!(broken.to_string(), "[]");
}

/// A fun may call the fun that it is called with, and give something else for each: what only such a fun meets is not
/// refuted.
#[test]
fn funs_of_a_program_are_not_all_alike_to_an_input_fun() {
    let source = "-module(apart).\n-export([both/1, equal/1, atoms/1, captured/2, listed/1, same/1, once/1, entered/1, kept/1]).\n\
        -type inner() :: fun((integer()) -> integer()).\n\
        -spec both(fun((inner()) -> integer())) -> ok.\n\
        both(F) -> case {F(fun(X) -> X * 3 end), F(fun(_) -> 5 end)} of {0, 5} -> error(bug); _ -> ok end.\n\
        -spec equal(fun((inner()) -> integer())) -> ok.\n\
        equal(F) -> case F(fun(X) -> X * 3 end) =:= F(fun erlang:abs/1) of true -> ok; false -> error(bug) end.\n\
        -spec atoms(fun((fun(() -> atom())) -> atom())) -> ok.\n\
        atoms(F) -> {A, B} = {F(fun() -> yes end), F(fun() -> no end)}, if A =/= B -> error(bug); true -> ok end.\n\
        -spec captured(fun((inner(), integer()) -> integer()), integer()) -> ok.\n\
        captured(F, N) -> case F(fun(X) -> X + N end, 1) - F(fun(X) -> X + N end, 2) of 1 -> error(bug); _ -> ok end.\n\
        -spec listed(fun(([inner()]) -> integer())) -> ok.\n\
        listed(F) -> case [F([G]) || G <- [fun(X) -> X end, fun(_) -> 0 end]] of [A, A] -> ok; _ -> error(bug) end.\n\
        -spec same(fun((inner()) -> integer())) -> ok.\n\
        same(F) -> G = fun(X) -> X + 1 end, case F(G) =:= F(G) of true -> ok; false -> error(never) end.\n\
        -spec once(fun((inner()) -> integer())) -> ok.\n\
        once(F) -> case F(fun(X) -> X + 1 end) of 7 -> error(bug); _ -> ok end.\n\
        -spec entered(fun((inner()) -> integer())) -> ok.\n\
        entered(F) -> F(fun(0) -> error(bug); (X) -> X end), ok.\n\
        -spec kept(fun((fun(() -> ok)) -> ok)) -> ok.\n\
        kept(F) -> F(fun() -> put(k, 1), ok end), case get(k) of 1 -> error(bug); _ -> ok end.\n";
    let apart = file(&folder("contradictions_apart"), "apart.erl", source);
    let ran = hound(&["explore", "--no-cache", "--format", "json", &apart]);
    let lines = ran.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let verdicts: Vec<(String, String)> = lines
        .filter(|line| line["kind"] == "function")
        .map(|line| ["function", "verdict"].map(|key| line[key].as_str().unwrap_or_default().to_owned()).into())
        .collect();
    assert_eq!(verdicts.len(), 9, "{ran:?}");
    for (function, verdict) in verdicts {
        let wanted = match function.as_str() {
            "apart:once/1" => "crash",
            _ => "incomplete",
        };
        assert_eq!(verdict, wanted, "{function}");
    }
}
