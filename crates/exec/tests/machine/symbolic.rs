//! Symbolic runs: which questions they record, and that those are true.

use constraint::Site;
use exec::forward::{Concretize, GapKind};
use term::{Atom, Call, Mfa};

use crate::fixture::Fixture;
use crate::world::terms;

const SUM: &str = "function m:sum/1 (%0) captured 0 registers 6
b0:
  branch cons(%0) -> (%1, %2) yes b1 no b2
b1:
  %3 = call local m:sum/1(%2)
  tailcall remote erlang:'+'(%1, %3)
b2:
  branch literal [] (%0) yes b3 no b4
b3:
  return 0
b4:
  raise function_clause(%0)
---
function m:twice/1 (%0) captured 0 registers 6
b0:
  %1 = call local m:sum/1(%0)
  %2 = call local m:sum/1(%0)
  branch predicate erlang:'<'/2(%1, %2) yes b1 no b2
b1:
  return less
b2:
  return %2
";

#[test]
fn lists_are_taken_apart_as_the_program_looks() {
    let path = Fixture::new(SUM).path("sum", "[7, 8]");
    let expected = [
        "is_cons(X1)",
        "is_cons(tl(X1))",
        "not (is_cons(tl(tl(X1))))",
        "tl(tl(X1)) =:= []",
        "is_integer(hd(tl(X1)))",
        "is_integer(hd(X1))",
    ];
    assert_eq!(path, expected);
}

#[test]
fn what_is_no_number_is_asked_for_twice_and_fails() {
    let path = Fixture::new(SUM).path("sum", "[a]");
    let failure = ["not (is_integer(hd(X1)))", "not (is_float(hd(X1)))"];
    assert_eq!(path[3..], failure);
}

#[test]
fn of_a_sum_of_floats_is_asked_whether_there_is_one() {
    let mut fixture = Fixture::new(SUM);
    let path = fixture.path("sum", "[1.5]");
    assert_eq!(path[3..], ["not (is_integer(hd(X1)))", "is_float(hd(X1))", "is_defined((hd(X1) + 0.0))"]);
    assert!(fixture.recorder.gaps.is_empty());
}

#[test]
fn no_question_is_asked_twice() {
    let path = Fixture::new(SUM).path("twice", "[7]");
    // A sum is not less than itself, whatever it is.
    assert_eq!(path, ["is_cons(X1)", "not (is_cons(tl(X1)))", "tl(X1) =:= []", "is_integer(hd(X1))"]);
}

#[test]
fn sites_do_not_depend_on_what_was_linked_before() {
    let first = Fixture::new(SUM).sites("sum", "[7, 8]");
    let mut other = Fixture::new(SUM);
    other.run("twice", "[]");
    assert_eq!(other.sites("sum", "[7, 8]"), first);
    assert_eq!(first[0], first[1]);
    assert_ne!(first[0], first[3]);
    let info = other.recorder.site(first[0]).expect("a known site");
    assert_eq!((info.function.to_string().as_str(), info.block), ("m:sum/1", 0));
}

#[test]
fn branches_are_counted_in_both_directions() {
    let mut fixture = Fixture::new(SUM);
    fixture.run("sum", "[]");
    let function = "m:sum/1";
    let all = fixture.machine.branches(term::Mfa { module: Atom::new("m"), function: Atom::new("sum"), arity: 1 });
    let all: Vec<Site> = all.expect("a known function").iter().map(|branch| branch.site).collect();
    assert_eq!(all.len(), 2, "{function}");
    assert_eq!(fixture.recorder.branches, [(all[0], false), (all[1], true)]);
    fixture.run("sum", "[1]");
    assert_eq!(fixture.recorder.branches, [(all[0], true), (all[0], false), (all[1], true)]);
}

const CHOICES: &str = "function m:colour/1 (%0) captured 0 registers 2
b0:
  branch literal red (%0) yes b5 no b1
b1:
  branch literal green (%0) yes b5 no b2
b2:
  branch literal 3 (%0) yes b5 no b3
b3:
  branch literal [] (%0) yes b5 no b4
b4:
  return other
b5:
  return known
---
function m:part/2 (%0, %1) captured 0 registers 4
b0:
  %2 = call remote erlang:'div'(%0, %1)
  branch predicate erlang:'>'/2(%2, 5) yes b1 no b2
b1:
  return large
b2:
  return small
