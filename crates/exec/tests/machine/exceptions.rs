//! Exceptions: raising, catching, traces.

use crate::world::{outcome, shown};

const CATCHING: &str = "function m:f/1 (%0) captured 0 registers 9 @1:1
b0:
  jump b1
b1: handler b3
  %1 = call local m:g/1(%0) @3:5
  jump b2
b2:
  %2 = tuple(ok, %1, %0)
  return %2
b3: catch(%3, %4, %5)
  %6 = primitive build_stacktrace(%5)
  %7 = tuple(%3, %4, %6, %0)
  return %7
---
function m:g/1 (%0) captured 0 registers 5 @20:1
b0:
  branch literal throw (%0) yes b1 no b2
b1:
  %1 = call remote erlang:throw(%0) @21:1
  return %1
b2:
  branch literal exit (%0) yes b3 no b4
b3:
  %1 = call remote erlang:exit(bye) @22:1
  return %1
b4:
  branch literal clause (%0) yes b5 no b6
b5:
  raise function_clause(%0) @20:1
b6:
  branch literal error (%0) yes b7 no b8
b7:
  tailcall remote erlang:error(why, [x]) @23:1
b8:
  branch literal match (%0) yes b9 no b10
b9:
  raise error({badmatch,7}) @24:1
b10:
  branch literal raise (%0) yes b11 no b12
b11:
  %1 = call remote erlang:raise(exit, mine, [{a,b,1,[]}]) @25:1
  return %1
b12:
  branch literal badraise (%0) yes b13 no b14
b13:
  %1 = call remote erlang:raise(exit, mine, nothing) @25:1
  return %1
b14:
  %2 = call remote erlang:'+'(%0, 1) @26:1
  %3 = call local m:tail/1(%2) @27:1
  return %3
---
function m:tail/1 (%0) captured 0 registers 2 @30:1
b0:
  tailcall remote nomodule:nofunction(%0) @31:1";

fn place(function: &str, line: u32) -> String {
    format!("{{m,{function},1,[{{file,\"m.erl\"}},{{line,{line}}}]}}")
}

#[test]
fn handlers_get_class_reason_and_trace() {
    let caught = |arg: &str| outcome(CATCHING, "f", arg);
    let traced = |line: u32| format!("[{},{}]", place("g", line), place("f", 3));
    assert_eq!(caught("throw"), format!("{{throw,throw,{},throw}}", traced(21)));
    assert_eq!(caught("exit"), format!("{{exit,bye,{},exit}}", traced(22)));
    assert_eq!(caught("match"), format!("{{error,{{badmatch,7}},{},match}}", traced(24)));
    assert_eq!(caught("raise"), "{exit,mine,[{a,b,1,[]}],raise}");
    assert_eq!(caught("badraise"), "{ok,badarg,badraise}");
}

#[test]
fn function_clause_shows_the_arguments_and_not_the_arity() {
    let shown = |args: &str, line| format!("[{{m,g,{args},[{{file,\"m.erl\"}},{{line,{line}}}]}},{}]", place("f", 3));
    assert_eq!(outcome(CATCHING, "f", "clause"), format!("{{error,function_clause,{},clause}}", shown("[clause]", 20)));
    assert_eq!(outcome(CATCHING, "f", "error"), format!("{{error,why,{},error}}", shown("[x]", 23)));
}

#[test]
fn a_function_that_gave_its_place_away_is_not_in_the_trace() {
    let trace = format!("[{{nomodule,nofunction,[8],[]}},{},{}]", place("g", 27), place("f", 3));
    assert_eq!(outcome(CATCHING, "f", "7"), shown(&format!("{{error,undef,{trace},7}}")));
}

#[test]
fn exceptions_go_on_as_they_were() {
    let text = "function m:f/1 (%0) captured 0 registers 9 @1:1
b0: handler b2
  %1 = call remote erlang:hd(%0) @3:5
  jump b1
b1:
  return %1
b2: catch(_, %4, %5)
  raise again(%4, %5)";
    let trace = "[{erlang,hd,[x],[{error_info,#{module => erl_erts_errors}}]},{m,f,1,[{file,\"m.erl\"},{line,3}]}]";
    assert_eq!(outcome(text, "f", "x"), format!("error:badarg {trace}"));
    assert_eq!(outcome(text, "f", "[a]"), "a");
}

#[test]
fn what_only_the_handler_reads_survives_the_call() {
    let text = "function m:f/2 (%0, %1) captured 0 registers 9 @1:1
b0: handler b2
  %2 = tuple(%0, %1)
  %3 = call local m:g/1(%0)
  jump b1
b1:
  return %3
b2: catch(_, %4, _)
  %5 = tuple(%4, %1)
  return %5
---
function m:g/1 (%0) captured 0 registers 9 @1:1
b0:
  branch cons(%0) -> (%1, %2) yes b1 no b2
b1:
  %3 = call local m:g/1(%2)
  %4 = cons(%1, %3)
  return %4
b2:
  raise error(%0)";
    assert_eq!(outcome(text, "f", "[[a],b|c], {x}"), "{c,{x}}");
}

#[test]
fn what_is_written_before_it_can_raise_is_not_alive_before_that() {
    // Alive from the beginning, %2 would be dropped on the way to b3, out of the slot that it shares with %0.
    let text = "function m:f/1 (%0) captured 0 registers 5 @1:1
b0:
  branch map_key(%0, a) -> (_) yes b1 no b3
b1: handler b2
  %2 = copy 1.0
  %3 = call remote erlang:hd(%2)
  return %3
b2: catch(_, %4, _)
  %3 = tuple(%2, %4)
  return %3
b3:
  %3 = tuple(%0)
  return %3";
    assert_eq!(outcome(text, "f", "b"), shown("{b}"));
    assert_eq!(outcome(text, "f", "#{a => 1}"), shown("{1.0,badarg}"));
}

#[test]
fn recursion_shows_once_and_traces_end_after_eight() {
    let text = "function m:f/1 (%0) captured 0 registers 9 @1:1
b0:
  branch literal 0 (%0) yes b1 no b2
b1:
  raise error(deep) @2:1
b2:
  %1 = call remote erlang:'-'(%0, 1) @3:1
  %2 = call local m:f/1(%1) @3:2
  %3 = tuple(%2)
  return %3
---
function m:start/0 () captured 0 registers 9 @10:1
b0:
  %1 = call local m:f/1(20) @11:1
  %2 = tuple(%1)
  return %2";
    let start = "{m,start,0,[{file,\"m.erl\"},{line,11}]}";
    assert_eq!(outcome(text, "start", ""), format!("error:deep [{},{},{start}]", place("f", 2), place("f", 3)));
    let many: Vec<String> = (0..12)
        .map(|at| {
            format!(
                "function m:f{at}/1 (%0) captured 0 registers 3 @1:1\nb0:\n  %1 = call local m:f{}/1(%0) @{}:1\n  \
                 %2 = tuple(%1)\n  return %2",
                at + 1,
                at + 100
            )
        })
        .chain(["function m:f12/1 (%0) captured 0 registers 3 @1:1\nb0:\n  raise error(%0) @112:1".to_string()])
        .collect();
    let shown: Vec<String> = (105..=112).rev().map(|line| place(&format!("f{}", line - 100), line)).collect();
    assert_eq!(outcome(&many.join("\n---\n"), "f0", "x"), format!("error:x [{}]", shown.join(",")));
}
