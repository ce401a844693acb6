//! Symbolic rules family by family: the conditions that a run records are those of its operations, they hold for its
//! inputs, and the solver's inputs for a negated one take the other branch.

use crate::fixture::Fixture;

/// Runs `m:f` and compares its path, then negates each condition of it; `flips` has a letter for each, `f` where the
/// other branch was taken and `u` where no input takes it.
#[track_caller]
fn check(text: &str, args: &str, path: &[&str], flips: &str) {
    let mut fixture = Fixture::new(text);
    assert_eq!(fixture.path("f", args), path);
    assert!(fixture.recorder.gaps.is_empty());
    assert_eq!(path.len(), flips.len());
    assert_eq!(fixture.flips("f", args), flips, "{path:?}");
}

/// A function of two arguments that makes a value and tests it.
fn tested(operations: &str, test: &str) -> String {
    format!(
        "function m:f/2 (%0, %1) captured 0 registers 9\nb0:\n{operations}\n  branch {test} yes b1 no b2\nb1:\n  \
         return yes\nb2:\n  return no"
    )
}

#[test]
fn arithmetic() {
    let sum = tested("  %2 = call remote erlang:'+'(%0, %1)\n  %3 = call remote erlang:'*'(%2, 3)", "literal 21 (%3)");
    check(&sum, "1, 2", &["is_integer(X1)", "is_integer(X2)", "not (((X1 + X2) * 3) =:= 21)"], "fff");
    check(&sum, "3, 4", &["is_integer(X1)", "is_integer(X2)", "((X1 + X2) * 3) =:= 21"], "fff");
    let parts = "  %2 = call remote erlang:'div'(%0, %1)\n  %3 = call remote erlang:'rem'(%0, %1)";
    let division = tested(parts, "predicate erlang:'<'/2(%2, %3)");
    let numbers = ["is_integer(X1)", "is_integer(X2)", "not (X2 =:= 0)"];
    check(&division, "7, 2", &[&numbers[..], &["not ((X1 div X2) < (X1 rem X2))"]].concat(), "ffff");
    check(&division, "7, 0", &["is_integer(X1)", "is_integer(X2)", "X2 =:= 0"], "fff");
    let mask = "  %2 = call remote erlang:'band'(%0, 12)\n  %3 = call remote erlang:'bsl'(%2, 1)";
    check(&tested(mask, "literal 16 (%3)"), "3, x", &["is_integer(X1)", "not (((X1 band 12) bsl 1) =:= 16)"], "ff");
}

#[test]
fn comparison() {
    let order = "function m:f/2 (%0, %1) captured 0 registers 6
b0:
  branch predicate erlang:'=<'/2(%0, %1) yes b1 no b2
b1:
  branch predicate erlang:'=='/2(%0, %1) yes b3 no b2
b2:
  return no
b3:
  branch predicate erlang:'=/='/2(%0, %1) yes b4 no b2
b4:
  return unlike";
    check(order, "1, 2", &["not (X2 < X1)", "not (X1 == X2)"], "ff");
    check(order, "1, 1.0", &["not (X2 < X1)", "X1 == X2", "not (X1 =:= X2)"], "fff");
    check(order, "b, a", &["X2 < X1"], "f");
}

#[test]
fn lists() {
    let twins = "function m:f/1 (%0) captured 0 registers 9
b0:
  branch cons(%0) -> (%1, %2) yes b1 no b2
b1:
  %3 = call remote erlang:length(%2)
  branch literal 1 (%3) yes b3 no b2
b2:
  return no
b3:
  %4 = call remote erlang:hd(%2)
  branch same(%1, %4) yes b4 no b2
b4:
  return twins";
    let two = ["is_cons(X1)", "is_properlist(tl(X1))", "length(tl(X1)) =:= 1", "is_cons(tl(X1))"];
    // A list of one element is a cell.
    check(twins, "[a, b]", &[&two[..], &["not (hd(X1) =:= hd(tl(X1)))"]].concat(), "fffuf");
    check(twins, "[]", &["not (is_cons(X1))"], "f");
    let joined = tested("  %2 = call remote erlang:'++'(%0, %1)", "cons(%2) -> (%3, %4)");
    check(&joined, "[], [b]", &["not (is_cons(X1))", "X1 =:= []", "is_cons(X2)"], "fff");
}

#[test]
fn tuples() {
    let pair = "function m:f/1 (%0) captured 0 registers 9
b0:
  branch tuple 2 (%0) -> (%1, %2) yes b1 no b2
b1:
  branch literal ok (%1) yes b3 no b2
b2:
  %3 = call remote erlang:tuple_size(%0)
  return %3
b3:
  %4 = call remote erlang:element(1, %2)
  return %4";
    let ok = ["tuple_size(X1) =:= 2", "element(1, X1) =:= ok"];
    let inside = ["is_tuple(element(2, X1))", "not (tuple_size(element(2, X1)) < 1)"];
    check(pair, "{ok, {1}}", &[&ok[..], &inside].concat(), "ffff");
    check(pair, "{a}", &["not (tuple_size(X1) =:= 2)", "is_tuple(X1)"], "ff");
}

#[test]
fn maps() {
    let update = "function m:f/2 (%0, %1) captured 0 registers 9
b0:
  branch map_key(%0, %1) -> (%2) yes b1 no b2
b1:
  branch literal 1 (%2) yes b3 no b2
b2:
  %3 = map(%0, put %1 1)
  %4 = call remote erlang:map_size(%3)
  branch literal 2 (%4) yes b4 no b3
b3:
  return %0
b4:
  return two";
    let other = ["is_map(X1)", "is_map_key(X2, X1)", "not (map_get(X2, X1) =:= 1)", "not (map_size(X1) =:= 2)"];
    check(update, "#{a => 2}, a", &other, "ffff");
    check(update, "#{a => 1}, a", &["is_map(X1)", "is_map_key(X2, X1)", "map_get(X2, X1) =:= 1"], "fff");
}