---
function m:same/2 (%0, %1) captured 0 registers 6
b0:
  %2 = tuple(a, %0)
  %3 = tuple(a, %1)
  branch same(%2, %3) yes b1 no b2
b1:
  return same
b2:
  return other
---
function m:size/1 (%0) captured 0 registers 6
b0:
  %1 = cons(a, %0)
  %2 = call remote erlang:length(%1)
  branch literal 3 (%2) yes b1 no b2
b1:
  return three
b2:
  return %2
---
function m:join/2 (%0, %1) captured 0 registers 6
b0:
  %2 = call remote erlang:'++'(%0, %1)
  branch cons(%2) -> (%3, %4) yes b1 no b2
b1:
  branch literal a (%3) yes b3 no b2
b2:
  return no
b3:
  return yes
---
function m:at/1 (%0) captured 0 registers 6
b0:
  %1 = tuple(a, b, c)
  tailcall remote erlang:element(%0, %1)
---
function m:set/2 (%0, %1) captured 0 registers 6
b0:
  tailcall remote erlang:setelement(%0, %1, new)
";

#[test]
fn a_place_in_a_tuple_is_halved_down_to_one() {
    let mut fixture = Fixture::new(CHOICES);
    let inside = ["is_integer(X1)", "not (X1 < 1)", "X1 < 4"];
    assert_eq!(fixture.path("at", "1"), [&inside[..], &["X1 < 2"]].concat());
    assert_eq!(fixture.path("at", "3"), [&inside[..], &["not (X1 < 2)", "not (X1 < 3)"]].concat());
    assert_eq!(fixture.path("at", "4"), ["is_integer(X1)", "not (X1 < 1)", "not (X1 < 4)"]);
    assert_eq!(fixture.path("at", "a"), ["not (is_integer(X1))"]);
    assert_eq!(
        fixture.path("set", "1, {x}"),
        ["is_tuple(X2)", "tuple_size(X2) =:= 1", "is_integer(X1)", "not (X1 < 1)", "X1 < 2"]
    );
    assert!(fixture.recorder.gaps.is_empty());
}

#[test]
fn a_switch_is_its_chain_of_tests() {
    let mut fixture = Fixture::new(CHOICES);
    assert_eq!(fixture.path("colour", "green"), ["not (X1 =:= red)", "X1 =:= green"]);
    let nothing = ["not (X1 =:= red)", "not (X1 =:= green)", "not (X1 =:= 3)", "not (X1 =:= [])"];
    assert_eq!(fixture.path("colour", "{}"), nothing);
    assert_eq!(fixture.recorder.branches.len(), 4);
}

#[test]
fn a_division_asks_for_zero_first() {
    let mut fixture = Fixture::new(CHOICES);
    let path = fixture.path("part", "9, 2");
    let expected = ["is_integer(X1)", "is_integer(X2)", "not (X2 =:= 0)", "not (5 < (X1 div X2))"];
    assert_eq!(path, expected);
    assert_eq!(fixture.path("part", "9, 0"), ["is_integer(X1)", "is_integer(X2)", "X2 =:= 0"]);
}

#[test]
fn built_terms_are_compared_part_by_part() {
    let mut fixture = Fixture::new(CHOICES);
    assert_eq!(fixture.path("same", "1, 2"), ["not (X1 =:= X2)"]);
    assert_eq!(fixture.path("same", "[1], [1]"), ["X1 =:= X2"]);
}

const OPAQUE: &str = "function m:coded/2 (%0, %1) captured 0 registers 6
b0:
  %2 = call remote erlang:term_to_binary(%0)
  branch same(%1, %2) yes b1 no b2
b1:
  return same
b2:
  branch literal 7 (%1) yes b3 no b4
b3:
  return seven
b4:
  return other
---
function m:unused/2 (%0, %1) captured 0 registers 6
b0:
  %2 = call remote erlang:term_to_binary(%0)
  branch literal 7 (%1) yes b1 no b2
b1:
  return %2
b2:
  return other
---
function m:decoded/1 (%0) captured 0 registers 6
b0:
  tailcall remote erlang:phash2(%0, %0)
";

