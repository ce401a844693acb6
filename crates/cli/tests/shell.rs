//! `hound run` prints what the real Erlang shell prints, letter by letter.

mod support;

use support::{run, shell};

/// Calls that give a value.
const VALUES: [&str; 22] = [
    "lists:sort([3,1,2])",
    "lists:map(fun(X) -> X * X end, lists:seq(1, 5))",
    "[{X, Y} || X <- [1,2,3], Y <- \"ab\", X rem 2 =:= 1]",
    "string:uppercase(\"gr\\x{fc}\\x{df}e\")",
    "string:split(<<\"a,b,c\">>, <<\",\">>, all)",
    "maps:from_list([{K, K * K} || K <- lists:seq(1, 9)])",
    "#{a => 1, {b} => [2.0, -0.0, 1.0e23], \"c\" => <<1,2,3:4>>}",
    "{foo, 'Bar baz', \"\", [], <<>>, $a}",
    "1 bsl 200",
    "lists:foldl(fun(X, Acc) -> X + Acc end, 0, lists:seq(1, 1000))",
    "fun lists:map/2",
    "try throw(x) catch throw:Y -> {caught, Y} after ok end",
    "catch throw({a, [b]})",
    "binary:split(<<\"hello world\">>, <<\" \">>)",
    "io_lib:format(\"~p and ~s~n\", [{a, 1}, \"text\"])",
    "begin X = 5, case X of N when N > 3 -> big; _ -> small end end",
    "gb_trees:to_list(gb_trees:from_orddict([{1, a}, {2, b}]))",
    "<< <<(X * 2)>> || <<X>> <= <<1,2,3>> >>",
    "lists:duplicate(3, [\"abc\", 'a b', 1.5])",
    "calendar:day_of_the_week(2024, 2, 29)",
    "[[lists:seq(1, 20), atom], {\"a rather long string to break the line\", #{key => value}, another_long_atom}]",
    "unicode:characters_to_binary([1046, $a])",
];

/// Calls that raise.
const EXCEPTIONS: [&str; 22] = [
    "lists:nth(0, [1])",
    "lists:reverse(a)",
    "maps:get(b, #{a => 1})",
    "throw(x)",
    "exit({a, b})",
    "error(custom)",
    "error({badmatch, 1})",
    "atom_to_list(1)",
    "hd([])",
    "binary_to_integer(<<\"a\">>)",
    "lists:map(a, [1])",
    "case lists:seq(1, 2) of 2 -> ok end",
    "lists:keyfind(a, b, c)",
    "element(3, {a})",
    "{a, b} = list_to_tuple([c])",
    "lists:foldl(fun erlang:'+'/2, 0, [1, a])",
    "list_to_existing_atom(\"there is no such atom at all\")",
    "lists:map(fun(X) -> nowhere:to_be_found(X) end, [1])",
    "lists:last([])",
    "gb_trees:get(1, gb_trees:empty())",
    "string:pad(1, a)",
    "dict:fetch(a, dict:new())",
];

fn compare(expressions: &[&str], code: i32) {
    let mut wrong = Vec::new();
    let printed = shell(expressions);
    assert_eq!(printed.len(), expressions.len());
    for (expression, real) in expressions.iter().zip(printed) {
        let ours = run(expression);
        if ours.out != real || ours.code != code {
            wrong.push(format!(
                "{expression}\n--- the shell\n{real}--- hound (exit code {})\n{}{}",
                ours.code, ours.out, ours.err
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), expressions.len(), wrong.join("\n"));
}

#[test]
fn values_print_as_in_the_shell() {
    compare(&VALUES, 0);
}

#[test]
fn exceptions_print_as_in_the_shell() {
    compare(&EXCEPTIONS, 1);
}
