%% Programs whose outcome depends on the order of events, and some whose does not.
-module(orders).
-export([two_senders/0, two_senders_apart/0, three_senders/0, four_senders/0, deadlock/0, name_race/0, message_content/1]).
-export([content_and_order/1, lost_update/0, looks_once/0, looks_once_at_two/0, timeout/0, philosophers/0]).
-export([ordered_philosophers/0, readers/0, killed/0, server/1, child/1, late_child/0, proc_lib_child/1, exiting_child/0]).
-export([name_of_the_killed/0, works_on/0, down_not_yet/0, late_alias/0]).
-export([writers_2/0, writers_3/0, writers_4/0, readers_5/0, last_zero_3/0, last_zero_5/0, indexer_11/0, indexer_12/0]).
-export([indexer_13/0, diners_3/0]).

two_senders() ->
    S = self(),
    spawn(fun() -> S ! a end),
    spawn(fun() -> S ! b end),
    receive a -> ok; b -> error(b_first) end.

two_senders_apart() ->
    S = self(),
    spawn(fun() -> S ! a end),
    spawn(fun() -> S ! b end),
    receive a -> receive b -> ok end end.

three_senders() -> senders(3).
four_senders() -> senders(4).

senders(N) ->
    S = self(),
    [spawn(fun() -> S ! I end) || I <- lists:seq(1, N)],
    [receive X -> X end || _ <- lists:seq(1, N)],
    ok.

deadlock() ->
    S = self(),
    P = spawn(fun() -> receive go -> S ! done end end),
    receive done -> P ! go end.

name_race() ->
    spawn(fun() -> register(orders_name, self()), receive stop -> ok end end),
    case whereis(orders_name) of
        undefined -> ok;
        P -> P ! stop, error(found)
    end.

-spec message_content(integer()) -> ok.
message_content(X) ->
    S = self(),
    P = spawn(fun() -> receive {n, N} when N > 100, N rem 7 =:= 3 -> S ! crash; {n, _} -> S ! ok end end),
    P ! {n, X},
    receive ok -> ok; crash -> error(boom) end.

content_and_order(X) ->
    S = self(),
    spawn(fun() -> S ! {a, X} end),
    spawn(fun() -> S ! {b, X * 2} end),
    receive {b, 84} -> error(found); {_, _} -> ok end.

