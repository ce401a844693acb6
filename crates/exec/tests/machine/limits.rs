//! Budgets, deep recursion, tail calls, coverage.

use exec::forward::{Ending, Limits, Options};

use crate::world::{outcome, run_with};

const LOOPS: &str = "function m:deep/1 (%0) captured 0 registers 6 @1:1
b0:
  branch literal 0 (%0) yes b1 no b2
b1:
  return 0
b2:
  %2 = call remote erlang:'-'(%0, 1) @2:1
  %3 = call local m:deep/1(%2) @3:1
  tailcall remote erlang:'+'(1, %3)
---
function m:even/1 (%0) captured 0 registers 6
b0:
  branch literal 0 (%0) yes b1 no b2
b1:
  return true
b2:
  %2 = call remote erlang:'-'(%0, 1)
  tailcall local m:odd/1(%2)
---
function m:odd/1 (%0) captured 0 registers 6
b0:
  branch literal 0 (%0) yes b1 no b2
b1:
  return false
b2:
  %2 = call remote erlang:'-'(%0, 1)
  tailcall remote m:even(%2)
---
function m:build/2 (%0, %1) captured 0 registers 6
b0:
  branch literal 0 (%0) yes b1 no b2
b1:
  return %1
b2:
  %2 = call remote erlang:'-'(%0, 1)
  %3 = tuple(%1)
  tailcall local m:build/2(%2, %3)
---
function m:nested/1 (%0) captured 0 registers 6
b0:
  %1 = call local m:build/2(%0, x)
  return done";

fn with(name: &str, args: &str, limits: Limits) -> Ending {
    run_with(LOOPS, name, args, limits, Options::default()).ending
}

#[test]
fn a_million_nested_calls_take_little_memory() {
    let limits = Limits { memory: 128 << 20, ..Limits::default() };
    assert!(matches!(with("deep", "1000000", limits), Ending::Value(value) if value.as_i64() == Some(1_000_000)));
}

#[test]
fn tail_calls_take_no_memory() {
    let limits = Limits { memory: 16 << 10, ..Limits::default() };
    assert!(matches!(with("even", "300000", limits), Ending::Value(value) if value.as_bool() == Some(true)));
    let ending = with("deep", "300000", limits);
    assert_eq!(format!("{ending:?}"), "out of memory at m:deep/1 (m.erl:3)");
}

#[test]
fn the_step_budget_is_exact() {
    let steps = |steps| run_with(LOOPS, "even", "1000", Limits { steps, ..Limits::default() }, Options::default());
    let free = steps(u64::MAX);
    assert!(matches!(free.ending, Ending::Value(_)));
    assert!(matches!(steps(free.steps).ending, Ending::Value(_)));
    let cut = steps(free.steps - 1);
    assert!(matches!(cut.ending, Ending::OutOfSteps { .. }));
    assert_eq!(cut.steps, free.steps - 1);
}

#[test]
fn deep_terms_are_dropped_without_recursion() {
    assert_eq!(outcome(LOOPS, "nested", "300000"), "done");
}

#[test]
fn coverage_names_the_lines_and_clauses_that_ran() {
    let text = "function m:f/1 (%0) captured 0 registers 6
case 0 function [-, -]
b0:
  line 3
  branch literal 0 (%0) yes b1 no b2
b1:
  enter 0.0
  line 4
  return a
b2:
  enter 0.1
  line 5
  return b";
    let lines = |args| {
        let run = run_with(
            text,
            "f",
            args,
            Limits::default(),
            Options { coverage: true, clauses: true, ..Options::default() },
        );
        let seen = run.coverage.expect("coverage was asked for");
        let clauses: Vec<u32> = seen.clauses.iter().map(|it| it.clause).collect();
        (seen.modules["m"].iter().copied().collect::<Vec<u32>>(), clauses)
    };
    assert_eq!(lines("0"), (vec![3, 4], vec![0]));
    assert_eq!(lines("1"), (vec![3, 5], vec![1]));
    assert!(run_with(text, "f", "1", Limits::default(), Options::default()).coverage.is_none());
}
