//! The conditions of paths: tests, operations, exceptions, calls, funs, skipped blocks.

use super::*;

fn program_of(graphs: &mut Texts) -> Program<'_> {
    let names = graphs.names();
    Program::new(graphs, &names)
}

/// A function of two arguments that tests them and gives the answer.
fn tested(test: &str) -> String {
    format!(
        "function m:f/2 (%0, %1) captured 0 registers 6\nb0:\n  branch {test} yes b1 no b2\nb1:\n  return yes\nb2:\n  \
         return no"
    )
}

/// A function of two arguments that makes a value and compares it with a constant.
fn made(operation: &str, wanted: &str) -> String {
    format!(
        "function m:f/2 (%0, %1) captured 0 registers 6\nb0:\n  %2 = {operation}\n  branch literal {wanted} (%2) yes b1 \
         no b2\nb1:\n  return yes\nb2:\n  return no"
    )
}

#[test]
fn each_test_demands_its_answer() {
    let cases = [
        ("literal a (%0)", "X1 =:= a"),
        ("same(%0, %1)", "X1 =:= X2"),
        ("cons(%0) -> (%2, %3)", "is_cons(X1)"),
        ("tuple 2 (%0) -> (%2, %3)", "tuple_size(X1) =:= 2"),
        ("predicate erlang:is_map/1(%0)", "is_map(X1)"),
        ("predicate erlang:is_function/2(%0, 2)", "is_function(X1, 2)"),
        ("predicate erlang:'<'/2(%0, %1)", "X1 < X2"),
        ("predicate erlang:'>'/2(%0, %1)", "X2 < X1"),
        ("predicate erlang:'=='/2(%0, %1)", "X1 == X2"),
    ];
    for (test, condition) in cases {
        let text = tested(test);
        let is_fun = test.contains("is_function");
        let yes = if is_fun { traced(&text, &[0, 1]) } else { check(&text, &[0, 1], "yes", true) };
        assert_eq!(yes.shown(), [condition], "{test}");
        let no = check(&text, &[0, 2], "no", true);
        assert_eq!(no.path.conditions, [yes.path.conditions[0].negated()], "{test}");
    }
}

#[test]
fn negated_relations_demand_the_other_answer() {
    for (relation, condition) in [("=/=", "X1 =:= X2"), ("/=", "X1 == X2"), (">=", "X1 < X2"), ("=<", "X2 < X1")] {
        let text = tested(&format!("predicate erlang:'{relation}'/2(%0, %1)"));
        check(&text, &[0, 1], "yes", true);
        assert_eq!(check(&text, &[0, 2], "no", true).shown(), [condition]);
    }
}

#[test]
fn tests_of_maps_and_bits_demand_what_is_known() {
    let key = tested("map_key(%0, a) -> (%2)");
    assert_eq!(check(&key, &[0, 1], "yes", true).shown(), ["is_map(X1)", "is_map_key(a, X1)"]);
    assert_eq!(check(&key, &[0, 2], "no", false).shown(), [""; 0], "it need not be a map");
    let certain = "function m:f/1 (%0) captured 0 registers 6
b0:
  branch predicate erlang:is_map/1(%0) yes b1 no b3
b1:
  branch map_key(%0, a) -> (%2) yes b2 no b3
b2:
  return yes
b3:
  return no";
    assert_eq!(traced(certain, &[0, 1, 3]).shown(), ["is_map(X1)", "not (is_map_key(a, X1))"]);
    let byte = tested("segment integer-unsigned-big-1 (%0, 8) -> (%2, %3)");
    check(&byte, &[0, 1], "yes", false);
    assert_eq!(check(&byte, &[0, 1], "yes", false).path.conditions.len(), 1);
    check(&tested("bits_end(%0)"), &[0, 1], "yes", true);
}

