//! One accepted graph, and for each rule graphs that differ from it as little as possible and break that rule alone.

use super::*;

const GOOD: &str = "file \"m.erl\"

function m:f/2 (%0, %1) captured 0 registers 8 @1:1
case 0 function @1:1 [@1:1, -]
b0:
  branch cons(%0) -> (%2, %3) yes b1 no b4 @1:3
b1: handler b3
  enter 0.0 @1:1
  %4 = closure m:g/2(%2)
  %4 = call local m:f/2(%2, %4)
  %5 = bits(integer-unsigned-big-1 %4 8)
  branch segment bits-unsigned-big-8 (%5, all) -> (%6, _) yes b2 no b4
b2:
  tailcall local m:f/2(%3, %6)
b3: catch(%5, %6, %7)
  raise again(%6, %7)
b4:
  raise function_clause(%0, %1)

function m:g/2 (%0, %1) captured 1 registers 2
b0:
  return %1
";

fn rules(text: &str) -> Vec<VerifierRule> {
    let unit = Unit::read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut rules: Vec<VerifierRule> = verify(&unit).iter().map(|violation| violation.rule).collect();
    rules.dedup();
    rules
}

/// The rules broken when a piece of the good graph is replaced.
fn broken(piece: &str, by: &str) -> Vec<VerifierRule> {
    assert_eq!(GOOD.matches(piece).count(), 1, "{piece:?} must occur once");
    rules(&GOOD.replace(piece, by))
}

#[test]
fn a_good_graph_is_accepted() {
    assert_eq!(rules(GOOD), []);
}

#[test]
fn a_violation_says_where_and_how() {
    let unit = Unit::read(&GOOD.replace("yes b2 no b4", "yes b2 no b9")).unwrap();
    let text: Vec<String> = verify(&unit).iter().map(Violation::to_string).collect();
    assert_eq!(text, ["Targets: m:f/2: b1: there is no block b9"]);
}

#[test]
fn names() {
    assert_eq!(rules("file \"m.erl\"\n"), [VerifierRule::Names]);
    let twin = "\nfunction m:g/2 (%0, %1) captured 1 registers 2\nb0:\n  return %1\n";
    assert_eq!(rules(&format!("{GOOD}{twin}")), [VerifierRule::Names]);
    let other = twin.replace("m:g/2", "n:g/2");
    assert_eq!(rules(&format!("{GOOD}{other}")), [VerifierRule::Names]);
}

#[test]
fn files() {
    assert_eq!(broken("enter 0.0 @1:1", "enter 0.0 @1:1:1"), [VerifierRule::Files]);
    assert_eq!(broken("case 0 function @1:1 [@1:1, -]", "case 0 function @1:1 [@7:1:1, -]"), [VerifierRule::Files]);
}

#[test]
fn params() {
    assert_eq!(broken("m:f/2 (%0, %1)", "m:f/2 (%0, %1, %7)"), [VerifierRule::Params]);
    assert_eq!(broken("captured 0 registers 8", "captured 3 registers 8"), [VerifierRule::Params]);
    assert_eq!(broken("m:g/2 (%0, %1)", "m:g/2 (%1, %1)"), [VerifierRule::Params]);
}

#[test]
fn entry() {
    let empty = "\nfunction m:h/0 () captured 0 registers 0\n";
    assert_eq!(rules(&format!("{GOOD}{empty}")), [VerifierRule::Entry]);
    assert_eq!(rules(&format!("{GOOD}{empty}b0: catch(_, _, _)\n  return 1\n")), [VerifierRule::Entry]);
}

#[test]
fn registers() {
    assert_eq!(broken("registers 8", "registers 7"), [VerifierRule::Registers]);
}