#[test]
fn bitstrings() {
    let matched = "function m:f/1 (%0) captured 0 registers 9
b0:
  branch segment integer-unsigned-big-1 (%0, 8) -> (%1, %2) yes b1 no b2
b1:
  branch literal 3 (%1) yes b3 no b2
b2:
  return no
b3:
  branch literal <<>> (%2) yes b4 no b2
b4:
  return three";
    check(matched, "<<1, 2>>", &["is_bitstring(X1)", "not (bit_size(X1) < 8)", "not (bits(X1, 0, 8) =:= 3)"], "fff");
    let size = "  %2 = bits(integer-unsigned-big-1 %0 8, bits-unsigned-big-8 %1 all)\n  \
                %3 = call remote erlang:byte_size(%2)";
    let path = ["is_integer(X1)", "is_bitstring(X2)", "is_binary(X2)", "not ((byte_size(X2) + 1) =:= 3)"];
    check(&tested(size, "literal 3 (%3)"), "1, <<7>>", &path, "ffff");
}

#[test]
fn floats() {
    let doubled = "function m:f/1 (%0) captured 0 registers 9
b0:
  %1 = call remote erlang:'*'(%0, 2.0)
  branch predicate erlang:'<'/2(%1, 5.0) yes b1 no b2
b1:
  %2 = call remote erlang:trunc(%1)
  branch literal 3 (%2) yes b3 no b2
b2:
  return no
b3:
  return three";
    let float = ["not (is_integer(X1))", "is_float(X1)", "is_defined((X1 * 2.0))"];
    let tests = ["(X1 * 2.0) < 5.0", "not (trunc((X1 * 2.0)) =:= 3)"];
    check(doubled, "1.25", &[&float[..], &tests].concat(), "fffff");
}

#[test]
fn atoms() {
    let letters = "function m:f/1 (%0) captured 0 registers 9
b0:
  branch predicate erlang:is_atom/1(%0) yes b1 no b2
b1:
  %1 = call remote erlang:atom_to_list(%0)
  branch cons(%1) -> (%2, %3) yes b3 no b2
b2:
  return no
b3:
  branch literal 104 (%2) yes b4 no b2
b4:
  return yes";
    let path = ["is_atom(X1)", "is_cons(atom_to_list(X1))", "not (hd(atom_to_list(X1)) =:= 104)"];
    check(letters, "abc", &path, "fff");
    check(letters, "1", &["not (is_atom(X1))"], "f");
}

#[test]
fn funs() {
    let called = "function m:f/1 (%0) captured 0 registers 9
b0:
  branch predicate erlang:is_function/2(%0, 1) yes b1 no b2
b1:
  %1 = call fun %0(7)
  branch literal 3 (%1) yes b3 no b2
b2:
  return no
b3:
  %2 = call fun %0(7)
  branch same(%1, %2) yes b4 no b2
b4:
  return steady";
    check(called, "fun (_) -> 0 end", &["is_function(X1)", "is_function(X1, 1)", "not (X1(7) =:= 3)"], "fff");
    // The same arguments give the same value, which needs no condition.
    check(called, "fun (_) -> 3 end", &["is_function(X1)", "is_function(X1, 1)", "X1(7) =:= 3"], "fff");
}

#[test]
fn exceptions() {
    let divided = "function m:f/1 (%0) captured 0 registers 9
b0:
  jump b1
b1: handler b3
  %1 = call remote erlang:'div'(10, %0)
  jump b2
b2:
  branch literal 5 (%1) yes b5 no b4
b3: catch(%3, %4, %5)
  branch literal badarith (%4) yes b4 no b5
b4:
  return %0
b5:
  return five";
    check(divided, "0", &["is_integer(X1)", "X1 =:= 0"], "ff");
    check(divided, "3", &["is_integer(X1)", "not (X1 =:= 0)", "not ((10 div X1) =:= 5)"], "fff");
    let thrown = "function m:f/1 (%0) captured 0 registers 9
b0: handler b2
  %1 = call remote erlang:throw(%0)
  jump b1
b1:
  return %1
b2: catch(%3, %4, %5)
  branch literal stop (%4) yes b3 no b4
b3:
  return stopped
b4:
  return %4";
    check(thrown, "go", &["not (X1 =:= stop)"], "f");
}

#[test]
fn the_dictionary() {
    let puts = "  %2 = call remote erlang:put(a, %0)\n  %3 = call remote erlang:put(%1, 2)\n  \
                %4 = call remote erlang:get(a)";
    let text = tested(puts, "literal 2 (%4)");
    check(&text, "1, b", &["not (X2 =:= a)", "not (X1 =:= 2)"], "ff");
    check(&text, "1, a", &["X2 =:= a"], "f");
}

/// What stands in a module for a function that the VM implements itself.
fn stub(function: &str) -> String {
    format!(
        "\n---\nfunction {function}/2 (%0, %1) captured 0 registers 2\nb0:\n  tailcall remote erlang:nif_error(undefined)"
    )
}

#[test]
fn ets_tables() {
    let calls = "  %2 = call remote ets:new(t, [])\n  %3 = tuple(%0, 1)\n  %4 = call remote ets:insert(%2, %3)\n  \
                 %5 = call remote ets:lookup(%2, %1)";
    let text = tested(calls, "cons(%5) -> (%6, %7)") + &["ets:new", "ets:insert", "ets:lookup"].map(stub).concat();
    check(&text, "a, b", &["not (X2 =:= X1)"], "f");
    check(&text, "a, a", &["X2 =:= X1"], "f");
}