#[test]
fn parts_that_a_test_reveals_are_parts_of_the_value() {
    let text = "function m:f/1 (%0) captured 0 registers 6
b0:
  branch cons(%0) -> (%1, %2) yes b1 no b3
b1:
  branch cons(%2) -> (_, %3) yes b2 no b3
b2:
  branch literal a (%1) yes b4 no b3
b3:
  return no
b4:
  return yes";
    let found = check(text, &[0, 1, 2, 4], "yes", true);
    assert_eq!(found.shown(), ["is_cons(X1)", "is_cons(tl(X1))", "hd(X1) =:= a"]);
    let bits = "function m:f/1 (%0) captured 0 registers 6
b0:
  branch segment integer-unsigned-big-1 (%0, 8) -> (%1, %2) yes b1 no b3
b1:
  branch literal 1 (%1) yes b2 no b3
b2:
  branch segment integer-unsigned-big-1 (%2, 8) -> (%3, _) yes b4 no b3
b3:
  return no
b4:
  return yes";
    check(bits, &[0, 1, 2, 4], "yes", true);
}

#[test]
fn operations_demand_what_gives_them_a_value() {
    let cases = [
        ("copy %1", "a"),
        ("cons(%0, %1)", "[1]"),
        ("tuple(%0, b)", "{a,b}"),
        ("map(%0, put a 1)", "#{a => 1}"),
        ("map(%0, update a 1)", "#{a => 1}"),
        ("call remote erlang:hd(%0)", "1"),
        ("call remote erlang:tl(%0)", "[]"),
        ("call remote erlang:element(2, %0)", "2"),
        ("call remote erlang:tuple_size(%0)", "1"),
        ("call remote erlang:map_size(%0)", "1"),
        ("call remote erlang:map_get(a, %0)", "1"),
        ("call remote erlang:'div'(%0, %1)", "2"),
        ("call remote erlang:'rem'(%0, %1)", "0"),
        ("call remote erlang:'band'(%0, %1)", "1"),
        ("call remote erlang:bit_size(%0)", "16"),
    ];
    for (operation, wanted) in cases {
        let text = made(operation, wanted);
        check(&text, &[0, 1], "yes", true);
        check(&text, &[0, 2], "no", true);
    }
}

#[test]
fn sums_are_known_only_of_certain_numbers() {
    let text = "function m:f/1 (%0) captured 0 registers 6
b0:
  branch predicate erlang:is_integer/1(%0) yes b1 no b4
b1:
  %1 = call remote erlang:'+'(%0, 1)
  branch literal 3 (%1) yes b2 no b3
b2:
  return yes
b3:
  return no
b4:
  %1 = call remote erlang:'+'(%0, 1)
  branch literal 2.5 (%1) yes b5 no b6
b5:
  return float
b6:
  return other";
    check(text, &[0, 1, 2], "yes", true);
    check(text, &[0, 1, 3], "no", true);
    assert_eq!(traced(text, &[0, 1, 2]).path.unknowns.len(), 1, "an integer's sum is an expression");
    let other = check(text, &[0, 4, 5], "float", false);
    assert_eq!(other.origins(), [Origin::Before, Origin::NoRule], "another sum is some number");
    assert_eq!(other.shown()[..2], ["not (is_integer(X1))", "is_number(X1)"]);
    assert!(!other.refutes(&[Term::read("1.5").unwrap()]) && other.refutes(&[Term::read("a").unwrap()]));
}

#[test]
fn a_boolean_value_stands_for_its_test() {
    for (wanted, block) in [("true", 1), ("true", 2), ("false", 1), ("false", 2)] {
        let text = made("call remote erlang:'<'(%0, %1)", wanted);
        let found = check(&text, &[0, block], ["yes", "no"][block as usize - 1], false);
        let holds = (wanted == "true") == (block == 1);
        assert!(
            found.shown().contains(&if holds { "X1 < X2" } else { "not (X1 < X2)" }.to_string()),
            "{:?}",
            found.shown()
        );
    }
}

#[test]
fn paths_that_no_input_takes_are_infeasible() {
    let twice = "function m:f/1 (%0) captured 0 registers 2
b0:
  branch cons(%0) -> (_, _) yes b1 no b2
b1:
  branch cons(%0) -> (_, _) yes b3 no b2
b2:
  return no
b3:
  return yes";
    assert!(traced(twice, &[0, 1, 2]).path.infeasible);
    assert!(!traced(twice, &[0, 1, 3]).path.infeasible);
    assert!(traced(&made("copy b", "a"), &[0, 1]).path.infeasible);
    assert!(!traced(&made("copy b", "a"), &[0, 2]).path.infeasible);
    for raising in ["error(%0)", "throw(%0)", "exit(%0)", "element(0, %0)"] {
        let text = made(&format!("call remote erlang:{raising}"), "a");
        assert!(check(&text, &[0, 2], "no", false).path.infeasible, "{raising}");
    }
}

