%% Sequences of table operations, drawn by a seed: what each gives, and the table at the end.
-module(table_steps).

-export([run/2, many/2, grown/2]).

%% The results of several sequences.
many(From, To) -> [{Seed, run(Seed, 60)} || Seed <- lists:seq(From, To)].

run(Seed, Count) ->
    {Kind, S1} = pick([set, ordered_set, bag, duplicate_bag], seed(Seed)),
    {Place, S2} = pick([1, 1, 2], S1),
    {Extra, S3} = pick([[], [], [public, {write_concurrency, true}], [private]], S2),
    T = ets:new(t, [Kind, {keypos, Place} | Extra]),
    Results = steps(T, Count, S3, []),
    All = ets:tab2list(T),
    ets:delete(T),
    {Kind, Place, Results, All}.

steps(_, 0, _, Results) -> lists:reverse(Results);
steps(T, Count, S, Results) ->
    {Step, S1} = step(S),
    Result = try plain(apply(Step, [T])) catch C:R -> {C, R} end,
    {_, S2} = next(S1),
    steps(T, Count - 1, S2, [Result | Results]).

plain({Found, Continuation}) when is_tuple(Continuation) -> {Found, continued(Continuation, 3)};
plain(Result) -> Result.

continued(_, 0) -> more;
continued('$end_of_table', _) -> '$end_of_table';
continued(Continuation, N) ->
    case ets:select(Continuation) of
        {Found, More} -> {Found, continued(More, N - 1)};
        End -> End
    end.

step(S0) ->
    {Op, S1} = next(S0),
    {Key, S2} = key(S1),
    {Row, S3} = row(S2),
    {Row2, S4} = row(S3),
    {Pattern, S5} = pattern(S4),
    {N, S6} = next(S5),
    {operation(Op rem 38, Key, Row, Row2, Pattern, N), S6}.

operation(0, _, Row, _, _, _) -> fun(T) -> ets:insert(T, Row) end;
operation(1, _, Row, _, _, _) -> fun(T) -> ets:insert(T, Row) end;
operation(2, _, Row, Row2, _, _) -> fun(T) -> ets:insert(T, [Row, Row2]) end;
operation(3, _, Row, Row2, _, _) -> fun(T) -> ets:insert_new(T, [Row, Row2]) end;
operation(4, _, Row, _, _, _) -> fun(T) -> ets:insert_new(T, Row) end;
operation(5, Key, _, _, _, _) -> fun(T) -> ets:lookup(T, Key) end;
operation(6, Key, _, _, _, _) -> fun(T) -> ets:member(T, Key) end;
operation(7, Key, _, _, _, N) -> fun(T) -> ets:lookup_element(T, Key, N rem 4) end;
operation(8, Key, _, _, _, _) -> fun(T) -> ets:delete(T, Key) end;
operation(9, Key, _, _, _, _) -> fun(T) -> ets:take(T, Key) end;
operation(10, _, Row, _, _, _) -> fun(T) -> ets:delete_object(T, Row) end;
operation(11, _, _, _, _, _) -> fun(T) -> ets:first(T) end;
operation(12, _, _, _, _, _) -> fun(T) -> ets:last(T) end;
operation(13, Key, _, _, _, _) -> fun(T) -> ets:next(T, Key) end;
operation(14, Key, _, _, _, _) -> fun(T) -> ets:prev(T, Key) end;
operation(15, _, _, _, _, _) -> fun(T) -> ets:tab2list(T) end;
operation(16, _, _, _, _, _) -> fun(T) -> ets:foldl(fun(R, A) -> [R | A] end, [], T) end;
operation(17, _, _, _, _, _) -> fun(T) -> ets:foldr(fun(R, A) -> [R | A] end, [], T) end;
operation(18, _, _, _, Pattern, _) -> fun(T) -> ets:match(T, Pattern) end;
operation(19, _, _, _, Pattern, _) -> fun(T) -> ets:match_object(T, Pattern) end;
operation(20, _, _, _, Pattern, N) -> fun(T) -> ets:match_object(T, Pattern, N rem 3) end;
operation(21, _, _, _, Pattern, N) -> fun(T) -> ets:select(T, spec(Pattern, N)) end;
operation(22, _, _, _, Pattern, N) -> fun(T) -> ets:select(T, spec(Pattern, N), 1 + N rem 3) end;
operation(23, _, _, _, Pattern, N) -> fun(T) -> ets:select_reverse(T, spec(Pattern, N)) end;
operation(24, _, _, _, Pattern, N) -> fun(T) -> ets:select_reverse(T, spec(Pattern, N), 1 + N rem 3) end;
operation(25, _, _, _, Pattern, N) -> fun(T) -> ets:select_count(T, guarded(Pattern, N)) end;
operation(26, _, _, _, Pattern, N) when N rem 3 =:= 0 -> fun(T) -> ets:select_delete(T, guarded(Pattern, N)) end;
operation(27, _, _, _, Pattern, N) when N rem 5 =:= 0 -> fun(T) -> ets:match_delete(T, Pattern) end;
operation(28, Key, _, _, _, N) -> fun(T) -> ets:update_counter(T, Key, counter(N)) end;
operation(29, Key, _, _, _, N) -> fun(T) -> ets:update_counter(T, Key, counter(N), lists:nth(1 + N rem 3, [{0, 5, 6}, {0, x, 1}, x])) end;
operation(30, Key, Row, _, _, N) -> fun(T) -> ets:update_element(T, Key, changes(N, Row)) end;
operation(31, _, _, _, _, _) -> fun(T) -> ets:info(T, size) end;
operation(32, _, _, _, _, N) -> fun(T) -> ets:safe_fixtable(T, N rem 2 =:= 0) end;
operation(33, _, _, _, _, N) -> fun(T) -> [ets:slot(T, I) || I <- lists:seq(N rem 4, N rem 4 + 2)] end;
operation(34, _, _, _, _, N) when N rem 7 =:= 0 -> fun(T) -> ets:delete_all_objects(T) end;
operation(35, _, _, _, _, N) -> fun(T) -> ets:select_replace(T, replacing(N)) end;
operation(36, _, _, _, _, N) -> fun(T) -> ets:info(T, lists:nth(1 + N rem 9, items())) end;
operation(37, _, _, _, Pattern, N) -> fun(T) -> ets:match(T, Pattern, 1 + N rem 2) end;
operation(_, _, Row, _, _, _) -> fun(T) -> ets:insert(T, Row) end.