lost_update() ->
    T = ets:new(t, [public]),
    ets:insert(T, {c, 0}),
    S = self(),
    [spawn(fun() -> [{c, V}] = ets:lookup(T, c), ets:insert(T, {c, V + 1}), S ! done end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    [{c, 2}] = ets:lookup(T, c),
    ok.

looks_once() ->
    S = self(),
    spawn(fun() -> S ! x end),
    receive x -> error(got) after 0 -> ok end.

%% Two messages come, or one of them first, or none yet.
looks_once_at_two() ->
    S = self(),
    [spawn(fun() -> S ! X end) || X <- [1, 2]],
    receive _ -> ok after 0 -> error(none) end.

timeout() ->
    S = self(),
    spawn(fun() -> S ! x end),
    receive x -> ok after 10 -> error(late) end.

philosophers() -> philosophers(fun(A, B) -> {B, A} end).
ordered_philosophers() -> philosophers(fun(A, B) -> {A, B} end).

philosophers(Second) ->
    S = self(),
    [A, B] = [spawn(fun fork/0) || _ <- [1, 2]],
    [spawn(fun() -> take(X), take(Y), S ! ate, Y ! put, X ! put end) || {X, Y} <- [{A, B}, Second(A, B)]],
    receive ate -> receive ate -> ok end end.

fork() -> receive {take, P} -> P ! {taken, self()}, receive put -> fork() end end.

take(F) -> F ! {take, self()}, receive {taken, F} -> ok end.

%% Three readers and one writer of a table: each reader sees the old value or the new one.
readers() ->
    T = ets:new(t, [public]),
    ets:insert(T, {v, 0}),
    [spawn(fun() -> ets:lookup(T, v) end) || _ <- [1, 2, 3]],
    ets:insert(T, {v, 1}),
    ok.

killed() ->
    S = self(),
    P = spawn(fun() -> S ! alive, receive never -> ok end end),
    exit(P, kill),
    receive alive -> error(too_late) after 5 -> ok end.

%% A server whose state needs three certain messages.
-spec server([atom()]) -> ok.
server(L) ->
    P = spawn(fun() -> loop(0) end),
    R = monitor(process, P),
    [P ! X || X <- L, is_atom(X)],
    P ! stop,
    receive {'DOWN', R, process, P, normal} -> ok; {'DOWN', R, process, P, {Why, _}} -> error(Why) end.

loop(N) ->
    receive
        stop -> ok;
        open when N =:= 0 -> loop(1);
        push when N =:= 1 -> loop(2);
        close when N =:= 2 -> error(three);
        _ -> loop(N)
    end.

%% Crashes in processes that nothing is linked to.
-spec child(integer()) -> ok.
child(X) -> spawn(fun() -> 1 = X end), ok.

late_child() -> spawn(fun() -> lists:nth(3, [1]) end), receive after 1 -> ok end.

-spec proc_lib_child(integer()) -> ok.
proc_lib_child(X) ->
    P = proc_lib:spawn(fun() -> receive {n, N} when N > 10 -> 1 / (N - 12); _ -> ok end end),
    P ! {n, X},
    ok.

exiting_child() -> spawn(fun() -> exit(bad) end), ok.

%% The killed process has its name until it has seen the signal.
name_of_the_killed() ->
    S = self(),
    P = spawn(fun() -> register(orders_name, self()), S ! go, receive stop -> ok end end),
    receive go -> ok end,
    exit(P, kill),
    register(orders_name, self()),
    ok.

%% The killed process works on until it has seen the signal.
works_on() ->
    T = ets:new(t, [public]),
    ets:insert(T, {c, 0}),
    P = spawn(fun() -> ets:insert(T, {c, 1}) end),
    exit(P, kill),
    Before = ets:lookup(T, c),
    Before = ets:lookup(T, c),
    ok.

%% That a process is dead can be known before the message about it is there.
down_not_yet() ->
    {P, R} = spawn_monitor(fun() -> ok end),
    case is_process_alive(P) of
        true -> ok;
        false -> receive {'DOWN', R, process, P, normal} -> ok after 0 -> error(not_yet) end
    end.

%% A message to an alias is dropped if the alias has ended when it is looked at.
late_alias() ->
    T = ets:new(t, [public]),
    A = alias(),
    spawn(fun() -> A ! hi, ets:insert(T, {sent, true}) end),
    case ets:lookup(T, sent) of
        [] -> ok;
        _ -> unalias(A), receive hi -> ok after 0 -> error(dropped) end
    end.

%% Programs whose numbers of orders are known from the literature.
writers_2() -> writers(2).
writers_3() -> writers(3).
writers_4() -> writers(4).

writers(N) ->
    T = ets:new(t, [public]),
    [spawn(fun() -> ets:insert(T, {v, I}) end) || I <- lists:seq(1, N)],
    ok.

readers_5() ->
    T = ets:new(t, [public]),
    ets:insert(T, {v, 0}),
    [spawn(fun() -> ets:lookup(T, v) end) || _ <- lists:seq(1, 5)],
    ets:insert(T, {v, 1}),
    ok.

%% One process looks for the last zero of an array, from its end; the others each count an element up from the one before.
last_zero_3() -> last_zero(3).
last_zero_5() -> last_zero(5).

last_zero(N) ->
    Cells = [ets:new(t, [public]) || _ <- lists:seq(0, N)],
    [ets:insert(Cell, {v, 0}) || Cell <- Cells],
    spawn(fun() -> search(lists:reverse(Cells)) end),
    [spawn(fun() -> ets:insert(lists:nth(I + 1, Cells), {v, read(lists:nth(I, Cells)) + 1}) end) || I <- lists:seq(1, N)],
    ok.

search([Cell | Cells]) ->
    case read(Cell) of
        0 -> ok;
        _ -> search(Cells)
    end.

read(Cell) -> [{v, V}] = ets:lookup(Cell, v), V.

%% Threads write four values each into a hash table of 128 places, a place taken being left for the next one.
indexer_11() -> indexer(11).
indexer_12() -> indexer(12).
indexer_13() -> indexer(13).

indexer(Threads) ->
    T = ets:new(t, [public, ordered_set]),
    [spawn(fun() -> [place(T, (M * 11 + I) * 7 rem 128, M * 11 + I) || M <- lists:seq(1, 4)] end) || I <- lists:seq(0, Threads - 1)],
    ok.

place(T, Place, Value) ->
    case ets:insert_new(T, {Place, Value}) of
        true -> ok;
        false -> place(T, (Place + 1) rem 128, Value)
    end.

%% Three at a table: each takes the fork on the left, then that on the right.
diners_3() ->
    S = self(),
    [A, B, C] = [spawn(fun fork/0) || _ <- [1, 2, 3]],
    [spawn(fun() -> take(X), take(Y), S ! ate, Y ! put, X ! put end) || {X, Y} <- [{A, B}, {B, C}, {C, A}]],
    [receive ate -> ok end || _ <- [1, 2, 3]].