const HANDLED: &str = "function m:f/2 (%0, %1) captured 0 registers 6
b0:
  %2 = copy %1
  jump b1
b1: handler b3
  %2 = tuple(%0)
  %3 = call remote erlang:hd(%0)
  jump b2
b2:
  return %3
b3: catch(_, %4, _)
  branch literal badarg (%4) yes b4 no b2
b4:
  branch literal a (%1) yes b5 no b2
b5:
  branch same(%2, %1) yes b6 no b7
b6:
  return yes
b7:
  return raised";

#[test]
fn an_exception_hides_what_its_block_may_have_written() {
    let found = check(HANDLED, &[0, 1, 3, 4, 5, 7], "raised", false);
    assert_eq!(found.origins(), [Origin::Before, Origin::Before, Origin::NoRule, Origin::NoRule]);
    assert_eq!(found.shown(), ["X3 =:= badarg", "X2 =:= a", "not (X4 =:= X2)"]);
    assert!(!traced(HANDLED, &[0, 1, 3, 4, 5, 6]).path.infeasible, "it may have raised before it wrote");
    assert_eq!(traced(HANDLED, &[0, 1, 2]).shown(), ["is_cons(X1)"], "a block that ends demands its values");
}

const CALLS: &str = "function m:f/1 (%0) captured 0 registers 4
b0:
  %1 = tuple(%0)
  %2 = call local m:g/2(b, %0)
  branch literal c (%2) yes b1 no b2
b1:
  return yes
b2:
  return no
---
function m:g/2 (%0, %1) captured 0 registers 4
b0:
  branch literal a (%1) yes b1 no b2
b1:
  return c
b2:
  branch literal 1 (%1) yes b3 no b4
b3:
  return %0
b4:
  tailcall local m:g/2(%0, a)";

#[test]
fn calls_pass_arguments_and_returns_their_value() {
    let mut graphs = Texts::new(CALLS);
    let mut program = program_of(&mut graphs);
    let [f, g] = [mfa("f", 1), mfa("g", 2)].map(|name| program.find(name).unwrap());
    let point = at(f, 0, 1);
    let entered = [PathSegment::Run { from: at(f, 0, 0), to: 1 }, PathSegment::Call { at: point, callee: g }];
    let path = |blocks: &[u32], holds| {
        let (inside, block) = (through(&program, g, blocks), blocks[blocks.len() - 1]);
        let back =
            [PathSegment::Return { function: g, block, to: point }, PathSegment::Test { function: f, block: 0, holds }];
        Traced::of(&program, Start::Function(f), &[&entered[..], &inside, &back].concat())
    };
    assert_eq!(path(&[0, 1], true).shown(), ["X1 =:= a"]);
    assert!(path(&[0, 1], false).path.infeasible, "the value is c");
    assert_eq!(path(&[0, 2, 3], false).shown(), ["not (X1 =:= a)", "X1 =:= 1"]);
    assert!(path(&[0, 2, 3], true).path.infeasible, "the value is b");
    // A tail call takes the place of its caller: the return goes to the first call.
    let tail = at(g, 4, 0);
    let segments = [
        &entered[..],
        &through(&program, g, &[0, 2, 4]),
        &[PathSegment::Call { at: tail, callee: g }],
        &through(&program, g, &[0, 1]),
        &[PathSegment::Return { function: g, block: 1, to: point }],
        &[PathSegment::Test { function: f, block: 0, holds: true }],
    ];
    let whole = Traced::of(&program, Start::Function(f), &segments.concat());
    assert_eq!(whole.shown(), ["not (X1 =:= a)", "not (X1 =:= 1)"]);
    assert_eq!(whole.path.unknowns.len(), 1);
    // One that is not entered has some value.
    let segments = [
        &entered[..],
        &through(&program, g, &[0, 2, 4]),
        &[PathSegment::Tail { function: g, block: 4, to: point }],
        &[PathSegment::Test { function: f, block: 0, holds: true }],
    ];
    let apart = Traced::of(&program, Start::Function(f), &segments.concat());
    assert_eq!(apart.origins(), [Origin::Before, Origin::Call(tail)]);
    assert_eq!(apart.shown(), ["not (X1 =:= a)", "not (X1 =:= 1)", "X2 =:= c"]);
}

