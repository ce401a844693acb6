//! The values that registers can hold, through calls, closures, loops and operations.

use constraint::{Grammar, Shape};
use rustc_hash::FxHashSet;
use solve::structural::accepts;

use super::*;
use crate::backward::{EntryRules, Values};

const INTEGERS: Shape = Shape::Integer { low: None, high: None };

fn atom(name: &str) -> Shape {
    Shape::Literal(Term::atom(Atom::new(name)))
}

/// The values of all registers if the first function takes values of these shapes as its only argument.
struct Known {
    values: Values,
    functions: Vec<(Mfa, FunctionId)>,
}

impl Known {
    fn of(text: &str, takes: &[Shape]) -> Known {
        let mut graphs = Texts::new(text);
        let names = graphs.names();
        let mut program = Program::new(&mut graphs, &names);
        let function = program.find(names[0]).expect("the first function");
        let mut grammar = Grammar::default();
        let rule = grammar.intern(takes.to_vec());
        let entry = EntryRules { function, grammar: &grammar, signatures: vec![vec![rule]] };
        let (values, _) = Values::of(&mut program, &[entry], &FxHashSet::default());
        let functions = program.functions().map(|id| (program.function(id).name, id)).collect();
        Known { values, functions }
    }

    fn function(&self, name: &str) -> FunctionId {
        self.functions.iter().find(|(mfa, _)| mfa.function == Atom::new(name)).expect("a function").1
    }

    /// The shapes of a register.
    fn shapes(&self, function: &str, register: u32) -> &[Shape] {
        &self.values.grammar().rule(self.values.rule(self.function(function), Reg(register))).shapes
    }

    fn can_hold(&self, function: &str, register: u32, term: &str) -> bool {
        let rule = self.values.rule(self.function(function), Reg(register));
        accepts(self.values.grammar(), rule, &Term::read(term).expect("a term"))
    }
}

#[test]
fn operations_give_values_of_their_kinds() {
    let cases = [
        ("copy %0", vec![Shape::Float]),
        ("copy a", vec![atom("a")]),
        ("call remote erlang:is_atom(%0)", vec![atom("true"), atom("false")]),
        ("call remote erlang:length(%0)", vec![INTEGERS]),
        ("call remote erlang:'/'(%0, 2)", vec![Shape::Float]),
        ("call remote erlang:'-'(%0)", vec![Shape::Float]),
        ("call remote erlang:'+'(1, 2)", vec![INTEGERS]),
        ("call remote erlang:'bor'(1, 2)", vec![INTEGERS]),
        ("bits()", vec![Shape::Bits { base: 0, unit: 1 }]),
        ("call remote unknown:code(%0)", vec![Shape::Any]),
    ];
    for (operation, wanted) in cases {
        let text = format!("function m:f/1 (%0) captured 0 registers 2\nb0:\n  %1 = {operation}\n  return %1");
        assert_eq!(Known::of(&text, &[Shape::Float]).shapes("f", 1), wanted, "{operation}");
    }
}

#[test]
fn numbers_are_of_the_kinds_of_their_operands() {
    let text = "function m:f/1 (%0) captured 0 registers 2\nb0:\n  %1 = call remote erlang:'*'(%0, 2)\n  return %1";
    let kinds = |takes: &[Shape]| {
        let known = Known::of(text, takes);
        ["1", "1.5", "a"].map(|term| known.can_hold("f", 1, term))
    };
    assert_eq!(kinds(&[INTEGERS]), [true, false, false]);
    assert_eq!(kinds(&[Shape::Float]), [true, true, false]);
    assert_eq!(kinds(&[Shape::Any]), [true, true, false]);
    assert_eq!(kinds(&[atom("a")]), [true, false, false]);
}

#[test]
fn arguments_flow_into_calls_and_results_out_of_them() {
    let text = "function m:f/1 (%0) captured 0 registers 4
b0:
  %1 = call local m:g/1(%0)
  branch tuple 2 (%1) -> (%2, %3) yes b1 no b1
b1:
  return %1
---
function m:g/1 (%0) captured 0 registers 2
b0:
  %1 = tuple(%0, b)
  branch literal a (%0) yes b1 no b2
b1:
  return %1
b2:
  return none
---
function m:unused/1 (%0) captured 0 registers 1
b0:
  return %0";
    let known = Known::of(text, &[atom("a"), Shape::Float]);
    assert_eq!(known.shapes("g", 0), [atom("a"), Shape::Float]);
    assert_eq!(
        ["{a,b}", "{1.5,b}", "none", "{a,c}", "{b,b}", "a"].map(|term| known.can_hold("f", 1, term)),
        [true, true, true, false, false, false]
    );
    assert_eq!(known.shapes("f", 3), [atom("b")]);
    assert!(known.values.knows(known.function("g")) && !known.values.knows(known.function("unused")));
    let never = known.values.rule(known.function("unused"), Reg(0));
    assert!(known.values.is_empty(never) && !known.values.is_empty(known.values.any()));
}

