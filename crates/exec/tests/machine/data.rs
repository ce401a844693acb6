//! Building terms, taking them apart, arithmetic.

use crate::world::outcome;

/// A function of two arguments with one operation.
fn operation(op: &str) -> String {
    format!("function m:f/2 (%0, %1) captured 0 registers 4\nb0:\n  %2 = {op} @3:1\n  return %2")
}

/// A function that says whether a test holds, with what it reveals.
fn test(test: &str, outs: usize) -> String {
    let regs: Vec<String> = (2..2 + outs).map(|reg| format!("%{reg}")).collect();
    let regs = regs.join(", ");
    let outs = if outs == 0 { String::new() } else { format!(" -> ({regs})") };
    format!(
        "function m:f/2 (%0, %1) captured 0 registers 9\nb0:\n  branch {test}{outs} yes b1 no b2\nb1:\n  \
         %8 = tuple({regs})\n  return %8\nb2:\n  return no"
    )
}

#[test]
fn integers_grow_beyond_the_machine_word() {
    let cases = [
        ("'+'", "9223372036854775807, 1", "9223372036854775808"),
        ("'-'", "-9223372036854775808, 1", "-9223372036854775809"),
        ("'*'", "4294967296, 4294967296", "18446744073709551616"),
        ("'div'", "-9223372036854775808, -1", "9223372036854775808"),
        ("'rem'", "-7, 3", "-1"),
        ("'bsl'", "1, 64", "18446744073709551616"),
        ("'bsr'", "18446744073709551616, 60", "16"),
        ("'band'", "-1, 255", "255"),
        ("'+'", "1, 0.5", "1.5"),
    ];
    for (name, args, value) in cases {
        assert_eq!(
            outcome(&operation(&format!("call remote erlang:{name}(%0, %1)")), "f", args),
            value,
            "{name} {args}"
        );
    }
    assert_eq!(
        outcome(&operation("call remote erlang:'+'(%0, 1)"), "f", "9223372036854775807, x"),
        "9223372036854775808"
    );
    assert_eq!(outcome(&operation("call remote erlang:'-'(%0, 1)"), "f", "1.5, x"), "0.5");
}

#[test]
fn bad_arithmetic_names_the_operation() {
    let trace = |name: &str, args: &str| {
        format!(
            "[{{erlang,{name},{args},[{{error_info,#{{module => erl_erts_errors}}}}]}},\
             {{m,f,2,[{{file,\"m.erl\"}},{{line,3}}]}}]"
        )
    };
    let plus = operation("call remote erlang:'+'(%0, 1)");
    assert_eq!(outcome(&plus, "f", "a, b"), format!("error:badarith {}", trace("'+'", "[a,1]")));
    let div = operation("call remote erlang:'div'(%0, %1)");
    assert_eq!(outcome(&div, "f", "1, 0"), format!("error:badarith {}", trace("'div'", "[1,0]")));
    let element = operation("call remote erlang:element(%0, %1)");
    assert_eq!(outcome(&element, "f", "3, {a, b}"), format!("error:badarg {}", trace("element", "[3,{a,b}]")));
    assert_eq!(outcome(&element, "f", "0, {a, b}"), format!("error:badarg {}", trace("element", "[0,{a,b}]")));
    assert_eq!(outcome(&element, "f", "2, {a, b}"), "b");
}

#[test]
fn relations_give_booleans() {
    let holds = |op: &str, args: &str| outcome(&operation(&format!("call remote erlang:'{op}'(%0, %1)")), "f", args);
    assert_eq!(holds("<", "1, a"), "true");
    assert_eq!(holds("=<", "1.0, 1"), "true");
    assert_eq!(holds("==", "1.0, 1"), "true");
    assert_eq!(holds("=:=", "1.0, 1"), "false");
    assert_eq!(holds("=/=", "{1, [a]}, {1, [a]}"), "false");
    assert_eq!(holds(">=", "[1], <<>>"), "false");
    assert_eq!(holds("/=", "1, 2"), "true");
}

#[test]
fn maps_are_built_updated_and_read() {
    assert_eq!(outcome(&operation("map(#{}, put a %0, put %1 b)"), "f", "1, 2"), "#{2 => b,a => 1}");
    assert_eq!(outcome(&operation("map(%0, update a %1)"), "f", "#{a => 1}, 2"), "#{a => 2}");
    assert_eq!(
        outcome(&operation("map(%0, update a %1)"), "f", "#{b => 1}, 2"),
        "error:{badkey,a} [{m,f,2,[{file,\"m.erl\"},{line,3}]}]"
    );
    assert_eq!(
        outcome(&operation("map(%0, put a %1)"), "f", "x, 2"),
        "error:{badmap,x} [{m,f,2,[{file,\"m.erl\"},{line,3}]}]"
    );
    assert_eq!(outcome(&test("map_key(%0, %1)", 1), "f", "#{1 => x}, 1"), "{x}");
    assert_eq!(outcome(&test("map_key(%0, %1)", 1), "f", "#{1 => x}, 1.0"), "no");
    assert_eq!(outcome(&test("map_key(%0, %1)", 1), "f", "x, 1"), "no");
    assert!(outcome(&operation("call remote erlang:map_get(%0, %1)"), "f", "a, #{}").starts_with("error:{badkey,a}"));
}