#[test]
fn values_of_calls_that_are_not_entered_are_unknown() {
    let mut graphs = Texts::new(CALLS);
    let mut program = program_of(&mut graphs);
    let f = program.find(mfa("f", 1)).unwrap();
    let found = Traced::of(&program, Start::Function(f), &through(&program, f, &[0, 1]));
    assert_eq!(found.origins(), [Origin::Before, Origin::Call(at(f, 0, 1))]);
    assert_eq!(found.shown(), ["X2 =:= c"]);
}

#[test]
fn a_path_may_begin_in_the_middle() {
    let mut graphs = Texts::new(CALLS);
    let mut program = program_of(&mut graphs);
    let g = program.find(mfa("g", 2)).unwrap();
    let found = Traced::of(&program, Start::Block(g), &through(&program, g, &[2, 3]));
    assert_eq!(found.shown(), ["X1 =:= 1"], "registers are inputs in the order of their use");
    let registers: Vec<_> = found.path.unknowns.iter().map(|unknown| unknown.register).collect();
    assert_eq!(registers, [Some((g, Reg(1)))]);
}

#[test]
fn a_fun_knows_what_it_captured_and_not_its_arguments() {
    let text = "function m:f/1 (%0) captured 0 registers 3
b0:
  branch cons(%0) -> (%1, _) yes b1 no b2
b1:
  %2 = closure m:'-f/1-fun-0-'/2(%1)
  %2 = call remote lists:map(%2, %0)
  return %2
b2:
  return []
function m:'-f/1-fun-0-'/2 (%0, %1) captured 1 registers 2
b0:
  branch same(%0, %1) yes b1 no b1
b1:
  return %0
";
    let mut graphs = Texts::new(text);
    let mut program = program_of(&mut graphs);
    let [f, fun] = [mfa("f", 1), mfa("-f/1-fun-0-", 2)].map(|name| program.find(name).unwrap());
    let mut segments = through(&program, f, &[0]);
    segments.extend([
        PathSegment::Test { function: f, block: 0, holds: true },
        PathSegment::Fun { at: at(f, 1, 0), callee: fun },
        PathSegment::Test { function: fun, block: 0, holds: true },
    ]);
    let found = Traced::of(&program, Start::Function(f), &segments);
    assert_eq!(found.shown(), ["is_cons(X1)", "X2 =:= hd(X1)"]);
    assert_eq!(found.origins(), [Origin::Before, Origin::NoRule]);
    assert_eq!(program.callers(fun), [crate::backward::Caller::Fun(at(f, 1, 0))]);
}

#[test]
fn skipped_blocks_hide_what_they_may_have_written() {
    let text = "function m:f/2 (%0, %1) captured 0 registers 5
b0:
  %2 = copy 0
  %3 = copy 7
  branch literal a (%0) yes b1 no b2
b1:
  %2 = copy 1
  jump b3
b2:
  %2 = copy 2
  jump b3
b3:
  branch literal 1 (%2) yes b4 no b6
b4:
  branch literal 7 (%3) yes b5 no b6
b5:
  return yes
b6:
  return no";
    let mut graphs = Texts::new(text);
    let mut program = program_of(&mut graphs);
    let f = program.find(mfa("f", 2)).unwrap();
    let mut segments = vec![PathSegment::Run { from: at(f, 0, 0), to: 2 }, PathSegment::Skip { function: f, block: 3 }];
    segments.extend(through(&program, f, &[3, 4, 5]));
    let skipped = Traced::of(&program, Start::Function(f), &segments);
    assert_eq!(skipped.shown(), ["X3 =:= 1"], "%3 is 7 on all paths");
    assert_eq!(skipped.origins()[2..], [Origin::Skipped(f, 3)]);
    assert_eq!(check(text, &[0, 1, 3, 4, 5], "yes", true).shown(), ["X1 =:= a"]);
    assert!(traced(text, &[0, 2, 3, 4, 5]).path.infeasible, "%2 is 2 there");
}
