%% Containers of OTP: each function asks for one that takes some calls to make.
-module(containers).
-export([queue_of_three/1, set_of_three/1, tree/1, dict/1, array/1, gb_set/1, two_queues/1, in_tuple/1]).
-export([rear/1, untouched/1, empty_is_fine/1, balanced/1, sum/1]).

-spec queue_of_three(queue:queue(integer())) -> ok.
queue_of_three(Q) ->
    case queue:len(Q) =:= 3 andalso queue:get(Q) =:= 42 of
        true -> hd([]);
        false -> ok
    end.

-spec set_of_three(sets:set(integer())) -> ok.
set_of_three(S) ->
    case sets:size(S) of
        3 -> hd([]);
        _ -> ok
    end.

-spec tree(gb_trees:tree(integer(), atom())) -> ok.
tree(T) ->
    case gb_trees:size(T) >= 2 andalso gb_trees:smallest(T) of
        {7, x} -> hd([]);
        _ -> ok
    end.

-spec dict(dict:dict(atom(), integer())) -> ok.
dict(D) ->
    case dict:find(key, D) of
        {ok, 99} -> hd([]);
        _ -> ok
    end.

-spec array(array:array(integer())) -> ok.
array(A) ->
    case array:size(A) > 2 andalso array:get(1, A) of
        5 -> hd([]);
        _ -> ok
    end.

-spec gb_set(gb_sets:set(integer())) -> ok.
gb_set(S) ->
    case gb_sets:is_empty(S) orelse gb_sets:largest(S) of
        1000 -> hd([]);
        _ -> ok
    end.

-spec two_queues([queue:queue(integer())]) -> ok.
two_queues([A, B | _]) ->
    case {queue:is_empty(A), queue:is_empty(B)} of
        {true, false} -> hd([]);
        _ -> ok
    end;
two_queues(_) -> ok.

-spec in_tuple({integer(), queue:queue(integer())} | none) -> ok.
in_tuple({N, Q}) ->
    case queue:peek(Q) of
        {value, N} -> hd([]);
        _ -> ok
    end;
in_tuple(none) -> ok.

-spec rear(queue:queue(integer())) -> ok.
rear(Q) ->
    case queue:peek_r(Q) of
        {value, -8} -> hd([]);
        _ -> ok
    end.

%% It never looks into the value.
-spec untouched(queue:queue(integer())) -> {ok, queue:queue(integer())}.
untouched(Q) -> {ok, Q}.

%% It asks, and all answers are fine.
-spec empty_is_fine(queue:queue(integer())) -> boolean().
empty_is_fine(Q) -> queue:is_empty(Q).

%% Crashes on arrays with gaps, which are no arrays of integers.
-spec sum(array:array(integer())) -> integer().
sum(A) -> array:foldl(fun(_, Value, Sum) -> Value + Sum end, 0, A).

%% The module keeps its promise, though its representation does not have it: a queue with a rear has a front.
-spec balanced(queue:queue(integer())) -> ok.
balanced(Q) ->
    case queue:len(Q) > 0 andalso queue:is_empty(Q) of
        true -> hd([]);
        false -> ok
    end.