#[test]
fn written() {
    assert_eq!(broken("m:f/2(%3, %6)", "m:f/2(%3, %7)"), [VerifierRule::Written]);
    assert_eq!(broken("function_clause(%0, %1)", "function_clause(%0, %2)"), [VerifierRule::Written]);
    assert_eq!(broken("raise again(%6, %7)", "raise again(%6, %5)"), []);
    // Written by the first instruction, which cannot raise.
    assert_eq!(broken("raise again(%6, %7)", "raise again(%6, %4)"), []);
    let late = GOOD.replace("catch(%5, %6, %7)", "catch(_, %6, %7)").replace("again(%6, %7)", "again(%6, %5)");
    assert_eq!(rules(&late), [VerifierRule::Written]);
}

#[test]
fn targets() {
    assert_eq!(broken("yes b2 no b4", "yes b2 no b5"), [VerifierRule::Targets]);
    assert_eq!(broken("b1: handler b3", "b1: handler b5"), [VerifierRule::Targets]);
}

#[test]
fn handlers() {
    assert_eq!(broken("b1: handler b3", "b1: handler b4"), [VerifierRule::Handlers]);
}

#[test]
fn catches() {
    assert_eq!(broken("yes b2 no b4", "yes b2 no b3"), [VerifierRule::Catches]);
    assert_eq!(broken("catch(%5, %6, %7)", "catch(%6, %6, %7)"), [VerifierRule::Catches]);
}

#[test]
fn tests() {
    assert_eq!(broken("branch cons(%0) ->", "branch cons(%0, %1) ->"), [VerifierRule::Tests]);
    assert_eq!(broken("-> (%2, %3) yes b1 no b4", "-> (%2, %3, _) yes b1 no b4"), [VerifierRule::Tests]);
    assert_eq!(broken("branch cons(%0)", "branch tuple 3 (%0)"), [VerifierRule::Tests]);
    let same = GOOD.replace("(%2, %3)", "(%2, %2)").replace("m:f/2(%3, %6)", "m:f/2(%2, %6)");
    assert_eq!(rules(&same), [VerifierRule::Tests]);
}

#[test]
fn segments() {
    assert_eq!(broken("bits-unsigned-big-8", "bits-unsigned-big-0"), [VerifierRule::Segments]);
    assert_eq!(broken("bits-unsigned-big-8", "integer-unsigned-big-8"), [VerifierRule::Segments]);
    assert_eq!(broken("integer-unsigned-big-1 %4 8", "integer-unsigned-big-1 %4 all"), [VerifierRule::Segments]);
    assert_eq!(broken("integer-unsigned-big-1", "integer-unsigned-big-257"), [VerifierRule::Segments]);
}

#[test]
fn tail_calls() {
    assert_eq!(broken("b2:\n", "b2: handler b3\n"), [VerifierRule::TailCalls]);
}

#[test]
fn calls() {
    assert_eq!(broken("call local m:f/2(%2, %4)", "call local m:f/2(%2)"), [VerifierRule::Calls]);
    assert_eq!(broken("tailcall local m:f/2", "tailcall local n:f/2"), [VerifierRule::Calls]);
}

#[test]
fn primitives() {
    let one = |line: &str| rules(&format!("function m:f/1 (%0) captured 0 registers 2\nb0:\n  {line}\n  return %1\n"));
    assert_eq!(one("%1 = primitive recv_wait_timeout(%0)"), []);
    assert_eq!(one("%1 = primitive '$event'(3, %0)"), []);
    assert_eq!(one("%1 = primitive '$event'(%0)"), [VerifierRule::Primitives]);
    assert_eq!(one("%1 = call send erlang:send/2(%0, a)"), []);
    assert_eq!(one("%1 = call send erlang:send/2(%0)"), [VerifierRule::Calls]);
}

#[test]
fn closures() {
    assert_eq!(broken("closure m:g/2(%2)", "closure m:g/2()"), [VerifierRule::Closures]);
    assert_eq!(broken("closure m:g/2(%2)", "closure m:other/2()"), [VerifierRule::Closures]);
}

#[test]
fn cases() {
    assert_eq!(broken("enter 0.0", "enter 0.2"), [VerifierRule::Cases]);
    assert_eq!(broken("enter 0.0", "enter 1.0"), [VerifierRule::Cases]);
}
