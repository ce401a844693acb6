%% Programs that keep what they are given in tables, and look it up.
%! dispatch/2 crash error:{seven,_}@seven error:badarith@divide
%! key/2 crash error:nine@nine complete paths=3
%! bag/2 crash error:five_six@five_six error:seven@only_seven error:two@two complete
%! order/3 crash error:cab@cab error:one_two@one_two error:badarith@ends complete
%! member/1 crash error:badarg@insert error:member@member
%! total/1 crash error:total@total
%! kept/2 safe complete
%! element/3 crash error:badarg@element error:badarith@element complete
%! matched/2 crash error:first@first error:second@second complete
%! counters/2 crash error:eight@eight error:nine@ninth complete
%! selected/2 crash error:large@large complete
%! updated/2 crash error:boom@boom complete
%! deleted/2 crash error:both@both complete
%! queue/1 crash error:urgent@urgent
%! path/2 crash error:path@path complete
%! words/1 crash error:three@three
%! cache/1 crash error:badarith@cache complete
%! replaced/3 safe complete
%! neighbours/2 crash error:between@between complete
%! renamed/2 crash error:found@found complete
%! objects/2 crash error:gone@gone complete
%! listed/2 incomplete
%! whole/2 crash error:badarg@whole error:pair@pair
-module(tables).
-export([dispatch/2, key/2, bag/2, order/3, member/1, total/1, kept/2, element/3, matched/2, counters/2, selected/2]).
-export([updated/2, deleted/2, queue/1, path/2, words/1, cache/1, replaced/3, neighbours/2, renamed/2, objects/2]).
-export([listed/2, whole/2]).
-include_lib("stdlib/include/ms_transform.hrl").

-spec dispatch(atom(), [integer()]) -> integer().
dispatch(F, Args) ->
    T = ets:new(t, [set]),
    try
        [ets:insert(T, {K, V}) || {K, V} <- lists:zip(lists:seq(1, length(Args)), Args)],
        case ets:lookup(T, 3) of
            [{3, 7}] when F =:= seven -> error({seven, ets:info(T, size)}); %@seven
            [{3, N}] -> 100 div (N - 5); %@divide
            [] -> 0
        end
    after
        ets:delete(T)
    end.

%% Of two rows with the same key the later one is there.
-spec key(integer(), integer()) -> integer().
key(K, V) ->
    T = ets:new(t, [set, {keypos, 2}]),
    ets:insert(T, [{a, 3, 1}, {b, K, V}]),
    case ets:lookup(T, 3) of
        [{a, 3, 1}] -> 0;
        [{b, 3, 9}] -> error(nine); %@nine
        [{b, 3, _}] -> 1
    end.

-spec bag(integer(), integer()) -> integer().
bag(A, B) ->
    T = ets:new(t, [bag]),
    ets:insert(T, {k, A}),
    ets:insert(T, {k, B}),
    ets:insert(T, {B, x}),
    R =
        case ets:lookup(T, k) of
            [{k, 5}, {k, 6}] -> error(five_six); %@five_six
            [{k, 7}] -> error(seven); %@only_seven
            _ -> 0
        end,
    case ets:info(T, size) of
        2 -> error(two); %@two
        3 -> R
    end.

-spec order(integer(), integer(), integer()) -> integer().
order(A, B, C) ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{A, a}, {B, b}, {C, c}]),
    case ets:tab2list(T) of
        [{_, c}, {_, a}, {_, b}] -> error(cab); %@cab
        [{1, a}, {2, c}] -> error(one_two); %@one_two
        _ -> ets:first(T) div (ets:last(T) - 10) %@ends
    end.

-spec member(any()) -> integer().
member(X) ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, X), %@insert
    case ets:member(T, 1) of
        true -> error(member); %@member
        false -> ets:info(T, size)
    end.

-spec total([{atom(), integer()}]) -> integer().
total(Rows) ->
    T = ets:new(t, [set]),
    ets:insert(T, Rows),
    case ets:foldl(fun({_, V}, Sum) -> V + Sum end, 0, T) of
        42 -> error(total); %@total
        Sum -> Sum
    end.

%% A table by its name and by its reference.
-spec kept(integer(), integer()) -> integer().
kept(K, V) ->
    ets:new(kept, [named_table]),
    ets:insert(kept, {K, V}),
    [{K, V}] = ets:lookup(ets:whereis(kept), K),
    true = ets:member(kept, K),
    [{K, V}] = ets:take(kept, K),
    [] = ets:lookup(kept, K),
    0 = ets:info(kept, size),
    V.

-spec element(integer(), integer(), 1..3) -> integer().
element(K, V, P) ->
    T = ets:new(t, []),
    ets:insert(T, {K, V}),
    100 div (ets:lookup_element(T, 17, P) - 20). %@element

-spec matched(integer(), integer()) -> integer().
matched(A, B) ->
    T = ets:new(t, []),
    ets:insert(T, {1, A}),
    ets:insert(T, {2, B}),
    case ets:match_object(T, {'_', 77}) of
        [] -> 0;
        [{1, _}] -> error(first); %@first
        [{2, _}] -> error(second); %@second
        _ -> 2
    end.

