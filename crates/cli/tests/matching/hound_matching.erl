%% Operations that look into rows of tables, by the VM and by the prelude, on tables and arguments that chance makes.
-module(hound_matching).
-export([compare/1]).

compare(Count) ->
    rand:seed(exsss, {1, 2, 3}),
    case [Call || Call <- [call() || _ <- lists:seq(1, Count)], made(ets, Call) =/= made(hound_prelude_ets, Call)] of
        [] -> halt(0);
        [{Kind, Place, Rows, Name, Args} = Call | _] = All ->
            io:format("~w differ: ~0p~n", [length(All), {Kind, Place, Rows, Name, Args}]),
            io:format("VM      ~0p~nprelude ~0p~n", [made(ets, Call), made(hound_prelude_ets, Call)]),
            halt(1)
    end.

%% What the operation gives, and what is in the table then.
made(Module, {Kind, Place, Rows, Name, Args}) ->
    T = ets:new(t, [Kind, {keypos, Place}]),
    ets:insert(T, Rows),
    Given = try apply(Module, Name, [T | Args]) catch error:Reason -> {failed, Reason} end,
    Left = lists:sort(ets:tab2list(T)),
    ets:delete(T),
    {Given, Left}.

call() ->
    Place = pick([1, 1, 1, 2]),
    Rows = [Row || _ <- lists:seq(1, rand:uniform(4)), Row <- [row()], tuple_size(Row) >= Place],
    {Name, Args} = operation(),
    {pick([set, ordered_set, bag, duplicate_bag]), Place, Rows, Name, Args}.

pick(List) -> lists:nth(rand:uniform(length(List)), List).

operation() ->
    case rand:uniform(9) of
        1 -> {update_counter, [value(), counts()]};
        % A default that is too short for the change ends the VM itself.
        2 -> {update_counter, [value(), counts(), pick([{k, 0, 1}, {k, 0, 0}, foo, {k, a, 0}])]};
        3 -> {update_element, [value(), changes()]};
        4 -> {match, [row_pattern()]};
        5 -> {match_object, [row_pattern()]};
        6 -> {select_count, [spec()]};
        7 -> {select_delete, [spec()]};
        8 -> {select_reverse, [spec()]};
        9 -> {select, [spec()]}
    end.

value() ->
    pick([0, 1, 2, 5, -3, 1.0, 2.0, a, b, true, false, '_x', [], [1], [1, 2], {}, {1, 2}, <<"ab">>, [a | b], #{a => 1}]).

row() -> list_to_tuple([value() || _ <- lists:seq(1, pick([1, 2, 2, 2, 3]))]).

counts() ->
    pick([1, -2, {2, 1}, {2, -1}, {3, 1}, {1, 1}, {2, 1, 3, 0}, {2, -1, 0, 9}, {2, a}, [{2, 1}, {2, 2}], [], foo]
         ++ [[{2, 1} | a], {2, 1, a, 0}, {2, 1, 5, b}, {0, 1}, {2.0, 1}]).

changes() -> pick([{2, x}, {3, y}, {1, z}, [{2, x}, {2, z}], [], foo, {0, x}, [{2, x} | y], {2}, [{2, x}, foo]]).

row_pattern() ->
    pick(['_', '$1', foo, 7, [] | [list_to_tuple([pattern(1) || _ <- lists:seq(1, N)]) || N <- [1, 2, 2, 2, 2, 3]]]).

pattern(0) -> pick(['_', '$1', '$2', '$1', 0, 1, a, [], true]);
pattern(D) ->
    Deep = [{pattern(D - 1), pattern(D - 1)}, [pattern(D - 1) | pattern(D - 1)], [pattern(D - 1)], #{a => '_'}],
    pick(['_', '$1', '$2', '$3', 0, 1, 1.0, a, 'x$', '$x', '$', '$01' | Deep]).

spec() ->
    [{row_pattern(), guards(), [expression(pick([0, 0, 2]))]} || _ <- lists:seq(1, pick([0, 1, 1, 2]))].

guards() -> [expression(2) || _ <- lists:seq(1, pick([0, 0, 1, 1, 2]))].

expression(0) -> pick(['$1', '$2', '$_', '$$', 0, 1, 2, a, true, false, {const, {x}}, 1.0, [], <<"ab">>]);
expression(D) ->
    [A, B] = [expression(D - 1), expression(D - 1)],
    pick([expression(0), {pick(unary()), A}, {pick(binary()), A, B}, {pick(logical()), A, B}]
         ++ [{pick(binary()), A, B}, {{A, B}}, [A, B], {{}}, {foo, 1}, {'and', true}, #{}]).

unary() ->
    [is_atom, is_float, is_integer, is_list, is_number, is_tuple, is_map, is_binary, 'not', abs, hd, tl, length, round]
    ++ [trunc, size, map_size, byte_size, bit_size, 'bnot'].

%% Shifts to the left may take all the memory there is.
binary() ->
    ['>', '>=', '<', '=<', '=:=', '==', '=/=', '/=', '+', '-', '*', 'div', 'rem', 'band', 'bor', 'bxor', 'bsr', element].

logical() -> ['and', 'or', 'xor', 'andalso', 'orelse'].
