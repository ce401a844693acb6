%% Programs whose outcome depends on the order of events, and some whose does not.
-module(orders).
-compile([export_all, nowarn_export_all]).

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
