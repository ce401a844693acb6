//! Start inputs: calls among the words of an exploration.

mod support;

use serde_json::Value;
use support::{Ran, file, folder, hound};

const SOURCE: &str = "-module(start).\n-export([f/2, g/1, h/1, kept/1, new/0, add/2, open/1]).\n-export_type([bag/0]).\n\
    -opaque bag() :: [integer()].\n\
    -spec f(integer(), integer()) -> ok.\n\
    f(X, Y) ->\n    case Y =:= 42 andalso X * X * X - 7 * X =:= 35706 of true -> error(deep); false -> ok end.\n\
    -spec g([atom() | {key, binary()}]) -> ok.\n\
    g([_, {key, B} | _]) when B =:= <<1, 2, 3>> -> error(key);\ng(_) -> ok.\n\
    h(X) -> case X of {a, [_ | _], #{k := 9}} -> error(shape); _ -> ok end.\n\
    kept(N) -> N > 3.\n\
    -spec new() -> bag().\nnew() -> [].\n-spec add(integer(), bag()) -> bag().\nadd(X, Bag) -> [X | Bag].\n\
    -spec open(bag()) -> ok.\nopen([]) -> ok;\nopen(_) -> ok.\n";

fn source(name: &str) -> String {
    file(&folder(name), "start.erl", SOURCE)
}

fn explored(ran: &Ran) -> Vec<Value> {
    assert!(matches!(ran.code, 0 | 1), "{}", ran.err);
    let lines = ran.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
    lines.filter(|line| line["kind"] != "summary").collect()
}

fn call(line: &Value) -> &Value {
    &line["findings"][0]["call"]
}

#[test]
fn a_start_input_is_the_first_run() {
    let source = source("starts_first");
    let explore = |words: &[&str]| {
        explored(&hound(&[&["explore", "--no-cache", "--format", "json", "--runs", "1", &source][..], words].concat()))
    };
    for (words, found) in [
        (vec!["start:f(33, 42)"], vec!["start:f(33, 42)"]),
        // The one module need not be named.
        (vec!["f(33, 42)"], vec!["start:f(33, 42)"]),
        (vec!["start:g([a, {key, <<1, 2, 3>>}])"], vec!["start:g([a,{key,<<1,2,3>>}])"]),
        (vec!["start:h({a, [0], #{k => 9}})"], vec!["start:h({a,[0],#{k => 9}})"]),
        // Functions are explored in the order in which they are named or called.
        (vec!["h({a, [0], #{k => 9}})", "f(33, 42)"], vec!["start:h({a,[0],#{k => 9}})", "start:f(33, 42)"]),
    ] {
        let lines = explore(&words);
        let calls: Vec<&Value> = lines.iter().map(call).collect();
        assert_eq!(calls, found, "{words:?}");
    }
    // Without it one run finds nothing.
    assert_eq!(explore(&["f/2"])[0]["verdict"], "incomplete");
}

#[test]
fn several_start_inputs_of_one_function_run_in_their_order() {
    let source = source("starts_several");
    let words = ["explore", "--no-cache", "--format", "json", "--runs", "2", &source, "f/2", "f(1, 1)", "f(33, 42)"];
    let lines = explored(&hound(&words));
    assert_eq!(lines.len(), 1);
    assert_eq!((call(&lines[0]), &lines[0]["stats"]["runs"]), (&"start:f(33, 42)".into(), &2.into()));
}

#[test]
fn starts_that_cannot_be_are_mistakes_with_what_to_do() {
    let source = source("starts_mistakes");
    for (words, said) in [
        (vec!["start:nix(1)"], "no function start:nix/1"),
        (vec!["f(1)"], "start exports f/2"),
        (vec!["lists:nth(1, [a])"], "lists:nth/2 is not a function of the sources, whose modules are start"),
        (vec!["f(33, a)"], "argument 2 is a, and the spec wants integer(); only inputs of the spec are explored"),
        (vec!["g([1])"], "or try this call alone with `hound run`"),
        (vec!["f(X, 1)"], "with arguments that are terms, such as"),
        (vec!["f(33, 42"], "f(33, 42"),
        (vec!["h(1)", "--pre", "kept/1"], "start:kept/1 is not true for these inputs"),
        (vec!["open([1])"], "are made by calls, not written down"),
    ] {
        let ran = hound(&[&["explore", source.as_str()][..], &words].concat());
        assert!(ran.code == 2 && ran.err.contains(said), "{words:?}: {} {}", ran.code, ran.err);
        assert_eq!(ran.out, "", "{words:?}");
    }
    let ran = hound(&["explore", "--pre", "kept/1", &source, "h(4)"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
}
