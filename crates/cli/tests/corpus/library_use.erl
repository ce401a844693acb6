%% Programs that lean on lists, orddict, gb_trees, gb_sets, queue, proplists, sets and string.
%! word_count/1 crash error:bug@word_count
%! inventory/1 crash error:{negative,_}@negative
%! top/2 crash error:function_clause@top
%! lru/1 crash error:bug@lru
%! join/1 crash error:bug@join
%! config/1 crash error:{missing,_}@missing error:badarith@ratio
%! tokens/1 crash error:bug@tokens
%! trim/1 crash error:bug@trim
%! graph/3 crash error:{far,_}@far
%! bfs/2 crash error:unreachable@unreachable
%! priority/1 crash error:inverted@inverted
%! zip3/3 crash error:function_clause@zip3
%! partition/1 crash error:bug@partition
%! nested/1 crash error:bug@nested
%! group/1 crash error:bug@group
%! split/2 crash error:badarg@split
%! keysort/1 crash error:bug@keysort
%! ring/2 crash error:bug@ring
%! setops/2 crash error:bug@setops
%! prefix/1 crash error:bug@prefix
%! deep_get/2 crash error:{bad_path,_}@bad_path error:{bad_path,_}@bad_path2
%! dedup/1 crash error:bug@dedup
%! sliding/2 crash error:function_clause@sliding
%! chars/1 crash error:bug@chars
-module(library_use).
-export([word_count/1, inventory/1, top/2, lru/1, join/1, config/1, tokens/1, trim/1, graph/3, bfs/2, priority/1, dedup/1,
         sliding/2, zip3/3, partition/1, nested/1, group/1, split/2, foldr/1, keysort/1, ring/2, setops/2, chars/1,
         prefix/1, store/1, deep_get/2]).

-spec word_count([atom()]) -> [{atom(), pos_integer()}].
word_count(Words) ->
    D = lists:foldl(fun(W, Acc) -> orddict:update_counter(W, 1, Acc) end, orddict:new(), Words),
    case orddict:find(the, D) of
        {ok, N} when N >= 3 -> error(bug); %@word_count
        _ -> orddict:to_list(D)
    end.

-spec inventory([{add | remove, apple | pear, 1..5}]) -> list().
inventory(Moves) ->
    Final = lists:foldl(fun move/2, gb_trees:empty(), Moves),
    gb_trees:to_list(Final).
move({add, Item, N}, T) ->
    case gb_trees:lookup(Item, T) of
        none -> gb_trees:insert(Item, N, T);
        {value, Old} -> gb_trees:update(Item, Old + N, T)
    end;
move({remove, Item, N}, T) ->
    case gb_trees:lookup(Item, T) of
        {value, Old} when Old < N -> error({negative, Item}); %@negative
        {value, Old} -> gb_trees:update(Item, Old - N, T);
        none -> T
    end.

-spec top(1..3, [integer()]) -> [integer()].
top(N, L) -> {Best, _} = split_at(N, lists:reverse(lists:sort(L))), Best.
split_at(0, L) -> {[], L}; %@top
split_at(N, [H | T]) -> {A, B} = split_at(N - 1, T), {[H | A], B}.

-spec lru([{get | put, 1..4}]) -> list().
lru(Ops) -> lru(Ops, queue:new()).
lru([], Q) -> queue:to_list(Q);
lru([{put, K} | T], Q) ->
    Q1 = queue:in(K, queue:filter(fun(X) -> X =/= K end, Q)),
    case queue:len(Q1) > 2 of
        true -> lru(T, queue:drop(Q1));
        false -> lru(T, Q1)
    end;
lru([{get, K} | T], Q) ->
    case queue:peek(Q) of
        {value, K} when K =:= 3 -> error(bug); %@lru
        _ -> lru(T, Q)
    end.

-spec join([string()]) -> string().
join(Parts) ->
    case lists:flatten(lists:join(", ", Parts)) of
        "a, b" -> error(bug); %@join
        S -> S
    end.

-spec config([{width | height | name, integer()} | debug]) -> integer().
config(Opts) ->
    W = case proplists:get_value(width, Opts) of
        undefined -> error({missing, width}); %@missing
        V -> V
    end,
    H = proplists:get_value(height, Opts, 10),
    case proplists:get_bool(debug, Opts) of
        true -> W div H; %@ratio
        false -> W
    end.

-spec tokens([$a..$c | $,]) -> [string()].
tokens(S) ->
    case string:tokens(S, ",") of
        ["a", "bc"] -> error(bug); %@tokens
        Ts -> Ts
    end.

-spec trim([32 | $x]) -> string().
trim(S) ->
    Left = lists:dropwhile(fun(C) -> C =:= 32 end, S),
    case lists:reverse(lists:dropwhile(fun(C) -> C =:= 32 end, lists:reverse(Left))) of
        "x x" -> error(bug); %@trim
        T -> T
    end.

-type vertex() :: 1..4.
-spec graph([{vertex(), vertex()}], vertex(), vertex()) -> non_neg_integer() | none.
graph(Edges, From, To) -> step(Edges, [From], To, [From], 0).
step(_, [], _, _, _) -> none;
step(Edges, Here, To, Seen, N) ->
    case lists:member(To, Here) of
        true when N > 1 -> error({far, N}); %@far
        true -> N;
        false ->
            Next = lists:usort([B || {A, B} <- Edges, lists:member(A, Here), not lists:member(B, Seen)]),
            step(Edges, Next, To, Next ++ Seen, N + 1)
    end.

