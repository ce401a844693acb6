//! The memory limit: what a run holds ends it, what it drops does not, and nothing else plays a part.

use exec::forward::{Ending, Limits, Options, Run};
use term::{Term, heap};

use crate::world::run_with;

const GROWING: &str = r#"function m:list/1 (%0) captured 0 registers 6
b0:
  %1 = cons(x, %0)
  tailcall local m:list/1(%1)
---
function m:map/2 (%0, %1) captured 0 registers 6
b0:
  %2 = call remote maps:put(%0, %0, %1)
  %3 = call remote erlang:'+'(%0, 1)
  tailcall local m:map/2(%3, %2)
---
function m:binary/1 (%0) captured 0 registers 6
b0:
  %1 = cons(%0, [])
  %2 = cons(%0, %1)
  %3 = call remote erlang:list_to_binary(%2)
  tailcall local m:binary/1(%3)
---
function m:dictionary/1 (%0) captured 0 registers 6
b0:
  %1 = tuple(%0, %0, %0, %0)
  %2 = call remote erlang:put(%0, %1)
  %3 = call remote erlang:'+'(%0, 1)
  tailcall local m:dictionary/1(%3)
---
function m:deep/1 (%0) captured 0 registers 6
b0:
  %1 = cons(%0, [])
  %2 = call local m:deep/1(%1)
  %3 = cons(%1, %2)
  return %3
---
function m:integers/2 (%0, %1) captured 0 registers 6
b0:
  %2 = call remote erlang:'+'(%0, 1)
  %3 = cons(%2, %1)
  tailcall local m:integers/2(%2, %3)
---
function m:shared/1 (%0) captured 0 registers 6
b0:
  %1 = tuple(%0, %0)
  %2 = call remote erlang:term_to_binary(%1)
  tailcall local m:shared/1(%1)
---
function m:garbage/2 (%0, %1) captured 0 registers 6
b0:
  branch literal 0 (%0) yes b1 no b2
b1:
  return %1
b2:
  %2 = call remote erlang:'-'(%0, 1)
  %3 = tuple(%0, %0, %0, %0, %0, %0, %0, %0)
  %4 = call remote binary:copy(<<"0123456789">>, 100)
  %5 = cons(%3, [])
  tailcall local m:garbage/2(%2, %5)
---
function m:copy/1 (%0) captured 0 registers 6
b0:
  tailcall remote binary:copy(<<"0123456789">>, %0)
---
function m:make/1 (%0) captured 0 registers 6
b0:
  tailcall remote erlang:make_tuple(%0, x)"#;

const LIMIT: usize = 4 << 20;

fn run(name: &str, args: &str) -> Run {
    run_with(GROWING, name, args, Limits { steps: 10_000_000, memory: LIMIT }, Options::default())
}

fn is_out_of_memory(run: &Run) -> bool {
    matches!(run.ending, Ending::OutOfMemory { .. })
}

#[test]
fn what_grows_without_end_ends_near_the_limit() {
    let cases = [
        ("list", "[]"),
        ("map", "0, #{}"),
        ("binary", "<<1>>"),
        ("dictionary", "0"),
        ("deep", "0"),
        ("integers", "1, []"),
        ("shared", "x"),
    ];
    for (name, args) in cases {
        let before = heap::made();
        let run = run(name, args);
        assert!(is_out_of_memory(&run), "{name}: {:?}", run.ending);
        let made = (heap::made() - before) as usize;
        assert!(made > LIMIT / 16, "{name} ended with only {made} bytes made");
    }
}

#[test]
fn lists_end_where_their_cells_fill_the_limit() {
    let run = run("list", "[]");
    let held = run.steps as usize * 48;
    // Registers and frames take a part.
    assert!((LIMIT - (16 << 10)..LIMIT * 3 / 2).contains(&held), "{held} bytes");
}

#[test]
fn large_integers_count() {
    let run = run("integers", &format!("1{}, []", "0".repeat(30_000)));
    assert!(is_out_of_memory(&run), "{:?}", run.ending);
    let held = run.steps as usize * 12_500;
    assert!((LIMIT..LIMIT * 3).contains(&held), "{held} bytes");
}

#[test]
fn garbage_does_not_count() {
    let before = heap::made();
    let run = run("garbage", "100000, []");
    assert!(matches!(run.ending, Ending::Value(_)), "{:?}", run.ending);
    assert!((heap::made() - before) as usize > 10 * LIMIT);
}

#[test]
fn single_results_are_bounded_before_they_are_made() {
    assert!(matches!(run("copy", "100000").ending, Ending::Value(_)));
    assert!(is_out_of_memory(&run("copy", "400000000")));
    assert!(matches!(run("make", "100000").ending, Ending::Value(_)));
    assert!(is_out_of_memory(&run("make", "10000000")));
}

#[test]
fn other_terms_of_the_process_play_no_part() {
    let alone = run("map", "0, #{}").steps;
    let others = Term::list((0..1_000_000).map(|at| Term::tuple([Term::int(at)])));
    assert_eq!(run("map", "0, #{}").steps, alone);
    drop(others);
    assert_eq!(run("map", "0, #{}").steps, alone);
}