#[test]
fn loops_come_to_a_fixed_point() {
    let text = "function m:f/1 (%0) captured 0 registers 2
b0:
  %1 = call local m:loop/2(%0, [])
  return %1
---
function m:loop/2 (%0, %1) captured 0 registers 4
b0:
  branch literal 0 (%0) yes b1 no b2
b1:
  return %1
b2:
  %2 = call remote erlang:'-'(%0, 1)
  %3 = cons(x, %1)
  tailcall local m:loop/2(%2, %3)";
    let known = Known::of(text, &[Shape::Literal(Term::int(3))]);
    assert_eq!(
        ["[]", "[x]", "[x, x, x]", "[y]", "[x|x]"].map(|term| known.can_hold("f", 1, term)),
        [true, true, true, false, false]
    );
    assert_eq!(["2", "3", "a", "1.5"].map(|term| known.can_hold("loop", 0, term)), [true, true, false, false]);
    let (mut graphs, mut machine) = (Texts::new(text), Machine::new(Limits::default(), Options::default()));
    for count in 0..6 {
        let value = run(&mut machine, &mut graphs, &[Term::int(count)]).expect("a list");
        assert!(known.can_hold("f", 1, &value.to_string()), "{value}");
    }
}

#[test]
fn closures_hold_what_they_captured_and_take_what_they_are_called_with() {
    let text = "function m:f/1 (%0) captured 0 registers 4
b0:
  %1 = closure m:'-f/1-fun-0-'/2(%0)
  %2 = call local m:apply/1(%1)
  return %2
function m:'-f/1-fun-0-'/2 (%0, %1) captured 1 registers 3
b0:
  %2 = tuple(%0, %1)
  return %2
---
function m:apply/1 (%0) captured 0 registers 3
b0:
  %1 = call fun %0(arg)
  %2 = call fun %0(too, many)
  return %1";
    let known = Known::of(text, &[Shape::Float]);
    assert_eq!(known.shapes("-f/1-fun-0-", 0), [atom("arg")]);
    assert_eq!(known.shapes("-f/1-fun-0-", 1), [Shape::Float]);
    assert_eq!(["{arg,1.5}", "{arg,a}", "{too,1.5}"].map(|it| known.can_hold("f", 2, it)), [true, false, false]);
    assert_eq!(known.shapes("apply", 2), [], "a call of the wrong arity has no value");
}

#[test]
fn handlers_get_anything_and_so_do_funs_in_exceptions() {
    let text = "function m:f/1 (%0) captured 0 registers 5
b0: handler b2
  %1 = closure m:'-f/1-fun-0-'/1()
  %2 = call local m:g/1(%1)
  jump b1
b1:
  return %2
b2: catch(%3, %4, _)
  return %4
function m:'-f/1-fun-0-'/1 (%0) captured 0 registers 1
b0:
  return %0
---
function m:g/1 (%0) captured 0 registers 2
b0:
  raise error(%0)";
    let known = Known::of(text, &[Shape::Float]);
    assert_eq!([known.shapes("f", 3), known.shapes("f", 4)], [[Shape::Any], [Shape::Any]]);
    assert_eq!(known.shapes("-f/1-fun-0-", 0), [Shape::Any]);
    assert_eq!(known.shapes("f", 2), [], "the call never returns");
}

#[test]
fn parts_flow_out_of_what_was_built() {
    let text = "function m:f/1 (%0) captured 0 registers 9
b0:
  %1 = tuple(%0, [1, b])
  %2 = map(#{}, put k %0)
  branch tuple 2 (%1) -> (%3, %4) yes b1 no b4
b1:
  branch cons(%4) -> (%5, %6) yes b2 no b4
b2:
  branch map_key(%2, k) -> (%7) yes b3 no b4
b3:
  branch tuple 3 (%1) -> (_, _, %8) yes b4 no b4
b4:
  return %0";
    let known = Known::of(text, &[Shape::Float]);
    assert_eq!(known.shapes("f", 3), [Shape::Float]);
    assert_eq!(known.shapes("f", 5), [Shape::Literal(Term::int(1))]);
    assert_eq!(["[b]", "[1]", "[]"].map(|term| known.can_hold("f", 6, term)), [true, false, false]);
    assert_eq!(known.shapes("f", 7), [Shape::Any], "values of maps are one set");
    assert_eq!(known.shapes("f", 8), [], "no tuple of three flows there");
}