items() -> [type, keypos, protection, compressed, fixed, named_table, name, size, nonsense].

counter(N) ->
    lists:nth(1 + N rem 8,
        [1, -3, {2, 1}, {3, 5}, [{2, 1}, {2, 2}], {2, 1, 3, 0}, {2, -1, -2, 7}, {1, 1}]).

changes(N, Row) ->
    lists:nth(1 + N rem 6, [{2, x}, {3, Row}, [{2, y}, {3, z}], {1, k}, {9, k}, []]).

spec(Pattern, N) ->
    Body = lists:nth(1 + N rem 7, ['$_', '$$', {{a, '$_'}}, {hd, '$$'}, {element, 2, '$_'}, [x, '$_'], {const, {'$1'}}]),
    [{Pattern, guards(N), [Body]}].

guards(N) ->
    lists:nth(1 + (N div 7) rem 6, [[], [], [{'=/=', '$_', {}}], [{is_tuple, '$_'}], [{'>', {size, '$_'}, 2}], [true, {'not', false}]]).

guarded(Pattern, N) -> [{Pattern, guards(N), [true]}, {{'_', '_'}, [], [N rem 2 =:= 0]}].

replacing(N) ->
    lists:nth(1 + N rem 4, [
        [{{'$1', '$2'}, [], [{{'$1', {{'$2'}}}}]}],
        [{{'$1', '$2', '$3'}, [{is_integer, '$2'}], [{{'$1', '$2', n}}]}],
        [{{'$1', '$2'}, [], [{{'$2', '$1'}}]}],
        [{'_', [], ['$_']}]
    ]).

key(S0) ->
    {N, S1} = next(S0),
    pick(keys(N rem 5), S1).

keys(0) -> [1, 2, 3, 4, 5];
keys(1) -> [1, 1.0, 2.0, -7, 1 bsl 62, -(1 bsl 70), 576460752303423488, -576460752303423488, -576460752303423489];
keys(2) -> [a, b, c, undefined, 'a long name of an atom', ''];
keys(3) -> [<<>>, <<"abc">>, <<1:3>>, <<"a longer binary than one block">>, "", "abcd", "abcdefgh", [1, 2 | 3], [300, 1], #{}, #{1 => 2}];
keys(4) -> [{}, {1}, {1, 2}, {1, "a"}, [[1], [2]], {1.5, <<>>}, {[], []}, [{1}], [1.0]].

row(S0) ->
    {Key, S1} = key(S0),
    {Value, S2} = pick([0, 1, 2, x, {7}, 1.0], S1),
    {Third, S3} = pick([1, 2, z], S2),
    {N, S4} = next(S3),
    {case N rem 8 of
        0 -> {Key};
        1 -> {Value, Key, Third};
        2 -> {Key, Value, Third};
        3 -> {Key, Value, Third};
        4 -> {Value, Key};
        _ -> {Key, Value}
     end, S4}.

pattern(S0) ->
    {Key, S1} = key(S0),
    {N, S2} = next(S1),
    {lists:nth(1 + N rem 10,
        ['_', '$1', {'$1', '$2'}, {'_', '$1'}, {Key, '$1'}, {'$1', '$1'}, {Key, '_', '_'}, {'$3', '$1', '$2'}, {'$1', Key}, Key]), S2}.

%% Many rows: slots are split, and joined again.
grown(Seed, Count) ->
    T = ets:new(t, [lists:nth(1 + Seed rem 3, [set, bag, duplicate_bag])]),
    {_, S} = lists:foldl(fun(_, {N, S0}) ->
        {R, S1} = next(S0),
        ets:insert(T, {R rem (2 * Count), N}),
        {N + 1, S1}
    end, {0, seed(Seed)}, lists:seq(1, Count)),
    Before = erlang:phash2(ets:tab2list(T)),
    {_, _} = lists:foldl(fun(_, {N, S0}) ->
        {R, S1} = next(S0),
        ets:delete(T, R rem (2 * Count)),
        {N + 1, S1}
    end, {0, S}, lists:seq(1, 3 * Count)),
    {Before, ets:info(T, size), ets:tab2list(T), ets:first(T)}.

pick(List, S0) ->
    {N, S1} = next(S0),
    {lists:nth(1 + N rem length(List), List), S1}.

seed(Seed) -> (Seed * 7919 + 12345) rem 2147483647.

next(S) ->
    S1 = (S * 48271) rem 2147483647,
    {S1 div 97, S1}.