#[test]
fn what_no_rule_describes_is_an_application_and_a_sample() {
    let mut fixture = Fixture::new(OPAQUE);
    let found = fixture.path("coded", "[1], 7");
    assert_eq!(found, ["not (X2 =:= erlang:term_to_binary(X1))", "X2 =:= 7"]);
    let function = Mfa { module: Atom::new("erlang"), function: Atom::new("term_to_binary"), arity: 1 };
    assert_eq!(fixture.recorder.arena.samples.points(function).count(), 1);
    assert!(fixture.recorder.gaps.is_empty());
    // It may fail, and is asked whether it does.
    assert_eq!(fixture.path("decoded", "x"), ["not (erlang:phash2(X1, X1) returns)"]);
}

#[test]
fn sound_concretization_holds_arguments_when_a_result_is_tested() {
    let mut fixture = Fixture::new(OPAQUE);
    fixture.recorder.concretize = Concretize::Sound;
    let code = "<<131,107,0,1,1>>";
    let found = fixture.path("coded", "[1], 7");
    assert_eq!(found, ["pin X1 =:= [1]".to_owned(), format!("not (X2 =:= {code})"), "X2 =:= 7".into()]);
    let gap = &fixture.recorder.gaps[0];
    assert_eq!(
        (gap.function.to_string(), gap.at.function.to_string()),
        ("erlang:term_to_binary/1".into(), "m:coded/2".into())
    );
    // A result that is not tested holds no argument.
    assert_eq!(fixture.path("unused", "[1], 7"), ["X2 =:= 7"]);
}

#[test]
fn unsound_concretization_holds_nothing_and_says_so() {
    let mut fixture = Fixture::new(OPAQUE);
    fixture.recorder.concretize = Concretize::Unsound;
    assert_eq!(fixture.path("coded", "[1], 7"), ["not (X2 =:= <<131,107,0,1,1>>)", "X2 =:= 7"]);
    assert_eq!(fixture.recorder.gaps[0].kind, GapKind::Loose);
}

#[test]
fn a_length_is_one_question() {
    let mut fixture = Fixture::new(CHOICES);
    assert_eq!(fixture.path("size", "[1, 2]"), ["is_properlist(X1)", "(length(X1) + 1) =:= 3"]);
    assert_eq!(fixture.path("size", "x"), ["not (is_properlist(X1))"]);
}

#[test]
fn joining_walks_the_left_list_only() {
    let mut fixture = Fixture::new(CHOICES);
    let path = fixture.path("join", "[a], [b]");
    assert_eq!(path, ["is_cons(X1)", "not (is_cons(tl(X1)))", "tl(X1) =:= []", "hd(X1) =:= a"]);
    let path = fixture.path("join", "[], [b]");
    assert_eq!(path, ["not (is_cons(X1))", "X1 =:= []", "is_cons(X2)", "not (hd(X2) =:= a)"]);
}

#[test]
fn a_full_path_says_so() {
    let mut fixture = Fixture::new(SUM);
    fixture.recorder.limits.steps = 3;
    fixture.run("sum", "[1, 2, 3]");
    assert!(fixture.recorder.truncated);
    assert_eq!(fixture.recorder.path.len(), 3);
    fixture.run("sum", "[]");
    assert!(!fixture.recorder.truncated);
}

const CLAUSES: &str = "function m:choose/1 (%0) captured 0 registers 1 @3:1
case 0 function @3:1 [@3:1, @4:1]
b0:
  branch literal a (%0) yes b1 no b2
b1:
  enter 0.0 @3:1
  return 1
b2:
  enter 0.1 @4:1
  return 2
";

#[test]
fn clauses_are_recorded_with_their_places() {
    let mut fixture = Fixture::new(CLAUSES);
    fixture.run("choose", "b");
    let event = &fixture.recorder.events[0];
    assert_eq!((event.function.to_string().as_str(), event.case, event.clause), ("m:choose/1", 0, 1));
    assert_eq!((event.kind, event.location.line, event.file.as_str()), (ir::CaseKind::Function, 4, "m.erl"));
    assert_eq!(fixture.recorder.events.len(), 1);
}

#[test]
fn a_path_goes_on_from_that_of_a_precondition() {
    let mut fixture = Fixture::new(CLAUSES);
    fixture.run("choose", "b");
    let call = Call { module: Atom::new("m"), function: Atom::new("choose"), args: terms("b") };
    fixture.machine.go_on_symbolic(&mut fixture.world, &call, &mut fixture.recorder, Default::default());
    // The question has its answer already.
    assert_eq!((fixture.recorder.path.len(), fixture.recorder.events.len()), (1, 2));
}