-spec counters(integer(), integer()) -> integer().
counters(K, V) ->
    T = ets:new(t, []),
    ets:insert(T, {1, V}),
    ets:update_counter(T, K, 3, {x, 0}),
    ets:update_counter(T, 1, {2, 5}),
    case ets:lookup(T, 1) of
        [{1, 108}] -> error(eight); %@eight
        [{1, 109}] -> error(nine); %@ninth
        _ -> 0
    end.

-spec selected(integer(), integer()) -> integer().
selected(K, V) ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{1, V}, {K, 3}]),
    case ets:select(T, ets:fun2ms(fun({A, B}) when B > 1000 -> {B, A} end)) of
        [{1234, _}] -> error(large); %@large
        [_] -> 1;
        [] -> 0
    end.

-spec updated(integer(), atom()) -> integer().
updated(K, A) ->
    T = ets:new(t, []),
    ets:insert(T, [{1, x, 1}, {2, y, 2}]),
    case ets:update_element(T, K, {2, A}) of
        true ->
            case ets:lookup(T, 2) of
                [{2, boom, _}] -> error(boom); %@boom
                _ -> 1
            end;
        false -> 0
    end.

-spec deleted(integer(), integer()) -> integer().
deleted(A, B) ->
    T = ets:new(t, []),
    ets:insert(T, [{1, A}, {2, B}, {3, 0}]),
    N = ets:select_delete(T, ets:fun2ms(fun({_, V}) when V > 10 -> true end)),
    case {N, ets:info(T, size)} of
        {2, 1} -> error(both); %@both
        {1, 2} -> 1;
        {0, 3} -> 0
    end.

%% The least key first, again and again.
-spec queue([{integer(), atom()}]) -> integer().
queue(Jobs) ->
    T = ets:new(t, [ordered_set]),
    [ets:insert(T, Job) || Job <- Jobs],
    drain(T, 0).

drain(T, N) ->
    case ets:first(T) of
        '$end_of_table' -> N;
        K ->
            case ets:take(T, K) of
                [{3, bad}] when N =:= 1 -> error(urgent); %@urgent
                [{K, _}] -> drain(T, N + 1)
            end
    end.

%% Graphs are tables.
-spec path(integer(), integer()) -> boolean().
path(A, B) ->
    G = digraph:new(),
    [digraph:add_vertex(G, V) || V <- [1, 2, 3]],
    digraph:add_edge(G, 1, A),
    digraph:add_edge(G, A, B),
    case digraph:get_path(G, 1, 3) of
        [1, 2, 3] -> error(path); %@path
        false -> false;
        _ -> true
    end.

-spec words([a | b | c]) -> integer().
words(Words) ->
    T = ets:new(t, []),
    [ets:update_counter(T, Word, 1, {Word, 0}) || Word <- Words],
    case ets:lookup(T, b) of
        [{b, 3}] -> error(three); %@three
        [{b, N}] -> N;
        [] -> 0
    end.

-spec cache(integer()) -> integer().
cache(N) ->
    ets:new(cache, [named_table]),
    case ets:lookup(cache, N) of
        [{_, V}] -> V;
        [] ->
            ets:insert(cache, {N, N * 2}),
            [{N, V}] = ets:lookup(cache, N),
            10 div (V - 14) %@cache
    end.

%% Whatever the keys are, there is as much as there are different ones.
-spec replaced(0..3, 0..3, 0..3) -> integer().
replaced(A, B, C) ->
    T = ets:new(t, []),
    [ets:insert(T, {K, K}) || K <- [A, B, C]],
    Size = length(lists:usort([A, B, C])),
    Size = ets:info(T, size),
    ets:delete(T, A),
    Left = Size - 1,
    Left = ets:info(T, size).

%% Integers and floats that are equal are one key here.
-spec neighbours(integer(), float()) -> integer().
neighbours(A, B) ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{1, low}, {5, high}, {A, middle}]),
    case {ets:next(T, 1), ets:prev(T, B)} of
        {3, 3} when B < 4.5 -> error(between); %@between
        _ -> 0
    end.

-spec renamed(integer(), integer()) -> integer().
renamed(K, V) ->
    ets:new(before, [named_table]),
    ets:insert(before, {K, V}),
    later = ets:rename(before, later),
    case ets:lookup(later, V) of
        [{12, 12}] -> error(found); %@found
        _ -> 0
    end.

-spec objects(integer(), integer()) -> integer().
objects(A, B) ->
    T = ets:new(t, [duplicate_bag]),
    ets:insert(T, [{k, A}, {k, B}, {k, A}]),
    ets:delete_object(T, {k, 4}),
    case ets:lookup(T, k) of
        [{k, 9}] -> error(gone); %@gone
        Rows -> length(Rows)
    end.

%% Which row comes first follows from hashes of the keys.
-spec listed(integer(), integer()) -> integer().
listed(A, B) ->
    T = ets:new(t, []),
    ets:insert(T, [{A, a}, {B, b}]),
    length(ets:tab2list(T)).

%% What is put there may be a row of any size, or none.
-spec whole({a, integer()} | {b, integer(), integer()} | atom() | [{c, 1..2}], integer()) -> integer().
whole(Rows, K) ->
    T = ets:new(t, [{keypos, 2}]),
    ets:insert(T, Rows), %@whole
    case ets:lookup(T, K) of
        [{b, 5, 6}] -> error(pair); %@pair
        [{a, _}] -> 1;
        _ -> 0
    end.
