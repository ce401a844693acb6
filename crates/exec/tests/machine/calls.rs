//! Calls of every kind.

use crate::world::outcome;

#[test]
fn arguments_reach_their_places_whatever_order_they_come_in() {
    let text = "function m:f/3 (%0, %1, %2) captured 0 registers 8
b0:
  %3 = call local m:g/3(%2, %0, %1)
  %4 = call local m:g/3(%3, %3, %0)
  tailcall local m:g/3(%2, %4, %2)
---
function m:g/3 (%0, %1, %2) captured 0 registers 4
b0:
  %3 = tuple(%0, %1, %2)
  return %3";
    assert_eq!(outcome(text, "f", "a, b, c"), "{c,{{c,a,b},{c,a,b},a},c}");
}

#[test]
fn unread_arguments_and_values_are_dropped() {
    let text = "function m:f/3 (%0, %1, %2) captured 0 registers 8
b0:
  %3 = call local m:g/2(%1, %1)
  %4 = tuple(%1, %1)
  return %1
---
function m:g/2 (%0, %1) captured 0 registers 4
b0:
  return [1]";
    assert_eq!(outcome(text, "f", "[x], {y}, [z]"), "{y}");
}

const FUNS: &str = "function m:f/2 (%0, %1) captured 0 registers 4
b0:
  %2 = closure m:'-f/2-fun-0-'/3(%0, %1)
  %3 = call fun %2(7)
  return %3

function m:'-f/2-fun-0-'/3 (%0, %1, %2) captured 2 registers 4
b0:
  %3 = tuple(%0, %1, %2)
  return %3
---
function m:apply/2 (%0, %1) captured 0 registers 3
b0:
  tailcall remote erlang:apply(%0, %1)
---
function m:apply3/3 (%0, %1, %2) captured 0 registers 4
b0:
  %3 = call remote erlang:apply(%0, %1, %2)
  return %3
---
function m:named/3 (%0, %1, %2) captured 0 registers 4
b0:
  %3 = call remote %0:%1(%2)
  return %3
---
function m:call/2 (%0, %1) captured 0 registers 3
b0:
  tailcall fun %0(%1) @9:1
---
function m:unnamed/1 (%0) captured 0 registers 3
b0:
  tailcall remote 1:x(%0) @9:1
---
function m:make/1 (%0) captured 0 registers 3
b0:
  %1 = closure m:'-make/1-fun-0-'/2(%0)
  %2 = call local m:call/2(%1, 5)
  return %2

function m:'-make/1-fun-0-'/2 (%0, %1) captured 1 registers 3
b0:
  %2 = call remote erlang:'+'(%0, %1)
  return %2
---
function m:wrong/0 () captured 0 registers 3
b0:
  %1 = closure m:'-wrong/0-fun-0-'/2()
  %2 = call local m:call/2(%1, 5)
  return %2

function m:'-wrong/0-fun-0-'/2 (%0, %1) captured 0 registers 3
b0:
  return %0
---
function erlang:spawn/3 (%0, %1, %2) captured 0 registers 4
b0:
  tailcall remote erlang:nif_error(undefined)
---
function file:delete/1 (%0) captured 0 registers 4
b0:
  return ok
---
function vendor:native/1 (%0) captured 0 registers 4
b0:
  %1 = call remote erlang:nif_error(undefined)
  return %1";

#[test]
fn closures_get_their_arguments_and_then_what_they_captured() {
    assert_eq!(outcome(FUNS, "f", "a, b"), "{7,a,b}");
    assert_eq!(outcome(FUNS, "make", "4"), "9");
}

#[test]
fn apply_takes_funs_names_and_lists() {
    assert_eq!(outcome(FUNS, "apply", "fun m:make/1, [4]"), "9");
    assert_eq!(outcome(FUNS, "apply", "fun erlang:element/2, [2, {a, b}]"), "b");
    assert_eq!(outcome(FUNS, "apply3", "m, f, [1, 2]"), "{7,1,2}");
    assert_eq!(outcome(FUNS, "apply3", "erlang, apply, [m, f, [1, 2]]"), "{7,1,2}");
    assert_eq!(outcome(FUNS, "named", "erlang, hd, [1]"), "1");
    assert_eq!(outcome(FUNS, "call", "fun m:make/1, 6"), "11");
}

#[test]
fn wrong_funs_are_errors() {
    assert_eq!(outcome(FUNS, "call", "7, 1"), "error:{badfun,7} [{m,call,2,[{file,\"m.erl\"},{line,9}]}]");
    assert!(outcome(FUNS, "wrong", "").starts_with("error:{badarity,{#Fun<"));
    assert!(
        outcome(FUNS, "apply", "fun m:make/1, [1|x]").starts_with("error:badarg [{erlang,apply,[fun m:make/1,[1|x]]")
    );
    assert!(outcome(FUNS, "named", "1, x, y").starts_with("error:badarg [{erlang,apply,[1,x,[y]]"));
    assert!(outcome(FUNS, "unnamed", "y").starts_with("error:badarg [{erlang,apply,[1,x,[y]]"));
}

#[test]
fn functions_that_do_not_exist_are_undefined() {
    let trace = "[{m,nope,[1],[]},{m,apply3,3,[]}]";
    assert_eq!(outcome(FUNS, "apply3", "m, nope, [1]"), format!("error:undef {trace}"));
    assert_eq!(outcome(FUNS, "nope", "1, 2"), "error:undef [{m,nope,[1,2],[]}]");
}

/// What stands in a module for a function that the VM implements itself.
fn stub(function: &str, arity: usize) -> String {
    let params: Vec<String> = (0..arity).map(|at| format!("%{at}")).collect();
    let head = format!("function {function}/{arity} ({}) captured 0 registers {arity}", params.join(", "));
    format!("{head}\nb0:\n  tailcall remote erlang:nif_error(undefined)")
}

#[test]
fn what_cannot_be_run_ends_the_run() {
    let text = [FUNS, &stub("erlang:spawn", 3), &stub("file:delete", 1)].join("\n---\n");
    assert_eq!(outcome(FUNS, "apply3", "broken, f, []"), "broken module broken (it is no module) at m:apply3/3");
    assert!(outcome(&text, "apply3", "erlang, spawn, [m, f, []]").starts_with("unsupported erlang:spawn/3"));
    assert!(outcome(&text, "apply3", "file, delete, [\"x\"]").starts_with("refused file:delete/1"));
    assert!(outcome(FUNS, "apply3", "vendor, native, [x]").starts_with("refused vendor:native/1 (runs native code"));
}
