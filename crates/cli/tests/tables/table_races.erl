%% Races on tables, arrays and persistent terms, and twins of them that lose nothing.
-module(table_races).

-export([lost_update/0, kept_update/0, own_keys/0, one_key/0, locked/0, unlocked/0]).
-export([lost_add/0, kept_add/0, kept_exchange/0, lost_exchange/0, own_indices/0, counters/0]).
-export([lost_term/0, own_terms/0, taken_once/0, named_once/0, deleted/0, inherited/0, given/0, protected/0]).
-export([open_key/1, open_keys/2, listed/0, listed_keys/0, row_content/1, stored_sum/1]).

%% Two processes read a counter and write it back.
lost_update() ->
    T = ets:new(t, [public]),
    ets:insert(T, {n, 0}),
    both(fun() -> [{n, N}] = ets:lookup(T, n), ets:insert(T, {n, N + 1}) end),
    2 = ets:lookup_element(T, n, 2).

kept_update() ->
    T = ets:new(t, [public]),
    ets:insert(T, {n, 0}),
    both(fun() -> ets:update_counter(T, n, 1) end),
    2 = ets:lookup_element(T, n, 2).

%% What one process does with its key does not meet what the other does with its own.
own_keys() ->
    T = ets:new(t, [public]),
    apart(fun(Key) -> ets:insert(T, {Key, 0}), [{Key, N}] = ets:lookup(T, Key), ets:insert(T, {Key, N + 1}) end),
    [1, 1] = [ets:lookup_element(T, Key, 2) || Key <- [1, 2]].

one_key() ->
    T = ets:new(t, [public]),
    apart(fun(Who) -> ets:insert(T, {last, Who}) end),
    [{last, 2}] = ets:lookup(T, last).

%% A lock by `insert_new`: the one that gets it goes on.
locked() ->
    T = ets:new(t, [public]),
    both(fun() -> case ets:insert_new(T, {lock}) of
        true -> ets:insert(T, {n, 1});
        false -> ok
    end end),
    1 = ets:lookup_element(T, n, 2),
    2 = ets:info(T, size).

%% The same by a look and an insertion: both may go on.
unlocked() ->
    T = ets:new(t, [public, duplicate_bag]),
    both(fun() -> case ets:member(T, lock) of
        false -> ets:insert(T, {lock});
        true -> ok
    end end),
    [_] = ets:lookup(T, lock).

lost_add() ->
    A = atomics:new(1, []),
    both(fun() -> atomics:put(A, 1, atomics:get(A, 1) + 1) end),
    2 = atomics:get(A, 1).

kept_add() ->
    A = atomics:new(1, []),
    both(fun() -> atomics:add(A, 1, 1) end),
    2 = atomics:get(A, 1).

%% Tries until nothing has come between.
kept_exchange() ->
    A = atomics:new(1, []),
    both(fun() -> increase(A) end),
    2 = atomics:get(A, 1).

increase(A) ->
    N = atomics:get(A, 1),
    case atomics:compare_exchange(A, 1, N, N + 1) of
        ok -> ok;
        _ -> increase(A)
    end.

lost_exchange() ->
    A = atomics:new(1, []),
    both(fun() -> N = atomics:get(A, 1), atomics:exchange(A, 1, N + 1) end),
    2 = atomics:get(A, 1).

own_indices() ->
    A = atomics:new(2, []),
    apart(fun(Index) -> atomics:put(A, Index, atomics:get(A, Index) + Index) end),
    3 = atomics:get(A, 1) + atomics:get(A, 2).

counters() ->
    C = counters:new(1, [write_concurrency]),
    both(fun() -> counters:add(C, 1, 1) end),
    2 = counters:get(C, 1).

lost_term() ->
    persistent_term:put(n, 0),
    both(fun() -> persistent_term:put(n, persistent_term:get(n) + 1) end),
    2 = persistent_term:get(n).

own_terms() ->
    apart(fun(Key) -> persistent_term:put(Key, Key), Key = persistent_term:get(Key) end),
    3 = persistent_term:get(1) + persistent_term:get(2).