#[test]
fn an_update_leaves_the_old_map_alone() {
    let text = "function m:f/1 (%0) captured 0 registers 4
b0:
  %1 = map(%0, put a 2)
  %2 = map(%1, put a 3)
  %3 = tuple(%0, %1, %2)
  return %3";
    assert_eq!(outcome(text, "f", "#{a => 1}"), "{#{a => 1},#{a => 2},#{a => 3}}");
}

#[test]
fn tests_reveal_what_they_find() {
    assert_eq!(outcome(&test("cons(%0)", 2), "f", "[1,2], x"), "{1,[2]}");
    assert_eq!(outcome(&test("cons(%0)", 2), "f", "[], x"), "no");
    assert_eq!(outcome(&test("tuple 3 (%0)", 3), "f", "{1,[2],3}, x"), "{1,[2],3}");
    assert_eq!(outcome(&test("tuple 3 (%0)", 3), "f", "{1,2}, x"), "no");
    assert_eq!(outcome(&test("same(%0, %1)", 0), "f", "[1,{a}], [1,{a}]"), "{}");
    assert_eq!(outcome(&test("literal {a,[1]} (%0)", 0), "f", "{a,[1]}, x"), "{}");
    assert_eq!(outcome(&test("literal 1 (%0)", 0), "f", "1.0, x"), "no");
    assert_eq!(outcome(&test("predicate erlang:'>='/2(%0, 3)", 0), "f", "3.0, x"), "{}");
    assert_eq!(outcome(&test("predicate erlang:'=<'/2(%0, 3)", 0), "f", "4, x"), "no");
    assert_eq!(outcome(&test("predicate erlang:'=/='/2(%0, %1)", 0), "f", "4, 4"), "no");
    assert_eq!(outcome(&test("predicate erlang:'<'/2(3, %0)", 0), "f", "a, 4"), "{}");
}

#[test]
fn type_tests_know_every_type() {
    let values =
        ["a", "true", "1", "1.5", "[]", "[a]", "{}", "#{}", "<<1>>", "<<1:3>>", "fun m:f/2", "99999999999999999999"];
    let types = [
        ("is_atom", "yy.........."),
        ("is_boolean", ".y.........."),
        ("is_integer", "..y........y"),
        ("is_float", "...y........"),
        ("is_number", "..yy.......y"),
        ("is_list", "....yy......"),
        ("is_tuple", "......y....."),
        ("is_map", ".......y...."),
        ("is_binary", "........y..."),
        ("is_bitstring", "........yy.."),
        ("is_function", "..........y."),
        ("is_pid", "............"),
    ];
    for (name, wanted) in types {
        let text = test(&format!("predicate erlang:{name}/1(%0)"), 0);
        let value_text = operation(&format!("call remote erlang:{name}(%0)"));
        let found = |value: &&str| if outcome(&text, "f", &format!("{value}, x")) == "no" { '.' } else { 'y' };
        assert_eq!(values.iter().map(found).collect::<String>(), wanted, "{name}");
        let found = |value: &&str| if outcome(&value_text, "f", &format!("{value}, x")) == "true" { 'y' } else { '.' };
        assert_eq!(values.iter().map(found).collect::<String>(), wanted, "{name} as a value");
    }
}

#[test]
fn values_that_die_on_one_way_only_live_on_the_other() {
    let text = "function m:f/2 (%0, %1) captured 0 registers 9
b0:
  %2 = tuple(%0, %1)
  branch cons(%0) -> (%3, %4) yes b1 no b2
b1:
  branch cons(%4) -> (%5, %6) yes b3 no b4
b2:
  return %2
b3:
  %7 = tuple(%0, %5, %6)
  return %7
b4:
  %8 = tuple(%2, %3)
  return %8";
    assert_eq!(outcome(text, "f", "[1,2,3], x"), "{[1,2,3],2,[3]}");
    assert_eq!(outcome(text, "f", "[1], x"), "{{[1],x},1}");
    assert_eq!(outcome(text, "f", "y, x"), "{y,x}");
}