-spec bfs([{a | b | c, [a | b | c]}], a | b | c) -> [atom()].
bfs(Adjacent, Start) ->
    Seen = visit([Start], Adjacent, ordsets:new()),
    case ordsets:is_element(c, Seen) of
        true -> Seen;
        false when length(Adjacent) > 1 -> error(unreachable); %@unreachable
        false -> Seen
    end.
visit([], _, Seen) -> Seen;
visit([V | Vs], Adj, Seen) ->
    case ordsets:is_element(V, Seen) of
        true -> visit(Vs, Adj, Seen);
        false -> visit(Vs ++ proplists:get_value(V, Adj, []), Adj, ordsets:add_element(V, Seen))
    end.

-spec priority([{1..3, atom()}]) -> [atom()].
priority(Jobs) ->
    Set = gb_sets:from_list(Jobs),
    case gb_sets:is_empty(Set) of
        true -> [];
        false ->
            {{P, _}, Rest} = gb_sets:take_smallest(Set),
            case gb_sets:size(Rest) > 1 andalso P =:= 2 of
                true -> error(inverted); %@inverted
                false -> [J || {_, J} <- gb_sets:to_list(Set)]
            end
    end.

-spec dedup([1..6]) -> [1..6].
dedup(L) ->
    S = sets:from_list(L),
    case sets:size(S) of
        2 when length(L) =:= 4 -> error(bug); %@dedup
        _ -> lists:sort(sets:to_list(S))
    end.

-spec sliding(1..3, [integer()]) -> [integer()].
sliding(N, L) -> windows(N, L, length(L)).
windows(N, L, Len) when Len >= N -> [lists:sum(lists:sublist(L, N)) | windows(N, tl(L), Len - 1)]; %@sliding
windows(_, [_ | _], _) -> [].

-spec zip3([a], [b], [c]) -> [{a, b, c}].
zip3(A, B, C) -> [] ++ lists:zip3(A, B, C). %@zip3

-spec partition([integer()]) -> {[integer()], [integer()]}.
partition(L) ->
    case lists:partition(fun(X) -> X > 10 end, L) of
        {[A, B], [C]} when A + B =:= C * -7 -> error(bug); %@partition
        P -> P
    end.

-spec nested([[integer()]]) -> integer().
nested(Ls) ->
    case lists:map(fun(L) -> lists:sum(L) end, Ls) of
        [6, 15] -> error(bug); %@nested
        Sums -> lists:sum(Sums)
    end.

-spec group([{x | y, integer()}]) -> [{x | y, [integer()]}].
group(Pairs) ->
    G = lists:foldr(fun({K, V}, D) -> orddict:append(K, V, D) end, orddict:new(), Pairs),
    case G of
        [{x, [2, 1]}, {y, [_]}] -> error(bug); %@group
        _ -> G
    end.

-spec split(0..4, [integer()]) -> {[integer()], [integer()]}.
split(N, L) -> {A, B} = lists:split(N, L), {B, A}. %@split

-spec foldr([0..9]) -> integer().
foldr(Ds) ->
    case lists:foldr(fun(D, Acc) -> Acc * 10 + D end, 0, Ds) of
        321 -> error(bug);
        N -> N
    end.

-spec keysort([{integer(), a | b}]) -> list().
keysort(L) ->
    case lists:keysort(1, L) of
        [{1, a}, {1, b}, {2, a}] -> error(bug); %@keysort
        S -> S
    end.

-spec ring(non_neg_integer(), [atom(), ...]) -> atom().
ring(N, L) ->
    I = N rem length(L),
    case lists:nth(I + 1, L) of
        stop when N > 5 -> error(bug); %@ring
        X -> X
    end.

-spec setops([1..4], [1..4]) -> list().
setops(A, B) ->
    case ordsets:subtract(ordsets:from_list(A), ordsets:from_list(B)) of
        [1, 4] -> error(bug); %@setops
        S -> ordsets:union(S, [9])
    end.

-spec chars(string()) -> ok.
chars(S) ->
    case string:to_integer(S) of
        {42, "x"} -> error(bug); %@chars
        _ -> ok
    end.

-spec prefix(string()) -> boolean().
prefix(S) ->
    case lists:prefix("ab", S) andalso lists:nthtail(2, S) of
        "!" -> error(bug); %@prefix
        _ -> false
    end.

-spec store([{1..3, integer()}]) -> integer().
store(L) ->
    A = array:from_list([X || {_, X} <- L]),
    array:get(2, array:fix(A)).

-type tree() :: integer() | [{atom(), tree()}].
-spec deep_get([atom()], tree()) -> integer().
deep_get([], N) when is_integer(N) -> N;
deep_get([K | Ks], T) when is_list(T) ->
    case lists:keyfind(K, 1, T) of
        {K, Sub} -> deep_get(Ks, Sub);
        false -> error({bad_path, K}) %@bad_path
    end;
deep_get(P, _) -> error({bad_path, P}). %@bad_path2