%% A row is taken by one process alone.
taken_once() ->
    T = ets:new(t, [public]),
    ets:insert(T, {job, 1}),
    Found = gathered(fun(_) -> ets:take(T, job) end),
    [[], [{job, 1}]] = lists:sort(Found).

%% The second table of a name is none.
named_once() ->
    Made = gathered(fun(_) -> try ets:new(name_of_both, [named_table]) catch error:badarg -> none end end),
    true = lists:member(name_of_both, Made).

%% A table may be gone before it is used.
deleted() ->
    T = ets:new(t, [public]),
    ets:insert(T, {k, 1}),
    spawn(fun() -> ets:delete(T) end),
    [{k, 1}] = ets:lookup(T, k).

%% The heir gets the table and word of it, whatever the order.
inherited() ->
    Heir = self(),
    Owner = spawn(fun() ->
        T = ets:new(t, [{heir, Heir, data}]),
        ets:insert(T, {k, 1})
    end),
    receive {'ETS-TRANSFER', T, Owner, data} -> [{k, 1}] = ets:lookup(T, k) end,
    Heir = ets:info(T, owner).

%% A table that is given away can be written by its new owner alone.
given() ->
    T = ets:new(t, []),
    Other = spawn(fun() -> receive {'ETS-TRANSFER', G, _, gift} -> ets:insert(G, {k, 1}) end end),
    ets:give_away(T, Other, gift),
    false = try ets:insert(T, {k, 2}) catch error:badarg -> false end.

%% Others may read a protected table, not write it.
protected() ->
    T = ets:new(t, []),
    [{badarg, []}, {badarg, []}] =
        gathered(fun(_) -> {try ets:insert(T, {k, 1}) catch error:Reason -> Reason end, ets:lookup(T, k)} end),
    0 = ets:info(T, size).

%% Whether two processes meet in one row is the input's to say.
open_key(Key) ->
    T = ets:new(t, [public]),
    ets:insert(T, {7, 0}),
    Self = self(),
    spawn(fun() -> ets:insert(T, {Key, 1}), Self ! done end),
    Seen = ets:lookup_element(T, 7, 2),
    receive done -> ok end,
    Seen =:= 1 andalso error(seen).

open_keys(A, B) ->
    T = ets:new(t, [public]),
    Self = self(),
    spawn(fun() -> ets:insert(T, {A, 1}), Self ! done end),
    Seen = ets:lookup(T, B),
    receive done -> ok end,
    case {Seen, ets:lookup(T, B)} of
        {[], [_]} when A =:= 3 -> error(late);
        _ -> ok
    end.

%% All rows together depend on every row.
listed() ->
    T = ets:new(t, [public]),
    spawn(fun() -> ets:insert(T, {k, 1}) end),
    [] = ets:tab2list(T).

listed_keys() ->
    T = ets:new(t, [public, ordered_set]),
    Self = self(),
    apart(fun(Key) -> ets:insert(T, {Key}) end),
    Self = ets:info(T, owner),
    [{1}, {2}] = ets:tab2list(T).

row_content(X) when is_integer(X) ->
    T = ets:new(t, [public]),
    Self = self(),
    spawn(fun() -> ets:insert(T, {k, X + 1}), Self ! done end),
    receive done -> ok end,
    [{k, N}] = ets:lookup(T, k),
    N =:= 10 andalso error(ten).

stored_sum(X) when is_integer(X), X > 0, X < 100 ->
    A = atomics:new(1, []),
    Self = self(),
    spawn(fun() -> atomics:add(A, 1, X), Self ! done end),
    receive done -> ok end,
    42 =:= atomics:add_get(A, 1, 2) andalso error(found).

both(Work) -> apart(fun(_) -> Work() end).

apart(Work) -> gathered(Work), ok.

%% The results of two processes, in the order in which they come.
gathered(Work) ->
    Self = self(),
    [spawn(fun() -> Self ! {result, Work(N)} end) || N <- [1, 2]],
    [receive {result, Result} -> Result end || _ <- [1, 2]].
